#include "reference/tensor/layout.h"

#include <algorithm>
#include <utility>

namespace reshape {

std::optional<Strides> row_major_strides(const Shape& shape) {
  Strides strides(shape.rank());
  std::int64_t step = 1;
  for (std::size_t axis = shape.rank(); axis-- > 0;) {
    strides[axis] = step;
    if (axis > 0 && __builtin_mul_overflow(step, std::max<std::int64_t>(shape[axis], 1), &step)) {
      return std::nullopt;
    }
  }
  return strides;
}

Layout row_major(const Shape& shape) { return {shape, *row_major_strides(shape), 0}; }

bool is_row_major_dense(const Layout& layout) {
  if (is_empty(layout.shape)) return true;
  std::int64_t step = 1;
  bool beyond = false;  // the next step is above 2^63-1, which no stride can equal
  for (std::size_t axis = layout.shape.rank(); axis-- > 0;) {
    if (layout.shape[axis] == 1) continue;
    if (beyond || layout.strides[axis] != step) return false;
    beyond = __builtin_mul_overflow(step, layout.shape[axis], &step);
  }
  return true;
}

ElementRange touched(const Layout& layout) {
  if (is_empty(layout.shape)) return {};
  ElementRange range{layout.offset, layout.offset};
  for (std::size_t axis = 0; axis < layout.shape.rank(); ++axis) {
    const std::int64_t reach = (layout.shape[axis] - 1) * layout.strides[axis];
    (reach < 0 ? range.first : range.last) += reach;
  }
  return range;
}

WideRange reach_of(const Layout& layout) {
  constexpr __int128 kFar = __int128{1} << 100;
  WideRange range{layout.offset, layout.offset};
  for (std::size_t axis = 0; axis < layout.shape.rank(); ++axis) {
    const __int128 reach = static_cast<__int128>(layout.shape[axis] - 1) * layout.strides[axis];
    if (reach < 0 && range.first > -kFar) range.first += reach;
    if (reach > 0 && range.last < kFar) range.last += reach;
  }
  return range;
}

bool strides_nest(const Layout& layout) {
  std::vector<std::pair<__int128, __int128>> axes;  // distance of neighbours, reach
  for (std::size_t axis = 0; axis < layout.shape.rank(); ++axis) {
    if (layout.shape[axis] == 1) continue;
    const __int128 apart = distance(layout.strides[axis]);
    axes.emplace_back(apart, apart * (layout.shape[axis] - 1));
  }
  std::sort(axes.begin(), axes.end());
  __int128 reached = 0;
  for (const auto& [apart, reach] : axes) {
    if (apart <= reached) return false;
    reached += reach;
  }
  return true;
}

bool overlaps(const Layout& layout) {
  constexpr std::int64_t kMostCompared = 1'000'000;  // elements
  if (is_empty(layout.shape) || strides_nest(layout)) return false;
  const std::optional<std::int64_t> count = element_count(layout.shape);
  if (!count || *count > kMostCompared) return true;
  std::vector<std::int64_t> positions;
  RowMajorWalk walk(layout);
  do {
    positions.push_back(walk.position());
  } while (walk.next());
  std::sort(positions.begin(), positions.end());
  return std::adjacent_find(positions.begin(), positions.end()) != positions.end();
}

Layout reversed(const Layout& layout) {
  Layout turned = layout;
  for (std::size_t axis = 0; axis < layout.shape.rank(); ++axis) {
    turned.offset += (layout.shape[axis] - 1) * layout.strides[axis];
    turned.strides[axis] = -layout.strides[axis];
  }
  return turned;
}

std::int64_t position_of(const Layout& layout, std::span<const std::int64_t> index) {
  std::int64_t position = layout.offset;
  for (std::size_t axis = 0; axis < index.size(); ++axis) {
    position += index[axis] * layout.strides[axis];
  }
  return position;
}

bool next_index(const Shape& shape, std::vector<std::int64_t>& index) {
  for (std::size_t axis = shape.rank(); axis-- > 0;) {
    if (++index[axis] < shape[axis]) return true;
    index[axis] = 0;
  }
  return false;
}

}  // namespace reshape
