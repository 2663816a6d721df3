#pragma once

#include <cstdint>

#include "reference/tensor/element_type.h"
#include "reference/tensor/layout.h"

namespace reshape::conformance {

// Another shape with as many elements, which an execution has to refuse as an output where `shape`
// was inferred (duty C20). The sum of the sizes decides which: the sizes reversed, the first two or
// the last two of three and more in the other order, or a 1 in front or behind; one axis or a
// column where that is the shape itself; rank 0 for one element of rank 1 or 2. Where a size before
// the last one is 0, the last size differs. Precondition: the number of elements fits into 63 bits.
Shape another_shape(const Shape& shape);

// How an output lies that has to be refused, and whose strides are written out, where outputs may be
// strided: with gaps, with the first axis innermost, or with all axes backwards.
enum class RefusedWay : std::uint8_t { gaps, turned, backwards };

// Sizes and rank of `shape` (the one inferred, or of data that is refused) decide which, so that a
// mistake in one of them shows in some requests; backwards only where that is promised.
RefusedWay refused_way(const Shape& shape, bool negative_strides);

// " with gaps", " with its axes in the other order", " backwards"
const char* text(RefusedWay way);

// An output of this shape that lies so; with gaps where it has no elements. Precondition: its
// row-major strides fit.
Layout refused_output(const Shape& shape, RefusedWay way, ElementType type);

// What is told of an execution into such an output that succeeds once, and not when it is asked
// again.
inline constexpr const char* kRefusedAgain = "asked again, it is refused";

}  // namespace reshape::conformance
