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

// The widest vector of bytes.
using Wide = hn::ScalableTag<Byte>;
HWY_INLINE std::int64_t WideBytes() { return static_cast<std::int64_t>(hn::Lanes(Wide())); }

HWY_INLINE std::int64_t PastLine(const Byte* at) {
  return static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(at) & (kLine - 1));
}

// Loads kWidth bytes: into a vector of 16, or into an integer.
template <int kWidth>
HWY_INLINE auto Take(const Byte* from) {
  if constexpr (kWidth == 16) {
    return hn::LoadU(hn::Full128<Byte>(), from);
  } else {
    hwy::UnsignedFromSize<kWidth> taken;
    std::memcpy(&taken, from, kWidth);
    return taken;
  }
}
template <int kWidth, class Taken>
HWY_INLINE void Put(const Taken& taken, Byte* to) {
  if constexpr (kWidth == 16) {
    hn::StoreU(taken, hn::Full128<Byte>(), to);
  } else {
    std::memcpy(to, &taken, kWidth);
  }
}

// Copies `n` bytes in two moves of kWidth bytes that may overlap. Precondition: kWidth <= n <= 2
// kWidth.
template <int kWidth>
HWY_INLINE void CopyTwice(const Byte* HWY_RESTRICT from, Byte* HWY_RESTRICT to, std::int64_t n) {
  const auto first = Take<kWidth>(from), last = Take<kWidth>(from + n - kWidth);
  Put<kWidth>(first, to);
  Put<kWidth>(last, to + n - kWidth);
}

// Copies kBytes bytes, up to 32, in one or two moves.
template <int kBytes>
HWY_INLINE void CopyExactly(const Byte* HWY_RESTRICT from, Byte* HWY_RESTRICT to) {
  static_assert(kBytes <= 32);
  constexpr int kWidth = kBytes >= 16  ? 16
                         : kBytes >= 8 ? 8
                         : kBytes >= 4 ? 4
                         : kBytes >= 2 ? 2
                                       : 1;
  if constexpr (kBytes == kWidth) {
    Put<kWidth>(Take<kWidth>(from), to);
  } else {
    CopyTwice<kWidth>(from, to, kBytes);
  }
}

// Up to 64 bytes, in two moves that may overlap, or four.
HWY_INLINE void CopyShort(const Byte* HWY_RESTRICT from, Byte* HWY_RESTRICT to, std::int64_t n) {
  if (n > 32) {
    const auto second = Take<16>(from + 16), third = Take<16>(from + n - 32);
    CopyTwice<16>(from, to, n);
    Put<16>(second, to + 16);
    Put<16>(third, to + n - 32);
  } else if (n >= 16) {
    CopyTwice<16>(from, to, n);
  } else if (n >= 8) {
    CopyTwice<8>(from, to, n);
  } else if (n >= 4) {
    CopyTwice<4>(from, to, n);
  } else if (n > 0) {
    const Byte first = from[0], middle = from[n / 2], last = from[n - 1];
    to[0] = first;
    to[n / 2] = middle;
    to[n - 1] = last;
  }
}

#if HWY_ARCH_X86
// Copies `n` bytes by a string move.
HWY_INLINE void MoveString(const Byte* from, Byte* to, std::int64_t n) {
  asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(n) : : "memory");
}
#endif

// Prefetches the lines of `n` bytes, into the L1 cache (kCloseness 3) or the L2 cache (2). In a loop
// one instruction asks for them in even steps, which a Zen 5's hardware prefetcher goes on with:
// unrolled, nine to sixteen planes took twice as long to be interleaved.
template <int kCloseness>
HWY_INLINE void PrefetchRun(const Byte* from, std::int64_t n) {
#pragma GCC unroll 1
  for (std::int64_t at = 0; at < n; at += kLine) __builtin_prefetch(from + at, 0, kCloseness);
}

// The same of lines that are about to be written.
HWY_INLINE void PrefetchToWrite(const Byte* to, std::int64_t n) {
#pragma GCC unroll 1
  for (std::int64_t at = 0; at < n; at += kLine) __builtin_prefetch(to + at, 1);
}

// PrefetchRun of a row that may begin within a line: its end lies in one more.
template <int kCloseness>
HWY_INLINE void PrefetchRow(const Byte* from, std::int64_t n) {
  PrefetchRun<kCloseness>(from, n);
  __builtin_prefetch(from + n - 1, 0, kCloseness);
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

// Copies `n` bytes by vectors, kTogether of which are loaded before they are stored; the last one
// ends with the bytes. Precondition: there is a vector of bytes up to where they end.
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

// Any number of bytes through the caches, with stores that straddle no lines: in the L2 cache rows
// of 100 bytes to 2 KiB took .7 to .95 of the time of unaligned ones on an Emerald Rapids. Vectors
// of 64 bytes straddle two lines with each load, and only half of those of 32: the wide ones are
// faster only in the L1 cache. In the L2 cache loads are fast, and stores wait less if each comes
// behind its load.
template <Cache kCache = Cache::kFurther>
HWY_INLINE void CopyRun(const Byte* HWY_RESTRICT from, Byte* HWY_RESTRICT to, std::int64_t n) {
  if (n < WideBytes()) return CopyShort(from, to, n);
  const hn::CappedTag<Byte, kCache == Cache::kFirst ? HWY_MAX_BYTES : 32> d;
  const std::int64_t w = static_cast<std::int64_t>(hn::Lanes(d)), past = PastLine(to) % w;
  const std::int64_t head = past == 0 ? 0 : w - past;
  if (head > 0) hn::StoreU(hn::LoadU(d, from), d, to);
  CopyVectors<kCache == Cache::kSecond ? 1 : 4>(d, from + head, to + head, n - head);
}

// Any number of bytes around the caches, in whole lines; the ends go through the caches. `ask` is
// called with each line's offset before the line is sent, to prefetch what is read soon.
template <class Ask>
HWY_INLINE void StreamLines(const Byte* HWY_RESTRICT from, Byte* HWY_RESTRICT to, std::int64_t n,
                            Ask ask) {
  const std::int64_t past = PastLine(to), head = past == 0 ? 0 : HWY_MIN(kLine - past, n);
  CopyShort(from, to, head);
  std::int64_t i = head;
  // Four lines without a branch in between: a branch for each made rows of 650 bytes a sixth
  // slower.
  const auto lines = [&](int count) HWY_ATTR {
    for (int line = 0; line < count; ++line, i += kLine) {
      ask(i);
      CopyLine<true>(from + i, to + i);
    }
  };
  while (i + 4 * kLine <= n) lines(4);
  while (i + kLine <= n) lines(1);
  CopyShort(from + i, to + i, n - i);
}

// The same with the input prefetched `ahead` bytes before it is needed.
HWY_INLINE void StreamRun(const Byte* HWY_RESTRICT from, Byte* HWY_RESTRICT to, std::int64_t n,
                          std::int64_t ahead) {
  StreamLines(from, to, n,
              [from, ahead](std::int64_t i) HWY_ATTR { hwy::Prefetch(from + i + ahead); });
}

}  // namespace HWY_NAMESPACE
}  // namespace reshape::optimized
HWY_AFTER_NAMESPACE();

#endif
