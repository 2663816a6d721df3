#include "conformance/property/one_change.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "conformance/property/patterns.h"

namespace reshape::conformance {
namespace {

using Sizes = std::vector<std::int64_t>;

// The types to choose from.
struct Types {
  ElementTypes data, pattern;
  bool flag = false;  // the document has one
};

template <typename List>
bool swap_two(List& list, Choices& choices) {
  if (list.size() < 2) return false;
  const auto one = static_cast<std::size_t>(choices.below(list.size()));
  const auto other = static_cast<std::size_t>(choices.below(list.size()));
  std::swap(list[one], list[other]);
  return true;
}

// [12, 3] for [1, 23]: a text key without separators cannot tell them apart.
template <typename List>
bool move_a_digit(List& list, Choices& choices) {
  if (list.size() < 2) return false;
  const auto at = static_cast<std::size_t>(choices.below(list.size() - 1));
  auto& left = list[at];
  auto& right = list[at + 1];
  if (left < 1 || right < 1 || left > 99999 || right > 99999) return false;
  const auto place_of_first = [](auto number) {
    std::int64_t place = 1;
    while (number / place >= 10) place *= 10;
    return place;
  };
  if (right >= 10) {
    const std::int64_t place = place_of_first(right);
    if (right % place < place / 10) return false;  // a 0 would lead
    left = left * 10 + right / place;
    right %= place;
  } else if (left >= 10) {
    right += left % 10 * 10;
    if (right < 10) return false;
    left /= 10;
  }
  return true;
}

bool change_data(bool (*change)(Sizes&, Choices&), Request& request, Choices& choices) {
  Sizes sizes(request.data.begin(), request.data.end());
  if (!change(sizes, choices)) return false;
  request.data = Shape(std::move(sizes));
  return true;
}

bool swap_sizes(const Types&, Request& request, Choices& choices) {
  return change_data(swap_two<Sizes>, request, choices);
}
bool move_a_digit_of_sizes(const Types&, Request& request, Choices& choices) {
  return change_data(move_a_digit<Sizes>, request, choices);
}
bool swap_values(const Types&, Request& request, Choices& choices) {
  return swap_two(request.pattern.values, choices);
}
bool move_a_digit_of_values(const Types&, Request& request, Choices& choices) {
  return move_a_digit(request.pattern.values, choices);
}

// 2 as -2, 1 as -1, 0 as 1.
bool change_a_value(const Types&, Request& request, Choices& choices) {
  auto& values = request.pattern.values;
  if (values.empty()) return false;
  PatternValue& value = values[static_cast<std::size_t>(choices.below(values.size()))];
  switch (choices.below(3)) {
    case 0: value = -value; break;
    case 1: value = value == 0 ? 1 : 0; break;
    default: value = value == -1 ? 1 : -1;
  }
  return true;
}

bool change_flag(const Types& types, Request& request, Choices& choices) {
  if (!types.flag) return false;
  request.special_zero = request.special_zero ? !*request.special_zero : choices.chance(50);
  return true;
}

bool another_of(ElementTypes types, ElementType& type, Choices& choices) {
  const std::optional<ElementType> drawn = draw_type(types - ElementTypes{type}, choices);
  type = drawn.value_or(type);
  return drawn.has_value();
}

bool change_data_type(const Types& types, Request& request, Choices& choices) {
  return another_of(types.data, request.data_type, choices);
}
bool change_pattern_type(const Types& types, Request& request, Choices& choices) {
  return another_of(types.pattern, request.pattern.type, choices);
}

constexpr std::array kChanges = {swap_sizes,       move_a_digit_of_sizes,  swap_values,
                                 change_a_value,   move_a_digit_of_values, change_flag,
                                 change_data_type, change_pattern_type};

}  // namespace

bool change_one_thing(const Dialect& dialect, ElementTypes data_types, ElementTypes pattern_types,
                      Request& request, Choices& choices) {
  const Request before = request;
  const bool has_flag = dialect.zero == ZeroRule::by_flag;
  if (!choices.one_of(kChanges)({data_types, pattern_types, has_flag}, request, choices))
    return false;
  if (!request.pattern.one_dimensional()) return false;
  request.make_dense();
  if (!is_integer(request.pattern.type)) return request != before;
  if (!holds(request.pattern.type, request.pattern)) {
    choose_pattern_type(dialect.pattern_types & pattern_types, request, choices);
  }
  return request != before && holds(request.pattern.type, request.pattern);
}

}  // namespace reshape::conformance
