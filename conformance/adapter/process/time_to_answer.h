#pragma once

#include <chrono>
#include <functional>

#include "conformance/adapter/process/thread_times.h"

namespace reshape::conformance {

// The time in which an answer has to come. On a busy machine who works for a second needs many by the clock, so
// that only time counts in which the machine let it work: all time in which its threads slept, and while one of
// them wants to go on, what they worked. Nor does it count that this program, or the whole machine, stood still.
class TimeToAnswer {
 public:
  using Clock = std::chrono::steady_clock;
  using Look = std::function<ThreadTimes()>;  // at the threads of who is to answer

  // Begins now. By the clock it may last `longer` seconds more than the `seconds` that count.
  TimeToAnswer(double seconds, double longer);

  int milliseconds_to_look() const;  // rounded up
  // Whether it is over. Looks where that is due.
  bool is_over(const Look& look);
  // At the last look.
  bool was_over() const { return over_; }

  double seconds() const { return std::chrono::duration<double>(limit_).count(); }
  // It is over, and yet the machine let nobody work for all of its seconds: no answer is no hang then.
  bool was_kept() const { return over_ && counted_ < limit_; }
  // By the clock, beyond what counts.
  double seconds_longer() const;

 private:
  Clock::duration let_work(Clock::duration passed, ThreadTimes now);

  Clock::duration limit_;
  Clock::duration each_;  // from one look to the next, mostly
  Clock::time_point began_, end_, looked_;
  Clock::duration counted_{0};
  ThreadTimes before_;
  bool over_ = false;
};

// How much longer one adapter waits on a busy machine. What always hangs there is not waited for so long each time.
class Leniency {
 public:
  TimeToAnswer within(double seconds) const;
  void ended_in_vain(const TimeToAnswer& time) { left_ -= time.seconds_longer(); }

 private:
  double left_ = 60;  // seconds, in vain
};

// Five times as long by the clock, for who has a single one to wait for.
TimeToAnswer lenient_time(double seconds);

}  // namespace reshape::conformance
