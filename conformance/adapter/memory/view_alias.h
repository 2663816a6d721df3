#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "conformance/abi/reshape_plugin.h"
#include "conformance/adapter/memory/guarded_buffer.h"
#include "conformance/model/outcome.h"
#include "reference/tensor/element_type.h"
#include "reference/tensor/shape.h"

namespace reshape::conformance {

// The value of a view's strides before the implementation sets them.
inline constexpr std::int64_t kUnsetStride = 0x5a5a5a5a5a5a5a5a;

// Reads the elements of `view`, which an implementation made over `data`, row-major and packed. If
// some element lies outside of the data, reads nothing and adds an observation (duty C12).
std::vector<std::byte> view_elements(const DLTensor& view, ElementType type, const Shape& shape,
                                     const GuardedBuffer& data, std::vector<Observation>& seen);

}  // namespace reshape::conformance
