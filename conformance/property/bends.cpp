#include "conformance/property/bends.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/property/patterns.h"
#include "reference/tensor/zero_copies.h"

namespace reshape::conformance {
namespace {

constexpr PatternValue kLargestSize = std::numeric_limits<std::int64_t>::max();
constexpr PatternValue kTwo32 = PatternValue{1} << 32;
constexpr PatternValue kTwo64 = PatternValue{1} << 64;

using Sizes = std::vector<std::int64_t>;
using Values = std::vector<PatternValue>;

// A random index, the last one more often: there fixed-length masks and arrays have ended.
std::size_t place(const Values& values, Choices& choices) {
  if (choices.chance(15)) return values.size() - 1;
  return static_cast<std::size_t>(choices.below(values.size()));
}

void insert(Values& values, std::size_t first, PatternValue value, Choices& choices) {
  if (choices.chance(15)) return values.push_back(value);
  const auto at = choices.between(static_cast<std::int64_t>(std::min(first, values.size())),
                                  static_cast<std::int64_t>(values.size()));
  values.insert(values.begin() + at, value);
}

std::size_t count(const Values& values, PatternValue value) {
  return static_cast<std::size_t>(std::count(values.begin(), values.end(), value));
}

bool copies(const Dialect& dialect, const Request& request) {
  return zero_copies(dialect, request.special_zero);
}

void set_flag(const Dialect& dialect, Request& request, bool value) {
  if (dialect.zero == ZeroRule::by_flag) request.special_zero = value;
}

// Replaces copying zeros by plain sizes, so that inserting a value shifts no copy to another axis.
void spell_out(const Dialect& dialect, Request& request) {
  if (!copies(dialect, request)) return;
  Values& values = request.pattern.values;
  for (std::size_t at = 0; at < values.size() && at < request.data.rank(); ++at) {
    if (values[at] == 0) values[at] = request.data[at];
  }
}

// Makes the data empty along a random axis, and returns the axis.
std::size_t empty_an_axis(Request& request, Choices& choices) {
  Sizes sizes(request.data.begin(), request.data.end());
  if (sizes.empty()) sizes.push_back(0);
  const auto axis = static_cast<std::size_t>(choices.below(sizes.size()));
  sizes[axis] = 0;
  request.data = Shape(std::move(sizes));
  return axis;
}

void no_minus_one(Values& values) { std::replace(values.begin(), values.end(), -1, 1); }

// Sizes whose product is `product`, the first of them small; empty where there are none.
Values factored(PatternValue product, Choices& choices) {
  const std::int64_t from = choices.between(2, 200);
  for (std::int64_t factor = from; factor < from + 5000; ++factor) {
    if (product % factor != 0 || product / factor > kLargestSize) continue;
    Values values = {factor, product / factor};
    if (choices.chance(50)) std::swap(values[0], values[1]);
    return values;
  }
  return {};
}

// Sizes whose product wraps to 0 in arithmetic of `bits` bits.
Values powers_of_two(int bits, Choices& choices) {
  Values values;
  while (bits > 0) {
    const auto power = static_cast<int>(choices.between(1, std::min(bits, 62)));
    values.push_back(PatternValue{1} << power);
    bits -= power;
  }
  return values;
}

// Changes the volume by a small change at a random place.
bool one_size_off(Request& request, Choices& choices) {
  Values& values = request.pattern.values;
  PatternValue& value = values[place(values, choices)];
  if (choices.chance(12)) {  // the largest value of an unsigned type: a -1 read as unsigned
    constexpr std::array kBits = {8, 16, 32, 32};
    value = (PatternValue{1} << choices.one_of(kBits)) - 1;
    return true;
  }
  switch (choices.below(4)) {
    case 0: value = value == 0 ? choices.between(1, 4) : value + 1; break;
    case 1: value = value > 1 ? value - 1 : value + choices.between(1, 300); break;
    case 2: value = value == 0 ? 2 : value * choices.between(2, 5); break;
    default: value = value > 1 && value % 2 == 0 ? value / 2 : value * 3 + 1;
  }
  return value <= kLargestSize;
}

// Different volumes that are equal in 32-bit or 64-bit arithmetic.
bool same_when_wrapped(Request& request, Choices& choices) {
  const std::optional<std::int64_t> volume = element_count(request.data);
  if (!volume || *volume == 0) return false;
  switch (choices.below(5)) {
    case 0: request.pattern.values = {*volume + kTwo32 * choices.between(1, 9)}; break;
    case 1: request.pattern.values = factored(*volume + kTwo32, choices); break;
    case 2: request.pattern.values = factored(*volume + kTwo64, choices); break;
    case 3: {  // the pattern's product wraps to 0, and the data is empty
      constexpr std::array kBits = {32, 64, 128};
      request.pattern.values = powers_of_two(choices.one_of(kBits), choices);
      empty_an_axis(request, choices);
      break;
    }
    default:  // the data's product wraps to 0
      request.data = choices.chance(50) ? Shape{65536, choices.between(1, 3) * 65536}
                                        : Shape{choices.between(1, 3) * (std::int64_t{1} << 32),
                                                std::int64_t{1} << 32};
      request.pattern.values = {choices.between(0, 3)};
      request.shape_only = true;
  }
  for (auto ones = choices.between(0, 3); ones > 0 && !request.pattern.values.empty(); --ones) {
    insert(request.pattern.values, 0, 1, choices);
  }
  return !request.pattern.values.empty();
}

bool other_volume(const Dialect& dialect, Request& request, Choices& choices) {
  Values& values = request.pattern.values;
  if (count(values, -1) != 0 || values.empty()) return false;
  const std::uint64_t kind = choices.below(10);
  // Copying zeros may stay where no value is shifted.
  const bool moves = kind == 2 || kind == 3;
  if (moves || choices.chance(30)) spell_out(dialect, request);
  switch (kind) {
    case 0:
    case 1: return same_when_wrapped(request, choices);
    case 2: insert(values, 0, choices.between(2, 40), choices); return true;
    case 3:
      values.erase(values.begin() + static_cast<std::ptrdiff_t>(place(values, choices)));
      return true;
    case 4:  // empty on one side only
      if (copies(dialect, request) || choices.chance(50)) {
        empty_an_axis(request, choices);
      } else {
        values[place(values, choices)] = 0;
      }
      return true;
    case 5: return one_size_off(request, choices) && one_size_off(request, choices);
    default: return one_size_off(request, choices);
  }
}

bool indivisible(const Dialect& dialect, Request& request, Choices& choices) {
  Values& values = request.pattern.values;
  const std::optional<std::int64_t> volume = element_count(request.data);
  if (values.empty() || !volume || *volume == 0) return false;
  if (choices.chance(15)) {
    // The product of the other sizes wraps to 0, or divides, in 32-bit or 64-bit arithmetic only.
    const bool short_product = choices.chance(50);
    if (choices.chance(50)) {
      values = powers_of_two(short_product ? 32 : 64, choices);
    } else {
      const PatternValue divisor = choices.chance(50) ? 1 : choices.between(1, 12);
      if (*volume % divisor != 0) return false;
      values = factored((short_product ? kTwo32 : kTwo64) + divisor, choices);
    }
    insert(values, 0, -1, choices);
    return values.size() > 1;
  }
  spell_out(dialect, request);
  if (count(values, -1) == 0) values[place(values, choices)] = -1;
  if (values.size() == 1 || choices.chance(30)) {
    insert(values, 0,
           choices.chance(50) ? PatternValue{choices.between(2, 300)}
                              : PatternValue{*volume} + choices.between(1, 9),
           choices);
    return true;
  }
  PatternValue& value = values[place(values, choices)];
  if (value == -1) return false;
  value = choices.chance(50) ? value * 2 + 1 : value + choices.between(1, 20);
  return value <= kLargestSize;
}

bool copy_past_rank(const Dialect& dialect, Request& request, Choices& choices) {
  spell_out(dialect, request);
  set_flag(dialect, request, true);
  Values& values = request.pattern.values;
  while (values.size() < request.data.rank()) insert(values, 0, 1, choices);
  for (auto ones = choices.between(0, 2); ones > 0; --ones) insert(values, 0, 1, choices);
  for (auto zeros = choices.chance(20) ? 2 : 1; zeros > 0; --zeros) {
    insert(values, request.data.rank(), 0, choices);
  }
  return true;
}

bool unrepresentable(const Dialect& dialect, Request& request, Choices& choices) {
  Values& values = request.pattern.values;
  if (dialect.pattern_types.contains(ElementType::u64) && choices.chance(60)) {
    if (count(values, -1) != 0 || values.empty()) return false;
    constexpr std::array kEnds = {kTwo64 - 1, kLargestSize + 1, kTwo64 - 2, kLargestSize + 2};
    values[place(values, choices)] =
        choices.chance(70) ? choices.one_of(kEnds) : kTwo64 - choices.between(3, 1000000);
    return true;
  }
  if (dialect.minus_one == MinusOne::rejects) return false;
  // The only size that fits the -1 is 2^80 or more.
  Sizes sizes(static_cast<std::size_t>(choices.between(0, 3)));
  for (std::int64_t& size : sizes) size = choices.between(1, 9);
  values.assign(sizes.begin(), sizes.end());
  sizes.push_back(std::int64_t{1} << choices.between(40, 60));
  sizes.push_back((std::int64_t{1} << choices.between(40, 60)) + choices.between(0, 9));
  request.data = Shape(std::move(sizes));
  if (copies(dialect, request) && !values.empty() && choices.chance(50)) {
    values[place(values, choices)] = 0;
  }
  values.push_back(-1);
  for (auto ones = choices.between(0, 2); ones > 0; --ones) values.push_back(1);
  request.shape_only = true;
  return true;
}

bool plain_zero_with_minus_one(const Dialect& dialect, Request& request, Choices& choices) {
  spell_out(dialect, request);
  set_flag(dialect, request, false);
  if (dialect.literal_zero_with_minus_one == LiteralZeroWithMinusOne::unspecified_if_empty) {
    empty_an_axis(request, choices);
  }
  Values& values = request.pattern.values;
  no_minus_one(values);
  // In a dialect where every 0 copies if it can, a plain 0 has to be at an index past the rank.
  const bool behind = dialect.zero == ZeroRule::copies;
  if (behind) {
    std::replace(values.begin(), values.end(), 0, 1);
    while (values.size() < request.data.rank()) values.push_back(1);
  }
  if (values.size() < 2 || choices.chance(50)) {
    insert(values, 0, -1, choices);
  } else {
    values[place(values, choices)] = -1;
  }
  insert(values, behind ? request.data.rank() : 0, 0, choices);
  return true;
}

bool copied_zero_beside_minus_one(const Dialect& dialect, Request& request, Choices& choices) {
  spell_out(dialect, request);
  set_flag(dialect, request, true);
  const std::size_t axis = empty_an_axis(request, choices);
  Values& values = request.pattern.values;
  no_minus_one(values);
  // A plain 0 would copy now.
  std::replace(values.begin(), values.end(), 0, 1);
  while (values.size() <= axis + 1) values.push_back(choices.between(1, 40));
  if (request.data.rank() + 2 < values.size()) values.resize(request.data.rank() + 2);
  values[axis] = 0;
  std::size_t other = place(values, choices);
  if (other == axis) other = (axis + 1) % values.size();
  values[other] = -1;
  return true;
}

// Both volumes are 2^64 or more and equal: the same factors, grouped in two ways.
bool beyond_int64(const Dialect& dialect, Request& request, Choices& choices) {
  Sizes factors;
  for (std::int64_t total = 0; total < 64;) {
    const std::int64_t power = choices.between(8, 30);
    factors.push_back((std::int64_t{1} << power) * (choices.chance(30) ? 3 : 1));
    total += power;
  }
  const auto grouped = [&] {
    Sizes sizes;
    for (const std::int64_t factor : factors) {
      const bool joins = !sizes.empty() && sizes.back() < (std::int64_t{1} << 30);
      if (joins && choices.chance(40)) {
        sizes.back() *= factor;
      } else {
        sizes.push_back(factor);
      }
    }
    return Shape(std::move(sizes));
  };
  request.data = grouped();
  write_pattern(dialect, grouped(), request, choices);
  request.shape_only = true;
  return true;
}

bool without_flag(const Dialect&, Request& request, Choices&) {
  request.special_zero.reset();
  return true;
}

// The values in a tensor of rank 0, 2, 3 or 4.
bool of_another_rank(const Dialect&, Request& request, Choices& choices) {
  const auto length = static_cast<std::int64_t>(request.pattern.values.size());
  if (length == 1 && choices.chance(40)) {
    request.pattern.tensor_shape = Shape{};
    return true;
  }
  Sizes sizes = {length};
  for (const std::int64_t factor : {2, 3}) {
    if (length % factor != 0 || !choices.chance(60)) continue;
    sizes.back() /= factor;
    sizes.insert(sizes.begin() + choices.between(0, 1), factor);
    break;
  }
  for (auto ones = choices.between(sizes.size() == 1 ? 1 : 0, 2); ones > 0; --ones) {
    sizes.insert(sizes.begin() + choices.between(0, static_cast<std::int64_t>(sizes.size())), 1);
  }
  request.pattern.tensor_shape = Shape(std::move(sizes));
  return true;
}

// Values below -1, some of which look like a size, a 0 or a -1 when truncated to 8, 16 or 32 bits.
bool below_minus_one(const Dialect&, Request& request, Choices& choices) {
  Values& values = request.pattern.values;
  if (values.empty()) return false;
  for (auto times = choices.chance(20) ? 2 : 1; times > 0; --times) {
    PatternValue& value = values[place(values, choices)];
    constexpr std::array kPowers = {7, 8, 15, 16, 31, 32, 62};
    // What other formats mean by more than a size: copy the rest, merge, split, not known.
    constexpr std::array kMarks = {-2, -3, -4, -5, -99, -100, -999, -1000, -9999};
    switch (choices.below(5)) {
      case 0: value = lowest(request.pattern.type); break;
      case 1: value = -(PatternValue{1} << choices.one_of(kPowers)) + choices.between(-3, 3); break;
      case 2: value = -std::max<PatternValue>(value, 2); break;
      case 3: value = choices.one_of(kMarks); break;
      default: value = choices.between(-9, -2);
    }
    if (value >= -1) value = -2;
  }
  return true;
}

bool a_minus_one(const Dialect&, Request& request, Choices& choices) {
  Values& values = request.pattern.values;
  if (values.empty()) return false;
  values[place(values, choices)] = -1;
  return true;
}

bool several_minus_ones(const Dialect& dialect, Request& request, Choices& choices) {
  spell_out(dialect, request);
  Values& values = request.pattern.values;
  const auto wanted = static_cast<std::size_t>(choices.chance(75)   ? 2
                                               : choices.chance(85) ? choices.between(3, 5)
                                                                    : choices.between(256, 258));
  while (count(values, -1) < wanted) {
    const std::size_t others = values.size() - count(values, -1);
    if (others > 0 && choices.chance(60)) {
      // Drawn among the others only, so that this ends even if all decisions are 0.
      auto other =
          static_cast<std::size_t>(choices.between(0, static_cast<std::int64_t>(others) - 1));
      *std::find_if(values.begin(), values.end(),
                    [&](PatternValue value) { return value != -1 && other-- == 0; }) = -1;
    } else {
      insert(values, 0, -1, choices);
    }
  }
  return true;
}

bool no_values(const Dialect&, Request& request, Choices& choices) {
  request.data = Shape(Sizes(static_cast<std::size_t>(choices.between(1, 9)), 1));
  request.pattern.values.clear();
  request.shape_only = false;
  return true;
}

bool no_axes(const Dialect& dialect, Request& request, Choices& choices) {
  request.data = Shape{};
  request.pattern.values.assign(static_cast<std::size_t>(choices.between(1, 9)), 1);
  if (dialect.minus_one == MinusOne::inferred && choices.chance(50)) {
    request.pattern.values[place(request.pattern.values, choices)] = -1;
  }
  request.shape_only = false;
  return true;
}

struct Bend {
  std::string_view clause;
  bool (*apply)(const Dialect&, Request&, Choices&);
};

constexpr std::array kBends = {
    Bend{"special-zero.required", without_flag},
    Bend{"pattern.one-dimensional", of_another_rank},
    Bend{"pattern.values", below_minus_one},
    Bend{"minus-one.not-a-value", a_minus_one},
    Bend{"minus-one.once", several_minus_ones},
    Bend{"zero.past-rank", copy_past_rank},
    Bend{"size.representable", unrepresentable},
    Bend{"zero.with-minus-one", plain_zero_with_minus_one},
    Bend{"minus-one.beside-copied-zero", copied_zero_beside_minus_one},
    Bend{"minus-one.divides", indivisible},
    Bend{"volume.kept", other_volume},
    Bend{"volume.beyond-int64", beyond_int64},
    Bend{"pattern.empty", no_values},
    Bend{"data.scalar", no_axes},
};

bool bend_type(ElementTypes types, ElementType& type, Choices& choices) {
  const std::optional<ElementType> drawn = draw_type(types, choices);
  type = drawn.value_or(type);
  return drawn.has_value();
}

}  // namespace

bool bend(const Dialect& dialect, const Aim& aim, ElementTypes data_types,
          ElementTypes pattern_types, Request& request, Choices& choices) {
  if (aim.clause == "data.type") {
    return bend_type(ElementTypes::all() - dialect.known_data_types(), request.data_type, choices);
  }
  if (aim.clause == "data.type-open") {
    return bend_type(dialect.data_types_unspecified & data_types, request.data_type, choices);
  }
  if (aim.clause == "pattern.type") {
    // Most implementations cannot see the type of a list without values; one case asks for that.
    const bool list = dialect.pattern_given_as == PatternSource::attribute;
    if (list && request.pattern.values.empty()) return false;
    return bend_type(ElementTypes::all() - dialect.pattern_types, request.pattern.type, choices) &&
           (!is_integer(request.pattern.type) || holds(request.pattern.type, request.pattern));
  }
  for (const Bend& bend : kBends) {
    if (bend.clause != aim.clause) continue;
    if (!bend.apply(dialect, request, choices)) return false;
    // Bending often needs a wider or a signed pattern type.
    choose_pattern_type(dialect.pattern_types & pattern_types, request, choices);
    return holds(request.pattern.type, request.pattern);
  }
  return false;
}

}  // namespace reshape::conformance
