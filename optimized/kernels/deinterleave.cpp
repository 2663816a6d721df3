// Elements of 1 and 2 bytes, dealt to a few rows.
#include "optimized/kernels/work.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels/deinterleave.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "optimized/kernels/deinterleave-inl.h"

HWY_BEFORE_NAMESPACE();
namespace reshape::optimized {
namespace HWY_NAMESPACE {

void Deinterleave1(const Work& w, const std::byte* r, std::byte* o) {
  Deinterleave<std::uint8_t>(w, r, o);
}
void Deinterleave2(const Work& w, const std::byte* r, std::byte* o) {
  Deinterleave<std::uint16_t>(w, r, o);
}

}  // namespace HWY_NAMESPACE
}  // namespace reshape::optimized
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace reshape::optimized {
HWY_EXPORT(Deinterleave1);
HWY_EXPORT(Deinterleave2);
const Run* deinterleave_runs(std::int64_t bytes) {
  switch (bytes) {
    case 1: return HWY_DISPATCH_TABLE(Deinterleave1);
    case 2: return HWY_DISPATCH_TABLE(Deinterleave2);
    default: return deinterleave_runs_of_4_and_8(bytes);
  }
}
}  // namespace reshape::optimized
#endif
