// Packed 4-bit elements that do not move in whole bytes. The element with the lower position is in
// the low half of its byte; the other half of a byte that is written stays as it is.
#include <cstdlib>

#include "optimized/kernels/work.h"

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

// Consecutive halves, each as a byte of its own: `n` of them behind the pointer that is returned. Up to
// 31 more bytes around them are written.
HWY_INLINE Byte* Unpack(const Byte* from, std::int64_t read, std::int64_t n, Byte* room) {
  const hn::Full128<Byte> d;
  const Byte* HWY_RESTRICT in = from + (read >> 1);
  const std::int64_t bytes = ((read & 1) + n + 1) / 2;
  std::int64_t i = 0;
  for (; i + 16 <= bytes; i += 16) {
    const auto both = hn::LoadU(d, in + i);
    const auto low = hn::And(both, hn::Set(d, Byte{15})), high = hn::ShiftRight<4>(both);
    hn::StoreU(hn::InterleaveLower(d, low, high), d, room + 2 * i);
    hn::StoreU(hn::InterleaveUpper(d, low, high), d, room + 2 * i + 16);
  }
  for (; i < bytes; ++i) {
    room[2 * i] = in[i] & 15u;
    room[2 * i + 1] = static_cast<Byte>(in[i] >> 4);
  }
  return room + (read & 1);
}

// The other way round.
HWY_INLINE void Pack(const Byte* in, std::int64_t n, Byte* to, std::int64_t write) {
  if (n > 0 && (write & 1) != 0) {
    StoreHalf(to, write++, *in++);
    --n;
  }
  const hn::Full128<Byte> d;
  const hn::Full128<std::uint16_t> pairs;
  Byte* HWY_RESTRICT out = to + (write >> 1);
  const auto joined = [&](const Byte* at) HWY_ATTR {
    const auto v = hn::BitCast(pairs, hn::LoadU(d, at));
    return hn::BitCast(d, hn::Or(v, hn::ShiftRight<4>(v)));
  };
  std::int64_t i = 0;
  for (; i + 16 <= n / 2; i += 16) {
    hn::StoreU(hn::ConcatEven(d, joined(in + 2 * i + 16), joined(in + 2 * i)), d, out + i);
  }
  for (; i < n / 2; ++i) out[i] = static_cast<Byte>(in[2 * i] | (in[2 * i + 1] << 4));
  if ((n & 1) != 0) StoreHalf(to, write + n - 1, in[n - 1]);
}

// Halves that lie apart, written one after the other.
HWY_INLINE void GatherFar(const Byte* from, std::int64_t read, std::int64_t step, Byte* to,
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

template <std::int64_t kStep>
HWY_INLINE void Pick(const Byte* HWY_RESTRICT from, Byte* HWY_RESTRICT to, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) to[i] = from[i * kStep];
}

// The same: where they are not far apart, what lies between them is unpacked as well.
HWY_NOINLINE void GatherHalves(const Byte* from, std::int64_t read, std::int64_t step, Byte* to,
                               std::int64_t write, std::int64_t n) {
  constexpr std::int64_t kLongest = 4, kMost = 512, kFew = 32, kSlack = 64;
  if (n < kFew || step == 0 || step == 1 || step > kLongest || step < -1) {
    return GatherFar(from, read, step, to, write, n);
  }
  Byte unpacked[kLongest * kMost + kSlack], picked[kMost];
  for (std::int64_t done = 0; done < n; done += kMost) {
    const std::int64_t count = HWY_MIN(kMost, n - done), reach = (count - 1) * step;
    const Byte* all = Unpack(from, read + done * step + HWY_MIN(reach, std::int64_t{0}),
                             std::abs(reach) + 1, unpacked);
    switch (step) {
      case -1: Pick<-1>(all - reach, picked, count); break;
      case 2: Pick<2>(all, picked, count); break;
      case 3: Pick<3>(all, picked, count); break;
      default: Pick<4>(all, picked, count);
    }
    Pack(picked, count, to, write + done);
  }
}

// The writer goes along `w`, the reader along `r`: blocks are unpacked to bytes, turned as bytes are, and
// packed again. Rows that follow each other without a gap are unpacked and packed as one.
HWY_NOINLINE void TurnUnpacked(const Step& w, const Step& r, const Byte* from, std::int64_t read,
                               Byte* to, std::int64_t write) {
  // Whole lines of the input, and so few of its rows that all of it stays in the first cache.
  constexpr std::int64_t kRows = kLine, kColumns = 2 * kLine, kBlock = kRows * kColumns;
  constexpr std::int64_t kSlack = 32;
  Byte unpacked[kBlock + kRows * kSlack], turned[kBlock];
  const std::int64_t w_side = HWY_MIN(w.count, kRows);
  const std::int64_t r_side = HWY_MIN(r.count, HWY_MAX(kColumns, kBlock / w_side / 2));
  for (std::int64_t r_at = 0; r_at < r.count; r_at += r_side) {
    const std::int64_t rn = HWY_MIN(r_side, r.count - r_at);
    for (std::int64_t w_at = 0; w_at < w.count; w_at += w_side) {
      const std::int64_t wn = HWY_MIN(w_side, w.count - w_at);
      const std::int64_t in = read + w_at * w.read + r_at, out = write + r_at * r.write + w_at;
      const Byte* rows = unpacked;
      std::int64_t pitch = rn;
      if (w.read == rn) {
        rows = Unpack(from, in, wn * rn, unpacked);
      } else {
        // Every row begins in its own half of a byte; the pitch is even, and so is each beginning.
        pitch = rn + kSlack - rn % 2;
        for (std::int64_t i = 0; i < wn; ++i) {
          Byte* room = unpacked + i * pitch;
          const Byte* row = Unpack(from, in + i * w.read, rn, room);
          if (row != room) std::memmove(room, row, static_cast<std::size_t>(rn));
        }
      }
      const bool as_one = r.write == wn && w.count == wn;
      TurnPiece<Byte>(rows, pitch, turned, wn, wn, rn);
      if (as_one) {
        Pack(turned, wn * rn, to, out);
      } else {
        for (std::int64_t i = 0; i < rn; ++i) Pack(turned + i * wn, wn, to, out + i * r.write);
      }
    }
  }
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

// The writer goes along `w`, the reader along `r`. Two rows of the input are put together so that each byte
// has a half of both: the bytes of the lower halves are turned to the even rows of the output, those of
// the upper ones to the odd.
HWY_NOINLINE void TurnPaired(const Step& w, const Step& r, const Byte* from, std::int64_t read,
                             Byte* to, std::int64_t write, bool stream) {
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

HWY_INLINE void TurnHalves(const Step& w, const Step& r, const Byte* from, std::int64_t read,
                           Byte* to, std::int64_t write, bool stream) {
  // Pairs of few rows and of short ones fill no vectors, and short rows of an odd length would each be put
  // into their place.
  constexpr std::int64_t kFew = 16;
  const bool odd_as_one = r.write == w.count && w.count % 2 != 0 && w.count <= kLine;
  if (w.count < kFew || r.count < kLine || odd_as_one) {
    return TurnUnpacked(w, r, from, read, to, write);
  }
  TurnPaired(w, r, from, read, to, write, stream);
}

// The loop along which the reader takes one half after the other; 0 where there is none, or where it is
// too short for blocks.
HWY_INLINE std::size_t ReaderLoop(const Work& work) {
  if (work.run != 1 || work.loops.empty() || work.loops[0].write != 1) return 0;
  for (std::size_t i = 1; i < work.loops.size(); ++i) {
    if (work.loops[i].read == 1 && work.loops[0].count * work.loops[i].count >= 64) return i;
  }
  return 0;
}

void WalkHalves(const Work& work, std::size_t reader, std::size_t depth, const Byte* from,
                std::int64_t read, Byte* to, std::int64_t write) {
  if (depth == 0) return HalfRun(from, read, to, write, work.run);
  const Step& loop = work.loops[depth - 1];
  if (depth == 1 && reader != 0) {
    return TurnHalves(loop, work.loops[reader], from, read, to, write, work.stream);
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
const Run* half_byte_runs() { return HWY_DISPATCH_TABLE(HalfBytes); }
}  // namespace reshape::optimized
#endif
