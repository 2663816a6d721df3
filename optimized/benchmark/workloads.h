#pragma once

#include <span>
#include <string>
#include <vector>

#include "optimized/loop_nest.h"

namespace reshape::optimized {

// A copy worth measuring: what people's programs do when a reshape cannot be a view. `loops` reads
// "count:read_step:write_step ..." outermost first, in elements; `bits` is the width of the element
// that the workload is known for.
struct Workload {
  const char* name;
  int bits;
  const char* loops;
};

// Layout changes around convolutions, attention, padding, slices and broadcasts, numbered 01 to 28.
std::span<const Workload> layout_workloads();

// The reshapes, transposes and reorders that oneDNN's own tests and benchmark inputs ask for, one of
// each kind of copy.
std::span<const Workload> onednn_workloads();

// The workload's nest, with elements of `bits` bits.
LoopNest nest_of(const Workload& workload, int bits);

// One past the last element that either side touches.
std::int64_t elements_read(const LoopNest& nest);
std::int64_t elements_written(const LoopNest& nest);

// Elements moved.
std::int64_t elements_moved(const LoopNest& nest);

}  // namespace reshape::optimized
