// Packed 4-bit elements that do not move in whole bytes. The element with the lower position is in
// the low half of its byte; the other half of a byte that is written stays as it is.
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
    const hn::Full128<Byte> d;
    std::int64_t i = 0;
    for (; i + 16 <= whole; i += 16) {
      const auto low = hn::ShiftRight<4>(hn::LoadU(d, in + i));
      const auto high = hn::ShiftLeft<4>(hn::LoadU(d, in + i + 1));
      hn::StoreU(hn::Or(low, high), d, out + i);
    }
    for (; i < whole; ++i) out[i] = static_cast<Byte>((in[i] >> 4) | (in[i + 1] << 4));
  }
  if ((n & 1) != 0) StoreHalf(to, write + n - 1, LoadHalf(from, read + n - 1));
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

// The writer goes along `w`, the reader along `r`: blocks are unpacked to bytes, turned as bytes are, and
// packed again. Rows that follow each other without a gap are unpacked and packed as one.
HWY_NOINLINE void TurnHalves(const Step& w, const Step& r, const Byte* from, std::int64_t read,
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
    return TurnHalves(loop, work.loops[reader], from, read, to, write);
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
