#include "conformance/models/model.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "conformance/text/printable.h"
#include "reference/tensor/tensor_view.h"

namespace reshape::conformance {

std::string_view text(Unstated why) {
  static_assert(kMostPatternValues == 256, "the text says so");
  constexpr std::array<std::string_view, kUnstatedKinds> kTexts = {
      "of an operator set that no document here describes",
      "dynamic dimensions of the data",
      "no dimensions of the data, which may be a scalar or of unknown rank",
      "no type and no dimensions of the data, which shape inference would have written",
      "no element type of the data, or one that is not known here",
      "no pattern",
      "a pattern that is computed and no constant",
      "a pattern that is no tensor of integers",
      "a pattern of more than 256 values",
      "a pattern in a file of constants that is not there"};
  return kTexts[static_cast<std::size_t>(why)];
}

std::optional<Shape> static_shape(std::vector<std::int64_t> sizes) {
  if (std::find(sizes.begin(), sizes.end(), -1) != sizes.end()) return std::nullopt;
  return Shape(std::move(sizes));
}

ShapePattern pattern_of(ElementType type, const Shape& shape, std::string_view bytes) {
  ShapePattern pattern;
  pattern.type = type;
  if (shape.rank() != 1) pattern.tensor_shape = shape;
  const std::int64_t count = element_count(shape).value_or(0);
  for (std::int64_t index = 0; index < count; ++index) {
    PatternValue value =
        load_element(type, reinterpret_cast<const std::byte*>(bytes.data()), index);
    if (value > highest(type)) value -= PatternValue{1} << bits(type);
    pattern.values.push_back(value);
  }
  return pattern;
}

std::string in_quotes(std::string_view text) { return '"' + printable(text, 60) + '"'; }

}  // namespace reshape::conformance
