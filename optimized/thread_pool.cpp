#include "optimized/thread_pool.h"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <latch>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

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

// The processors of a thread of the pool, which calls this itself.
class Processors {
 public:
  // Moves the thread off `processor`. The kernel often places a woken thread on the waker's
  // processor, where it would compete with the caller instead of running beside it.
  void leave(int processor) {
    cpu_set_t now;
    if (sched_getaffinity(0, sizeof now, &now) != 0) return;
    // What is not as it was left is what the thread was born with, or what others have set since.
    if (!CPU_EQUAL(&now, &left_)) given_ = now;
    left_ = given_;
    CPU_CLR(static_cast<std::size_t>(processor), &left_);
    if (CPU_COUNT(&left_) > 0) sched_setaffinity(0, sizeof left_, &left_);
  }

 private:
  cpu_set_t given_{}, left_{};
};

// Tasks that several threads share. Each thread takes the tasks of its own part first, so that a
// repeated copy of the same tensors finds its data in each processor's cache, and then steals from
// the others. The objects are reused: freed by whichever thread came last, they would stay in that
// thread's allocator cache, and memory would grow.
class Tasks {
 public:
  explicit Tasks(int most_threads) : parts_(static_cast<std::size_t>(most_threads)) {}

  // Whether nobody uses it, so that it can begin anew.
  bool is_free() const { return users_.load(std::memory_order_acquire) == 0; }

  // For the caller, who is its first user. `task` has to live until wait() returns.
  void begin(const std::function<void(int)>& task, int count, int threads) {
    task_ = &task;
    count_ = count;
    threads_ = static_cast<std::size_t>(threads);
    caller_ = sched_getcpu();
    done_ = 0;
    for (int i = 0; i < threads; ++i) {
      parts_[static_cast<std::size_t>(i)].left = {part_begin(i), part_begin(i + 1)};
    }
    add_user();
  }
  void add_user() { users_.fetch_add(1, std::memory_order_relaxed); }
  void remove_user() { users_.fetch_sub(1, std::memory_order_release); }

  // On a thread of the pool; `thread` counts from 0.
  void help(int thread, Processors& processors) {
    if (std::all_of(parts_.begin(), parts_.begin() + static_cast<std::ptrdiff_t>(threads_),
                    [](const Part& part) { return part.is_empty(); })) {
      return;
    }
    const int processor = sched_getcpu();
    if (processor >= 0 && processor == caller_) processors.leave(processor);
    work(1 + static_cast<std::size_t>(thread));
  }

  void work(std::size_t first) {
    for (std::size_t k = 0; k < threads_; ++k) {
      Part& part = parts_[(first + k) % threads_];
      for (int i = part.take(k == 0); i != kNone; i = part.take(k == 0)) {
        (*task_)(i);
        if (done_.fetch_add(1) + 1 == count_) done_.notify_all();
      }
    }
  }

  // Waits until all tasks have returned. Spins first: the last ones are usually done soon.
  void wait() {
    constexpr int kSpins = 2000;
    for (int i = 0; i < kSpins && done_.load() != count_; ++i) hwy::Pause();
    for (int done = done_.load(); done != count_; done = done_.load()) done_.wait(done);
  }

 private:
  static constexpr int kNone = -1;

  // What is left of a thread's part. Its owner takes tasks from the front, others from the back.
  struct alignas(64) Part {
    struct Range {
      int begin = 0, end = 0;
    };
    std::atomic<Range> left{Range{}};

    bool is_empty() const {
      const Range range = left.load();
      return range.begin >= range.end;
    }
    int take(bool from_front) {
      Range range = left.load();
      while (range.begin < range.end) {
        const Range rest =
            from_front ? Range{range.begin + 1, range.end} : Range{range.begin, range.end - 1};
        if (left.compare_exchange_weak(range, rest)) return from_front ? range.begin : rest.end;
      }
      return kNone;
    }
  };
  int part_begin(int part) const {
    return static_cast<int>(std::int64_t{count_} * part / static_cast<std::int64_t>(threads_));
  }

  const std::function<void(int)>* task_ = nullptr;
  int count_ = 0;
  int caller_ = -1;
  std::size_t threads_ = 0;
  std::vector<Part> parts_;  // the first threads_ of them
  std::atomic<int> done_{0};
  std::atomic<int> users_{0};
};

class EigenThreads final : public ThreadPool {
 public:
  explicit EigenThreads(int threads)
      : processors_(static_cast<std::size_t>(threads - 1)), pool_(threads - 1) {}
  int threads() const override { return pool_.NumThreads() + 1; }

  // The caller waits for the tasks and not for the threads: every thread takes tasks until none is
  // left, so one that is late or held up does not delay the others. A thread that comes when no
  // task is left touches nothing of the caller's.
  void run(int count, const std::function<void(int)>& task) override {
    if (count <= 1) {
      if (count == 1) task(0);
      return;
    }
    // Concurrent callers divide the threads between them, to avoid more work items than threads.
    const Caller caller(callers_);
    const int others = std::min(count, std::max(1, threads() / caller.at_once)) - 1;
    if (others == 0) {
      for (int i = 0; i < count; ++i) task(i);
      return;
    }
    Tasks& tasks = begun(task, count, others + 1);
    for (int i = 0; i < others && waiting_ < kMostWaiting * (threads() - 1); ++i) {
      ++waiting_;
      tasks.add_user();
      pool_.Schedule([this, &tasks] {
        --waiting_;
        const int thread = pool_.CurrentThreadId();
        tasks.help(thread, processors_[static_cast<std::size_t>(thread)]);
        tasks.remove_user();
      });
    }
    tasks.work(0);
    tasks.wait();
    tasks.remove_user();
  }

 private:
  // Counts one caller while it lives; `at_once` is how many there are with it.
  struct Caller {
    explicit Caller(std::atomic<int>& all_callers)
        : at_once(all_callers.fetch_add(1) + 1), all(all_callers) {}
    Caller(const Caller&) = delete;
    ~Caller() { all.fetch_sub(1); }
    const int at_once;
    std::atomic<int>& all;
  };

  // Tasks that nobody uses any more, or new ones.
  Tasks& begun(const std::function<void(int)>& task, int count, int threads) {
    const std::lock_guard lock(mutex_);
    const auto found = std::ranges::find_if(tasks_, [](const auto& one) { return one->is_free(); });
    Tasks& tasks = found != tasks_.end()
                       ? **found
                       : *tasks_.emplace_back(std::make_unique<Tasks>(this->threads()));
    tasks.begin(task, count, threads);
    return tasks;
  }

  // Work items queued per thread, at most. No caller waits for the threads, so on a busy machine
  // items (and their memory) would pile up in the queue without a limit.
  static constexpr int kMostWaiting = 4;
  std::atomic<int> waiting_{0};  // declared before pool_, whose threads use these to their end
  std::vector<Processors> processors_;  // of each thread of the pool
  std::mutex mutex_;
  std::vector<std::unique_ptr<Tasks>> tasks_;  // of all callers; guarded by mutex_

  std::atomic<int> callers_{0};
  Eigen::ThreadPool pool_;
};

// How many of the wanted threads can be started at once. Tried beforehand, because Eigen's pool
// would wait for the missing ones when it ends.
int threads_to_be_had(int wanted) {
  std::latch enough(1);
  std::vector<std::jthread> threads;
  try {
    for (int i = 0; i < wanted; ++i) threads.emplace_back([&enough] { enough.wait(); });
  } catch (const std::system_error&) {
    // The threads started so far are all there are.
  }
  enough.count_down();
  return static_cast<int>(threads.size());
}

}  // namespace

std::unique_ptr<ThreadPool> make_thread_pool(int threads) {
  const int others = threads_to_be_had(threads - 1);
  if (others <= 0) return std::make_unique<OneThread>();
  return std::make_unique<EigenThreads>(others + 1);
}

int usable_threads() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof(set), &set) == 0) return std::max(1, CPU_COUNT(&set));
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace reshape::optimized
