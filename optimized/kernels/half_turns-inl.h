// 4-bit elements whose reader and writer go along different loops: two rows of the input are put together to bytes,
// which are turned as bytes are. Included once per target.
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

// `n` halves from `at` on, at most two for each byte of a line, as bytes that begin with the first one: the
// pointer that is returned. A line may be read there; of an odd number the last byte has one half.
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

// Square blocks of as many halves as two vectors of bytes have: their side.
inline constexpr std::int64_t kBlock = 2 * static_cast<std::int64_t>(hn::MaxLanes(Wide()));

// Two rows at a time of kBlock input rows, from half `at` on and `pitch` halves apart, put together to one of bytes,
// of their lower halves and of their upper ones; kOdd where some row begins with an upper half. Those from half
// `next` on are asked for.
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

// The bytes that PairRows made become output rows: those of the lower halves the even ones.
template <Store kStore>
HWY_INLINE void TurnPairs(const Byte* low, const Byte* high, Byte* to, std::int64_t pitch) {
  constexpr std::int64_t kWide = kBlock / 2;
  for (int upper = 0; upper < 2; ++upper) {
    Tile<Wide, kStore>(Wide(), Evenly<const Byte*>{upper != 0 ? high : low, kWide},
                       Evenly<Byte*>{to + upper * pitch, 2 * pitch});
  }
}

// Sides of at least kBlock: blocks of which the last of each side begins early enough to end with it.
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

// The writer goes along `w`, the reader along `r`. Two rows of the input are put together so that each byte
// has a half of both: the bytes of the lower halves are turned to the even rows of the output, those of
// the upper ones to the odd.
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
      // Rows of whole bytes that follow each other without a gap leave as one.
      const bool as_one = r.write == wn && wn % 2 == 0;
      const std::int64_t pitch = as_one ? w_bytes : kLine;
      TurnPiece<Byte>(low, kLine, turned, 2 * pitch, w_bytes, r_bytes);
      TurnPiece<Byte>(high, kLine, turned + pitch, 2 * pitch, w_bytes, r_bytes);
      const std::int64_t out = write + r_at * r.write + w_at;
      if (as_one) {
        HalfRun(turned, 0, to, out, rn * wn);
        continue;
      }
      // While these rows leave, those of the next block are asked for.
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
