// Packed 4-bit elements that do not move in whole bytes. The element with the lower position is in
// the low half of its byte; the other half of a byte that is written stays as it is.
#include "optimized/kernels/half_bytes.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels/half_bytes.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "optimized/kernels/half_turns-inl.h"
#include "optimized/kernels/walk-inl.h"

HWY_BEFORE_NAMESPACE();
namespace reshape::optimized {
namespace HWY_NAMESPACE {

// Half a vector of bytes as a whole vector, one half byte in each byte.
template <class D>
using HalfAsMany = hn::Rebind<Byte, hn::Repartition<std::uint16_t, D>>;
template <class D>
HWY_INLINE hn::Vec<D> Unpacked(D d, hn::Vec<HalfAsMany<D>> packed) {
  const hn::Repartition<std::uint16_t, D> pairs;
  const auto both = hn::PromoteTo(pairs, packed);
  const auto apart = hn::Or(both, hn::ShiftLeft<4>(both));
  return hn::And(hn::BitCast(d, apart), hn::Set(d, Byte{15}));
}
template <class D>
HWY_INLINE void UnpackVector(D d, const Byte* in, Byte* out) {
  hn::StoreU(Unpacked(d, hn::LoadU(HalfAsMany<D>(), in)), d, out);
}

// Unpacks `bytes` bytes by such vectors, the last of which ends with them. False, with nothing
// done, where there are fewer bytes than one vector takes.
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

// Unpacks `n` consecutive halves to a byte each. Overwrites up to 15 bytes behind them.
HWY_INLINE void UnpackRun(const Byte* from, std::int64_t read, std::int64_t n, Byte* room) {
  const Byte* in = from + (read >> 1);
  Byte* out = room - (read & 1);
  const Byte before = room[-1];  // the first byte's other half comes here
  const std::int64_t bytes = ((read & 1) + n + 1) / 2;
  if (!UnpackVectors(Wide(), in, out, bytes) &&
      !UnpackVectors(hn::Full128<Byte>(), in, out, bytes)) {
    Byte few[8] = {};
    CopyShort(in, few, bytes);
    UnpackVector(hn::Full128<Byte>(), few, out);
  }
  room[-1] = before;
}

// Which half of a byte is packed. kOnly: the other one is 0.
enum class Half { kOnly, kLower, kUpper };

template <Half kHalf>
HWY_INLINE unsigned HalfOf(Byte byte) {
  return kHalf == Half::kUpper ? byte >> 4 : kHalf == Half::kLower ? byte & 15u : byte;
}

// Packs a half of each byte of two vectors into one vector.
template <Half kHalf, class D>
HWY_INLINE hn::Vec<D> Packed(D d, const Byte* in) {
  const hn::Repartition<std::uint16_t, D> pairs;
  const auto joined = [&](const Byte* at) HWY_ATTR {
    auto v = hn::BitCast(pairs, hn::LoadU(d, at));
    if (kHalf == Half::kUpper) v = hn::ShiftRight<4>(v);
    if (kHalf != Half::kOnly) v = hn::And(v, hn::Set(pairs, std::uint16_t{0x0F0F}));
    return hn::BitCast(d, hn::Or(v, hn::ShiftRight<4>(v)));
  };
  return hn::ConcatEven(d, joined(in + hn::Lanes(d)), joined(in));
}

// Packs `bytes` bytes of the output by such vectors; false, with nothing done, as above.
template <Half kHalf, class D>
HWY_INLINE bool PackVectors(D d, const Byte* HWY_RESTRICT in, Byte* HWY_RESTRICT out,
                            std::int64_t bytes) {
  const std::int64_t part = static_cast<std::int64_t>(hn::Lanes(d));
  if (bytes < part) return false;
  for (std::int64_t i = 0; i < bytes; i += part) {
    const std::int64_t at = HWY_MIN(i, bytes - part);
    hn::StoreU(Packed<kHalf>(d, in + 2 * at), d, out + at);
  }
  return true;
}

// Packs a half of each of `n` bytes into consecutive halves. Reads up to 32 bytes behind them.
template <Half kHalf>
HWY_INLINE void PackRun(const Byte* in, std::int64_t n, Byte* to, std::int64_t write) {
  if (n > 0 && (write & 1) != 0) {
    StoreHalf(to, write++, HalfOf<kHalf>(*in++));
    --n;
  }
  Byte* out = to + (write >> 1);
  const std::int64_t whole = n / 2;
  const hn::Full128<Byte> d;
  if (!PackVectors<kHalf>(Wide(), in, out, whole) && !PackVectors<kHalf>(d, in, out, whole)) {
    Byte packed[16];
    hn::StoreU(Packed<kHalf>(d, in), d, packed);
    CopyShort(packed, out, whole);
  }
  if ((n & 1) != 0) StoreHalf(to, write + n - 1, HalfOf<kHalf>(in[n - 1]));
}

// Joins `n` halves of each of two runs by vectors, the last of which ends with them; false, with
// nothing done, as above.
template <class D>
HWY_INLINE bool JoinVectors(D d, const Byte* from, std::int64_t low, std::int64_t high,
                            Byte* HWY_RESTRICT out, std::int64_t n) {
  const std::int64_t part = static_cast<std::int64_t>(hn::Lanes(d));
  if (n < part) return false;
  const hn::Repartition<std::uint16_t, D> pairs;
  const HalfAsMany<D> packed;
  for (std::int64_t i = 0; i < n; i += part) {
    const std::int64_t at = HWY_MIN(i, n - part);
    const auto lower = Unpacked(d, LoadHalves(packed, from, low + at));
    const auto upper = hn::BitCast(pairs, Unpacked(d, LoadHalves(packed, from, high + at)));
    hn::StoreU(hn::Or(lower, hn::BitCast(d, hn::ShiftLeft<4>(upper))), d, out + at);
  }
  return true;
}

HWY_INLINE void JoinRun(const Byte* from, std::int64_t low, std::int64_t high, std::int64_t n,
                        Byte* out) {
  if (JoinVectors(Wide(), from, low, high, out, n)) return;
  if (JoinVectors(hn::Full128<Byte>(), from, low, high, out, n)) return;
  for (std::int64_t i = 0; i < n; ++i) {
    out[i] = static_cast<Byte>(LoadHalf(from, low + i) | (LoadHalf(from, high + i) << 4));
  }
}

void Unpack(const Work& work, const std::byte* read, std::byte* write) {
  const Byte* from = reinterpret_cast<const Byte*>(read);
  Byte* room = reinterpret_cast<Byte*>(write);
  WalkLoops(work.loops, work.read_half, 0, [&](std::int64_t at, std::int64_t byte) HWY_ATTR {
    UnpackRun(from, at, work.run, room + byte);
  });
}

void Pack(const Work& work, const std::byte* read, std::byte* write) {
  const Byte* in = reinterpret_cast<const Byte*>(read);
  Byte* to = reinterpret_cast<Byte*>(write);
  WalkLoops(work.loops, 0, work.write_half, [&](std::int64_t byte, std::int64_t at) HWY_ATTR {
    PackRun<Half::kOnly>(in + byte, work.run, to, at);
  });
}

void Join(const Work& work, std::int64_t apart, const std::byte* read, std::byte* write) {
  const Byte* from = reinterpret_cast<const Byte*>(read);
  Byte* room = reinterpret_cast<Byte*>(write);
  WalkLoops(work.loops, work.read_half, 0, [&](std::int64_t at, std::int64_t byte) HWY_ATTR {
    JoinRun(from, at, at + apart, work.run, room + byte);
  });
}

void Part(const Work& work, std::int64_t apart, const std::byte* read, std::byte* write) {
  const Byte* in = reinterpret_cast<const Byte*>(read);
  Byte* to = reinterpret_cast<Byte*>(write);
  WalkLoops(work.loops, 0, work.write_half, [&](std::int64_t byte, std::int64_t at) HWY_ATTR {
    PackRun<Half::kLower>(in + byte, work.run, to, at);
    PackRun<Half::kUpper>(in + byte, work.run, to, at + apart);
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

// The index of the loop that is contiguous for the reader; 0 where there is none, or where either
// side is too short for blocks.
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
  if (depth == 1 && work.run > 1) return HalfRuns(loop, work.run, from, read, to, write);
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
HWY_EXPORT(Join);
HWY_EXPORT(Part);
const Run* half_byte_runs() { return HWY_DISPATCH_TABLE(HalfBytes); }
const Run* unpack_runs() { return HWY_DISPATCH_TABLE(Unpack); }
const Run* pack_runs() { return HWY_DISPATCH_TABLE(Pack); }
const PairRun* join_runs() { return HWY_DISPATCH_TABLE(Join); }
const PairRun* part_runs() { return HWY_DISPATCH_TABLE(Part); }
}  // namespace reshape::optimized
#endif
