#pragma once

#include "conformance/property/choices.h"
#include "conformance/property/shape_pairs.h"

namespace reshape::conformance {

// Copies as in real programs: a matrix or a stack of matrices, each side row-major or transposed,
// with steps, gaps behind rows and planes, mirrored or repeated axes, and sizes around those of
// tiles, vectors, pages and counters. Draws both sides together, since kernels are chosen by the
// pair. Each side spans at most 2^18 elements.
ShapePair copies(Choices& choices);

}  // namespace reshape::conformance
