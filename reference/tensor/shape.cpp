#include "reference/tensor/shape.h"

#include <algorithm>

namespace reshape {

bool is_empty(const Shape& shape) {
  return std::any_of(shape.begin(), shape.end(), [](std::int64_t size) { return size == 0; });
}

std::optional<std::int64_t> element_count(const Shape& shape) {
  // The zeros come first: [2^40,2^40,0] has no elements, whatever a running product would do.
  if (is_empty(shape)) return 0;
  std::int64_t count = 1;
  for (std::int64_t size : shape) {
    if (__builtin_mul_overflow(count, size, &count)) return std::nullopt;
  }
  return count;
}

std::string text_of_sizes(std::span<const std::int64_t> values) {
  std::string text = "[";
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i != 0) text += ',';
    text += std::to_string(values[i]);
  }
  return text + ']';
}

std::string text(const Shape& shape) { return text_of_sizes(shape.sizes()); }

}  // namespace reshape
