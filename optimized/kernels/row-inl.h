// Copies each of many rows of one length, at least 8 bytes, by vectors. Included once per target.
//
// A `Walker` knows where the rows are: rows.each(from, to, run, copy) calls copy(read, write) for
// every one of them. `rows.cache` is the cache that both sides are in.
#if defined(RESHAPE_ROW_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef RESHAPE_ROW_INL_H
#undef RESHAPE_ROW_INL_H
#else
#define RESHAPE_ROW_INL_H
#endif

#include "optimized/kernels/bytes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace reshape::optimized {
namespace HWY_NAMESPACE {

template <int kBytes, class Walker>
HWY_INLINE void Blocks(const Walker& rows, const Byte* from, Byte* to) {
  rows.each(from, to, kBytes,
            [](const Byte* read, Byte* write) HWY_ATTR { CopyExactly<kBytes>(read, write); });
}

// Rows of kVectors full vectors, known when compiled, so that a row is straight code.
template <int kVectors, class Walker>
HWY_INLINE void Vectors(const Walker& rows, const Byte* from, Byte* to) {
  const Wide d;
  const std::int64_t w = WideBytes();
  if (rows.cache != Cache::kFurther) {
    return rows.each(from, to, kVectors * w, [d, w](const Byte* read, Byte* write) HWY_ATTR {
#pragma GCC unroll 8
      for (int k = 0; k < kVectors; ++k) hn::StoreU(hn::LoadU(d, read + k * w), d, write + k * w);
    });
  }
  rows.each(from, to, kVectors * w, [d, w](const Byte* read, Byte* write) HWY_ATTR {
    hn::Vec<Wide> v[kVectors];
#pragma GCC unroll 8
    for (int k = 0; k < kVectors; ++k) v[k] = hn::LoadU(d, read + k * w);
#pragma GCC unroll 8
    for (int k = 0; k < kVectors; ++k) hn::StoreU(v[k], d, write + k * w);
  });
}

// Rows of kVectors vectors of up to kWidth bytes, of which the last ends with the row and may
// overlap the one before.
template <int kVectors, int kWidth = 32, class Walker>
HWY_INLINE void ShortRows(const Walker& rows, std::int64_t run, const Byte* from, Byte* to) {
  const hn::CappedTag<Byte, kWidth> d;
  const std::int64_t w = static_cast<std::int64_t>(hn::Lanes(d));
  rows.each(from, to, run, [d, w, run](const Byte* read, Byte* write) HWY_ATTR {
    hn::Vec<decltype(d)> v[kVectors];
#pragma GCC unroll 8
    for (int k = 0; k + 1 < kVectors; ++k) v[k] = hn::LoadU(d, read + k * w);
    v[kVectors - 1] = hn::LoadU(d, read + run - w);
#pragma GCC unroll 8
    for (int k = 0; k + 1 < kVectors; ++k) hn::StoreU(v[k], d, write + k * w);
    hn::StoreU(v[kVectors - 1], d, write + run - w);
  });
}

// Rows of any length, by vectors.
template <Cache kCache, class Walker>
HWY_INLINE void LongRows(const Walker& rows, std::int64_t run, const Byte* from, Byte* to) {
  rows.each(from, to, run,
            [run](const Byte* read, Byte* write) HWY_ATTR { CopyRun<kCache>(read, write, run); });
}

// Rows of at least 8 bytes, through the caches.
template <class Walker>
HWY_INLINE void Through(const Walker& rows, std::int64_t run, const Byte* from, Byte* to) {
  const std::int64_t w = WideBytes();
  if (run == 8) return Blocks<8>(rows, from, to);
  if (run == 16) return Blocks<16>(rows, from, to);
  if (run == w) return Vectors<1>(rows, from, to);
  if (run == 2 * w) return Vectors<2>(rows, from, to);
  if (run == 4 * w) return Vectors<4>(rows, from, to);
  if (run == 8 * w) return Vectors<8>(rows, from, to);
  if (run < 16) return ShortRows<2, 8>(rows, run, from, to);
  if (run <= 32) return ShortRows<2, 16>(rows, run, from, to);
  const std::int64_t narrow = static_cast<std::int64_t>(hn::Lanes(hn::CappedTag<Byte, 32>()));
  switch ((run + narrow - 1) / narrow) {
    case 2: return ShortRows<2>(rows, run, from, to);
    case 3: return ShortRows<3>(rows, run, from, to);
    case 4: return ShortRows<4>(rows, run, from, to);
    case 5: return ShortRows<5>(rows, run, from, to);
    case 6: return ShortRows<6>(rows, run, from, to);
    case 7: return ShortRows<7>(rows, run, from, to);
    case 8: return ShortRows<8>(rows, run, from, to);
    default: break;
  }
  switch (rows.cache) {
    case Cache::kFirst: return LongRows<Cache::kFirst>(rows, run, from, to);
    case Cache::kSecond: return LongRows<Cache::kSecond>(rows, run, from, to);
    case Cache::kFurther: return LongRows<Cache::kFurther>(rows, run, from, to);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace reshape::optimized
HWY_AFTER_NAMESPACE();

#endif
