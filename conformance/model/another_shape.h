#pragma once

#include "reference/tensor/shape.h"

namespace reshape::conformance {

// The shape of an output that an execution has to refuse where `shape` was inferred (duty C20): as many
// elements in another shape, which is the sizes backwards where that is another, else all of them in a row, or
// in a column; of none, where a size before the last one is 0, it is another last size. Precondition: the number of elements fits 63 bits.
Shape another_shape(const Shape& shape);

}  // namespace reshape::conformance
