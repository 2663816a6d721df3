#include "conformance/translation/port.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "conformance/oracle/ruling_of.h"
#include "conformance/property/patterns.h"

namespace reshape::conformance {
namespace {

struct Candidate {
  std::vector<PatternValue> values;
  std::optional<bool> special_zero;
  std::size_t changes = 0;  // number of values that differ from the source's
  std::size_t flag = 0;     // index into flags_of(), the preferred one first
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
  return std::all_of(answer.permitted.begin(), answer.permitted.end(), [&](const auto& shape) {
    return std::find(allowed.permitted.begin(), allowed.permitted.end(), shape) !=
           allowed.permitted.end();
  });
}

std::vector<std::optional<bool>> flags_of(const Dialect& to, std::optional<bool> given) {
  if (to.zero != ZeroRule::by_flag) return {std::nullopt};
  std::vector<std::optional<bool>> flags = {given};
  for (const std::optional<bool> flag :
       {std::optional<bool>(), std::optional<bool>(true), std::optional<bool>(false)}) {
    if (std::find(flags.begin(), flags.end(), flag) == flags.end()) flags.push_back(flag);
  }
  return flags;
}

// All lists with one of the `choices` at each place. `one_inferred`: at most one -1 in a list.
std::vector<std::vector<PatternValue>> products(
    const std::vector<std::vector<PatternValue>>& choices, bool one_inferred) {
  std::vector<std::vector<PatternValue>> all = {{}};
  for (const std::vector<PatternValue>& choice : choices) {
    std::vector<std::vector<PatternValue>> longer;
    for (const std::vector<PatternValue>& start : all) {
      const bool inferred = std::find(start.begin(), start.end(), -1) != start.end();
      for (const PatternValue value : choice) {
        if (value == -1 && inferred && one_inferred) continue;
        longer.push_back(start);
        longer.back().push_back(value);
      }
    }
    all = std::move(longer);
  }
  return all;
}

class Search {
 public:
  Search(const Dialect& from, const Dialect& to, const PortQuestion& question, ElementType type)
      : from_(from), to_(to), question_(question), type_(type) {}

  Port find() {
    ask_source();
    make_candidates();
    Port port;
    port.candidates = candidates_.size();
    port.shapes = shapes_.size();
    port.world = world_;
    port.refused_for = refused_for([&](std::size_t at) { return answers_[at]; });
    std::size_t last = 0;
    for (const Candidate& candidate : candidates_) {
      const std::size_t failed = first_failure(candidate);
      if (failed == shapes_.size()) {
        port.request = in_target(candidate, {});
        port.target_refuses_for = refused_for(
            [&](std::size_t at) { return ruling_of(to_, in_target(candidate, shapes_[at])); });
        return port;
      }
      if (!port.nearest || failed > last) {
        last = failed;
        port.nearest = in_target(candidate, shapes_[failed]);
      }
    }
    port.at = shapes_[last];
    port.source_answers = answers_[last];
    port.nearest_answers = ruling_of(to_, *port.nearest);
    return port;
  }

 private:
  void ask_source() {
    PortWorld world = port_world(question_.asked.pattern, question_.data);
    world_ = std::move(world.says);
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

  void make_candidates() {
    const std::vector<PatternValue>& values = question_.asked.pattern.values;
    const auto produced = std::find_if(answers_.begin(), answers_.end(), [](const Ruling& answer) {
      return answer.kind == Ruling::Kind::produces;
    });
    const bool some = produced != answers_.end();
    std::vector<std::vector<PatternValue>> choices(some ? produced->shape.rank() : values.size());
    for (std::size_t at = 0; at < choices.size(); ++at) {
      std::vector<PatternValue>& choice = choices[at];
      const auto add = [&](PatternValue value) {
        if (std::find(choice.begin(), choice.end(), value) == choice.end()) choice.push_back(value);
      };
      if (at < values.size()) add(values[at]);
      add(-1);
      add(0);
      add(some ? produced->shape[at] : -2);
    }
    std::vector<std::vector<PatternValue>> patterns = products(choices, some);
    if (!some) patterns.push_back({-1, -1});
    const std::vector<std::optional<bool>> flags = flags_of(to_, question_.asked.special_zero);
    for (std::vector<PatternValue>& pattern : patterns) {
      if (!holds(type_, {type_, pattern})) continue;
      Candidate candidate;
      candidate.values = std::move(pattern);
      for (std::size_t at = 0; at < std::max(candidate.values.size(), values.size()); ++at) {
        const bool same = at < candidate.values.size() && at < values.size() &&
                          candidate.values[at] == values[at];
        candidate.changes += same ? 0 : 1;
      }
      for (std::size_t at = 0; at < flags.size(); ++at) {
        candidate.flag = at;
        candidate.special_zero = flags[at];
        candidates_.push_back(candidate);
      }
    }
    std::stable_sort(candidates_.begin(), candidates_.end(), [](const auto& a, const auto& b) {
      return a.changes != b.changes ? a.changes < b.changes : a.flag < b.flag;
    });
  }

  Request in_target(const Candidate& candidate, const Shape& data) const {
    Request request;
    request.dialect = to_.name;
    request.data_type = question_.asked.data_type;
    request.data = data;
    request.pattern.type = type_;
    request.pattern.values = candidate.values;
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
  const ElementType type_;  // of the target's pattern
  std::vector<Shape> shapes_;
  std::vector<Ruling> answers_;
  std::string world_;
  std::vector<Candidate> candidates_;
};

// The pattern type to use: the given one where the target has it.
std::optional<ElementType> pattern_type_in(const Dialect& to, ElementType given) {
  if (to.pattern_types.contains(given)) return given;
  const ElementTypes integers = to.pattern_types & ElementTypes::integers();
  return integers.empty() ? std::nullopt : std::optional(*integers.begin());
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
  const std::optional<ElementType> type = pattern_type_in(to, pattern.type);
  if (!type) return Error{to.name + " has no pattern of integers"};
  Port found = Search(from, to, question, *type).find();
  if (found.shapes == 0) {
    return Error{from.name + " gives a shape for none of the data shapes " + found.world};
  }
  return found;
}

}  // namespace reshape::conformance
