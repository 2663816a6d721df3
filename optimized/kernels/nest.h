#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "optimized/loop_nest.h"

namespace reshape::optimized {

// One loop of a copy, stepping by so many units on each side.
struct Step {
  std::int64_t count = 1;
  std::int64_t read = 0;
  std::int64_t write = 0;
  friend bool operator==(const Step&, const Step&) = default;
};

// A copy in the form that kernels are chosen by. Units are bytes, or half bytes for 4-bit elements
// that do not move in whole bytes. At each position `run` consecutive units are copied. `loops`
// are outermost first with write steps above 0, the largest first (0 only where a loop writes one
// place again and again); no two neighbours can be one loop, no loop has one step, and no loop
// continues the run.
struct UnitNest {
  bool half_bytes = false;
  std::int64_t run = 0;  // 0: nothing is copied
  std::int64_t read_offset = 0;
  std::int64_t write_offset = 0;
  std::vector<Step> loops;
  friend bool operator==(const UnitNest&, const UnitNest&) = default;

  std::int64_t units() const;  // copied in all
};

// The same copy in that form. The loops may come in any order, with steps of any sign.
UnitNest in_units(const LoopNest& nest);

}  // namespace reshape::optimized
