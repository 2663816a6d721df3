#include "optimized/kernels/nest.h"

#include <algorithm>

namespace reshape::optimized {
namespace {

// Starts a loop at its other end, so that it writes forwards.
void turn(UnitNest& nest, Step& loop) {
  nest.read_offset += loop.read * (loop.count - 1);
  nest.write_offset += loop.write * (loop.count - 1);
  loop.read = -loop.read;
  loop.write = -loop.write;
}

void fold(UnitNest& nest) {
  std::vector<Step> folded;
  for (const Step& loop : nest.loops) {
    if (!folded.empty() && folded.back().read == loop.read * loop.count &&
        folded.back().write == loop.write * loop.count) {
      folded.back() = {folded.back().count * loop.count, loop.read, loop.write};
    } else {
      folded.push_back(loop);
    }
  }
  if (!folded.empty() && folded.back().read == nest.run && folded.back().write == nest.run) {
    nest.run *= folded.back().count;
    folded.pop_back();
  }
  nest.loops = std::move(folded);
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
  // Writing forwards in memory order is the walk that suits most kernels, and it brings loops that
  // can be one next to each other.
  std::ranges::stable_sort(nest.loops,
                           [](const Step& a, const Step& b) { return a.write > b.write; });
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
