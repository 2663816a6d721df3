#pragma once

#include "reference/tensor/shape.h"

namespace reshape::conformance {

// Another shape with as many elements, which an execution has to refuse as an output where `shape`
// was inferred (duty C20). The sum of the sizes decides which: the sizes reversed, the first two or
// the last two of three and more in the other order, or a 1 in front or behind; one axis or a
// column where that is the shape itself; rank 0 for one element of rank 1 or 2. Where a size before
// the last one is 0, the last size differs. Precondition: the number of elements fits into 63 bits.
Shape another_shape(const Shape& shape);

// What is told of an execution into such an output that succeeds once, and not when it is asked
// again.
inline constexpr const char* kRefusedAgain = "asked again, it is refused";

}  // namespace reshape::conformance
