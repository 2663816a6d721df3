#include <unistd.h>

#include <string>
#include <thread>
#include <vector>

#include "conformance/adapter/examine/watches/watch.h"
#include "conformance/adapter/memory/sanitizers.h"
#include "conformance/adapter/more_threads.h"
#include "conformance/adapter/process/process_tree.h"

namespace reshape::conformance {
namespace {

// A joined thread stays listed for a moment after its join.
int settled_threads(int expected) {
  int now = threads_of(getpid());
  for (int wait = 0; wait < 40 && now > expected; ++wait) {
    usleep(500);
    now = threads_of(getpid());
  }
  return now;
}

// Duty C14. Not used for an implementation with RESHAPE_STARTS_THREADS.
class Threads : public Watch {
 public:
  void before(const CallSite&) override { before_ = threads_of(getpid()); }

  void after(const CallSite&, Status, std::vector<Observation>& seen) override {
    const int now = settled_threads(before_);
    if (now <= before_) return;
    seen.push_back({CaughtBy::threads, Plane::memory, Duty::C14,
                    std::to_string(now - before_) + " more threads than before the request"});
  }

 private:
  int before_ = 0;
};

}  // namespace

WatchPtr watch_threads() {
#ifdef RESHAPE_THREAD_SANITIZER
  // The sanitizer starts a thread of its own with the first one, which stays. A machine that refuses
  // the first one refuses others as well.
  std::vector<std::jthread> first;
  start_thread(first, [] {});
#endif
  return std::make_unique<Threads>();
}

}  // namespace reshape::conformance
