#pragma once

#include "optimized/kernels/work.h"

namespace reshape::optimized {

// Unpack runs of half bytes to a byte each, and pack them again; by target slot. The loops,
// innermost first, go over the runs: they step by half bytes on the packed side and by bytes on the
// other, the largest step there outermost. On the side of the bytes, 64 bytes before the first run
// and behind the last one are accessible; unpacking overwrites those behind.
const Run* unpack_runs();
const Run* pack_runs();

// The same with a half byte of each of two runs in every byte, the first run's below: join the
// runs, and part them again. The second run of each lies `apart` half bytes behind the first.
using PairRun = void (*)(const Work& work, std::int64_t apart, const std::byte* read,
                         std::byte* write);
const PairRun* join_runs();
const PairRun* part_runs();

}  // namespace reshape::optimized
