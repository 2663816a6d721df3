#pragma once

#include <cstddef>

#include "optimized/plan.h"
#include "optimized/target.h"
#include "optimized/thread_pool.h"

namespace reshape::optimized {

// Copies a plan with seams by way of a stage in which its elements are dense: each side then moves
// evenly, and a kernel is chosen for it. Elements are of whole bytes. `pool` may be null. `stream`:
// whether to write around the caches.
void copy_through_stage(const CopyPlan& plan, const std::byte* read, std::byte* write,
                        ThreadPool* pool, const Target& target, bool stream);

}  // namespace reshape::optimized
