// Single 4-bit elements, and runs of them. Included once per target.
#if defined(RESHAPE_HALF_RUNS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef RESHAPE_HALF_RUNS_INL_H
#undef RESHAPE_HALF_RUNS_INL_H
#else
#define RESHAPE_HALF_RUNS_INL_H
#endif

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

// A vector of bytes shifted by a half: the upper half of each byte and the lower half of the next.
template <class D>
HWY_INLINE hn::Vec<D> LoadShifted(D d, const Byte* in) {
  const auto low = hn::ShiftRight<4>(hn::LoadU(d, in));
  const auto high = hn::ShiftLeft<4>(hn::LoadU(d, in + 1));
  return hn::Or(low, high);
}
template <class D>
HWY_INLINE void Shifted(D d, const Byte* in, Byte* out) {
  hn::StoreU(LoadShifted(d, in), d, out);
}

// A vector of consecutive halves from half `at` on.
template <class D>
HWY_INLINE hn::Vec<D> LoadHalves(D d, const Byte* base, std::int64_t at) {
  const Byte* in = base + (at >> 1);
  return (at & 1) == 0 ? hn::LoadU(d, in) : LoadShifted(d, in);
}

// Writes whole bytes of consecutive halves: copied if the reader begins with a byte, else shifted.
HWY_INLINE void WholeBytes(const Byte* from, std::int64_t read, Byte* HWY_RESTRICT out,
                           std::int64_t bytes) {
  const Byte* HWY_RESTRICT in = from + (read >> 1);
  if ((read & 1) == 0) return CopyRun(in, out, bytes);
  std::int64_t i = 0;
  for (; i + WideBytes() <= bytes; i += WideBytes()) Shifted(Wide(), in + i, out + i);
  const hn::Full128<Byte> few;
  for (; i + 16 <= bytes; i += 16) Shifted(few, in + i, out + i);
  if (bytes >= 16) {  // the last bytes by one more vector that ends with them
    if (i < bytes) Shifted(few, in + bytes - 16, out + bytes - 16);
  } else {
    for (; i < bytes; ++i) out[i] = static_cast<Byte>((in[i] >> 4) | (in[i + 1] << 4));
  }
}

// A run of consecutive halves.
HWY_INLINE void HalfRun(const Byte* from, std::int64_t read, Byte* to, std::int64_t write,
                        std::int64_t n) {
  if (n > 0 && (write & 1) != 0) {
    StoreHalf(to, write++, LoadHalf(from, read++));
    --n;
  }
  WholeBytes(from, read, to + (write >> 1), n / 2);
  if ((n & 1) != 0) StoreHalf(to, write + n - 1, LoadHalf(from, read + n - 1));
}

// One run of `n` halves for each step of the loop. Consecutive runs of odd length are written in
// pairs, which are whole bytes together: one byte has a half of each run.
HWY_INLINE void HalfRuns(const Step& loop, std::int64_t n, const Byte* from, std::int64_t read,
                         Byte* to, std::int64_t write) {
  std::int64_t i = 0;
  if (n % 2 != 0 && loop.write == n) {
    if ((write & 1) != 0) HalfRun(from, read, to, write, n), ++i;
    for (; i + 2 <= loop.count; i += 2) {
      const std::int64_t first = read + i * loop.read, second = first + loop.read;
      Byte* out = to + ((write + i * n) >> 1);
      WholeBytes(from, first, out, n / 2);
      out += n / 2;
      *out++ = static_cast<Byte>(LoadHalf(from, first + n - 1) | (LoadHalf(from, second) << 4));
      WholeBytes(from, second + 1, out, n / 2);
    }
  }
  for (; i < loop.count; ++i) {
    HalfRun(from, read + i * loop.read, to, write + i * loop.write, n);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace reshape::optimized
HWY_AFTER_NAMESPACE();

#endif
