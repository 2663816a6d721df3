#include "optimized/half_bytes_cut.h"

#include <cstdlib>
#include <limits>

namespace reshape::optimized {

HalfBytesCut half_bytes_cut(const UnitNest& nest, int threads, std::int64_t pieces_per_thread) {
  // Elements that are transposed together.
  constexpr std::int64_t kTurned = 128;
  HalfBytesCut best;
  std::int64_t most = 0;
  std::int64_t inside = nest.run;  // the range that one step of the loop writes, in half bytes
  for (const Step& loop : nest.loops) inside += (loop.count - 1) * loop.write;
  for (std::size_t i = 0; i < nest.loops.size(); ++i) {
    const Step& loop = nest.loops[i];
    inside -= (loop.count - 1) * loop.write;
    // Steps that overlap interleave what the loops inside write, whichever of them is cut.
    if (inside > loop.write) break;
    const bool along_a_side = std::abs(loop.read) == nest.run || loop.write == nest.run;
    HalfBytesCut cut{i, loop.write % 2 == 0 ? 1 : 2, 0};
    if (along_a_side && loop.count >= threads * kTurned) {
      cut.granule = kTurned;
    } else if (std::abs(loop.read) == nest.run && loop.count >= 2 * threads) {
      // Every piece reads all cache lines of the input, so there is only one piece for each thread.
      cut.granule = loop.count / threads / 2 * 2;
    }
    cut.granules = loop.count / cut.granule;
    const bool shares_evenly = cut.granules >= threads * pieces_per_thread;
    const std::int64_t worth =
        !along_a_side && shares_evenly ? std::numeric_limits<std::int64_t>::max() : loop.count;
    if (cut.granules >= 2 && worth > most) {
      best = cut;
      most = worth;
    }
    // After an odd step the inner loops no longer begin with a whole byte.
    if (loop.write % 2 != 0) break;
  }
  return best;
}

}  // namespace reshape::optimized
