#include "conformance/models/model.h"

#include <algorithm>
#include <array>
#include <utility>

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

PatternValue integer_at(std::string_view bytes, ElementType type, std::size_t index) {
  const auto width = static_cast<std::size_t>(bits(type));
  const std::size_t first = index * width / 8;
  std::uint64_t raw = 0;
  for (std::size_t byte = (width + 7) / 8; byte-- > 0;) {
    raw = raw << 8 | static_cast<unsigned char>(bytes[first + byte]);
  }
  if (width < 8) raw = raw >> (index * width % 8) & ((std::uint64_t{1} << width) - 1);
  const bool negative = is_signed_integer(type) && (raw >> (width - 1) & 1) != 0;
  return PatternValue{raw} - (negative ? PatternValue{1} << width : PatternValue{0});
}

}  // namespace reshape::conformance
