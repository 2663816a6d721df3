#pragma once

#include <cstddef>
#include <cstdint>

#include "optimized/loop_nest.h"

namespace reshape::optimized {

// The most bytes of one contiguous run for which choosing a kernel would take longer than memcpy.
inline constexpr std::int64_t kShortRun = 32 << 10;

// Copies so small that choosing a kernel would take longer than copying: one short contiguous run,
// or some dozens of elements of whole bytes.
bool is_small(const LoopNest& nest);
bool is_short_run(const LoopNest& nest);
// False, with nothing done, where the copy is not small.
bool copied_small(const LoopNest& nest, const std::byte* read, std::byte* write);

}  // namespace reshape::optimized
