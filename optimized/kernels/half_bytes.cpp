// Packed 4-bit elements that do not move in whole bytes. The element with the lower position is in
// the low half of its byte; the other half of a byte that is written stays as it is.
#include "optimized/kernels/work.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels/half_bytes.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "optimized/kernels/bytes-inl.h"

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
  Byte* out = to + (write >> 1);
  const Byte* in = from + (read >> 1);
  if ((read & 1) == 0) {
    CopyRun(in, out, whole);
  } else {
    for (std::int64_t i = 0; i < whole; ++i) {
      out[i] = static_cast<Byte>((in[i] >> 4) | (in[i + 1] << 4));
    }
  }
  if ((n & 1) != 0) StoreHalf(to, write + n - 1, LoadHalf(from, read + n - 1));
}

void WalkHalves(const Work& work, std::size_t depth, const Byte* from, std::int64_t read, Byte* to,
                std::int64_t write) {
  if (depth == 0) return HalfRun(from, read, to, write, work.run);
  const Step& loop = work.loops[depth - 1];
  if (depth == 1 && work.run == 1 && loop.write == 1) {
    for (std::int64_t i = 0; i < loop.count; ++i) {
      StoreHalf(to, write + i, LoadHalf(from, read + i * loop.read));
    }
    return;
  }
  for (std::int64_t i = 0; i < loop.count; ++i) {
    WalkHalves(work, depth - 1, from, read + i * loop.read, to, write + i * loop.write);
  }
}

void HalfBytes(const Work& work, const std::byte* read, std::byte* write) {
  WalkHalves(work, work.loops.size(), reinterpret_cast<const Byte*>(read), work.read_half,
             reinterpret_cast<Byte*>(write), work.write_half);
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
