#include "optimized/loop_nest.h"

#include <algorithm>
#include <cstddef>

namespace reshape::optimized {

namespace {

// True when `outer` takes its next step where `inner` would go on.
bool continues(const Loop& outer, const Loop& inner) {
  std::int64_t read = 0;
  std::int64_t write = 0;
  return !__builtin_mul_overflow(inner.count, inner.source_stride, &read) &&
         !__builtin_mul_overflow(inner.count, inner.destination_stride, &write) &&
         outer.source_stride == read && outer.destination_stride == write;
}

// Joins the first two loops that continue each other; false when there are none.
bool join_one(Loops& loops) {
  for (std::size_t outer = 0; outer < loops.size(); ++outer) {
    for (std::size_t inner = 0; inner < loops.size(); ++inner) {
      if (outer == inner || !continues(loops[outer], loops[inner])) continue;
      loops[inner].count *= loops[outer].count;
      loops.erase(&loops[outer]);
      return true;
    }
  }
  return false;
}

}  // namespace

void normalize(LoopNest& nest) {
  Loops& loops = nest.loops;
  if (std::any_of(loops.begin(), loops.end(), [](const Loop& loop) { return loop.count == 0; })) {
    loops = {Loop{0, 0, 0}};
    return;
  }
  loops.erase(
      std::remove_if(loops.begin(), loops.end(), [](const Loop& loop) { return loop.count == 1; }),
      loops.end());
  for (Loop& loop : loops) {
    if (loop.destination_stride >= 0) continue;
    nest.read_offset += (loop.count - 1) * loop.source_stride;
    nest.write_offset += (loop.count - 1) * loop.destination_stride;
    loop.source_stride = -loop.source_stride;
    loop.destination_stride = -loop.destination_stride;
  }
  while (join_one(loops)) {
  }
  sort_few(loops, [](const Loop& left, const Loop& right) {
    return left.destination_stride > right.destination_stride;
  });
}

}  // namespace reshape::optimized
