#include "optimized/thread_pool.h"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "unsupported/Eigen/CXX11/ThreadPool"

namespace reshape::optimized {
namespace {

class OneThread final : public ThreadPool {
 public:
  int threads() const override { return 1; }
  void run(int count, const std::function<void(int)>& task) override {
    for (int i = 0; i < count; ++i) task(i);
  }
};

class EigenThreads final : public ThreadPool {
 public:
  explicit EigenThreads(int threads) : pool_(threads - 1) {}
  int threads() const override { return pool_.NumThreads() + 1; }

  // Every thread takes the next task until none is left, so that a thread that was held up does not
  // hold up the others.
  void run(int count, const std::function<void(int)>& task) override {
    std::atomic<int> next{0};
    const auto work = [&next, &task, count] {
      for (int i = next.fetch_add(1); i < count; i = next.fetch_add(1)) task(i);
    };
    if (count <= 1) {
      if (count == 1) task(0);
      return;
    }
    // Callers at once share the threads: more work than threads would only make them take turns.
    const Caller caller(callers_);
    const int others = std::min(count, std::max(1, threads() / caller.at_once)) - 1;
    if (others == 0) return work();
    Eigen::Barrier done(static_cast<unsigned>(others));
    for (int i = 0; i < others; ++i) {
      pool_.Schedule([&work, &done] {
        work();
        done.Notify();
      });
    }
    work();
    done.Wait();
  }

 private:
  // Counts one caller while it lives, and says how many there are with it.
  struct Caller {
    explicit Caller(std::atomic<int>& all_callers)
        : at_once(all_callers.fetch_add(1) + 1), all(all_callers) {}
    Caller(const Caller&) = delete;
    ~Caller() { all.fetch_sub(1); }
    const int at_once;
    std::atomic<int>& all;
  };

  Eigen::ThreadPool pool_;
  std::atomic<int> callers_{0};
};

}  // namespace

std::unique_ptr<ThreadPool> make_thread_pool(int threads) {
  if (threads <= 1) return std::make_unique<OneThread>();
  return std::make_unique<EigenThreads>(threads);
}

int usable_threads() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof(set), &set) == 0) return std::max(1, CPU_COUNT(&set));
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace reshape::optimized
