#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "conformance/adapter/examine/watches/watch.h"

namespace reshape::conformance {

// Whether memory still grows at the end of very many equal calls. A cache, a bounded log and a
// lazily built table stop growing; a leak does not. Growth at the beginning says nothing, so only
// the slope at the end counts.
class LastingGrowth {
 public:
  // Begins now, and lasts at most `most` of the calling thread's processor time: by the clock, a
  // busy machine would make too few calls to fill a cache. Longer only while a list that doubles and
  // a cache that is full look the same; at most kMostWall times that by the clock.
  explicit LastingGrowth(std::chrono::milliseconds most);
  static constexpr int kMostWall = 4;

  // To be called after each call. False: enough is known.
  bool goes_on();

  // Bytes that each of the last calls left in use; 0 where memory does not grow at the end.
  std::int64_t bytes_a_call() const;
  // Bytes that all calls together left in use.
  std::int64_t bytes() const { return grown_since(0); }

 private:
  struct Sample {
    std::int64_t calls = 0;
    MemoryUse use;
  };
  void take_sample();
  const Sample& sample_before(std::int64_t calls) const;
  std::int64_t grown_since(std::int64_t calls) const;
  struct Steps {
    std::size_t looks = 0;
    std::size_t grown = 0;  // looks that saw more than the one before
  };
  Steps steps_since(std::int64_t calls) const;
  // Whether it grew in one or two steps lately, of which the last may have been the last of all.
  bool may_be_full() const;
  // Whether few calls grew in the irregular way of an allocator that keeps freed chunks.
  bool may_be_noise() const;

  MemoryMeter meter_;
  std::chrono::nanoseconds processor_end_;
  std::chrono::steady_clock::time_point end_;
  std::int64_t calls_ = 0;
  std::int64_t every_;  // calls from one sample to the next
  std::vector<Sample> samples_;
  bool doubted_ = false;  // it goes on because of may_be_full()
};

}  // namespace reshape::conformance
