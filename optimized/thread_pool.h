#pragma once

#include <functional>
#include <memory>

namespace reshape::optimized {

// Threads to share a copy between. A caller that has threads of its own passes them by deriving
// from this; several callers may use one pool at once.
class ThreadPool {
 public:
  virtual ~ThreadPool() = default;

  // How many threads work at once, the calling one included; at least 1.
  virtual int threads() const = 0;

  // Calls task(0) .. task(count - 1), each once, from any threads and in any order, and returns
  // when all have returned. The calling thread may take part. Tasks do not throw.
  virtual void run(int count, const std::function<void(int)>& task) = 0;
};

// A pool with threads of its own: the calling one and `threads` - 1 more. A number below 1 counts
// as 1. The threads end with the pool.
std::unique_ptr<ThreadPool> make_thread_pool(int threads);

// The number of processors that the calling thread may run on; at least 1.
int usable_threads();

}  // namespace reshape::optimized
