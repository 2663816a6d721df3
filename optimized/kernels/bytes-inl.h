// Copies of runs of bytes with the vectors of the target being compiled. Included once per target.
#if defined(RESHAPE_BYTES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef RESHAPE_BYTES_INL_H
#undef RESHAPE_BYTES_INL_H
#else
#define RESHAPE_BYTES_INL_H
#endif

#include <cstdint>
#include <cstring>

#include "hwy/cache_control.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reshape::optimized {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Byte = std::uint8_t;

inline constexpr std::int64_t kLine = 64;

// The widest vector of bytes, and how many make a line.
using Wide = hn::ScalableTag<Byte>;
HWY_INLINE std::int64_t WideBytes() { return static_cast<std::int64_t>(hn::Lanes(Wide())); }

HWY_INLINE std::int64_t PastLine(const Byte* at) {
  return static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(at) & (kLine - 1));
}

template <class Block>
HWY_INLINE void CopyAs(const Byte* HWY_RESTRICT from, Byte* HWY_RESTRICT to) {
  Block block;
  std::memcpy(&block, from, sizeof(block));
  std::memcpy(to, &block, sizeof(block));
}

// So many bytes, in two moves of kWidth bytes that may overlap. Precondition: at least one, and no more than two.
template <int kWidth>
HWY_INLINE void CopyTwice(const Byte* HWY_RESTRICT from, Byte* HWY_RESTRICT to, std::int64_t n) {
  const hn::FixedTag<Byte, kWidth> d;
  const auto first = hn::LoadU(d, from), last = hn::LoadU(d, from + n - kWidth);
  hn::StoreU(first, d, to);
  hn::StoreU(last, d, to + n - kWidth);
}

// So many bytes, up to 32, in moves of known widths.
template <int kBytes>
HWY_INLINE void CopyExactly(const Byte* HWY_RESTRICT from, Byte* HWY_RESTRICT to) {
  static_assert(kBytes <= 32);
  if constexpr (kBytes == 16) {
    const hn::Full128<Byte> d;
    hn::StoreU(hn::LoadU(d, from), d, to);
  } else if constexpr (kBytes > 16) {
    CopyTwice<16>(from, to, kBytes);
  } else {
    constexpr int kWidest = kBytes >= 8 ? 8 : kBytes >= 4 ? 4 : kBytes >= 2 ? 2 : 1;
    using Widest = hwy::UnsignedFromSize<kWidest>;
    Widest first, last;
    std::memcpy(&first, from, kWidest);
    std::memcpy(&last, from + kBytes - kWidest, kWidest);
    std::memcpy(to, &first, kWidest);
    if constexpr (kBytes > kWidest) std::memcpy(to + kBytes - kWidest, &last, kWidest);
  }
}

// Up to 64 bytes, in two moves that may overlap.
HWY_INLINE void CopyShort(const Byte* HWY_RESTRICT from, Byte* HWY_RESTRICT to, std::int64_t n) {
  const hn::Full128<Byte> d16;
  if (n >= 16) {
    const auto first = hn::LoadU(d16, from);
    const auto last = hn::LoadU(d16, from + n - 16);
    if (n > 32) {
      const auto second = hn::LoadU(d16, from + 16);
      const auto third = hn::LoadU(d16, from + n - 32);
      hn::StoreU(second, d16, to + 16);
      hn::StoreU(third, d16, to + n - 32);
    }
    hn::StoreU(first, d16, to);
    hn::StoreU(last, d16, to + n - 16);
  } else if (n >= 8) {
    std::uint64_t first, last;
    std::memcpy(&first, from, 8);
    std::memcpy(&last, from + n - 8, 8);
    std::memcpy(to, &first, 8);
    std::memcpy(to + n - 8, &last, 8);
  } else if (n >= 4) {
    std::uint32_t first, last;
    std::memcpy(&first, from, 4);
    std::memcpy(&last, from + n - 4, 4);
    std::memcpy(to, &first, 4);
    std::memcpy(to + n - 4, &last, 4);
  } else if (n > 0) {
    const Byte first = from[0], middle = from[n / 2], last = from[n - 1];
    to[0] = first;
    to[n / 2] = middle;
    to[n - 1] = last;
  }
}

// One line to an aligned place, through the caches or around them.
template <bool kStream>
HWY_INLINE void CopyLine(const Byte* HWY_RESTRICT from, Byte* HWY_RESTRICT to) {
  const Wide d;
  for (std::int64_t i = 0; i < kLine; i += WideBytes()) {
    const auto v = hn::LoadU(d, from + i);
    if constexpr (kStream) {
      hn::Stream(v, d, to + i);
    } else {
      hn::Store(v, d, to + i);
    }
  }
}

// Vectors, so many loaded before they are stored; the last one ends with the bytes. Precondition: n >= one.
template <int kTogether, class D>
HWY_INLINE void CopyVectors(D d, const Byte* HWY_RESTRICT from, Byte* HWY_RESTRICT to,
                            std::int64_t n) {
  const std::int64_t w = static_cast<std::int64_t>(hn::Lanes(d));
  std::int64_t i = 0;
  for (; kTogether == 4 && i + 4 * w <= n; i += 4 * w) {
    const auto v0 = hn::LoadU(d, from + i);
    const auto v1 = hn::LoadU(d, from + i + w);
    const auto v2 = hn::LoadU(d, from + i + 2 * w);
    const auto v3 = hn::LoadU(d, from + i + 3 * w);
    hn::StoreU(v0, d, to + i);
    hn::StoreU(v1, d, to + i + w);
    hn::StoreU(v2, d, to + i + 2 * w);
    hn::StoreU(v3, d, to + i + 3 * w);
  }
#pragma GCC unroll 1
  for (; i + w <= n; i += w) hn::StoreU(hn::LoadU(d, from + i), d, to + i);
  if (i < n) hn::StoreU(hn::LoadU(d, from + n - w), d, to + n - w);
}

// The cache in which both sides of a copy stay.
enum class Cache { kFirst, kSecond, kFurther };

// Any number of bytes through the caches. Where neither side begins with a line, all vectors of 64 bytes straddle
// lines on both sides, but only half of those of 32, which the first cache alone makes up for. In the second
// one loads are soon there, and stores wait less if they are not many at a time.
template <Cache kCache = Cache::kFurther>
HWY_INLINE void CopyRun(const Byte* HWY_RESTRICT from, Byte* HWY_RESTRICT to, std::int64_t n) {
  constexpr std::int64_t kLong = 2 << 10;
  if (n < WideBytes()) return CopyShort(from, to, n);
  const bool straddles = PastLine(from) != 0 && PastLine(to) != 0;
  if (kCache != Cache::kFirst && straddles && (n < kLong || kCache == Cache::kSecond)) {
    return CopyVectors<4>(hn::CappedTag<Byte, 32>(), from, to, n);
  }
  CopyVectors<kCache == Cache::kSecond ? 1 : 4>(Wide(), from, to, n);
}

// Any number of bytes around the caches, in whole lines; the ends go through the caches. Reads
// are asked for `ahead` bytes before they are needed.
HWY_INLINE void StreamRun(const Byte* HWY_RESTRICT from, Byte* HWY_RESTRICT to, std::int64_t n,
                          std::int64_t ahead) {
  const std::int64_t past = PastLine(to);
  if (past != 0) {
    const std::int64_t head = HWY_MIN(kLine - past, n);
    CopyShort(from, to, head);
    from += head;
    to += head;
    n -= head;
  }
  std::int64_t i = 0;
  for (; i + 4 * kLine <= n; i += 4 * kLine) {
    for (std::int64_t line = 0; line < 4; ++line) {
      hwy::Prefetch(from + i + line * kLine + ahead);
      CopyLine<true>(from + i + line * kLine, to + i + line * kLine);
    }
  }
  for (; i + kLine <= n; i += kLine) {
    hwy::Prefetch(from + i + ahead);
    CopyLine<true>(from + i, to + i);
  }
  CopyShort(from + i, to + i, n - i);
}

}  // namespace HWY_NAMESPACE
}  // namespace reshape::optimized
HWY_AFTER_NAMESPACE();

#endif
