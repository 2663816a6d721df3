#pragma once

#include <cstddef>

#include "optimized/plan.h"
#include "optimized/target.h"
#include "optimized/thread_pool.h"

namespace reshape::optimized {

// Copies run by run where each position of the seams is one element or a few neighbours: the runs are short
// and of many lengths, so that choosing a kernel for each would take longer than copying it. False, and
// nothing is done, for other plans. `pool` may be null.
bool copied_run_by_run(const CopyPlan& plan, const std::byte* read_base, std::byte* write_base,
                       ThreadPool* pool, const Target& target);

}  // namespace reshape::optimized
