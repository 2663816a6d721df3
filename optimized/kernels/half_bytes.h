#pragma once

#include "optimized/kernels/work.h"

namespace reshape::optimized {

// Runs of half bytes as a byte for each, and back, by target slot. The loops, innermost first, go over the
// runs: they step by half bytes on the packed side and by bytes on the other, the largest step there
// outermost. Unpacked runs lie a byte apart, with a line before and behind all that may be written.
const Run* unpack_runs();
const Run* pack_runs();

}  // namespace reshape::optimized
