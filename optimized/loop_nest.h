#pragma once

#include <cstdint>

#include "optimized/inline_vector.h"

namespace reshape::optimized {

// One loop of a copy: `count` steps, each moving the reader and the writer by so many elements.
struct Loop {
  std::int64_t count = 1;
  std::int64_t source_stride = 0;
  std::int64_t destination_stride = 0;
  friend bool operator==(const Loop&, const Loop&) = default;
};

// As many as two layouts of rank 8 can have in common, and one for the runs of a seam.
using Loops = InlineVector<Loop, 16>;

// A copy as nested loops, outermost first, over elements of `bits` bits. No loop at all copies
// one element; a loop of count 0 copies nothing. Positions count elements from each side's base
// pointer.
struct LoopNest {
  int bits = 32;
  std::int64_t read_offset = 0;
  std::int64_t write_offset = 0;
  Loops loops;
};

// Leaves the same copy with as few loops as there can be: loops of one step are dropped, loops that
// go on where another ends are joined with it, steps of the writer are made positive by walking the
// other way, and the largest steps of the writer come first. A copy of nothing becomes one loop of
// count 0.
void normalize(LoopNest& nest);

}  // namespace reshape::optimized
