#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace reshape::conformance::performance {

// How blocks of calls are timed. The clock can be another one for tests.
struct Turn {
  std::int64_t calls = 1;  // of one block
  int blocks = 1;
  double slowed = 0;  // 0.05: every block does 5 % more, and takes 5 % longer
};

// What is timed, and what happens around a block outside of the time.
struct Timed {
  std::function<void(std::int64_t calls)> run;
  std::function<void()> before = [] {};
  std::function<bool()> right = [] { return true; };
};

using Clock = std::function<double()>;  // seconds
double steady_seconds();

// Seconds of one call, for each block; empty if a block's result was wrong. A planted slowdown
// makes extra calls that are not counted, and waits for the remaining fraction.
std::vector<double> time_blocks(const Turn& turn, const Timed& timed,
                                const Clock& clock = steady_seconds);

}  // namespace reshape::conformance::performance
