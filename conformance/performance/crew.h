#pragma once

#include <functional>
#include <memory>

namespace reshape::conformance::performance {

// `threads` threads, the calling one included, that run a task at the same time and wait between
// runs.
class Crew {
 public:
  explicit Crew(int threads);  // below 1 counts as 1
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  int threads() const { return threads_; }
  // Calls task(0) .. task(threads() - 1), each once, and returns when all have returned.
  void run(const std::function<void(int)>& task);

 private:
  struct Pool;
  int threads_;
  std::unique_ptr<Pool> pool_;
};

}  // namespace reshape::conformance::performance
