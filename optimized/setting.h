#pragma once

#include <string>

#include "optimized/plan.h"
#include "optimized/thread_pool.h"

namespace reshape::optimized {

// How the environment sets this implementation up, where nobody else does: RESHAPE_THREADS is the
// number of threads, the calling one included (by default as many as may run at once), and
// RESHAPE_TARGET the instruction set.
struct Setting {
  int threads = 1;
  std::string fault;  // one sentence, where the environment asks for what cannot be had
};

// The setting for these two variables, of which any may be null.
Setting setting_for(const char* threads, const char* target);

// The setting of this process; the environment is read at the first call.
const Setting& setting();

// The threads that the setting asks for, or null where this copy is too small to share or there is
// but one. They are started by the first copy that is large enough, and by the first in each forked
// child.
ThreadPool* pool_for(const CopyPlan& plan);

}  // namespace reshape::optimized
