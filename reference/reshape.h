#pragma once

#include "reference/resolve.h"
#include "reference/tensor/ruling.h"
#include "reference/tensor/tensor_view.h"

namespace reshape::reference {

// What this implementation does where the document leaves the answer open: it produces the shape
// where there is one definite shape with a count of at most 2^63-1, and refuses (with the open
// clause) otherwise. A definite ruling is returned as it is; the result is never unspecified.
Ruling decide(Ruling ruling);

// Writes the element at each row-major position of `from` to the same row-major position of `to`,
// bit for bit, and nothing else. Preconditions: one element type, equal element counts, and no byte
// of one side belongs to the other.
void copy_elements(const TensorView& from, const MutableTensorView& to);

}  // namespace reshape::reference
