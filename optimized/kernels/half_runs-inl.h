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

}  // namespace HWY_NAMESPACE
}  // namespace reshape::optimized
HWY_AFTER_NAMESPACE();

#endif
