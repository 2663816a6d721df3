#include "optimized/thread_pool.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <thread>

#include "hwy/cache_control.h"
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

// Lets a thread of the pool run anywhere but on a processor. Where the kernel has put it beside the caller, as it
// often does with a thread that the caller wakes, it would run in its place and not beside it.
void leave(int processor) {
  cpu_set_t allowed;
  if (sched_getaffinity(getpid(), sizeof allowed, &allowed) != 0) return;
  CPU_CLR(static_cast<std::size_t>(processor), &allowed);
  if (CPU_COUNT(&allowed) > 0) sched_setaffinity(0, sizeof allowed, &allowed);
}

// Tasks that some threads share.
class Tasks {
 public:
  // `task` has to live until wait() returns.
  Tasks(const std::function<void(int)>& task, int count) : task_(task), count_(count) {}

  // On a thread of the pool.
  void help() {
    if (next_.load() >= count_) return;
    const int processor = sched_getcpu();
    if (processor >= 0 && processor == caller_) leave(processor);
    work();
  }

  void work() {
    for (int i = next_.fetch_add(1); i < count_; i = next_.fetch_add(1)) {
      task_(i);
      if (done_.fetch_add(1) + 1 == count_) done_.notify_all();
    }
  }

  // Until all of them have returned. The last ones are soon done: sleeping would take longer.
  void wait() {
    constexpr int kSpins = 2000;
    for (int i = 0; i < kSpins && done_.load() != count_; ++i) hwy::Pause();
    for (int done = done_.load(); done != count_; done = done_.load()) done_.wait(done);
  }

 private:
  const std::function<void(int)>& task_;
  const int count_;
  const int caller_ = sched_getcpu();
  std::atomic<int> next_{0};
  std::atomic<int> done_{0};
};

class EigenThreads final : public ThreadPool {
 public:
  explicit EigenThreads(int threads) : pool_(threads - 1) {}
  int threads() const override { return pool_.NumThreads() + 1; }

  // Every thread takes the next task until none is left, so that a thread that was held up, or is woken late,
  // does not hold up the others: what is waited for are the tasks, and not the threads. A thread that comes when
  // none is left touches nothing of the caller's.
  void run(int count, const std::function<void(int)>& task) override {
    if (count <= 1) {
      if (count == 1) task(0);
      return;
    }
    // Callers at once share the threads: more work than threads would only make them take turns.
    const Caller caller(callers_);
    const int others = std::min(count, std::max(1, threads() / caller.at_once)) - 1;
    if (others == 0) {
      for (int i = 0; i < count; ++i) task(i);
      return;
    }
    const auto tasks = std::make_shared<Tasks>(task, count);
    for (int i = 0; i < others && waiting_ < kMostWaiting * (threads() - 1); ++i) {
      ++waiting_;
      pool_.Schedule([this, tasks] {
        --waiting_;
        tasks->help();
      });
    }
    tasks->work();
    tasks->wait();
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

  // Nobody waits for the threads, so where the machine gives them no time, calls would pile up before them, and
  // memory with these. So many for each thread are enough to keep it busy.
  static constexpr int kMostWaiting = 4;
  std::atomic<int> waiting_{0};  // before the pool, whose threads use it to their end

  std::atomic<int> callers_{0};
  Eigen::ThreadPool pool_;
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
