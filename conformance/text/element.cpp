#include "conformance/text/element.h"

#include "conformance/text/cursor.h"
#include "reference/tensor/shape_pattern.h"

namespace reshape::conformance {
namespace {

std::uint64_t mask(ElementType type) {
  const int width = bits(type);
  return width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
}

std::string hexadecimal(std::uint64_t value, int digits) {
  std::string form = "0x";
  for (int shift = (digits - 1) * 4; shift >= 0; shift -= 4) {
    form += "0123456789abcdef"[(value >> shift) & 0xf];
  }
  return form;
}

}  // namespace

std::string print_element(ElementType type, std::uint64_t element_bits) {
  element_bits &= mask(type);
  if (is_float(type)) return hexadecimal(element_bits, bits(type) / 4);
  PatternValue value = element_bits;
  if (is_signed_integer(type) && value > highest(type)) value -= PatternValue{1} << bits(type);
  return text(value);
}

Result<std::uint64_t> parse_element(ElementType type, std::string_view text_form) {
  Cursor cursor(text_form);
  const std::optional<Integer> read = cursor.integer();
  if (!read || !cursor.at_end()) {
    return Error{"expected an element (a decimal integer or a bit pattern like 0x3f80), not " +
                 quoted(text_form)};
  }
  // A bit pattern and a float are plain bits; a decimal integer is a value of its type.
  const bool plain_bits = read->hexadecimal || is_float(type);
  const PatternValue low = plain_bits || !is_integer(type) ? 0 : lowest(type);
  PatternValue high = plain_bits || !is_integer(type) ? PatternValue{mask(type)} : highest(type);
  if (type == ElementType::boolean) high = 1;
  if (read->value < low || read->value > high) {
    return Error{std::string(text_form) + " does not fit " + std::string(name(type))};
  }
  return static_cast<std::uint64_t>(read->value) & mask(type);
}

}  // namespace reshape::conformance
