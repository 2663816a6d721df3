#include "conformance/translation/port.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "conformance/oracle/ruling_of.h"
#include "conformance/property/patterns.h"

namespace reshape::conformance {
namespace {

struct Candidate {
  ShapePattern pattern;
  std::optional<bool> special_zero;
};

// Whether every outcome that `answer` permits is permitted by `allowed`.
bool within(const Ruling& answer, const Ruling& allowed) {
  switch (answer.kind) {
    case Ruling::Kind::produces: return allowed.permits(answer.shape);
    case Ruling::Kind::rejects: return allowed.permits_rejecting();
    case Ruling::Kind::unspecified: break;
  }
  if (allowed.kind != Ruling::Kind::unspecified) return false;
  if (answer.may_reject && !allowed.may_reject) return false;
  return std::ranges::all_of(answer.permitted, [&](const auto& shape) {
    return std::ranges::find(allowed.permitted, shape) != allowed.permitted.end();
  });
}

// The flags to try, the preferred one first.
std::vector<std::optional<bool>> flags_of(const Dialect& to, std::optional<bool> given) {
  if (to.zero != ZeroRule::by_flag) return {std::nullopt};
  std::vector<std::optional<bool>> flags = {given};
  for (const std::optional<bool> flag :
       {std::optional<bool>(), std::optional<bool>(true), std::optional<bool>(false)}) {
    if (std::ranges::find(flags, flag) == flags.end()) flags.push_back(flag);
  }
  return flags;
}

// What a candidate may have at one place.
struct Place {
  std::optional<PatternValue> kept;  // the source's value there
  std::vector<PatternValue> others;
};

// All lists with one value of each place, made one after the other: there may be millions.
class Lists {
 public:
  using Fits = std::function<bool(const std::vector<PatternValue>&)>;

  // `one_inferred`: at most one -1 in a list.
  Lists(std::vector<Place> places, bool one_inferred)
      : places_(std::move(places)), one_inferred_(one_inferred) {}

  std::size_t length() const { return places_.size(); }

  // Whether one fits of the lists that keep the source's values at all places but `changes`. None
  // is made after the first that fits.
  bool any(std::size_t changes, const Fits& fits) const {
    std::vector<PatternValue> start;
    return any_from(start, changes, false, fits);
  }

 private:
  // The same of the lists that begin with `start`, which has a -1 where `inferred`.
  bool any_from(std::vector<PatternValue>& start, std::size_t changes, bool inferred,
                const Fits& fits) const {
    if (changes > places_.size() - start.size()) return false;
    if (start.size() == places_.size()) return fits(start);
    const Place& place = places_[start.size()];
    const auto with = [&](PatternValue value, std::size_t more) {
      if (value == -1 && inferred && one_inferred_) return false;
      start.push_back(value);
      const bool found = any_from(start, more, inferred || value == -1, fits);
      start.pop_back();
      return found;
    };
    if (place.kept && with(*place.kept, changes)) return true;
    return changes > 0 && std::ranges::any_of(place.others, [&](PatternValue value) {
             return with(value, changes - 1);
           });
  }

  std::vector<Place> places_;
  bool one_inferred_;
};

class Search {
 public:
  // `types`: of the target's pattern, the preferred one first.
  Search(const Dialect& from, const Dialect& to, const PortQuestion& question,
         std::vector<ElementType> types)
      : from_(from), to_(to), question_(question), types_(std::move(types)) {}

  Port find() {
    ask_source();
    port_.shapes = shapes_.size();
    port_.refused_for = refused_for([&](std::size_t at) { return answers_[at]; });
    for (const ElementType type : types_) {
      if (find_of(type)) return std::move(port_);
    }
    port_.at = shapes_[last_];
    port_.source_answers = answers_[last_];
    port_.nearest_answers = ruling_of(to_, *port_.nearest);
    return std::move(port_);
  }

 private:
  void ask_source() {
    PortWorld world = port_world(question_.asked.pattern, question_.data);
    port_.world = std::move(world.says);
    for (Shape& shape : world.shapes) {
      Request request = question_.asked;
      request.dialect = from_.name;
      request.data = shape;
      Ruling answer = ruling_of(from_, request);
      if (question_.valid_only && answer.kind != Ruling::Kind::produces) continue;
      shapes_.push_back(std::move(shape));
      answers_.push_back(std::move(answer));
    }
  }

  // Whether a candidate with a pattern of that type is right. The fewest changed values are tried
  // first, then the preferred flag, so that the first one found is the one to prefer.
  bool find_of(ElementType type) {
    const std::vector<PatternValue>& values = question_.asked.pattern.values;
    const auto produced = std::ranges::find_if(
        answers_, [](const Ruling& answer) { return answer.kind == Ruling::Kind::produces; });
    const bool some = produced != answers_.end();
    const Lists lists(some ? places(type, &produced->shape) : places(type, nullptr), some);
    const std::size_t lost = values.size() - std::min(values.size(), lists.length());
    const std::vector<PatternValue> refused = {-1, -1};
    const std::size_t most = std::max({values.size(), lists.length(), refused.size()});
    const std::vector<std::optional<bool>> flags = flags_of(to_, question_.asked.special_zero);
    for (std::size_t changes = 0; changes <= most; ++changes) {
      for (const std::optional<bool> flag : flags) {
        const auto fits = [&](const std::vector<PatternValue>& list) {
          return is_right({{type, list}, flag});
        };
        if (changes >= lost && lists.any(changes - lost, fits)) return true;
        if (!some && changes_in(refused) == changes && fits(refused)) return true;
      }
    }
    return false;
  }

  // `produced`: a shape that the source gives; null where it never gives one.
  std::vector<Place> places(ElementType type, const Shape* produced) const {
    const std::vector<PatternValue>& values = question_.asked.pattern.values;
    std::vector<Place> places(produced != nullptr ? produced->rank() : values.size());
    for (std::size_t at = 0; at < places.size(); ++at) {
      Place& place = places[at];
      if (at < values.size() && holds(type, values[at])) place.kept = values[at];
      const PatternValue size = produced != nullptr ? (*produced)[at] : -2;
      for (const PatternValue value : {PatternValue{-1}, PatternValue{0}, size}) {
        const bool there =
            place.kept == value || std::ranges::find(place.others, value) != place.others.end();
        if (!there && holds(type, value)) place.others.push_back(value);
      }
    }
    return places;
  }

  // The number of values that differ from the source's.
  std::size_t changes_in(const std::vector<PatternValue>& list) const {
    const std::vector<PatternValue>& values = question_.asked.pattern.values;
    std::size_t changes = std::max(list.size(), values.size());
    for (std::size_t at = 0; at < std::min(list.size(), values.size()); ++at) {
      changes -= list[at] == values[at] ? 1 : 0;
    }
    return changes;
  }

  bool is_right(const Candidate& candidate) {
    const ElementType type = candidate.pattern.type;
    if (!holds(type, candidate.pattern)) return false;
    // An earlier type had the same values, and they were wrong.
    if (type != types_.front() && holds(types_.front(), candidate.pattern)) return false;
    ++port_.candidates;
    const std::size_t failed = first_failure(candidate);
    if (failed == shapes_.size()) {
      port_.request = in_target(candidate, {});
      port_.target_refuses_for = refused_for(
          [&](std::size_t at) { return ruling_of(to_, in_target(candidate, shapes_[at])); });
      return true;
    }
    if (!port_.nearest || failed > last_) {
      last_ = failed;
      port_.nearest = in_target(candidate, shapes_[failed]);
    }
    return false;
  }

  Request in_target(const Candidate& candidate, const Shape& data) const {
    Request request;
    request.dialect = to_.name;
    request.data_type = question_.asked.data_type;
    request.data = data;
    request.pattern = candidate.pattern;
    request.special_zero = candidate.special_zero;
    request.shape_only = true;
    return request;
  }

  // The clause of the first ruling, where all are rejections; else empty.
  std::string refused_for(const std::function<Ruling(std::size_t at)>& ruling) const {
    std::string clause;
    for (std::size_t at = 0; at < shapes_.size(); ++at) {
      const Ruling one = ruling(at);
      if (one.kind != Ruling::Kind::rejects) return "";
      if (at == 0) clause = one.clause;
    }
    return clause;
  }

  // The index of the first shape where the candidate's answer is not permitted; shapes_.size()
  // where there is none.
  std::size_t first_failure(const Candidate& candidate) const {
    Request request = in_target(candidate, {});
    for (std::size_t at = 0; at < shapes_.size(); ++at) {
      request.data = shapes_[at];
      if (!within(ruling_of(to_, request), answers_[at])) return at;
    }
    return shapes_.size();
  }

  const Dialect& from_;
  const Dialect& to_;
  const PortQuestion& question_;
  const std::vector<ElementType> types_;
  std::vector<Shape> shapes_;
  std::vector<Ruling> answers_;
  Port port_;
  std::size_t last_ = 0;  // the shape at which port_.nearest fails
};

// The pattern types to use: the given one where the target has it, and then the widest signed one.
// The given one may lack the value that does it: no u64 is -1, and no i8 is 200.
std::vector<ElementType> pattern_types_in(const Dialect& to, ElementType given) {
  const ElementTypes integers = to.pattern_types & ElementTypes::integers();
  std::vector<ElementType> types;
  if (to.pattern_types.contains(given)) {
    types.push_back(given);
  } else if (!integers.empty()) {
    types.push_back(*integers.begin());
  }
  std::optional<ElementType> widest;
  for (const ElementType type : integers) {
    if (is_signed_integer(type) && (!widest || bits(type) > bits(*widest))) widest = type;
  }
  if (widest && *widest != types.front()) types.push_back(*widest);
  return types;
}

}  // namespace

Result<Port> port(const Dialect& from, const Dialect& to, const PortQuestion& question) {
  const ShapePattern& pattern = question.asked.pattern;
  if (pattern.values.size() > kMostValues) {
    return Error{"a pattern of " + std::to_string(pattern.values.size()) +
                 " values is longer than " + std::to_string(kMostValues)};
  }
  if (!to.data_types.contains(question.asked.data_type)) {
    return Error{to.name + " has no data of " + std::string(name(question.asked.data_type))};
  }
  std::vector<ElementType> types = pattern_types_in(to, pattern.type);
  if (types.empty()) return Error{to.name + " has no pattern of integers"};
  Port found = Search(from, to, question, std::move(types)).find();
  if (found.shapes == 0) {
    return Error{from.name + " gives a shape for none of the data shapes " + found.world};
  }
  return found;
}

}  // namespace reshape::conformance
