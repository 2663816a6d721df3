#include "reference/tensor/layout.h"

#include <algorithm>

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
  bool beyond = false;  // the next step is above 2^63-1: no stride is
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
