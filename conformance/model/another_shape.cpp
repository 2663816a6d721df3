#include "conformance/model/another_shape.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "reference/tensor/layout.h"

namespace reshape::conformance {
namespace {

// The shape itself where the two are equal.
Shape swapped(std::span<const std::int64_t> sizes, std::size_t at) {
  std::vector<std::int64_t> other(sizes.begin(), sizes.end());
  std::swap(other[at], other[at + 1]);
  return Shape(std::move(other));
}

}  // namespace

Shape another_shape(const Shape& shape) {
  const auto sizes = shape.sizes();
  // Without elements any size may change. The last one, since a plug-in may compare only the first;
  // by so much that 32 bits do not show it, where there are strides for that.
  if (sizes.size() > 1 && std::ranges::count(sizes.first(sizes.size() - 1), 0) != 0) {
    for (const std::int64_t more : {std::int64_t{1} << 32, std::int64_t{1}}) {
      std::vector<std::int64_t> other(sizes.begin(), sizes.end());
      if (__builtin_add_overflow(other.back(), more, &other.back())) continue;
      Shape shape(std::move(other));
      if (more == 1 || row_major_strides(shape)) return shape;
    }
  }
  // A plug-in may compare the first sizes only, the last ones only, or their product.
  if (sizes.size() > 2) {
    std::uint64_t sum = 0;
    for (const std::int64_t size : sizes) sum += static_cast<std::uint64_t>(size);
    const Shape other = sum % 3 == 0   ? shape
                        : sum % 3 == 1 ? swapped(sizes, 0)
                                       : swapped(sizes, sizes.size() - 2);
    if (other != shape) return other;
  }
  const Shape backwards(std::vector<std::int64_t>(sizes.rbegin(), sizes.rend()));
  if (backwards != shape) return backwards;
  const std::int64_t count = *element_count(shape);
  return shape.rank() == 1 ? Shape{count, 1} : Shape{count};
}

}  // namespace reshape::conformance
