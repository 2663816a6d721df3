#pragma once

#include <sched.h>

#include <atomic>
#include <cstddef>
#include <functional>
#include <thread>
#include <vector>

#include "conformance/adapter/more_threads.h"

namespace reshape::conformance {

// A barrier that spins: a thread that slept would be microseconds late, and the first one done.
class Meeting {
 public:
  explicit Meeting(std::size_t threads) : threads_(threads) {}
  void come() {
    constexpr int kSpins = 2000;  // after these it yields the processor
    const std::size_t all = (come_.fetch_add(1) / threads_ + 1) * threads_;
    for (int spin = 0; come_ < all; ++spin) {
      if (spin > kSpins) std::this_thread::yield();
    }
  }

 private:
  std::size_t threads_;
  std::atomic<std::size_t> come_ = 0;
};

// Puts threads on processors of their own, which the kernel does not do soon enough for calls of
// microseconds. Nothing is done where the thread that makes it may use one only.
class Processors {
 public:
  Processors() {
    CPU_ZERO(&all_);
    if (sched_getaffinity(0, sizeof all_, &all_) != 0) return;
    for (int one = 0; one < CPU_SETSIZE; ++one) {
      if (CPU_ISSET(one, &all_)) each_.push_back(one);
    }
  }

  // Takes the calling thread to the processor whose turn it is. It may leave at once, which a
  // thread that runs seldom does: threads that the library starts inherit what is allowed here, and
  // a pool must not be bound to one processor. One that stays bound meets others no more often
  // (366 against 365 of 800 first calls, of a table that takes 50 us to fill).
  void place(std::size_t at) const {
    if (each_.size() < 2) return;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(each_[at % each_.size()], &one);
    if (sched_setaffinity(0, sizeof one, &one) == 0) sched_setaffinity(0, sizeof all_, &all_);
  }

 private:
  cpu_set_t all_;
  std::vector<int> each_;
};

// Calls `work` in so many threads, each with the meeting of all, and waits for them. Returns 0,
// or the errno if the machine refuses a thread: with fewer than wanted nothing is called.
inline int at_once(std::size_t count,
                   const std::function<void(std::size_t at, Meeting& meeting)>& work) {
  enum Go { wait, now, never };
  std::atomic<int> go = wait;
  Meeting meeting(count);
  const Processors processors;
  int refusal = 0;
  std::vector<std::jthread> threads;
  for (std::size_t at = 0; at < count && refusal == 0; ++at) {
    refusal = start_thread(threads, [&, at] {
      go.wait(wait);
      if (go != now) return;
      if (count > 1) processors.place(at);
      work(at, meeting);
    });
  }
  go = refusal == 0 ? now : never;
  go.notify_all();
  threads.clear();
  return refusal;
}

}  // namespace reshape::conformance
