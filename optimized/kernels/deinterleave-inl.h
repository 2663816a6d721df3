// One run dealt to a few rows: pixels to pixel planes. Each output row is written vector after
// vector. Included once per target, by one file for every two widths, to keep compile times
// bearable.
#ifndef RESHAPE_DEINTERLEAVE_ONCE
#define RESHAPE_DEINTERLEAVE_ONCE
#include <type_traits>

#include "optimized/kernels/limits.h"
#include "optimized/kernels/thirds.h"
#include "optimized/kernels/work.h"

namespace reshape::optimized {
const Run* deinterleave_runs_of_4_and_8(std::int64_t bytes);
}
#endif

#if defined(RESHAPE_DEINTERLEAVE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef RESHAPE_DEINTERLEAVE_INL_H
#undef RESHAPE_DEINTERLEAVE_INL_H
#else
#define RESHAPE_DEINTERLEAVE_INL_H
#endif

#include "optimized/kernels/lookups-inl.h"
#include "optimized/kernels/stage-inl.h"
#include "optimized/kernels/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace reshape::optimized {
namespace HWY_NAMESPACE {

template <bool kStream, class D, class V>
HWY_INLINE void Put(V v, D d, Byte* to) {
  auto* place = reinterpret_cast<hn::TFromD<D>*>(to);
  if constexpr (kStream) {
    hn::Stream(v, d, place);
  } else {
    hn::StoreU(v, d, place);
  }
}

// Where the output rows begin: one step apart, or along several loops.
struct Apart {
  std::int64_t step;
  HWY_INLINE std::int64_t operator()(std::int64_t part) const { return part * step; }
};
struct Scattered {
  std::int64_t place[kMostSplit];

  // The loops are the rows', the first one innermost.
  explicit Scattered(std::span<const Step> loops) : place() {
    std::int64_t rows = 1;
    for (const Step& loop : loops) {
      for (std::int64_t part = rows; part < rows * loop.count; ++part) {
        place[part] = place[part % rows] + part / rows * loop.write;
      }
      rows *= loop.count;
    }
  }
  HWY_INLINE std::int64_t operator()(std::int64_t part) const { return place[part]; }
};

// Eight rows: split into four rows of pairs first, and these into two rows each.
template <class T, bool kStream, class Places>
HWY_INLINE void SplitEight(const Byte* from, Byte* to, const Places& place) {
  using Pair = std::conditional_t<sizeof(T) == 1, std::uint16_t,
                                  std::conditional_t<sizeof(T) == 2, std::uint32_t, std::uint64_t>>;
  const hn::ScalableTag<T> d;
  const hn::ScalableTag<Pair> pairs;
  const Pair* in = reinterpret_cast<const Pair*>(from);
  hn::Vec<decltype(pairs)> low[4], high[4];
  hn::LoadInterleaved4(pairs, in, low[0], low[1], low[2], low[3]);
  hn::LoadInterleaved4(pairs, in + 4 * hn::Lanes(pairs), high[0], high[1], high[2], high[3]);
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) {
    const auto first = hn::BitCast(d, low[i]), second = hn::BitCast(d, high[i]);
    Put<kStream>(hn::ConcatEven(d, second, first), d, to + place(2 * i));
    Put<kStream>(hn::ConcatOdd(d, second, first), d, to + place(2 * i + 1));
  }
}

// One vector to each of kParts rows.
template <int kParts, class T, bool kStream, class D, class Places>
HWY_INLINE void Split(D d, const Byte* from, Byte* to, const Places& place) {
  const T* in = reinterpret_cast<const T*>(from);
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
  if constexpr (kParts == 3 && sizeof(T) == 4 && hn::MaxLanes(D()) == 16) {
    const __m512i a = _mm512_loadu_si512(in), b = _mm512_loadu_si512(in + 16),
                  c = _mm512_loadu_si512(in + 32);
    const __m512i ab0 = _mm512_setr_epi32(0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 0, 0, 0, 0, 0);
    const __m512i ab1 = _mm512_setr_epi32(1, 4, 7, 10, 13, 16, 19, 22, 25, 28, 31, 0, 0, 0, 0, 0);
    const __m512i ab2 = _mm512_setr_epi32(2, 5, 8, 11, 14, 17, 20, 23, 26, 29, 0, 0, 0, 0, 0, 0);
    const __m512i c0 = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 17, 20, 23, 26, 29);
    const __m512i c1 = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 18, 21, 24, 27, 30);
    const __m512i c2 = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 19, 22, 25, 28, 31);
    using V = hn::Vec<decltype(d)>;
    Put<kStream>(V{_mm512_permutex2var_epi32(_mm512_permutex2var_epi32(a, ab0, b), c0, c)}, d, to);
    Put<kStream>(V{_mm512_permutex2var_epi32(_mm512_permutex2var_epi32(a, ab1, b), c1, c)}, d,
                 to + place(1));
    Put<kStream>(V{_mm512_permutex2var_epi32(_mm512_permutex2var_epi32(a, ab2, b), c2, c)}, d,
                 to + place(2));
    return;
  }
#endif
#if HWY_TARGET <= HWY_AVX3_DL && HWY_ARCH_X86
  if constexpr (kParts == 3 && sizeof(T) == 1 && hn::MaxLanes(D()) == 64) {
    const __m512i a = _mm512_loadu_si512(in), b = _mm512_loadu_si512(in + 64),
                  c = _mm512_loadu_si512(in + 128);
    using V = hn::Vec<decltype(d)>;
#pragma GCC unroll 3
    for (int part = 0; part < 3; ++part) {
      const __m512i from_ab = _mm512_load_si512(kThirds.of_two[part]);
      const __m512i with_c = _mm512_load_si512(kThirds.of_third[part]);
      const __m512i ab = _mm512_permutex2var_epi8(a, from_ab, b);
      Put<kStream>(V{_mm512_permutex2var_epi8(ab, with_c, c)}, d, to + place(part));
    }
    return;
  }
#endif
  hn::Vec<decltype(d)> v0, v1, v2, v3;
  if constexpr (kParts == 2) {
    hn::LoadInterleaved2(d, in, v0, v1);
  } else if constexpr (kParts == 3) {
    hn::LoadInterleaved3(d, in, v0, v1, v2);
  } else {
    hn::LoadInterleaved4(d, in, v0, v1, v2, v3);
  }
  Put<kStream>(v0, d, to);
  Put<kStream>(v1, d, to + place(1));
  if constexpr (kParts > 2) Put<kStream>(v2, d, to + place(2));
  if constexpr (kParts > 3) Put<kStream>(v3, d, to + place(3));
}

// Element by element, for rows that are too short for vectors.
template <int kParts, class T, class Places>
HWY_NOINLINE void SplitSingly(const Byte* from, Byte* to, const Places& place, std::int64_t n) {
  constexpr std::int64_t size = sizeof(T);
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t part = 0; part < kParts; ++part) {
      CopyExactly<sizeof(T)>(from + (i * kParts + part) * size, to + place(part) + i * size);
    }
  }
}

template <class T>
HWY_INLINE void SplitInTiles(const Byte* from, Byte* to, std::int64_t step, std::int64_t parts,
                             std::int64_t n) {
  TurnPiece<T>(from, parts * static_cast<std::int64_t>(sizeof(T)), to, step, n, parts);
}

// `ahead`: what lies so many bytes behind is prefetched; 0: nothing. `asks`: so is what is written.
template <int kParts, class T, bool kStream, class Places>
HWY_INLINE void SplitRun(const Byte* from, Byte* to, const Places& place, std::int64_t n,
                         std::int64_t ahead, bool asks) {
  constexpr std::int64_t size = sizeof(T);
  constexpr std::int64_t lanes = static_cast<std::int64_t>(hn::MaxLanes(hn::ScalableTag<T>()));
  std::int64_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    if (asks) {
      AskToWrite<kParts>([&](std::int64_t part) HWY_ATTR { return to + i * size + place(part); });
    }
    if (ahead != 0) {
      for (int line = 0; line < kParts; ++line) {
        hwy::Prefetch(from + i * kParts * size + line * kLine + ahead);
      }
    }
    if constexpr (kParts == 8) {
      SplitEight<T, kStream>(from + i * kParts * size, to + i * size, place);
    } else {
      Split<kParts, T, kStream>(hn::ScalableTag<T>(), from + i * kParts * size, to + i * size,
                                place);
    }
  }
  if (i == n) return;
  // The rest by one more vector that ends with the rows; it overlaps the one before.
  const std::int64_t last = n - lanes;
  if constexpr (kParts == 8) {
    if (last >= 0)
      return SplitEight<T, false>(from + last * kParts * size, to + last * size, place);
    if constexpr (std::is_same_v<Places, Apart>) {
      return SplitInTiles<T>(from, to, place.step, kParts, n);
    }
  } else {
    constexpr std::int64_t few = 16 / size;
    if (last >= 0) {
      return Split<kParts, T, false>(hn::ScalableTag<T>(), from + last * kParts * size,
                                     to + last * size, place);
    }
    if (n >= few) {
      for (; i < n; i += few) {
        const std::int64_t at = HWY_MIN(i, n - few);
        Split<kParts, T, false>(hn::Full128<T>(), from + at * kParts * size, to + at * size, place);
      }
      return;
    }
  }
  SplitSingly<kParts, T>(from + i * kParts * size, to + i * size, place, n - i);
}

template <int kParts, class T>
struct SplitOf {
  HWY_INLINE void operator()(const Byte* from, Byte* to, std::int64_t step, std::int64_t n) const {
    SplitRun<kParts, T, false>(from, to, Apart{step}, n, 0, false);
  }
};

// Through a stage, from which each row is sent to its place.
template <class T, bool kStream, class How>
HWY_INLINE void SplitStaged(const How& split, std::int64_t parts, const Scattered& place,
                            const Byte* from, Byte* to, std::int64_t n) {
  constexpr std::int64_t size = sizeof(T), piece = kStageBytes / size, kAhead = 1024;
  alignas(64) Byte stage[kMostSplit * kPitch];
  for (std::int64_t i = 0; i < n; i += piece) {
    const std::int64_t count = HWY_MIN(piece, n - i);
    if constexpr (kStream) {
      for (std::int64_t at = 0; at < count * parts * size; at += kLine) {
        hwy::Prefetch(from + i * parts * size + at + kAhead);
      }
    }
    split(from + i * parts * size, stage + kLine, kPitch, count);
    for (std::int64_t part = 0; part < parts; ++part) {
      SendRow<kStream>(stage + part * kPitch, to + place(part) + i * size, count * size, i == 0,
                       i + piece >= n);
    }
  }
}

// Whether every row reaches its next line at the same element.
template <class T>
HWY_INLINE bool HasWholeLines(const Byte* to, std::int64_t step) {
  return WideBytes() == kLine && step % kLine == 0 && PastLine(to) % sizeof(T) == 0;
}

// The rows of one copy: how many, where they begin, and whether they leave around the caches.
struct Output {
  std::int64_t count, n;  // n: elements of each
  Apart apart;            // where they lie along one loop
  Scattered scattered;
  bool along_one, stream;
  bool asks;  // what is written is prefetched
  static constexpr std::int64_t kLongRow = 4 * kLine;

  explicit Output(const Work& work)
      : count(1),
        n(work.loops[0].count),
        apart{work.loops[1].write},
        scattered(work.loops.subspan(1, work.along_read)),
        along_one(work.along_read == 1),
        stream(work.stream),
        asks(AsksToWrite(work) && n * static_cast<std::int64_t>(work.run) >= kLongRow) {
    for (const Step& loop : work.loops.subspan(1, work.along_read)) count *= loop.count;
  }
};

// By instructions that split kParts rows.
template <int kParts, class T>
HWY_INLINE void SplitKnown(const Output& rows, const Byte* from, Byte* to) {
  constexpr std::int64_t size = sizeof(T);
  const std::int64_t n = rows.n;
  const bool lines = rows.along_one && HasWholeLines<T>(to, rows.apart.step);
  if (rows.stream && n * size >= (lines ? kStreamedLines : kStreamedRow)) {
    if (!lines)
      return SplitStaged<T, true>(SplitOf<kParts, T>{}, kParts, rows.scattered, from, to, n);
    const std::int64_t past = PastLine(to);
    const std::int64_t head = past == 0 ? 0 : HWY_MIN(n, (kLine - past) / size);
    SplitRun<kParts, T, false>(from, to, rows.apart, head, 0, false);
    return SplitRun<kParts, T, true>(from + head * kParts * size, to + head * size, rows.apart,
                                     n - head, 1024, false);
  }
  if constexpr (kParts >= 4) {
    if (!rows.along_one)
      return SplitRun<kParts, T, false>(from, to, rows.scattered, n, 0, rows.asks);
  }
  SplitRun<kParts, T, false>(from, to, rows.apart, n, 0, rows.asks);
}

// By calls of `split` for `n` elements of each of any number of rows.
template <class T, class How>
HWY_INLINE void SplitAny(const How& split, const Output& rows, const Byte* from, Byte* to) {
  if (rows.stream && rows.n >= kStreamed) {
    return SplitStaged<T, true>(split, rows.count, rows.scattered, from, to, rows.n);
  }
  if (rows.along_one) return split(from, to, rows.apart.step, rows.n);
  SplitStaged<T, false>(split, rows.count, rows.scattered, from, to, rows.n);
}

// The walk over the rows' loop: split(from, to) for each.
template <class Split>
HWY_INLINE void SplitAll(const Work& work, const std::byte* read, std::byte* write, Split split) {
  const std::size_t around = 1 + work.along_read;
  const Step outer = work.loops.size() > around ? work.loops[around] : Step{};
  for (std::int64_t k = 0; k < outer.count; ++k) {
    split(reinterpret_cast<const Byte*>(read + k * outer.read),
          reinterpret_cast<Byte*>(write + k * outer.write));
  }
}

template <class T>
HWY_INLINE void Deinterleave(const Work& work, const std::byte* read, std::byte* write) {
  const Output rows(work);
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
  using Dealt = DealtByLookups<T>;
  if (Dealt::pays(rows.count, rows.n, Dealing::kFromRun)) {
    return Dealt::template with<Dealing::kFromRun>(rows.count, [&](const Dealt& lookups) HWY_ATTR {
      const auto split = [&](const Byte* from, Byte* to, std::int64_t apart, std::int64_t count)
                             HWY_ATTR {
                               if (count < Dealt::kElements)
                                 return SplitInTiles<T>(from, to, apart, rows.count, count);
                               lookups.from_run(from, to, apart, count);
                             };
      SplitAll(work, read, write,
               [&](const Byte* from, Byte* to) HWY_ATTR { SplitAny<T>(split, rows, from, to); });
    });
  }
#endif
  SplitAll(work, read, write, [&](const Byte* from, Byte* to) HWY_ATTR {
    switch (rows.count) {
#define RESHAPE_SPLIT(known) \
  case known: return SplitKnown<known, T>(rows, from, to);
      RESHAPE_SPLIT(2)
      RESHAPE_SPLIT(3)
      RESHAPE_SPLIT(4)
#undef RESHAPE_SPLIT
      case 8:
        if constexpr (sizeof(T) < 8) return SplitKnown<8, T>(rows, from, to);
        [[fallthrough]];
      default:
        SplitAny<T>([&](const Byte* at, Byte* out, std::int64_t apart, std::int64_t count)
                        HWY_ATTR { SplitInTiles<T>(at, out, apart, rows.count, count); },
                    rows, from, to);
    }
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace reshape::optimized
HWY_AFTER_NAMESPACE();

#endif
