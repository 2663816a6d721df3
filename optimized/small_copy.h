#pragma once

#include <cstddef>

#include "optimized/loop_nest.h"

namespace reshape::optimized {

// Copies so small that choosing a kernel would take longer than copying: one contiguous run of some
// KiB, or some dozens of elements of whole bytes.
bool is_small(const LoopNest& nest);
// False, with nothing done, where the copy is not small.
bool copied_small(const LoopNest& nest, const std::byte* read, std::byte* write);

}  // namespace reshape::optimized
