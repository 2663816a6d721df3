#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <map>
#include <string_view>
#include <vector>

namespace reshape::conformance {

// The state of a thread.
struct ThreadTime {
  bool wants = false;                  // ready to run, or blocked
  std::chrono::nanoseconds worked{0};  // processor time so far
  bool blocked = false;                // in the kernel: by a disk, or by a child made with vfork()
  long long pages = 0;                 // that a disk had to bring so far

  bool operator==(const ThreadTime&) const = default;
};
using ThreadTimes = std::map<pid_t, ThreadTime>;

// Parses a line of /proc/PID/task/TID/stat.
ThreadTime thread_time_of(std::string_view stat);

// The times of all threads of `processes` and their descendants; of very many only some.
ThreadTimes thread_times(std::vector<pid_t> processes);

// The same for the supervised processes below `process` (see supervisor.h), without the
// supervisors.
ThreadTimes thread_times_below(pid_t process);

// A deadline for an answer that is fair on a busy machine, where a second of work takes several by
// the clock. Counts all time in which the threads sleep and, while one of them wants to run, only
// the processor time that they get. Does not count times in which this program, or the whole
// machine, was suspended.
class TimeToAnswer {
 public:
  using Clock = std::chrono::steady_clock;
  using Look = std::function<ThreadTimes()>;  // reads the times of the answering threads

  // Begins now. `seconds` are counted as above; by the clock it may last `longer` seconds more.
  TimeToAnswer(double seconds, double longer);

  int milliseconds_to_look() const;  // rounded up
  // Whether it is over. Calls `look` when that is due.
  bool is_over(const Look& look);
  // At the last look.
  bool was_over() const { return over_; }

  double seconds() const { return std::chrono::duration<double>(limit_).count(); }
  // Whether it is over by the clock although fewer seconds were counted: not answering is not
  // proven to be a hang.
  bool was_kept() const { return over_ && counted_ < limit_; }
  // The seconds by the clock that did not count.
  double seconds_longer() const;

 private:
  Clock::duration let_work(Clock::duration passed, ThreadTimes now);

  Clock::duration limit_;
  Clock::duration each_;  // the planned time between two looks
  Clock::time_point began_, end_, looked_;
  Clock::duration counted_{0};
  ThreadTimes before_;
  bool over_ = false;
};

// The extra time that one adapter may spend waiting on a busy machine. Limited in all, so that an
// implementation that always hangs does not get it every time.
class Leniency {
 public:
  TimeToAnswer within(double seconds) const;
  void ended_in_vain(const TimeToAnswer& time) { left_ -= time.seconds_longer(); }

 private:
  double left_ = 60;  // seconds that may still be spent without an answer
};

// A deadline of up to five times as long by the clock, for a single wait.
TimeToAnswer lenient_time(double seconds);

}  // namespace reshape::conformance
