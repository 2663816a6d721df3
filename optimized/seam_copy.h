#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "optimized/plan.h"
#include "optimized/target.h"
#include "optimized/thread_pool.h"

namespace reshape::optimized {

// How a plan's seams are copied: "row by row", say.
std::string_view way_of_seams(const CopyPlan& plan);

// Copies a plan whose seams would be cut into short runs of many lengths, so that choosing a kernel
// for each would take longer than copying it. False, with nothing done, for other plans. `pool` may
// be null. `stream`: whether to write around the caches; absent: the size decides.
bool copied_run_by_run(const CopyPlan& plan, const std::byte* read, std::byte* write,
                       ThreadPool* pool, const Target& target, std::optional<bool> stream);

}  // namespace reshape::optimized
