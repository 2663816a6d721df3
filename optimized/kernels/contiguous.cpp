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

void SendStage(const std::byte* stage, std::byte* write, std::int64_t n, const std::byte* soon,
               std::int64_t soon_bytes) {
  const Byte* next = reinterpret_cast<const Byte*>(soon);
  std::int64_t asked = 0;
  StreamLines(reinterpret_cast<const Byte*>(stage), reinterpret_cast<Byte*>(write), n,
              [&](std::int64_t sent) HWY_ATTR {
                // What is asked for may be more than what is sent.
                for (; asked < soon_bytes && asked * n <= sent * soon_bytes; asked += kLine) {
                  hwy::Prefetch(next + asked);
                }
              });
}

}  // namespace HWY_NAMESPACE
}  // namespace reshape::optimized
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace reshape::optimized {
HWY_EXPORT(Contiguous);
HWY_EXPORT(SendStage);
const Send* stage_sends() { return HWY_DISPATCH_TABLE(SendStage); }
const Run* contiguous_runs() { return HWY_DISPATCH_TABLE(Contiguous); }
}  // namespace reshape::optimized
#endif
