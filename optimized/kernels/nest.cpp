#include "optimized/kernels/nest.h"

#include <algorithm>

namespace reshape::optimized {
namespace {

// Reverses a loop, so that it writes forwards.
void turn(UnitNest& nest, Step& loop) {
  nest.read_offset += loop.read * (loop.count - 1);
  nest.write_offset += loop.write * (loop.count - 1);
  loop.read = -loop.read;
  loop.write = -loop.write;
}

// Joins each loop that goes on where the next inner one ends, and the innermost with the run.
void fold(UnitNest& nest) {
  Steps& loops = nest.loops;
  std::size_t kept = 0;
  for (const Step& loop : loops) {
    if (kept > 0 && loops[kept - 1].read == loop.read * loop.count &&
        loops[kept - 1].write == loop.write * loop.count) {
      loops[kept - 1] = {loops[kept - 1].count * loop.count, loop.read, loop.write};
    } else {
      loops[kept++] = loop;
    }
  }
  loops.resize(kept);
  if (!loops.empty() && loops.back().read == nest.run && loops.back().write == nest.run) {
    nest.run *= loops.back().count;
    loops.pop_back();
  }
}

bool in_whole_bytes(const UnitNest& nest) {
  if ((nest.run | nest.read_offset | nest.write_offset) & 1) return false;
  return std::ranges::all_of(nest.loops,
                             [](const Step& loop) { return ((loop.read | loop.write) & 1) == 0; });
}

}  // namespace

std::int64_t UnitNest::units() const {
  std::int64_t all = run;
  for (const Step& loop : loops) all *= loop.count;
  return all;
}

UnitNest in_units(const LoopNest& given) {
  UnitNest nest;
  nest.half_bytes = given.bits < 8;
  nest.run = nest.half_bytes ? 1 : given.bits / 8;
  nest.read_offset = given.read_offset * nest.run;
  nest.write_offset = given.write_offset * nest.run;
  for (const Loop& loop : given.loops) {
    if (loop.count <= 0) return {nest.half_bytes, 0, 0, 0, {}};
    if (loop.count == 1) continue;
    Step step{loop.count, loop.source_stride * nest.run, loop.destination_stride * nest.run};
    if (step.write < 0) turn(nest, step);
    nest.loops.push_back(step);
  }
  // Writing forwards in memory order suits most kernels, and brings loops that can be joined next
  // to each other.
  sort_few(nest.loops, [](const Step& a, const Step& b) { return a.write > b.write; });
  fold(nest);
  if (nest.half_bytes && in_whole_bytes(nest)) {
    nest.half_bytes = false;
    nest.run /= 2;
    nest.read_offset /= 2;
    nest.write_offset /= 2;
    for (Step& loop : nest.loops) loop = {loop.count, loop.read / 2, loop.write / 2};
  }
  return nest;
}

}  // namespace reshape::optimized
