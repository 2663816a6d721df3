// Every second element of a run, kept.
#include "optimized/kernels/work.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels/every_second.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "optimized/kernels/stage-inl.h"

HWY_BEFORE_NAMESPACE();
namespace reshape::optimized {
namespace HWY_NAMESPACE {

// The last vector pair would read one element past the last that is kept: that element may not be
// there, so the tail goes element by element.
template <class T, bool kStream>
HWY_INLINE void Evens(const Byte* from, Byte* to, std::int64_t n) {
  const hn::ScalableTag<T> d;
  constexpr std::int64_t size = sizeof(T);
  constexpr std::int64_t lanes = static_cast<std::int64_t>(hn::MaxLanes(hn::ScalableTag<T>()));
  std::int64_t i = 0;
  if constexpr (kStream) {
    const std::int64_t past = PastLine(to);
    const std::int64_t head = past == 0 ? 0 : HWY_MIN(n, (kLine - past) / size);
    for (; i < head; ++i) CopyAs<T>(from + 2 * i * size, to + i * size);
  }
  for (; i + lanes < n; i += lanes) {
    const T* in = reinterpret_cast<const T*>(from + 2 * i * size);
    T* out = reinterpret_cast<T*>(to + i * size);
    const auto v = hn::ConcatEven(d, hn::LoadU(d, in + lanes), hn::LoadU(d, in));
    if constexpr (kStream) {
      hwy::Prefetch(reinterpret_cast<const Byte*>(in) + 2048);
      hwy::Prefetch(reinterpret_cast<const Byte*>(in) + 2048 + kLine);
      hn::Stream(v, d, out);
    } else {
      hn::StoreU(v, d, out);
    }
  }
  for (; i < n; ++i) CopyAs<T>(from + 2 * i * size, to + i * size);
}

template <class T>
HWY_INLINE void EverySecond(const Work& work, const std::byte* read, std::byte* write) {
  const Step along = work.loops[0];
  const Step row = work.loops.size() > 1 ? work.loops[1] : Step{};
  for (std::int64_t i = 0; i < row.count; ++i) {
    const Byte* from = reinterpret_cast<const Byte*>(read) + i * row.read;
    Byte* to = reinterpret_cast<Byte*>(write) + i * row.write;
    if (work.stream && PastLine(to) % static_cast<std::int64_t>(sizeof(T)) == 0) {
      Evens<T, true>(from, to, along.count);
    } else {
      Evens<T, false>(from, to, along.count);
    }
  }
}

void EverySecond1(const Work& w, const std::byte* r, std::byte* o) {
  EverySecond<std::uint8_t>(w, r, o);
}
void EverySecond2(const Work& w, const std::byte* r, std::byte* o) {
  EverySecond<std::uint16_t>(w, r, o);
}
void EverySecond4(const Work& w, const std::byte* r, std::byte* o) {
  EverySecond<std::uint32_t>(w, r, o);
}
void EverySecond8(const Work& w, const std::byte* r, std::byte* o) {
  EverySecond<std::uint64_t>(w, r, o);
}

}  // namespace HWY_NAMESPACE
}  // namespace reshape::optimized
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace reshape::optimized {
HWY_EXPORT(EverySecond1);
HWY_EXPORT(EverySecond2);
HWY_EXPORT(EverySecond4);
HWY_EXPORT(EverySecond8);
const Run* every_second_runs(std::int64_t bytes) {
  switch (bytes) {
    case 1: return HWY_DISPATCH_TABLE(EverySecond1);
    case 2: return HWY_DISPATCH_TABLE(EverySecond2);
    case 4: return HWY_DISPATCH_TABLE(EverySecond4);
    default: return HWY_DISPATCH_TABLE(EverySecond8);
  }
}
}  // namespace reshape::optimized
#endif
