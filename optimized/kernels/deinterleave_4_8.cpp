// Elements of 4 and 8 bytes, dealt to a few rows.
#include "optimized/kernels/work.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels/deinterleave_4_8.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "optimized/kernels/deinterleave-inl.h"

HWY_BEFORE_NAMESPACE();
namespace reshape::optimized {
namespace HWY_NAMESPACE {

void Deinterleave4(const Work& w, const std::byte* r, std::byte* o) {
  Deinterleave<std::uint32_t>(w, r, o);
}
void Deinterleave8(const Work& w, const std::byte* r, std::byte* o) {
  Deinterleave<std::uint64_t>(w, r, o);
}

}  // namespace HWY_NAMESPACE
}  // namespace reshape::optimized
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace reshape::optimized {
HWY_EXPORT(Deinterleave4);
HWY_EXPORT(Deinterleave8);
const Run* deinterleave_runs_of_4_and_8(std::int64_t bytes) {
  return bytes == 4 ? HWY_DISPATCH_TABLE(Deinterleave4) : HWY_DISPATCH_TABLE(Deinterleave8);
}
}  // namespace reshape::optimized
#endif
