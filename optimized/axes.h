#pragma once

#include <optional>
#include <vector>

#include "optimized/plan.h"
#include "reference/tensor/layout.h"

namespace reshape::optimized {

// Writes the dense row-major strides of `sizes`, in elements, into `strides`, which has as many
// entries. False where one of them is above 2^63-1.
bool row_major_strides(std::span<const std::int64_t> sizes, std::span<std::int64_t> strides);

// The axes along which a layout's row-major order moves evenly, outermost first: sizes of 1 are
// dropped, and an axis that goes on where the next inner one ends is joined with it. Every count is
// above 1; a tensor of one element has no axes. Precondition: `axes` is empty, the layout is not,
// and its sizes' product is below 2^63.
void collapse(const LayoutView& layout, Axes& axes);

// Appends the loops that both sides have in common, outermost first and not yet normalized, by
// cutting each side at the other's boundaries. Where the axes between two common boundaries share
// no loop, that stretch becomes a seam, as short as it can be. Precondition: the counts of both
// sides have the same product.
void find_common_axes(Axes read, Axes write, Loops& loops, std::vector<Seam>& seams);

// The range of positions that the axes touch from `offset` on, in elements; nothing where a
// position or a distance might, in bits, not fit into 63 bits.
inline std::optional<ElementRange> extent(const Axes& axes, std::int64_t offset) {
  constexpr std::int64_t kReach = std::int64_t{1} << 56;  // 2^62 bits of 64-bit elements
  const auto within = [](std::int64_t position) {
    return position >= -kReach && position <= kReach;
  };
  ElementRange range{offset, offset};
  if (!within(offset)) return std::nullopt;
  for (const Axis& axis : axes) {
    std::int64_t reach = 0;
    if (__builtin_mul_overflow(axis.count - 1, axis.step, &reach) || !within(reach)) {
      return std::nullopt;
    }
    std::int64_t& end = reach < 0 ? range.first : range.last;
    end += reach;
    if (!within(end)) return std::nullopt;
  }
  return range;
}

// True when no two elements lie at one position. Exact, but gives up, with false, on axes that
// interleave in a way that takes too long to decide. Precondition: extent exists.
bool non_overlapping(const Axes& axes);

}  // namespace reshape::optimized
