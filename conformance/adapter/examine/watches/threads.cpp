#include <sys/stat.h>
#include <time.h>

#include <string>
#include <thread>
#include <vector>

#include "conformance/adapter/examine/watches/watch.h"
#include "conformance/adapter/memory/sanitizers.h"
#include "conformance/adapter/more_threads.h"

namespace reshape::conformance {
namespace {

// The number of threads: the link count of /proc/self/task is 2 plus one for each thread's folder.
std::int64_t threads_now() {
  struct stat about = {};
  if (stat("/proc/self/task", &about) != 0) return 0;
  return static_cast<std::int64_t>(about.st_nlink) - 2;
}

// A joined thread stays listed for a moment after its join.
std::int64_t settled_threads(std::int64_t expected) {
  std::int64_t now = threads_now();
  for (int wait = 0; wait < 40 && now > expected; ++wait) {
    const timespec moment = {0, 500'000};
    nanosleep(&moment, nullptr);
    now = threads_now();
  }
  return now;
}

// Duty C14. Not used for an implementation with RESHAPE_STARTS_THREADS.
class Threads : public Watch {
 public:
  void before(const CallSite&) override { before_ = threads_now(); }

  void after(const CallSite&, Status, std::vector<Observation>& seen) override {
    const std::int64_t now = settled_threads(before_);
    if (now <= before_) return;
    seen.push_back({CaughtBy::threads, Plane::memory, Duty::C14,
                    std::to_string(now - before_) + " more threads than before the request"});
  }

 private:
  std::int64_t before_ = 0;
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
