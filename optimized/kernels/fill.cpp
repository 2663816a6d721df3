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

template <class T>
HWY_INLINE void Fill(const Work& work, const std::byte* read, std::byte* write) {
  const hn::ScalableTag<T> d;
  const Wide d8;
  const std::int64_t n = work.loops[0].count * static_cast<std::int64_t>(sizeof(T));
  const Step row = work.loops.size() > 1 ? work.loops[1] : Step{};
  const bool stream = work.stream && reinterpret_cast<std::uintptr_t>(write) % sizeof(T) == 0 &&
                      row.write % static_cast<std::int64_t>(sizeof(T)) == 0;
  const bool whole = reinterpret_cast<std::uintptr_t>(write) % sizeof(T) == 0 &&
                     row.write % static_cast<std::int64_t>(sizeof(T)) == 0;
  for (std::int64_t i = 0; i < row.count; ++i) {
    T value;
    std::memcpy(&value, read + i * row.read, sizeof(T));
    Byte* to = reinterpret_cast<Byte*>(write + i * row.write);
    if (whole && n >= WideBytes()) {
      FillRun(d8, hn::BitCast(d8, hn::Set(d, value)), to, n, stream);
    } else {
      for (std::int64_t at = 0; at < n; at += static_cast<std::int64_t>(sizeof(T))) {
        std::memcpy(to + at, &value, sizeof(T));
      }
    }
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
