#include "conformance/self/random_mutant.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <span>
#include <utility>

#include "conformance/self/displace.h"
#include "conformance/self/misread.h"

namespace reshape::conformance::self {
namespace {

struct Draw {
  std::mt19937_64 engine;

  std::uint64_t below(std::uint64_t bound) { return engine() % bound; }
  template <typename T>
  const T& one_of(std::span<const T> from) {
    return from[below(from.size())];
  }
};

using Holds = std::function<bool(const Seen&)>;

// One predicate of a condition, with its words.
struct Predicate {
  std::string says;
  Holds holds;
  bool by_sequence = false;
};

constexpr std::int64_t kNumbers[] = {
    1,  2,  3,  4,  5,  6,   7,   8,   9,   10,  12,  15,  16,  17,  24,   31,   32,   33,
    48, 63, 64, 65, 96, 100, 127, 128, 129, 200, 255, 256, 257, 512, 1000, 1024, 4096, 65536};
constexpr ElementType kDataTypes[] = {ElementType::f64,  ElementType::f32, ElementType::f16,
                                      ElementType::bf16, ElementType::i64, ElementType::i32,
                                      ElementType::i8,   ElementType::u8,  ElementType::i4};
constexpr ElementType kPatternTypes[] = {ElementType::i64, ElementType::i32, ElementType::i16,
                                         ElementType::u8, ElementType::u64};

std::string number(std::int64_t value) { return std::to_string(value); }

// A random number, in two of three cases a small one, as most ranks, sizes and indices are.
std::int64_t some_number(Draw& draw) {
  const std::span<const std::int64_t> all(kNumbers);
  return draw.one_of(draw.below(3) < 2 ? all.first(12) : all);
}

Predicate of_rank(Draw& draw) {
  const auto n = static_cast<std::size_t>(draw.below(8));
  switch (draw.below(4)) {
    case 0:
      return {"the data's rank is " + std::to_string(n),
              [=](const Seen& s) { return s.data.rank() == n; }};
    case 1:
      return {"the data's rank is above " + std::to_string(n),
              [=](const Seen& s) { return s.data.rank() > n; }};
    case 2:
      return {"the pattern has " + std::to_string(n) + " values",
              [=](const Seen& s) { return s.pattern.size() == n; }};
    default:
      return {"the pattern is " + std::to_string(n) + " longer than the rank",
              [=](const Seen& s) { return s.pattern.size() == s.data.rank() + n; }};
  }
}

Predicate of_sizes(Draw& draw) {
  const std::int64_t n = some_number(draw);
  const auto any = [](const Seen& s, auto is) {
    return std::any_of(s.data.begin(), s.data.end(), is);
  };
  switch (draw.below(6)) {
    case 0:
      return {"a size of the data is " + number(n),
              [=](const Seen& s) { return any(s, [=](std::int64_t size) { return size == n; }); }};
    case 1:
      return {"a size of the data is above " + number(n),
              [=](const Seen& s) { return any(s, [=](std::int64_t size) { return size > n; }); }};
    case 2:
      return {"the last size of the data is a multiple of " + number(n), [=](const Seen& s) {
                return s.data.rank() > 0 && s.data[s.data.rank() - 1] % n == 0;
              }};
    case 3: {
      const std::int64_t rest =
          static_cast<std::int64_t>(draw.below(static_cast<std::uint64_t>(n)));
      return {"the number of elements leaves " + number(rest) + " modulo " + number(n),
              [=](const Seen& s) { return element_count(s.data).value_or(0) % n == rest; }};
    }
    case 4:
      return {"there are more than " + number(n) + " elements",
              [=](const Seen& s) { return element_count(s.data).value_or(INT64_MAX) > n; }};
    default: return {"there are no elements", [](const Seen& s) { return is_empty(s.data); }};
  }
}

Predicate of_types(Draw& draw) {
  if (draw.below(3) == 0) {
    const ElementType type = draw.one_of(std::span<const ElementType>(kPatternTypes));
    return {"the pattern is of " + std::string(reshape::name(type)),
            [=](const Seen& s) { return s.pattern_type == type; }};
  }
  if (draw.below(2) == 0) {
    const int width = 4 << draw.below(5);
    return {"the data's elements have " + std::to_string(width) + " bits",
            [=](const Seen& s) { return bits(s.data_type) == width; }};
  }
  const ElementType type = draw.one_of(std::span<const ElementType>(kDataTypes));
  return {"the data is of " + std::string(reshape::name(type)),
          [=](const Seen& s) { return s.data_type == type; }};
}

Predicate of_flags(Draw& draw) {
  const auto flag = static_cast<std::int32_t>(draw.below(2));
  return {std::string("special_zero is ") + (flag == 1 ? "true" : "false"),
          [=](const Seen& s) { return s.special_zero == flag; }};
}

Predicate of_positions(Draw& draw) {
  const std::size_t place = draw.below(6);
  const PatternValue value = static_cast<PatternValue>(draw.below(3)) - 1;
  const std::string what = number(static_cast<std::int64_t>(value));
  switch (draw.below(3)) {
    case 0:
      return {"a " + what + " stands at place " + std::to_string(place),
              [=](const Seen& s) { return place < s.pattern.size() && s.pattern[place] == value; }};
    case 1:
      return {"the last value of the pattern is " + what,
              [=](const Seen& s) { return !s.pattern.empty() && s.pattern.back() == value; }};
    default:
      return {"the pattern holds " + what + " " + std::to_string(place) + " times",
              [=](const Seen& s) {
                return std::count(s.pattern.begin(), s.pattern.end(), value) ==
                       static_cast<std::ptrdiff_t>(place);
              }};
  }
}

Predicate of_strides(Draw& draw) {
  const bool output = draw.below(2) == 0;
  const std::string whose = output ? "the output" : "the data";
  const auto of = [=](const Seen& s) -> const Strides& {
    return output ? s.out_strides : s.strides;
  };
  const std::int64_t n = some_number(draw);
  switch (draw.below(5)) {
    case 0: return {whose + " has strides", [=](const Seen& s) { return !of(s).empty(); }};
    case 1:
      return {whose + " has a stride of " + number(n),
              [=](const Seen& s) { return std::count(of(s).begin(), of(s).end(), n) > 0; }};
    case 2:
      return {whose + "'s last stride is above " + number(n),
              [=](const Seen& s) { return !of(s).empty() && of(s).back() > n; }};
    case 3:
      return {whose + " walks backwards somewhere", [=](const Seen& s) {
                return std::any_of(of(s).begin(), of(s).end(),
                                   [](std::int64_t stride) { return stride < 0; });
              }};
    default:
      return {whose + "'s first stride is less than its last",
              [=](const Seen& s) { return !of(s).empty() && of(s).front() < of(s).back(); }};
  }
}

// Predicates that count the calls for which the predicates before them are true.
Predicate of_sequence(Draw& draw) {
  const std::int64_t n = some_number(draw);
  if (draw.below(2) == 0) {
    return {"that was so " + number(n) + " times before",
            [n, calls = std::make_shared<std::int64_t>(0)](const Seen&) { return ++*calls > n; },
            true};
  }
  return {"the call before was about other sizes of the data",
          [before = std::make_shared<Shape>()](const Seen& s) {
            return std::exchange(*before, s.data) != s.data;
          },
          true};
}

struct Conjunction {
  std::vector<Predicate> all;

  bool holds(const Seen& seen) const {
    return std::all_of(all.begin(), all.end(),
                       [&](const Predicate& one) { return one.holds(seen); });
  }
  std::string says() const {
    std::string sentence;
    for (const Predicate& one : all) sentence += (sentence.empty() ? "" : " and ") + one.says;
    return sentence;
  }
};

Conjunction some_condition(Draw& draw, bool with_strides) {
  Conjunction condition;
  for (std::uint64_t left = 1 + draw.below(3); left > 0; --left) {
    switch (draw.below(with_strides ? 7 : 5)) {
      case 0: condition.all.push_back(of_rank(draw)); break;
      case 1: condition.all.push_back(of_types(draw)); break;
      case 2: condition.all.push_back(of_flags(draw)); break;
      case 3: condition.all.push_back(of_positions(draw)); break;
      case 4: condition.all.push_back(of_sizes(draw)); break;
      default: condition.all.push_back(of_strides(draw)); break;
    }
  }
  // As the last one, so that it counts calls that meet all others.
  if (draw.below(8) == 0) condition.all.back() = of_sequence(draw);
  return condition;
}

Strides strides_of(const DLTensor& tensor) {
  const Walk walk(tensor);
  return walk.dense() ? Strides{} : walk.layout().strides;
}

Seen seen(const Asked& asked, const DLTensor* output) {
  Seen seen{
      asked.data_type, asked.pattern_type, asked.data, asked.pattern, asked.special_zero, {}, {}};
  if (output != nullptr) {
    seen.strides = strides_of(*asked.original().data);
    seen.out_strides = strides_of(*output);
  }
  return seen;
}

// A reading that answers a wrong shape.
Reading changes_sizes(void (*change)(Sizes&)) {
  return [=](const Asked&, const RightAnswer& right) {
    if (!right.produces()) return none();
    Sizes sizes = right.sizes;
    change(sizes);
    return answers(std::move(sizes));
  };
}

// What is wrong with a shape or a refusal, and with a copy.
const std::vector<Oversight>& wrong_rules() {
  static const std::vector<Oversight> all = {
      kRuleRefused,
      kVolumeUnseen,
      kRemainderForgotten,
      kSecondMinusOneUnseen,
      kNegativeUnseen,
      kPastRankUnseen,
      kLargeSizeUnseen,
      kFormUnseen,
      kFlagInverted,
      {"the last size is one more", changes_sizes([](Sizes& sizes) {
         if (!sizes.empty()) ++sizes.back();
       })},
      {"the first two sizes change places", changes_sizes([](Sizes& sizes) {
         if (sizes.size() > 1) std::swap(sizes[0], sizes[1]);
       })},
      {"a last size of 1 is dropped", changes_sizes([](Sizes& sizes) {
         if (sizes.size() > 1 && sizes.back() == 1) sizes.pop_back();
       })},
      {"the first size is 0", changes_sizes([](Sizes& sizes) {
         if (!sizes.empty()) sizes.front() = 0;
       })},
  };
  return all;
}

const std::vector<Effect>& wrong_copies() {
  static const std::vector<Effect> all = {
      kFirstLost,
      kLastLost,
      kLastRepeats,
      worded("the middle element is the first",
             moves([](const Copy& c) { return Moves{{c.out.count() / 2, 0}}; })),
      tail_lost(8),
      worded("the highest bit of the first element is turned",
             spoils_elements([](Elements& all_of) {
               const int top = all_of.type() == ElementType::boolean ? 0 : bits(all_of.type()) - 1;
               all_of.set(0, all_of.get(0) ^ (std::uint64_t{1} << top));
             })),
  };
  return all;
}

// Writes a byte behind or before the output.
Effect writes_beside(bool behind) {
  const Effect writes = spoils([=](const Copy& c) {
    volatile std::byte* start = start_of(c.output);
    start[behind ? bytes_of(c.output) : -1] = std::byte{0x77};
  });
  return {
      behind ? "the byte behind the output is written" : "the byte before the output is written",
      [=](Where where) { return writes.steps(of_output(kForwards) && When(where)); }};
}

RandomMutant drawn(std::uint64_t seed, std::uint64_t at) {
  Draw draw{std::mt19937_64(seed * 0x9e3779b97f4a7c15u + at)};
  RandomMutant made;
  const std::uint64_t kind = draw.below(10);
  const bool by_rules = kind < 5;
  const auto condition = std::make_shared<const Conjunction>(some_condition(draw, !by_rules));
  const auto guard = std::make_shared<std::mutex>();
  // Locked, since counters are used from several threads.
  const auto holds = [=](const Seen& request) {
    const std::lock_guard<std::mutex> lock(*guard);
    return condition->holds(request);
  };
  std::string wrong;
  if (by_rules) {
    const Oversight& rule = draw.one_of(std::span<const Oversight>(wrong_rules()));
    wrong = rule.words;
    made.step = kind < 3 ? "resolve" : kind == 3 ? "infer" : "refuse";
    made.mutant.kind = Kind::rules;
    made.mutant.steps = rule.steps([=](const Asked& asked) { return holds(seen(asked, nullptr)); });
    if (kind == 3) made.mutant.steps.execute = {};  // only inference is wrong
    if (kind == 4) made.mutant.steps.infer = {};    // only execution is
  } else {
    const Effect copy = kind < 9 ? draw.one_of(std::span<const Effect>(wrong_copies()))
                                 : writes_beside(draw.below(2) == 0);
    wrong = copy.words;
    made.step = kind < 9 ? "copy" : "write";
    made.mutant.kind = kind < 9 ? Kind::bytes : Kind::memory;
    made.mutant.steps =
        copy.steps([=](const Copy& c) { return holds(seen(Asked(c.request), &c.output)); });
  }
  const std::string where = by_rules && kind == 3   ? "in inference, "
                            : by_rules && kind == 4 ? "in execution, "
                                                    : "";
  made.mutant.name = "random/" + std::to_string(seed) + "/" + std::to_string(at);
  made.mutant.says = where + "where " + condition->says() + ", " + wrong;
  made.by_sequence = std::any_of(condition->all.begin(), condition->all.end(),
                                 [](const Predicate& one) { return one.by_sequence; });
  made.concerns = [=](const Seen& request) {
    return std::all_of(condition->all.begin(), condition->all.end(),
                       [&](const Predicate& one) { return one.by_sequence || one.holds(request); });
  };
  return made;
}

}  // namespace

const RandomMutant& random_mutant(std::uint64_t seed, std::uint64_t at) {
  static std::mutex guard;
  static std::map<std::pair<std::uint64_t, std::uint64_t>, RandomMutant> all;
  const std::lock_guard<std::mutex> lock(guard);
  const auto known = all.find({seed, at});
  return known != all.end() ? known->second
                            : all.emplace(std::pair(seed, at), drawn(seed, at)).first->second;
}

const Mutant* random_mutant_named(std::string_view name) {
  constexpr std::string_view kBegin = "random/";
  if (!name.starts_with(kBegin)) return nullptr;
  const char* const end = name.data() + name.size();
  std::uint64_t seed = 0, at = 0;
  const auto first = std::from_chars(name.data() + kBegin.size(), end, seed);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != '/') return nullptr;
  const auto second = std::from_chars(first.ptr + 1, end, at);
  if (second.ec != std::errc() || second.ptr != end) return nullptr;
  return &random_mutant(seed, at).mutant;
}

}  // namespace reshape::conformance::self
