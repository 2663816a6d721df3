// Transposes of 4-bit elements: every two rows of the input are combined into rows of bytes, which
// are turned as bytes are. Included once per target.
#if defined(RESHAPE_HALF_TURNS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef RESHAPE_HALF_TURNS_INL_H
#undef RESHAPE_HALF_TURNS_INL_H
#else
#define RESHAPE_HALF_TURNS_INL_H
#endif

#include "optimized/kernels/half_runs-inl.h"
#include "optimized/kernels/tile-inl.h"
#include "optimized/kernels/work.h"

HWY_BEFORE_NAMESPACE();
namespace reshape::optimized {
namespace HWY_NAMESPACE {

// A pointer to `n` halves from `at` on, shifted (in `room`) if they begin in the middle of a byte.
// At most two for each byte of a line. A whole line may be read there; if `n` is odd, the last byte
// has one half.
HWY_INLINE const Byte* FromFirst(const Byte* from, std::int64_t at, std::int64_t n, Byte* room) {
  const Byte* in = from + (at >> 1);
  const std::int64_t bytes = ((at & 1) + n + 1) / 2;
  if ((at & 1) == 0) {
    if (bytes == kLine) return in;
    CopyShort(in, room, bytes);
    return room;
  }
  alignas(64) Byte touched[2 * kLine] = {};
  CopyShort(in, touched, HWY_MIN(bytes, kLine));
  if (bytes > kLine) touched[kLine] = in[kLine];
  for (std::int64_t i = 0; i < kLine; i += WideBytes()) Shifted(Wide(), touched + i, room + i);
  return room;
}

// The bits of one vector where a mask has ones, and of another where it has zeros.
template <class V>
HWY_INLINE V Select(V mask, V ones, V zeros) {
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
  return hn::IfVecThenElse(mask, ones, zeros);
#else
  return hn::Or(hn::And(mask, ones), hn::AndNot(mask, zeros));
#endif
}

// The side of a square block in half bytes: two for each byte of a vector.
inline constexpr std::int64_t kBlock = 2 * static_cast<std::int64_t>(hn::MaxLanes(Wide()));

// Combines every two of kBlock input rows, which begin at half `at` and are `pitch` halves apart,
// into a row of bytes with their lower halves (`low`) and one with their upper halves (`high`).
// kOdd: some row begins with an upper half. Prefetches the rows from half `next` on.
template <bool kOdd>
HWY_NOINLINE void PairRows(const Byte* from, std::int64_t at, std::int64_t pitch, std::int64_t next,
                           Byte* HWY_RESTRICT low, Byte* HWY_RESTRICT high) {
  constexpr std::int64_t kWide = kBlock / 2;
  const Wide d;
  const hn::Repartition<std::uint16_t, Wide> d16;
  using V = hn::Vec<Wide>;
  const V lower = hn::Set(d, Byte{0x0F});
  const auto left = [d, d16](V v)
                        HWY_ATTR { return hn::BitCast(d, hn::ShiftLeft<4>(hn::BitCast(d16, v))); };
  const auto right = [d, d16](V v) HWY_ATTR {
    return hn::BitCast(d, hn::ShiftRight<4>(hn::BitCast(d16, v)));
  };
  const auto row = [&](std::int64_t half) HWY_ATTR {
    const Byte* begin = from + (half >> 1);
    const V v = hn::LoadU(d, begin);
    if (!kOdd || (half & 1) == 0) return v;
    return Select(lower, right(v), left(hn::LoadU(d, begin + 1)));
  };
  for (std::int64_t i = 0; i < kBlock; i += 2, at += 2 * pitch, next += 2 * pitch) {
    for (const std::int64_t soon : {next, next + pitch}) {
      __builtin_prefetch(from + (soon >> 1), 0, 2);
    }
    const V first = row(at), second = row(at + pitch);
    hn::Store(Select(lower, first, left(second)), d, low + i / 2 * kWide);
    hn::Store(Select(lower, right(first), second), d, high + i / 2 * kWide);
  }
}

// Turns what PairRows made into output rows: lower halves become the even rows, upper halves the
// odd.
template <Store kStore>
HWY_INLINE void TurnPairs(const Byte* low, const Byte* high, Byte* to, std::int64_t pitch) {
  constexpr std::int64_t kWide = kBlock / 2;
  for (int upper = 0; upper < 2; ++upper) {
    Tile<Wide, kStore>(Wide(), Evenly<const Byte*>{upper != 0 ? high : low, kWide},
                       Evenly<Byte*>{to + upper * pitch, 2 * pitch});
  }
}

// For sides of at least kBlock: in blocks, the last of which along each side ends with it.
HWY_NOINLINE void TurnInBlocks(const Step& w, const Step& r, const Byte* from, std::int64_t read,
                               Byte* to, std::int64_t write, bool stream) {
  constexpr std::int64_t kWide = kBlock / 2;
  alignas(64) Byte low[kWide * kWide], high[kWide * kWide], turned[kBlock * kWide];
  for (std::int64_t r_begin = 0; r_begin < r.count; r_begin += kBlock) {
    const std::int64_t r_at = HWY_MIN(r_begin, r.count - kBlock);
    for (std::int64_t w_begin = 0; w_begin < w.count; w_begin += kBlock) {
      const std::int64_t w_at = HWY_MIN(w_begin, w.count - kBlock);
      const std::int64_t in = read + w_at * w.read + r_at, out = write + r_at * r.write + w_at;
      const bool further = w_begin + kBlock < w.count;
      const std::int64_t next_w = further ? HWY_MIN(w_begin + kBlock, w.count - kBlock) : 0;
      const std::int64_t next_r = further ? r_at : HWY_MIN(r_begin + kBlock, r.count - kBlock);
      const std::int64_t next = read + next_w * w.read + next_r;
      if (((in | w.read) & 1) == 0) {
        PairRows<false>(from, in, w.read, next, low, high);
      } else {
        PairRows<true>(from, in, w.read, next, low, high);
      }
      Byte* place = to + (out >> 1);
      if (((out | r.write) & 1) != 0) {
        TurnPairs<Store::kAligned>(low, high, turned, kWide);
        for (std::int64_t j = 0; j < kBlock; ++j) {
          HalfRun(turned + j * kWide, 0, to, out + j * r.write, kBlock);
        }
      } else if (stream && ((PastLine(place) | (r.write / 2)) & (kWide - 1)) == 0) {
        TurnPairs<Store::kStream>(low, high, place, r.write / 2);
      } else {
        TurnPairs<Store::kUnaligned>(low, high, place, r.write / 2);
      }
    }
  }
}

// Transposes: `w` is contiguous for the writer, `r` for the reader. Every two rows of the input are
// combined so that each byte has a half of both; the bytes of lower halves are turned to the even
// rows of the output, those of upper halves to the odd ones.
HWY_NOINLINE void TurnPaired(const Step& w, const Step& r, const Byte* from, std::int64_t read,
                             Byte* to, std::int64_t write, bool stream) {
  if (w.count >= kBlock && r.count >= kBlock) {
    return TurnInBlocks(w, r, from, read, to, write, stream);
  }
  constexpr std::int64_t kSide = 2 * kLine;
  const Wide d;
  const auto low_half = hn::Set(d, Byte{0x0F}), high_half = hn::Set(d, Byte{0xF0});
  alignas(64) Byte low[kLine * kLine], high[kLine * kLine], turned[kSide * kLine];
  alignas(64) Byte room[2][kLine] = {};
  for (std::int64_t r_at = 0; r_at < r.count; r_at += kSide) {
    const std::int64_t rn = HWY_MIN(kSide, r.count - r_at);
    for (std::int64_t w_at = 0; w_at < w.count; w_at += kSide) {
      const std::int64_t wn = HWY_MIN(kSide, w.count - w_at);
      for (std::int64_t i = 0; i < wn; i += 2) {
        const std::int64_t in = read + (w_at + i) * w.read + r_at;
        const Byte* first = FromFirst(from, in, rn, room[0]);
        const Byte* second = i + 1 < wn ? FromFirst(from, in + w.read, rn, room[1]) : first;
        for (std::int64_t k = 0; k < kLine; k += WideBytes()) {
          const auto a = hn::LoadU(d, first + k), b = hn::LoadU(d, second + k);
          hn::StoreU(hn::Or(hn::And(a, low_half), hn::ShiftLeft<4>(b)), d, low + i / 2 * kLine + k);
          hn::StoreU(hn::Or(hn::ShiftRight<4>(a), hn::And(b, high_half)), d,
                     high + i / 2 * kLine + k);
        }
      }
      const std::int64_t w_bytes = (wn + 1) / 2, r_bytes = (rn + 1) / 2;
      // Contiguous rows of whole bytes are written as one run.
      const bool as_one = r.write == wn && wn % 2 == 0;
      const std::int64_t pitch = as_one ? w_bytes : kLine;
      TurnPiece<Byte>(low, kLine, turned, 2 * pitch, w_bytes, r_bytes);
      TurnPiece<Byte>(high, kLine, turned + pitch, 2 * pitch, w_bytes, r_bytes);
      const std::int64_t out = write + r_at * r.write + w_at;
      if (as_one) {
        HalfRun(turned, 0, to, out, rn * wn);
        continue;
      }
      // While these rows are written, those of the next block are prefetched.
      const bool further = w_at + kSide < w.count;
      const std::int64_t next = read + (further ? (w_at + kSide) * w.read + r_at : r_at + kSide);
      const std::int64_t next_rows = further ? w.count - w_at - kSide : w.count;
      const bool more = further || r_at + kSide < r.count;
      for (std::int64_t j = 0; j < rn; ++j) {
        if (more && j < next_rows) hwy::Prefetch(from + ((next + j * w.read) >> 1));
        const std::int64_t at = out + j * r.write;
        Byte* line = to + (at >> 1);
        if (wn == kSide && (at & 1) == 0 && PastLine(line) == 0) {
          if (stream) {
            CopyLine<true>(turned + j * pitch, line);
          } else {
            CopyLine<false>(turned + j * pitch, line);
          }
        } else {
          HalfRun(turned + j * pitch, 0, to, at, wn);
        }
      }
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace reshape::optimized
HWY_AFTER_NAMESPACE();

#endif
