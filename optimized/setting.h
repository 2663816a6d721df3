#pragma once

#include <memory>
#include <string>

#include "optimized/plan.h"
#include "optimized/thread_pool.h"

namespace reshape::optimized {

// The settings from the environment: RESHAPE_THREADS is the number of threads, the calling one
// included (by default usable_threads()), and RESHAPE_TARGET the instruction set.
struct Setting {
  int threads = 1;
  std::string fault;  // one sentence, where a variable is invalid or cannot be obeyed
};

// The setting for these values of the two variables; null: not set.
Setting setting_for(const char* threads, const char* target);

// The setting of this process; the environment is read at the first call, or before the first fork.
const Setting& setting();

// The process's thread pool, or null where this copy is too small to share or only one thread is
// set. The first copy that is large enough starts it, and starts it anew in each forked child.
// Held while it is used, it outlives the end of the process's main thread.
std::shared_ptr<ThreadPool> pool_for(const CopyPlan& plan);

}  // namespace reshape::optimized
