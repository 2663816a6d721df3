#include "reference/tensor/shape_pattern.h"

#include <algorithm>

namespace reshape {

bool holds(ElementType integer, PatternValue value) {
  return lowest(integer) <= value && value <= highest(integer);
}

bool holds(ElementType integer, const ShapePattern& pattern) {
  return std::ranges::all_of(pattern.values,
                             [=](PatternValue value) { return holds(integer, value); });
}

std::string text(PatternValue value) {
  if (value == 0) return "0";
  const bool negative = value < 0;
  std::string digits;
  // Digits are taken from the negative side, so that the lowest value needs no special case.
  for (PatternValue rest = negative ? value : -value; rest != 0; rest /= 10) {
    digits += static_cast<char>('0' - static_cast<int>(rest % 10));
  }
  if (negative) digits += '-';
  std::reverse(digits.begin(), digits.end());
  return digits;
}

std::string text(const ShapePattern& pattern) {
  std::string text_form{name(pattern.type)};
  text_form += '[';
  for (std::size_t i = 0; i < pattern.values.size(); ++i) {
    if (i != 0) text_form += ',';
    text_form += text(pattern.values[i]);
  }
  return text_form + ']';
}

}  // namespace reshape
