#pragma once

#include <optional>
#include <vector>

#include "optimized/plan.h"
#include "reference/tensor/layout.h"

namespace reshape::optimized {

// The axes along which a layout's row-major order moves evenly, outermost first: sizes of 1 are
// dropped, and an axis that goes on where the next inner one ends is joined with it. Every count is
// above 1; a tensor of one element has no axes. Precondition: not empty, positions fit (`extent`).
std::vector<Axis> collapsed_axes(const Layout& layout);

// What two sides of the same volume have in common.
struct CommonAxes {
  std::vector<Loop> loops;  // outermost first; not yet normalized
  std::vector<Seam> seams;  // outermost first
};

// Cuts both sides at each other's boundaries. Where the boundaries have no common multiple before
// the axes end, the stretch between two common boundaries becomes a seam, as short as it can be.
// Precondition: the counts of both sides have the same product.
CommonAxes common_axes(std::vector<Axis> read, std::vector<Axis> write);

// The positions that a layout touches; nothing where one of them, or the distance between two,
// cannot be counted in bits by 63 bits. Strides of axes of size 1 do not count, nor do any of an
// empty tensor.
std::optional<ElementRange> extent(const Layout& layout);

// True when no two elements lie at one position. Exact, but gives up, with false, on layouts whose
// axes interleave in a way that takes too long to decide. Precondition: extent exists.
bool non_overlapping(const Layout& layout);

}  // namespace reshape::optimized
