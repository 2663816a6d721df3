#include "optimized/setting.h"

#include <pthread.h>

#include <charconv>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <string_view>
#include <utility>

#include "optimized/execute.h"

namespace reshape::optimized {
namespace {

// Never destroyed: threads may copy while the process ends.
union Kept {
  std::shared_ptr<ThreadPool> pool;
  constexpr Kept() : pool() {}
  ~Kept() {}
};
constinit Kept kept;

// The one pool of this process, shared with those that copy: threads may do so while the process
// ends, and the last of them ends the pool.
//
// fork() copies it without its threads, and waiting for those (in run() or in the destructor) would
// never end. So the child abandons the copied pool and starts its own. The lock is held across a
// fork, so that no child finds it locked or the pool half made.
class ProcessPool {
 public:
  static std::shared_ptr<ThreadPool> get() {
    const std::lock_guard held(lock_);
    if (!kept.pool && !over_) kept.pool = make_thread_pool(setting().threads);
    return kept.pool;
  }

  // When the process ends or the library is unloaded.
  static void end() {
    std::shared_ptr<ThreadPool> ending;  // waits for the threads, without the lock
    const std::lock_guard held(lock_);
    over_ = true;
    ending.swap(kept.pool);
  }

  // Computes first what is computed once: a child does not have the thread that has begun that.
  static void lock() {
    setting();
    const PreparedCopy chosen(LoopNest(), run_target());
    lock_.lock();
  }
  static void unlock() { lock_.unlock(); }
  static void unlock_without_threads() {
    // Not destroyed, which would join the threads, and not lost, which would be a leak.
    if (kept.pool) abandoned_ = new Abandoned{std::move(kept.pool), abandoned_};
    lock_.unlock();
  }

 private:
  struct Abandoned {
    std::shared_ptr<ThreadPool> pool;
    const Abandoned* before;
  };
  static inline std::mutex lock_;
  static inline const Abandoned* abandoned_ = nullptr;
  static inline bool over_ = false;
};

struct AtEnd {
  ~AtEnd() { ProcessPool::end(); }
};
const AtEnd kAtEnd;

// Registered before the first pool exists, so that a fork during the first copy is handled too. The
// C library removes the handlers when this library is unloaded.
[[maybe_unused]] const int kAtFork =
    pthread_atfork(ProcessPool::lock, ProcessPool::unlock, ProcessPool::unlock_without_threads);

}  // namespace

Setting setting_for(const char* threads, const char* target) {
  Setting setting{usable_threads(), {}};
  if (target != nullptr && *target != '\0') {
    if (const Result<Target> named = target_named(target); !named) {
      setting.fault = "RESHAPE_TARGET: " + named.error().message;
    }
  }
  if (threads == nullptr || *threads == '\0') return setting;
  constexpr int kMost = 1024;
  const std::string_view words = threads;
  const char* end = words.data() + words.size();
  const auto [read_to, error] = std::from_chars(words.data(), end, setting.threads);
  if (error != std::errc() || read_to != end || setting.threads < 1 || setting.threads > kMost) {
    setting.threads = 1;
    setting.fault = "RESHAPE_THREADS: '" + std::string(words) + "' is not a number from 1 to " +
                    std::to_string(kMost);
  }
  return setting;
}

const Setting& setting() {
  // Never freed: threads may copy while the process ends.
  static const auto& read =
      *new Setting(setting_for(std::getenv("RESHAPE_THREADS"), std::getenv("RESHAPE_TARGET")));
  return read;
}

std::shared_ptr<ThreadPool> pool_for(const CopyPlan& plan) {
  constexpr std::int64_t kWorthSharing = std::int64_t{1} << 17;
  const std::int64_t bytes = plan.write_bytes.end - plan.write_bytes.begin;
  if (bytes < kWorthSharing || setting().threads < 2) return nullptr;
  return ProcessPool::get();
}

}  // namespace reshape::optimized
