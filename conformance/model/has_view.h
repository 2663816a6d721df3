#pragma once

#include "reference/tensor/layout.h"

namespace reshape::conformance {

// Whether strides exist that show the elements of `layout`, in their row-major order and where they
// lie, in this shape. Precondition: both have as many elements.
bool has_view(const Layout& layout, const Shape& shape);

}  // namespace reshape::conformance
