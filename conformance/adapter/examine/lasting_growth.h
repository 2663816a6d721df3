#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "conformance/adapter/examine/watches/watch.h"

namespace reshape::conformance {

// Whether memory still grows at the end of very many equal calls. A cache that fills, a log of so many
// entries and a table that is set up stop growing; a leak goes on. How fast memory grew at first says
// nothing, so only the slope at the end counts.
class LastingGrowth {
 public:
  // Begins now, and lasts no longer than `most` of the calling thread's processor time: on a busy machine
  // fewer calls would be made in a given time, and a cache would not be full. No longer than kMostWall
  // times that by the clock, for calls that wait.
  explicit LastingGrowth(std::chrono::milliseconds most);
  static constexpr int kMostWall = 4;

  // After each call. False: enough is known.
  bool goes_on();

  // Bytes that each of the last calls left in use; 0 where memory stands still in the end.
  std::int64_t bytes_a_call() const;
  // Bytes that all calls together left in use.
  std::int64_t bytes() const { return grown_since(0); }

 private:
  struct Sample {
    std::int64_t calls = 0;
    std::int64_t in_use = 0;  // bytes of the allocator
    std::int64_t mapped = 0;  // bytes of address space
  };
  void take_sample();
  const Sample& sample_before(std::int64_t calls) const;
  std::int64_t grown_since(std::int64_t calls) const;
  int steps_since(std::int64_t calls) const;  // samples with more than the one before

  MappedMemory memory_mapped_;
  std::chrono::nanoseconds processor_end_;
  std::chrono::steady_clock::time_point end_;
  std::int64_t calls_ = 0;
  std::int64_t every_;  // calls from one sample to the next
  std::vector<Sample> samples_;
};

}  // namespace reshape::conformance
