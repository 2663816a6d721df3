#pragma once

#include <cstdint>

#include "conformance/adapter/examine/watches/watch.h"
#include "conformance/model/outcome.h"

namespace reshape::conformance {

// From this many repetitions on, even a small leak in each adds up to a visible amount.
inline constexpr int kLongUse = 100;

// Detects what is lost over a long use (duties C14 and C15): what is kept on purpose is taken in the
// first quarter; growth after that is a leak, however rare. A row without watches has so many calls
// that a cache of tens of thousands of entries fills in it; of it the last half counts, in which
// whatever grows by doubling grows once.
class LongUse {
 public:
  // Of fewer than kLongUse repetitions nothing is said. `unwatched`: what is mapped says nothing
  // where nothing waits between calls, since a busy thread of a pool gets an arena at any time.
  explicit LongUse(int times, bool unwatched = false)
      : times_(times), from_(unwatched ? times / 2 : times / 4), unwatched_(unwatched) {}

  // The repetition from which growth counts.
  int from() const { return from_; }

  // To be called after each repetition but the first; adds what it saw to the outcome of the last.
  void after(int time, Outcome& outcome);

 private:
  // What a process has only so much of.
  struct InUse {
    std::int64_t allocated = 0, mapped = 0;  // bytes
    std::int64_t keys = 0, timers = 0;       // pthread_key_create(), timer_create()
  };
  InUse now();
  void saw(Outcome& outcome, CaughtBy watch, Duty duty, std::int64_t many, const char* what) const;

  int times_, from_;
  bool unwatched_;
  MappedMemory mapped_;
  InUse before_;
};

}  // namespace reshape::conformance
