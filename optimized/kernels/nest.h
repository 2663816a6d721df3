#pragma once

#include <cstdint>

#include "optimized/kernels/work.h"
#include "optimized/loop_nest.h"

namespace reshape::optimized {

using Steps = InlineVector<Step, 16>;

// A copy in the form that kernels are chosen by. Units are bytes, or half bytes for 4-bit elements
// that do not move in whole bytes. At each position `run` consecutive units are copied. `loops` are
// outermost first with write steps above 0, the largest first (0 only where a loop writes the same
// unit again and again); no two neighbours can be joined, no loop has only one step, and no loop
// continues the run.
struct UnitNest {
  bool half_bytes = false;
  std::int64_t run = 0;  // 0: nothing is copied
  std::int64_t read_offset = 0;
  std::int64_t write_offset = 0;
  Steps loops;
  friend bool operator==(const UnitNest&, const UnitNest&) = default;

  std::int64_t units() const;  // copied in all
};

// The same copy in that form. The loops may come in any order, with steps of any sign.
UnitNest in_units(const LoopNest& nest);

}  // namespace reshape::optimized
