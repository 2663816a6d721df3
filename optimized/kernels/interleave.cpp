// A few rows dealt into one: pixel planes to pixels, short columns to rows. The output is one run,
// written vector after vector.
#include "optimized/kernels/work.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels/interleave.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "optimized/kernels/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace reshape::optimized {
namespace HWY_NAMESPACE {

template <class T>
HWY_INLINE const T* As(const Byte* at) {
  return reinterpret_cast<const T*>(at);
}

// One vector from each of kParts rows, `step` bytes apart, dealt to `to`; around the caches when
// kStream, where that can be done and `to` begins a line.
template <int kParts, class T, bool kStream>
HWY_INLINE void Deal(const Byte* from, std::int64_t step, T* to) {
  const hn::ScalableTag<T> d;
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
  if constexpr (kParts == 3 && sizeof(T) == 4) {
    // Lanes 0-15 name the first table, 16-31 the second.
    const __m512i a = _mm512_loadu_si512(from), b = _mm512_loadu_si512(from + step),
                  c = _mm512_loadu_si512(from + 2 * step);
    const __m512i ab0 = _mm512_setr_epi32(0, 16, 0, 1, 17, 0, 2, 18, 0, 3, 19, 0, 4, 20, 0, 5);
    const __m512i ab1 = _mm512_setr_epi32(21, 0, 6, 22, 0, 7, 23, 0, 8, 24, 0, 9, 25, 0, 10, 26);
    const __m512i ab2 = _mm512_setr_epi32(0, 11, 27, 0, 12, 28, 0, 13, 29, 0, 14, 30, 0, 15, 31, 0);
    const __m512i c0 = _mm512_setr_epi32(0, 1, 16, 3, 4, 17, 6, 7, 18, 9, 10, 19, 12, 13, 20, 15);
    const __m512i c1 = _mm512_setr_epi32(0, 21, 2, 3, 22, 5, 6, 23, 8, 9, 24, 11, 12, 25, 14, 15);
    const __m512i c2 = _mm512_setr_epi32(26, 1, 2, 27, 4, 5, 28, 7, 8, 29, 10, 11, 30, 13, 14, 31);
    const __m512i out0 = _mm512_permutex2var_epi32(_mm512_permutex2var_epi32(a, ab0, b), c0, c);
    const __m512i out1 = _mm512_permutex2var_epi32(_mm512_permutex2var_epi32(a, ab1, b), c1, c);
    const __m512i out2 = _mm512_permutex2var_epi32(_mm512_permutex2var_epi32(a, ab2, b), c2, c);
    if constexpr (kStream) {
      _mm512_stream_si512(reinterpret_cast<__m512i*>(to), out0);
      _mm512_stream_si512(reinterpret_cast<__m512i*>(to + 16), out1);
      _mm512_stream_si512(reinterpret_cast<__m512i*>(to + 32), out2);
    } else {
      _mm512_storeu_si512(to, out0);
      _mm512_storeu_si512(to + 16, out1);
      _mm512_storeu_si512(to + 32, out2);
    }
    return;
  }
#endif
  const auto a = hn::LoadU(d, As<T>(from)), b = hn::LoadU(d, As<T>(from + step));
  if constexpr (kParts == 2) {
    hn::StoreInterleaved2(a, b, d, to);
  } else if constexpr (kParts == 3) {
    hn::StoreInterleaved3(a, b, hn::LoadU(d, As<T>(from + 2 * step)), d, to);
  } else {
    hn::StoreInterleaved4(a, b, hn::LoadU(d, As<T>(from + 2 * step)),
                          hn::LoadU(d, As<T>(from + 3 * step)), d, to);
  }
}

// Eight rows of bytes: pairs first, then four rows of pairs.
HWY_INLINE void DealEightBytes(const Byte* from, std::int64_t step, Byte* to) {
  const hn::Full128<Byte> d;
  const hn::Full128<std::uint16_t> d2;
  hn::Vec<decltype(d2)> lower[4], upper[4];
  for (int pair = 0; pair < 4; ++pair) {
    const auto a = hn::LoadU(d, from + 2 * pair * step);
    const auto b = hn::LoadU(d, from + (2 * pair + 1) * step);
    lower[pair] = hn::BitCast(d2, hn::InterleaveLower(d, a, b));
    upper[pair] = hn::BitCast(d2, hn::InterleaveUpper(d, a, b));
  }
  hn::StoreInterleaved4(lower[0], lower[1], lower[2], lower[3], d2,
                        reinterpret_cast<std::uint16_t*>(to));
  hn::StoreInterleaved4(upper[0], upper[1], upper[2], upper[3], d2,
                        reinterpret_cast<std::uint16_t*>(to + 64));
}

// Deals `n` elements of each row to one run at `to`, any alignment.
template <int kParts, class T, bool kStream = false>
HWY_INLINE void DealRun(const Byte* from, std::int64_t step, Byte* to, std::int64_t n) {
  constexpr std::int64_t size = sizeof(T);
  constexpr std::int64_t lanes = static_cast<std::int64_t>(hn::MaxLanes(hn::ScalableTag<T>()));
  std::int64_t i = 0;
  if constexpr (kParts <= 4) {
    for (; i + lanes <= n; i += lanes) {
      Deal<kParts, T, kStream>(from + i * size, step, reinterpret_cast<T*>(to + i * kParts * size));
    }
  } else if constexpr (kParts * size < 16) {
    for (; i + 16 <= n; i += 16) DealEightBytes(from + i, step, to + i * kParts);
  } else {
    // As many rows as the tile has: the tile's output rows follow each other without gaps.
    using D = hn::CappedTag<T, kParts>;
    constexpr std::int64_t tile = static_cast<std::int64_t>(hn::MaxLanes(D()));
    constexpr Store kStore = kStream ? Store::kStream : Store::kUnaligned;
    for (; i + tile <= n; i += tile) {
      if (kStream && i * size % kLine == 0) {
        for (std::int64_t part = 0; part < kParts; ++part) {
          hwy::Prefetch(from + part * step + i * size + 512);
        }
      }
      for (std::int64_t part = 0; part < kParts; part += tile) {
        Tile<D, kStore>(D(), from + part * step + i * size, step, to + (i * kParts + part) * size,
                        kParts * size);
      }
    }
  }
  for (; i < n; ++i) {
    for (std::int64_t part = 0; part < kParts; ++part) {
      CopyAs<T>(from + part * step + i * size, to + (i * kParts + part) * size);
    }
  }
}

// Around the caches: dealt into a stage of a few lines first, which leave whole.
template <int kParts, class T>
HWY_INLINE void DealStream(const Byte* from, std::int64_t step, Byte* to, std::int64_t n) {
  constexpr std::int64_t size = sizeof(T);
  constexpr std::int64_t lanes = static_cast<std::int64_t>(hn::MaxLanes(hn::ScalableTag<T>()));
  constexpr std::int64_t chunk = HWY_MAX(lanes, 256 / size);
  constexpr std::int64_t bytes = chunk * kParts * size;
  alignas(64) Byte stage[kLine + bytes];
  std::int64_t pending = 0;  // bytes before stage + kLine that are not sent yet
  std::int64_t i = 0;
  const std::int64_t past = PastLine(to);
  if (past != 0) {
    // Elements until a line begins; the last of them may reach into that line.
    const std::int64_t head = HWY_MIN(n, (kLine - past + kParts * size - 1) / (kParts * size));
    DealRun<kParts, T>(from, step, stage, head);
    const std::int64_t dealt = head * kParts * size;
    const std::int64_t first = HWY_MIN(kLine - past, dealt);
    std::memcpy(to, stage, static_cast<std::size_t>(first));
    pending = dealt - first;
    to += first;
    std::memmove(stage + kLine - pending, stage + first, static_cast<std::size_t>(pending));
    i = head;
  }
  for (; i + chunk <= n; i += chunk) {
    for (std::int64_t part = 0; part < kParts; ++part) {
      for (std::int64_t line = 0; line < chunk * size; line += kLine) {
        hwy::Prefetch(from + part * step + i * size + line + 1024);
      }
    }
    DealRun<kParts, T>(from + i * size, step, stage + kLine, chunk);
    const Byte* out = stage + kLine - pending;
    for (std::int64_t line = 0; line < bytes; line += kLine) {
      CopyLine<true>(out + line, to + line);
    }
    to += bytes;
    if (pending != 0) CopyLine<false>(stage + bytes, stage);
  }
  std::memcpy(to, stage + kLine - pending, static_cast<std::size_t>(pending));
  DealRun<kParts, T>(from + i * size, step, to + pending, n - i);
}

template <int kParts, class T>
HWY_INLINE void DealRow(const Byte* from, std::int64_t step, Byte* to, std::int64_t n,
                        bool stream) {
  if constexpr (kParts * sizeof(T) <= kLine) {
    // What leaves the tiles in whole vectors needs no stage.
    constexpr bool kInTiles = kParts > 4 && kParts * sizeof(T) >= 16;
    if (stream && n >= 512 && !(kInTiles && PastLine(to) == 0)) {
      return DealStream<kParts, T>(from, step, to, n);
    }
    if (stream && PastLine(to) == 0) return DealRun<kParts, T, true>(from, step, to, n);
    DealRun<kParts, T>(from, step, to, n);
  }
}

template <class T>
HWY_INLINE void Interleave(const Work& work, const std::byte* read, std::byte* write) {
  const Step part = work.loops[0], along = work.loops[1];
  const Step outer = work.loops.size() > 2 ? work.loops[2] : Step{};
  for (std::int64_t k = 0; k < outer.count; ++k) {
    const Byte* from = reinterpret_cast<const Byte*>(read + k * outer.read);
    Byte* to = reinterpret_cast<Byte*>(write + k * outer.write);
    switch (part.count) {
#define RESHAPE_DEAL(parts) \
  case parts: DealRow<parts, T>(from, part.read, to, along.count, work.stream); break;
      RESHAPE_DEAL(2)
      RESHAPE_DEAL(3)
      RESHAPE_DEAL(4)
      RESHAPE_DEAL(8)
      RESHAPE_DEAL(16)
#undef RESHAPE_DEAL
    }
  }
}

void Interleave1(const Work& w, const std::byte* r, std::byte* o) {
  Interleave<std::uint8_t>(w, r, o);
}
void Interleave2(const Work& w, const std::byte* r, std::byte* o) {
  Interleave<std::uint16_t>(w, r, o);
}
void Interleave4(const Work& w, const std::byte* r, std::byte* o) {
  Interleave<std::uint32_t>(w, r, o);
}
void Interleave8(const Work& w, const std::byte* r, std::byte* o) {
  Interleave<std::uint64_t>(w, r, o);
}

}  // namespace HWY_NAMESPACE
}  // namespace reshape::optimized
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace reshape::optimized {
HWY_EXPORT(Interleave1);
HWY_EXPORT(Interleave2);
HWY_EXPORT(Interleave4);
HWY_EXPORT(Interleave8);
const Run* interleave_runs(std::int64_t bytes) {
  switch (bytes) {
    case 1: return HWY_DISPATCH_TABLE(Interleave1);
    case 2: return HWY_DISPATCH_TABLE(Interleave2);
    case 4: return HWY_DISPATCH_TABLE(Interleave4);
    default: return HWY_DISPATCH_TABLE(Interleave8);
  }
}
}  // namespace reshape::optimized
#endif
