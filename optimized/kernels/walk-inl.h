// Loops around what a kernel does at each position. Included once per target.
#if defined(RESHAPE_WALK_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef RESHAPE_WALK_INL_H
#undef RESHAPE_WALK_INL_H
#else
#define RESHAPE_WALK_INL_H
#endif

#include <cstdint>
#include <span>

#include "hwy/highway.h"
#include "optimized/kernels/work.h"

HWY_BEFORE_NAMESPACE();
namespace reshape::optimized {
namespace HWY_NAMESPACE {

// Walks loops, the last one outermost, and calls one(read, write) at each position, in the steps'
// units.
template <class One>
HWY_NOINLINE void WalkLoops(std::span<const Step> loops, std::int64_t read, std::int64_t write,
                            const One& one) {
  if (loops.empty()) return one(read, write);
  const Step& loop = loops.back();
  for (std::int64_t i = 0; i < loop.count; ++i) {
    if (loops.size() == 1) {
      one(read + i * loop.read, write + i * loop.write);
    } else {
      WalkLoops(loops.first(loops.size() - 1), read + i * loop.read, write + i * loop.write, one);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace reshape::optimized
HWY_AFTER_NAMESPACE();

#endif
