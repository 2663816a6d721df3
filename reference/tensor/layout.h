#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "reference/tensor/shape.h"

namespace reshape {

// Steps between neighbours along each axis, in elements (not bytes); same length as the shape.
// 0 repeats an element (broadcast input), a negative step walks backwards.
using Strides = std::vector<std::int64_t>;

// How far apart neighbours are, whichever way the stride goes. Unsigned, since the lowest stride has
// no positive counterpart; an axis of size 1 may have it.
constexpr std::uint64_t distance(std::int64_t stride) {
  const auto bits = static_cast<std::uint64_t>(stride);
  return stride < 0 ? 0 - bits : bits;
}

// Where the elements of a tensor lie, counted in elements from a base pointer.
struct Layout {
  Shape shape;
  Strides strides;
  std::int64_t offset = 0;  // of the element at index (0, 0, ...), from the base pointer

  friend bool operator==(const Layout&, const Layout&) = default;
};

// Strides of the dense row-major order (the last axis varies fastest). Sizes of 0 count as 1, so
// that the strides of an empty tensor are still positive. Nothing when a stride is above 2^63-1.
std::optional<Strides> row_major_strides(const Shape& shape);

// Dense row-major layout at offset 0. Precondition: row_major_strides(shape) exists.
Layout row_major(const Shape& shape);

// True when walking the elements in row-major order touches consecutive positions. Axes of size 1
// do not matter, and an empty tensor or a scalar is always dense.
bool is_row_major_dense(const Layout& layout);

// The lowest and highest position that an element takes, both included and counted from the base
// pointer. Empty tensors touch nothing.
struct ElementRange {
  std::int64_t first = 0;
  std::int64_t last = -1;
  std::int64_t count() const { return last - first + 1; }
};
ElementRange touched(const Layout& layout);

// The same for strides that nobody has checked: positions beyond 64 bits included, and held near
// +-2^100, so that no sum overflows. Precondition: not empty.
struct WideRange {
  __int128 first = 0;
  __int128 last = 0;
};
WideRange reach_of(const Layout& layout);

// True when each stride is larger than the reach of all shorter strides together: no two elements
// then share a position. The converse does not hold; overlaps() decides the rest. Precondition: not
// empty.
bool strides_nest(const Layout& layout);

// Whether two elements share a position. Exact up to a million elements; beyond that, a
// layout whose strides do not nest counts as overlapping.
bool overlaps(const Layout& layout);

// The positions of the elements in row-major order. The layout has to outlive the walk.
class RowMajorWalk {
 public:
  explicit RowMajorWalk(const Layout& layout)
      : layout_(layout), index_(layout.shape.rank(), 0), position_(layout.offset) {
    if (index_.empty()) return;
    left_ = layout.shape[index_.size() - 1] - 1;
    step_ = layout.strides.back();
  }

  std::int64_t position() const { return position_; }

  // False behind the last element, where the walk is at the first one again. Precondition: not
  // empty.
  bool next() {
    if (left_ == 0) return next_row();
    --left_;
    position_ += step_;
    return true;
  }

 private:
  bool next_row() {
    const std::size_t rank = index_.size();
    if (rank == 0) return false;
    left_ = layout_.shape[rank - 1] - 1;
    position_ -= step_ * left_;
    for (std::size_t axis = rank - 1; axis-- > 0;) {
      if (++index_[axis] < layout_.shape[axis]) {
        position_ += layout_.strides[axis];
        return true;
      }
      index_[axis] = 0;
      position_ -= layout_.strides[axis] * (layout_.shape[axis] - 1);
    }
    return false;
  }

  const Layout& layout_;
  std::vector<std::int64_t> index_;  // of the row: its last entry stays 0
  std::int64_t position_;
  std::int64_t left_ = 0;  // elements of this row behind the position
  std::int64_t step_ = 0;  // from one of them to the next
};

// The same positions, walked in the reverse order. Precondition: not empty.
Layout reversed(const Layout& layout);

// Position of the element at `index` (one entry per axis), counted from the base pointer.
std::int64_t position_of(const Layout& layout, std::span<const std::int64_t> index);

// Steps `index` to the next one in row-major order; false after the last. Precondition: not empty.
bool next_index(const Shape& shape, std::vector<std::int64_t>& index);

}  // namespace reshape
