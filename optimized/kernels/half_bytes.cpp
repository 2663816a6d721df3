// Packed 4-bit elements that do not move in whole bytes. The element with the lower position is in
// the low half of its byte; the other half of a byte that is written stays as it is.
#include "optimized/kernels/half_bytes.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels/half_bytes.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "optimized/kernels/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace reshape::optimized {
namespace HWY_NAMESPACE {

HWY_INLINE unsigned LoadHalf(const Byte* base, std::int64_t at) {
  return (unsigned{base[at >> 1]} >> ((at & 1) * 4)) & 15u;
}

HWY_INLINE void StoreHalf(Byte* base, std::int64_t at, unsigned value) {
  const unsigned shift = static_cast<unsigned>(at & 1) * 4;
  Byte& byte = base[at >> 1];
  byte = static_cast<Byte>((byte & (0xF0u >> shift)) | (value << shift));
}

// A vector of bytes put together from the upper halves of some and the lower ones of their successors.
template <class D>
HWY_INLINE void Shifted(D d, const Byte* in, Byte* out) {
  const auto low = hn::ShiftRight<4>(hn::LoadU(d, in));
  const auto high = hn::ShiftLeft<4>(hn::LoadU(d, in + 1));
  hn::StoreU(hn::Or(low, high), d, out);
}

// A run of consecutive halves: where both sides start in the same half, the bytes between the
// ends are copied whole; else each byte is put together from two.
HWY_INLINE void HalfRun(const Byte* from, std::int64_t read, Byte* to, std::int64_t write,
                        std::int64_t n) {
  if (n > 0 && (write & 1) != 0) {
    StoreHalf(to, write++, LoadHalf(from, read++));
    --n;
  }
  const std::int64_t whole = n / 2;
  Byte* HWY_RESTRICT out = to + (write >> 1);
  const Byte* HWY_RESTRICT in = from + (read >> 1);
  if ((read & 1) == 0) {
    CopyRun(in, out, whole);
  } else {
    std::int64_t i = 0;
    for (; i + WideBytes() <= whole; i += WideBytes()) Shifted(Wide(), in + i, out + i);
    const hn::Full128<Byte> few;
    for (; i + 16 <= whole; i += 16) Shifted(few, in + i, out + i);
    if (whole >= 16) {  // the last bytes by one more vector that ends with them
      if (i < whole) Shifted(few, in + whole - 16, out + whole - 16);
    } else {
      for (; i < whole; ++i) out[i] = static_cast<Byte>((in[i] >> 4) | (in[i + 1] << 4));
    }
  }
  if ((n & 1) != 0) StoreHalf(to, write + n - 1, LoadHalf(from, read + n - 1));
}

// As many bytes as half a vector has become a vector of their halves, each a byte of its own.
template <class D>
HWY_INLINE void UnpackVector(D d, const Byte* in, Byte* out) {
  const hn::Repartition<std::uint16_t, D> pairs;
  const auto both = hn::PromoteTo(pairs, hn::LoadU(hn::Rebind<Byte, decltype(pairs)>(), in));
  const auto apart = hn::Or(both, hn::ShiftLeft<4>(both));
  hn::StoreU(hn::And(hn::BitCast(d, apart), hn::Set(d, Byte{15})), d, out);
}

// `bytes` bytes by such vectors, of which the last begins early enough to end with them; false, and nothing
// is done, where they are fewer than one takes.
template <class D>
HWY_INLINE bool UnpackVectors(D d, const Byte* HWY_RESTRICT in, Byte* HWY_RESTRICT out,
                              std::int64_t bytes) {
  const std::int64_t part = static_cast<std::int64_t>(hn::Lanes(d)) / 2;
  if (bytes < part) return false;
  for (std::int64_t i = 0; i < bytes; i += part) {
    const std::int64_t at = HWY_MIN(i, bytes - part);
    UnpackVector(d, in + at, out + 2 * at);
  }
  return true;
}

// Consecutive halves, each as a byte of its own. Up to a byte before them and 15 behind are written.
HWY_INLINE void UnpackRun(const Byte* from, std::int64_t read, std::int64_t n, Byte* room) {
  const Byte* in = from + (read >> 1);
  Byte* out = room - (read & 1);
  const std::int64_t bytes = ((read & 1) + n + 1) / 2;
  if (UnpackVectors(Wide(), in, out, bytes)) return;
  if (UnpackVectors(hn::Full128<Byte>(), in, out, bytes)) return;
  Byte few[8] = {};
  CopyShort(in, few, bytes);
  UnpackVector(hn::Full128<Byte>(), few, out);
}

// The halves in two vectors of bytes, as one vector.
template <class D>
HWY_INLINE hn::Vec<D> Packed(D d, const Byte* in) {
  const hn::Repartition<std::uint16_t, D> pairs;
  const auto joined = [&](const Byte* at) HWY_ATTR {
    const auto v = hn::BitCast(pairs, hn::LoadU(d, at));
    return hn::BitCast(d, hn::Or(v, hn::ShiftRight<4>(v)));
  };
  return hn::ConcatEven(d, joined(in + hn::Lanes(d)), joined(in));
}

// `bytes` bytes of the output by such vectors, or none, as above.
template <class D>
HWY_INLINE bool PackVectors(D d, const Byte* HWY_RESTRICT in, Byte* HWY_RESTRICT out,
                            std::int64_t bytes) {
  const std::int64_t part = static_cast<std::int64_t>(hn::Lanes(d));
  if (bytes < part) return false;
  for (std::int64_t i = 0; i < bytes; i += part) {
    const std::int64_t at = HWY_MIN(i, bytes - part);
    hn::StoreU(Packed(d, in + 2 * at), d, out + at);
  }
  return true;
}

// The other way round: a byte for each of `n` halves becomes consecutive halves.
HWY_INLINE void PackRun(const Byte* in, std::int64_t n, Byte* to, std::int64_t write) {
  if (n > 0 && (write & 1) != 0) {
    StoreHalf(to, write++, *in++);
    --n;
  }
  Byte* out = to + (write >> 1);
  const std::int64_t whole = n / 2;
  if (!PackVectors(Wide(), in, out, whole) && !PackVectors(hn::Full128<Byte>(), in, out, whole)) {
    Byte few[32] = {}, packed[16];
    CopyShort(in, few, 2 * whole);
    hn::StoreU(Packed(hn::Full128<Byte>(), few), hn::Full128<Byte>(), packed);
    CopyShort(packed, out, whole);
  }
  if ((n & 1) != 0) StoreHalf(to, write + n - 1, in[n - 1]);
}

// Walks loops over runs, the last one outermost: one(read, write) for each.
template <class One>
HWY_NOINLINE void OverRuns(std::span<const Step> loops, std::int64_t read, std::int64_t write,
                           const One& one) {
  if (loops.empty()) return one(read, write);
  const Step& loop = loops.back();
  for (std::int64_t i = 0; i < loop.count; ++i) {
    if (loops.size() == 1) {
      one(read + i * loop.read, write + i * loop.write);
    } else {
      OverRuns(loops.first(loops.size() - 1), read + i * loop.read, write + i * loop.write, one);
    }
  }
}

void Unpack(const Work& work, const std::byte* read, std::byte* write) {
  const Byte* from = reinterpret_cast<const Byte*>(read);
  Byte* room = reinterpret_cast<Byte*>(write);
  OverRuns(work.loops, work.read_half, 0, [&](std::int64_t at, std::int64_t byte) HWY_ATTR {
    UnpackRun(from, at, work.run, room + byte);
  });
}

void Pack(const Work& work, const std::byte* read, std::byte* write) {
  const Byte* in = reinterpret_cast<const Byte*>(read);
  Byte* to = reinterpret_cast<Byte*>(write);
  OverRuns(work.loops, 0, work.write_half, [&](std::int64_t byte, std::int64_t at) HWY_ATTR {
    PackRun(in + byte, work.run, to, at);
  });
}

// Halves that lie apart, written one after the other.
HWY_INLINE void GatherHalves(const Byte* from, std::int64_t read, std::int64_t step, Byte* to,
                             std::int64_t write, std::int64_t n) {
  if (n > 0 && (write & 1) != 0) {
    StoreHalf(to, write++, LoadHalf(from, read));
    read += step;
    --n;
  }
  Byte* HWY_RESTRICT out = to + (write >> 1);
  for (std::int64_t i = 0; i < n / 2; ++i, read += 2 * step) {
    out[i] = static_cast<Byte>(LoadHalf(from, read) | (LoadHalf(from, read + step) << 4));
  }
  if ((n & 1) != 0) StoreHalf(to, write + n - 1, LoadHalf(from, read));
}

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

// The loop along which the reader takes one half after the other; 0 where there is none, or where either side
// is too short for blocks.
HWY_INLINE std::size_t ReaderLoop(const Work& work) {
  if (work.run != 1 || work.loops.empty() || work.loops[0].write != 1) return 0;
  for (std::size_t i = 1; i < work.loops.size(); ++i) {
    if (work.loops[i].read == 1 && HWY_MIN(work.loops[0].count, work.loops[i].count) >= 16) {
      return i;
    }
  }
  return 0;
}

void WalkHalves(const Work& work, std::size_t reader, std::size_t depth, const Byte* from,
                std::int64_t read, Byte* to, std::int64_t write) {
  if (depth == 0) return HalfRun(from, read, to, write, work.run);
  const Step& loop = work.loops[depth - 1];
  if (depth == 1 && reader != 0) {
    return TurnPaired(loop, work.loops[reader], from, read, to, write, work.stream);
  }
  if (depth == 1 && work.run == 1 && loop.write == 1) {
    return GatherHalves(from, read, loop.read, to, write, loop.count);
  }
  const std::int64_t count = reader != 0 && depth - 1 == reader ? 1 : loop.count;
  for (std::int64_t i = 0; i < count; ++i) {
    WalkHalves(work, reader, depth - 1, from, read + i * loop.read, to, write + i * loop.write);
  }
}

void HalfBytes(const Work& work, const std::byte* read, std::byte* write) {
  WalkHalves(work, ReaderLoop(work), work.loops.size(), reinterpret_cast<const Byte*>(read),
             work.read_half, reinterpret_cast<Byte*>(write), work.write_half);
}

}  // namespace HWY_NAMESPACE
}  // namespace reshape::optimized
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace reshape::optimized {
HWY_EXPORT(HalfBytes);
HWY_EXPORT(Unpack);
HWY_EXPORT(Pack);
const Run* half_byte_runs() { return HWY_DISPATCH_TABLE(HalfBytes); }
const Run* unpack_runs() { return HWY_DISPATCH_TABLE(Unpack); }
const Run* pack_runs() { return HWY_DISPATCH_TABLE(Pack); }
}  // namespace reshape::optimized
#endif
