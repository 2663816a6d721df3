#pragma once

#include "optimized/kernels/work.h"

namespace reshape::optimized {

// Unpack runs of half bytes to a byte each, and pack them again; by target slot. The loops,
// innermost first, go over the runs: they step by half bytes on the packed side and by bytes on the
// other, the largest step there outermost. On the side of the bytes, 64 bytes before the first run
// and behind the last one are accessible; unpacking overwrites those behind.
const Run* unpack_runs();
const Run* pack_runs();

}  // namespace reshape::optimized
