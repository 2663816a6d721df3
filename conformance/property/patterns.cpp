#include "conformance/property/patterns.h"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace reshape::conformance {
namespace {

constexpr PatternValue kLargestSize = std::numeric_limits<std::int64_t>::max();
constexpr PatternValue kTwo32 = PatternValue{1} << 32;
constexpr PatternValue kTwo64 = PatternValue{1} << 64;

using Values = std::vector<PatternValue>;

std::size_t place(const Values& values, Choices& choices) {
  return static_cast<std::size_t>(choices.below(values.size()));
}

std::size_t count(const Values& values, PatternValue value) {
  return static_cast<std::size_t>(std::count(values.begin(), values.end(), value));
}

bool holds(ElementType type, const ShapePattern& pattern) {
  return std::all_of(pattern.values.begin(), pattern.values.end(), [type](PatternValue value) {
    return value >= lowest(type) && value <= highest(type);
  });
}

// A type that can hold what was written; bending often needs a wider or a signed one.
bool widen(const Dialect& dialect, ElementTypes types, Request& request, Choices& choices) {
  choose_pattern_type(ElementTypes::from_mask(dialect.pattern_types.mask() & types.mask()), request,
                      choices);
  return holds(request.pattern.type, request.pattern);
}

void make_plain(Request& request, const Shape& output) {
  request.pattern.values.assign(output.begin(), output.end());
}

// Another volume, among them those that wrap-around in 32 or 64 bits would take for the same.
bool break_volume(Request& request, Choices& choices) {
  Values& values = request.pattern.values;
  if (count(values, -1) != 0 || values.empty()) return false;
  const std::optional<std::int64_t> volume = element_count(request.data);
  switch (choices.below(6)) {
    case 0: {  // equal modulo 2^32
      if (!volume || *volume == 0) return false;
      values = {*volume + kTwo32};
      return true;
    }
    case 1: {  // equal modulo 2^64, spread over factors below 2^63
      if (!volume || *volume == 0) return false;
      const PatternValue wrapped = *volume + kTwo64;
      for (std::int64_t factor = 3; factor < 5000; ++factor) {
        if (wrapped % factor != 0 || wrapped / factor > kLargestSize) continue;
        values = {factor, wrapped / factor};
        return true;
      }
      return false;
    }
    case 2:  // data whose product is 0 modulo 2^32 or 2^64
      request.data = choices.chance(50) ? Shape{65536, 65536}
                                        : Shape{std::int64_t{1} << 32, std::int64_t{1} << 32};
      values = {choices.between(1, 3)};
      request.shape_only = true;
      return true;
    case 3:  // the same rank, one size off
    case 4: {
      PatternValue& value = values[place(values, choices)];
      value += value == 0 ? choices.between(1, 4) : choices.chance(50) ? 1 : value;
      return value <= kLargestSize;
    }
    default:  // an axis too many
      values.push_back(choices.between(2, 5));
      return true;
  }
}

struct Bend {
  std::string_view clause;
  std::function<bool(const Dialect&, Request&, Choices&)> apply;
};

bool indivisible(const Dialect&, Request& request, Choices& choices) {
  Values& values = request.pattern.values;
  if (values.empty() || is_empty(request.data)) return false;
  if (count(values, -1) == 0) values[place(values, choices)] = -1;
  for (PatternValue& value : values) {
    if (value > 0) {
      value = value * 2 + 1;
      return value <= kLargestSize;
    }
  }
  values.push_back(choices.one_of(std::array<std::int64_t, 4>{4, 7, 11, 1048573}));
  return true;
}

bool copy_past_rank(const Dialect& dialect, Request& request, Choices& choices) {
  if (dialect.zero == ZeroRule::by_flag) request.special_zero = true;
  while (request.pattern.values.size() < request.data.rank()) request.pattern.values.push_back(1);
  if (choices.chance(30)) request.pattern.values.push_back(1);
  request.pattern.values.push_back(0);
  return true;
}

bool unrepresentable(const Dialect& dialect, Request& request, Choices& choices) {
  if (dialect.pattern_types.contains(ElementType::u64) && choices.chance(60)) {
    if (count(request.pattern.values, -1) != 0 || request.pattern.values.empty()) return false;
    request.pattern.values[place(request.pattern.values, choices)] =
        choices.chance(50) ? highest(ElementType::u64) : kLargestSize + 1;
    return true;
  }
  if (dialect.minus_one == MinusOne::rejects) return false;
  // The only size that fits the -1 is 2^100 or so.
  request.data = Shape{std::int64_t{1} << 50, (std::int64_t{1} << 50) + choices.between(0, 9)};
  request.pattern.values = {-1};
  if (choices.chance(50)) request.pattern.values.push_back(1);
  request.shape_only = true;
  return true;
}

bool plain_zero_with_minus_one(const Dialect& dialect, Request& request, Choices& choices) {
  if (dialect.zero == ZeroRule::by_flag) request.special_zero = false;
  if (dialect.literal_zero_with_minus_one == LiteralZeroWithMinusOne::unspecified_if_empty) {
    request.data = choices.chance(50) ? Shape{0, 3} : Shape{2, 0, choices.between(1, 4)};
    request.shape_only = false;
  }
  request.pattern.values = {0, -1};
  if (choices.chance(50)) std::swap(request.pattern.values[0], request.pattern.values[1]);
  if (choices.chance(50)) request.pattern.values.push_back(choices.between(1, 4));
  return true;
}

bool copied_zero_beside_minus_one(const Dialect& dialect, Request& request, Choices& choices) {
  if (dialect.zero == ZeroRule::by_flag) request.special_zero = true;
  request.shape_only = false;
  if (choices.chance(50)) {
    request.data = Shape{0, choices.between(1, 9)};
    request.pattern.values = {0, -1};
  } else {
    request.data = Shape{choices.between(1, 4), 0, choices.between(1, 4)};
    request.pattern.values = {-1, 0};
  }
  if (choices.chance(50)) request.pattern.values.push_back(choices.between(1, 4));
  return true;
}

bool beyond_int64(const Dialect& dialect, Request& request, Choices& choices) {
  const std::int64_t large = std::int64_t{1} << choices.between(32, 61);
  request.data = Shape{large, large};
  request.pattern.values = {large / 2, 2, large};
  if (dialect.minus_one == MinusOne::inferred && choices.chance(50)) {
    request.pattern.values[1] = -1;
  }
  if (choices.chance(30)) request.pattern.values.insert(request.pattern.values.begin(), 1);
  request.shape_only = true;
  return true;
}

const std::vector<Bend>& bends() {
  static const std::vector<Bend> kBends = {
      {"special-zero.required",
       [](const Dialect&, Request& request, Choices&) {
         request.special_zero.reset();
         return true;
       }},
      {"pattern.one-dimensional",
       [](const Dialect&, Request& request, Choices& choices) {
         const auto length = static_cast<std::int64_t>(request.pattern.values.size());
         if (length == 1 && choices.chance(50)) {
           request.pattern.tensor_shape = Shape{};
         } else {
           request.pattern.tensor_shape = choices.chance(50) ? Shape{1, length} : Shape{length, 1};
         }
         return true;
       }},
      {"pattern.values",
       [](const Dialect&, Request& request, Choices& choices) {
         if (request.pattern.values.empty()) return false;
         PatternValue& value = request.pattern.values[place(request.pattern.values, choices)];
         value = choices.chance(70) ? choices.between(-9, -2) : lowest(request.pattern.type);
         return value < -1;
       }},
      {"minus-one.not-a-value",
       [](const Dialect&, Request& request, Choices& choices) {
         if (request.pattern.values.empty()) return false;
         request.pattern.values[place(request.pattern.values, choices)] = -1;
         return true;
       }},
      {"minus-one.once",
       [](const Dialect&, Request& request, Choices& choices) {
         while (count(request.pattern.values, -1) < 2) {
           request.pattern.values.insert(
               request.pattern.values.begin() +
                   choices.between(0, static_cast<std::int64_t>(request.pattern.values.size())),
               -1);
         }
         // Inserting may have moved a copying 0 past the rank; a plain size does as well.
         for (std::size_t at = request.data.rank(); at < request.pattern.values.size(); ++at) {
           if (request.pattern.values[at] == 0) request.pattern.values[at] = 1;
         }
         return true;
       }},
      {"zero.past-rank", copy_past_rank},
      {"size.representable", unrepresentable},
      {"zero.with-minus-one", plain_zero_with_minus_one},
      {"minus-one.beside-copied-zero", copied_zero_beside_minus_one},
      {"minus-one.divides", indivisible},
      {"volume.kept", [](const Dialect&, Request& request,
                         Choices& choices) { return break_volume(request, choices); }},
      {"volume.beyond-int64", beyond_int64},
      {"pattern.empty",
       [](const Dialect&, Request& request, Choices& choices) {
         request.data =
             Shape(std::vector<std::int64_t>(static_cast<std::size_t>(choices.between(1, 5)), 1));
         request.pattern.values.clear();
         request.shape_only = false;
         return true;
       }},
      {"data.scalar",
       [](const Dialect& dialect, Request& request, Choices& choices) {
         request.data = Shape{};
         request.pattern.values.assign(static_cast<std::size_t>(choices.between(1, 5)), 1);
         if (dialect.minus_one == MinusOne::inferred && choices.chance(50)) {
           request.pattern.values[place(request.pattern.values, choices)] = -1;
         }
         request.shape_only = false;
         return true;
       }},
  };
  return kBends;
}

bool bend_type(ElementTypes types, ElementType& type, Choices& choices) {
  std::vector<ElementType> list;
  for (const ElementType candidate : kAllElementTypes) {
    if (types.contains(candidate)) list.push_back(candidate);
  }
  if (list.empty()) return false;
  type = choices.one_of(list);
  return true;
}

ElementTypes without(ElementTypes all, ElementTypes taken) {
  return ElementTypes::from_mask(all.mask() & ~taken.mask());
}

}  // namespace

void write_pattern(const Dialect& dialect, const Shape& output, Request& request,
                   Choices& choices) {
  bool copies = dialect.zero == ZeroRule::copies;
  if (dialect.zero == ZeroRule::by_flag) {
    copies = choices.chance(60);
    request.special_zero = copies;
  }
  make_plain(request, output);
  Values& values = request.pattern.values;
  bool nothing_known = false;
  for (std::size_t at = 0; at < values.size(); ++at) {
    const bool agrees = at < request.data.rank() && request.data[at] == output[at];
    if (copies && agrees && (output[at] == 0 || choices.chance(50))) values[at] = 0;
    nothing_known = nothing_known || output[at] == 0;
  }
  if (values.empty() || dialect.minus_one == MinusOne::rejects || choices.chance(45)) return;
  const std::size_t at = place(values, choices);
  // A -1 is determined where the other sizes multiply to more than 0.
  const bool alone = std::count(output.begin(), output.end(), 0) == 1 && output[at] == 0;
  if (!nothing_known || alone) values[at] = -1;
}

void choose_pattern_type(ElementTypes types, Request& request, Choices& choices) {
  std::vector<ElementType> holding;
  for (const ElementType type : kAllElementTypes) {
    if (types.contains(type) && is_integer(type) && holds(type, request.pattern)) {
      holding.push_back(type);
    }
  }
  if (holding.empty()) {
    request.pattern.type = ElementType::i64;
    return;
  }
  const auto narrower = [](ElementType left, ElementType right) {
    return bits(left) < bits(right);
  };
  request.pattern.type = choices.chance(25)
                             ? *std::min_element(holding.begin(), holding.end(), narrower)
                             : choices.one_of(holding);
}

bool bend(const Dialect& dialect, const Aim& aim, ElementTypes data_types,
          ElementTypes pattern_types, Request& request, Choices& choices) {
  const ElementTypes known =
      ElementTypes::from_mask(dialect.data_types.mask() | dialect.data_types_unspecified.mask());
  if (aim.clause == "data.type") {
    return bend_type(without(ElementTypes::all(), known), request.data_type, choices);
  }
  if (aim.clause == "data.type-open") {
    return bend_type(
        ElementTypes::from_mask(dialect.data_types_unspecified.mask() & data_types.mask()),
        request.data_type, choices);
  }
  if (aim.clause == "pattern.type") {
    return bend_type(without(ElementTypes::all(), dialect.pattern_types), request.pattern.type,
                     choices) &&
           (!is_integer(request.pattern.type) || holds(request.pattern.type, request.pattern));
  }
  for (const Bend& bend : bends()) {
    if (bend.clause == aim.clause) {
      return bend.apply(dialect, request, choices) &&
             widen(dialect, pattern_types, request, choices);
    }
  }
  return false;
}

}  // namespace reshape::conformance
