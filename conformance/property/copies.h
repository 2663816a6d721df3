#pragma once

#include "conformance/property/choices.h"
#include "conformance/property/shape_pairs.h"

namespace reshape::conformance {

// Copies as programs make them: a matrix or a stack of matrices, each side row by row or turned, with
// steps, gaps behind rows and planes, mirrored or repeated axes, and sizes around those at which tiles,
// vectors, pages and counters end. Both sides are drawn together, since kernels are chosen by the pair.
// At most 2^18 elements' span on each side.
ShapePair copies(Choices& choices);

}  // namespace reshape::conformance
