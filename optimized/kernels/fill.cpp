// One element read, a run of copies of it written.
#include "optimized/kernels/work.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels/fill.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "optimized/kernels/bytes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace reshape::optimized {
namespace HWY_NAMESPACE {

inline constexpr std::int64_t kStringStores = 2048;

// Fills `n` bytes, at least a vector. `v` holds whole elements, whose width is a power of two, so
// the vector can be stored at any element-aligned address.
template <class D, class V>
HWY_INLINE void FillRun(D d, V v, Byte* to, std::int64_t n, bool stream) {
  const std::int64_t w = WideBytes();
  hn::StoreU(v, d, to);
  Byte* const end = to + n;
  Byte* at = to + (w - static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(to) &
                                                 static_cast<std::uintptr_t>(w - 1)));
#if HWY_ARCH_X86
  // The string store writes lines without reading them first, and is faster than vector stores.
  if (stream && end - at >= kStringStores) {
    std::uint64_t pattern;
    hn::StoreU(v, d, to);
    std::memcpy(&pattern, to, sizeof(pattern));
    std::int64_t times = (end - at) / 8;
    asm volatile("rep stosq" : "+D"(at), "+c"(times) : "a"(pattern) : "memory");
  }
#endif
  if (stream) {
    for (; at + 4 * w <= end; at += 4 * w) {
      hn::Stream(v, d, at);
      hn::Stream(v, d, at + w);
      hn::Stream(v, d, at + 2 * w);
      hn::Stream(v, d, at + 3 * w);
    }
  } else {
    for (; at + 4 * w <= end; at += 4 * w) {
      hn::Store(v, d, at);
      hn::Store(v, d, at + w);
      hn::Store(v, d, at + 2 * w);
      hn::Store(v, d, at + 3 * w);
    }
  }
  for (; at + w <= end; at += w) hn::Store(v, d, at);
  if (at < end) hn::StoreU(v, d, end - w);
}

// Runs of `n` bytes, from kWidth to twice as many: two vectors each, which may overlap.
template <class T, std::size_t kWidth>
HWY_INLINE void FillShort(const Step row, std::int64_t n, const std::byte* read, Byte* to) {
  const hn::CappedTag<T, kWidth / sizeof(T)> d;
  const std::int64_t last = n - static_cast<std::int64_t>(hn::Lanes(d) * sizeof(T));
  for (std::int64_t i = 0; i < row.count; ++i, read += row.read, to += row.write) {
    T value;
    std::memcpy(&value, read, sizeof(T));
    const auto v = hn::Set(d, value);
    hn::StoreU(v, d, reinterpret_cast<T*>(to));
    hn::StoreU(v, d, reinterpret_cast<T*>(to + last));
  }
}

template <class T>
HWY_INLINE void FillRuns(const Step row, std::int64_t n, bool stream, const std::byte* read,
                         Byte* to) {
  if (n < WideBytes() && n >= 32) return FillShort<T, 32>(row, n, read, to);
  if (n < WideBytes() && n >= 16) return FillShort<T, 16>(row, n, read, to);
  const Wide d;
  const bool whole = reinterpret_cast<std::uintptr_t>(to) % sizeof(T) == 0 &&
                     row.write % static_cast<std::int64_t>(sizeof(T)) == 0;
  for (std::int64_t i = 0; i < row.count; ++i, read += row.read, to += row.write) {
    T value;
    std::memcpy(&value, read, sizeof(T));
    if (whole && n >= WideBytes()) {
      FillRun(d, hn::BitCast(d, hn::Set(hn::ScalableTag<T>(), value)), to, n, stream);
    } else {
      for (std::int64_t at = 0; at < n; at += static_cast<std::int64_t>(sizeof(T))) {
        std::memcpy(to + at, &value, sizeof(T));
      }
    }
  }
}

template <class T>
HWY_INLINE void Fill(const Work& work, const std::byte* read, std::byte* write) {
  const std::int64_t n = work.loops[0].count * static_cast<std::int64_t>(sizeof(T));
  const Step row = work.loops.size() > 1 ? work.loops[1] : Step{};
  Byte* to = reinterpret_cast<Byte*>(write);
  if (!work.stream || n >= WideBytes() || row.write != n) {
    return FillRuns<T>(row, n, work.stream, read, to);
  }
  // Around the caches, runs shorter than a vector are collected in a stage, and sent together.
  constexpr std::int64_t kStage = 4096;
  alignas(64) Byte stage[kStage];
  const std::int64_t most = kStage / n;
  for (std::int64_t i = 0; i < row.count; i += most) {
    const Step few{HWY_MIN(most, row.count - i), row.read, n};
    FillRuns<T>(few, n, false, read + i * row.read, stage);
    StreamRun(stage, to + i * n, few.count * n, 0);
  }
}

void Fill1(const Work& w, const std::byte* r, std::byte* o) { Fill<std::uint8_t>(w, r, o); }
void Fill2(const Work& w, const std::byte* r, std::byte* o) { Fill<std::uint16_t>(w, r, o); }
void Fill4(const Work& w, const std::byte* r, std::byte* o) { Fill<std::uint32_t>(w, r, o); }
void Fill8(const Work& w, const std::byte* r, std::byte* o) { Fill<std::uint64_t>(w, r, o); }

}  // namespace HWY_NAMESPACE
}  // namespace reshape::optimized
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace reshape::optimized {
HWY_EXPORT(Fill1);
HWY_EXPORT(Fill2);
HWY_EXPORT(Fill4);
HWY_EXPORT(Fill8);
const Run* fill_runs(std::int64_t bytes) {
  switch (bytes) {
    case 1: return HWY_DISPATCH_TABLE(Fill1);
    case 2: return HWY_DISPATCH_TABLE(Fill2);
    case 4: return HWY_DISPATCH_TABLE(Fill4);
    default: return HWY_DISPATCH_TABLE(Fill8);
  }
}
}  // namespace reshape::optimized
#endif
