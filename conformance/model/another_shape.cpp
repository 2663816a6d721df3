#include "conformance/model/another_shape.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace reshape::conformance {
namespace {

// The shape itself where the two are equal.
Shape swapped(std::span<const std::int64_t> sizes, std::size_t at) {
  std::vector<std::int64_t> other(sizes.begin(), sizes.end());
  std::swap(other[at], other[at + 1]);
  return Shape(std::move(other));
}

Shape with_one(std::span<const std::int64_t> sizes, std::size_t at) {
  std::vector<std::int64_t> other(sizes.begin(), sizes.end());
  other.insert(other.begin() + static_cast<std::ptrdiff_t>(at), 1);
  return Shape(std::move(other));
}

std::uint64_t sum_of(std::span<const std::int64_t> sizes) {
  std::uint64_t sum = 0;
  for (const std::int64_t size : sizes) sum += static_cast<std::uint64_t>(size);
  return sum;
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
      Shape longer(std::move(other));
      if (more == 1 || row_major_strides(longer)) return longer;
    }
  }
  const std::int64_t count = *element_count(shape);
  // A plug-in may make a scalar of any one element.
  if (count == 1 && (shape.rank() == 1 || shape.rank() == 2)) return Shape();
  // A plug-in may compare the first sizes only, the last ones only, or their product; or it may take
  // an output with 1s in front or behind for one without.
  const std::uint64_t way = sum_of(sizes) % 5;
  if (way == 3 && !sizes.empty()) return with_one(sizes, 0);
  if (way == 4 && !sizes.empty()) return with_one(sizes, sizes.size());
  if (way > 0 && sizes.size() > 2) {
    const Shape other = swapped(sizes, way == 1 ? 0 : sizes.size() - 2);
    if (other != shape) return other;
  }
  const Shape backwards(std::vector<std::int64_t>(sizes.rbegin(), sizes.rend()));
  if (backwards != shape) return backwards;
  return shape.rank() == 1 ? Shape{count, 1} : Shape{count};
}

RefusedWay refused_way(const Shape& shape, bool negative_strides) {
  // Not in step with what decides about the shape.
  const std::uint64_t way = (sum_of(shape.sizes()) / 5 + shape.rank()) % 3;
  if (is_empty(shape)) return RefusedWay::gaps;
  if (way == 1 && shape.rank() > 1) return RefusedWay::turned;
  return way == 2 && negative_strides ? RefusedWay::backwards : RefusedWay::gaps;
}

const char* text(RefusedWay way) {
  switch (way) {
    case RefusedWay::gaps: return " with gaps";
    case RefusedWay::turned: return " with its axes in the other order";
    case RefusedWay::backwards: return " backwards";
  }
  return "";
}

Layout refused_output(const Shape& shape, RefusedWay way, ElementType type) {
  Layout layout = row_major(shape);
  std::int64_t step = 1;
  switch (is_empty(shape) ? RefusedWay::gaps : way) {
    case RefusedWay::gaps: {
      // The sizes of an empty tensor may be huge.
      constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max() / 2;
      const auto fits = [](std::int64_t stride) { return stride <= kMost; };
      if (!std::ranges::all_of(layout.strides, fits)) return layout;
      for (std::int64_t& stride : layout.strides) stride *= 2;
      return layout;
    }
    case RefusedWay::turned:
      for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
        layout.strides[axis] = step;
        step *= shape[axis];
      }
      return layout;
    case RefusedWay::backwards:
      for (std::int64_t& stride : layout.strides) stride = -stride;
      layout.offset = *element_count(shape) - 1;
      if (bits(type) < 8) layout.offset += layout.offset % 2;  // in whole bytes
      return layout;
  }
  return layout;
}

}  // namespace reshape::conformance
