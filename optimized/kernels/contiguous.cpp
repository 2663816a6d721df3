// One run on both sides: as a library's memcpy where that is best, whole lines around the caches
// where the output cannot stay in them.
#include <cstring>

#include "optimized/kernels/work.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels/contiguous.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "optimized/kernels/bytes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace reshape::optimized {
namespace HWY_NAMESPACE {

// Processors with fast string moves copy whole lines without reading the ones they overwrite.
inline constexpr std::int64_t kStringMoves = 16 << 10;

void Contiguous(const Work& work, const std::byte* read, std::byte* write) {
  std::int64_t n = work.loops[0].count;
  const Byte* from = reinterpret_cast<const Byte*>(read);
  Byte* to = reinterpret_cast<Byte*>(write);
  if (work.stream) return StreamRun(from, to, n, 2048);
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
  if (n >= kStringMoves) {
    asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(n) : : "memory");
    return;
  }
#endif
  std::memcpy(to, from, static_cast<std::size_t>(n));
}

}  // namespace HWY_NAMESPACE
}  // namespace reshape::optimized
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace reshape::optimized {
HWY_EXPORT(Contiguous);
const Run* contiguous_runs() { return HWY_DISPATCH_TABLE(Contiguous); }
}  // namespace reshape::optimized
#endif
