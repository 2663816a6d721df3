// Square tiles turned in registers: as many rows as a vector has elements, every line read once
// and written once. Included once per target.
#if defined(RESHAPE_TILE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef RESHAPE_TILE_INL_H
#undef RESHAPE_TILE_INL_H
#else
#define RESHAPE_TILE_INL_H
#endif

#include "optimized/kernels/bytes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace reshape::optimized {
namespace HWY_NAMESPACE {

// Turns kLanes rows of kLanes elements inside each 16-byte block: log2 rounds, each putting row i
// between row i + half and its successor, as a deck is shuffled.
template <int kLanes, class D, class V>
HWY_INLINE void TurnBlocks(D d, V (&row)[kLanes]) {
  V next[kLanes];
#pragma GCC unroll 4
  for (int round = 1; round < kLanes; round *= 2) {
#pragma GCC unroll 8
    for (int i = 0; i < kLanes / 2; ++i) {
      next[2 * i] = hn::InterleaveLower(d, row[i], row[i + kLanes / 2]);
      next[2 * i + 1] = hn::InterleaveUpper(d, row[i], row[i + kLanes / 2]);
    }
#pragma GCC unroll 16
    for (int i = 0; i < kLanes; ++i) row[i] = next[i];
  }
}

// Turns kBlocks rows of kBlocks 16-byte blocks.
template <class D, class V>
HWY_INLINE void TurnWhole(D, V (&)[1]) {}

#if HWY_TARGET <= HWY_AVX2 && HWY_ARCH_X86
template <class D, class V>
HWY_INLINE void TurnWhole(D d, V (&row)[2]) {
  const V lower = hn::ConcatLowerLower(d, row[1], row[0]);
  row[1] = hn::ConcatUpperUpper(d, row[1], row[0]);
  row[0] = lower;
}
#endif
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
template <class D, class V>
HWY_INLINE void TurnWhole(D, V (&row)[4]) {
  const __m512i t0 = _mm512_shuffle_i64x2(row[0].raw, row[1].raw, 0x44);
  const __m512i t1 = _mm512_shuffle_i64x2(row[0].raw, row[1].raw, 0xEE);
  const __m512i t2 = _mm512_shuffle_i64x2(row[2].raw, row[3].raw, 0x44);
  const __m512i t3 = _mm512_shuffle_i64x2(row[2].raw, row[3].raw, 0xEE);
  row[0] = V{_mm512_shuffle_i64x2(t0, t2, 0x88)};
  row[1] = V{_mm512_shuffle_i64x2(t0, t2, 0xDD)};
  row[2] = V{_mm512_shuffle_i64x2(t1, t3, 0x88)};
  row[3] = V{_mm512_shuffle_i64x2(t1, t3, 0xDD)};
}
#endif

// Element (i, j) of the tile, at from + i * from_step + j * sizeof(T), goes to
// to + j * to_step + i * sizeof(T). Stores are aligned when kAligned, and go around the caches when
// kStream (which needs whole aligned vectors).
enum class Store { kUnaligned, kAligned, kStream };

template <class D, Store kStore>
HWY_INLINE void Tile(D d, const Byte* HWY_RESTRICT from, std::int64_t from_step,
                     Byte* HWY_RESTRICT to, std::int64_t to_step) {
  using T = hn::TFromD<D>;
  using V = hn::Vec<D>;
  constexpr int kLanes = 16 / sizeof(T);
  constexpr int kBlocks = static_cast<int>(hn::MaxLanes(D()) * sizeof(T) / 16);
  V turned[kBlocks][kLanes];
#pragma GCC unroll 4
  for (int a = 0; a < kBlocks; ++a) {
#pragma GCC unroll 16
    for (int b = 0; b < kLanes; ++b) {
      turned[a][b] = hn::LoadU(d, reinterpret_cast<const T*>(from + (a * kLanes + b) * from_step));
    }
    TurnBlocks<kLanes>(d, turned[a]);
  }
#pragma GCC unroll 16
  for (int b = 0; b < kLanes; ++b) {
    V row[kBlocks];
#pragma GCC unroll 4
    for (int a = 0; a < kBlocks; ++a) row[a] = turned[a][b];
    TurnWhole(d, row);
#pragma GCC unroll 4
    for (int c = 0; c < kBlocks; ++c) {
      T* place = reinterpret_cast<T*>(to + (c * kLanes + b) * to_step);
      if constexpr (kStore == Store::kStream) {
        hn::Stream(row[c], d, place);
      } else if constexpr (kStore == Store::kAligned) {
        hn::Store(row[c], d, place);
      } else {
        hn::StoreU(row[c], d, place);
      }
    }
  }
}

// Any wn x rn elements, in the largest tiles that fit.
template <class T>
HWY_INLINE void TurnPiece(const Byte* from, std::int64_t from_step, Byte* to, std::int64_t to_step,
                          std::int64_t wn, std::int64_t rn);

template <class T, class D>
HWY_INLINE void TurnWith(D d, const Byte* from, std::int64_t from_step, Byte* to,
                         std::int64_t to_step, std::int64_t wn, std::int64_t rn,
                         std::int64_t* w_done, std::int64_t* r_done) {
  constexpr std::int64_t n = static_cast<std::int64_t>(hn::MaxLanes(D()));
  constexpr std::int64_t size = sizeof(T);
  const std::int64_t w_whole = wn - wn % n, r_whole = rn - rn % n;
  for (std::int64_t w = 0; w < w_whole; w += n) {
    for (std::int64_t r = 0; r < r_whole; r += n) {
      Tile<D, Store::kUnaligned>(d, from + w * from_step + r * size, from_step,
                                 to + r * to_step + w * size, to_step);
    }
  }
  *w_done = w_whole;
  *r_done = r_whole;
}

template <class T>
HWY_NOINLINE void TurnSmall(const Byte* from, std::int64_t from_step, Byte* to,
                            std::int64_t to_step, std::int64_t wn, std::int64_t rn) {
  constexpr std::int64_t size = sizeof(T);
  std::int64_t w = 0, r = 0;
  if (wn >= 16 / size && rn >= 16 / size) {
    TurnWith<T>(hn::Full128<T>(), from, from_step, to, to_step, wn, rn, &w, &r);
  }
  for (std::int64_t j = 0; j < r; ++j) {
    for (std::int64_t i = w; i < wn; ++i) {
      CopyAs<T>(from + i * from_step + j * size, to + j * to_step + i * size);
    }
  }
  for (std::int64_t j = r; j < rn; ++j) {
    for (std::int64_t i = 0; i < wn; ++i) {
      CopyAs<T>(from + i * from_step + j * size, to + j * to_step + i * size);
    }
  }
}

#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
template <class T>
HWY_NOINLINE void TurnMiddle(const Byte* from, std::int64_t from_step, Byte* to,
                             std::int64_t to_step, std::int64_t wn, std::int64_t rn) {
  constexpr std::int64_t size = sizeof(T);
  std::int64_t w = 0, r = 0;
  if (wn >= 32 / size && rn >= 32 / size) {
    TurnWith<T>(hn::Full256<T>(), from, from_step, to, to_step, wn, rn, &w, &r);
  }
  if (w < wn && r > 0) {
    TurnSmall<T>(from + w * from_step, from_step, to + w * size, to_step, wn - w, r);
  }
  if (r < rn) TurnSmall<T>(from + r * size, from_step, to + r * to_step, to_step, wn, rn - r);
}
#endif

template <class T>
HWY_INLINE void TurnPiece(const Byte* from, std::int64_t from_step, Byte* to, std::int64_t to_step,
                          std::int64_t wn, std::int64_t rn) {
  constexpr std::int64_t size = sizeof(T);
  const hn::ScalableTag<T> d;
  std::int64_t w = 0, r = 0;
  if (wn >= static_cast<std::int64_t>(hn::MaxLanes(d)) &&
      rn >= static_cast<std::int64_t>(hn::MaxLanes(d))) {
    TurnWith<T>(d, from, from_step, to, to_step, wn, rn, &w, &r);
  }
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
  constexpr auto rest = TurnMiddle<T>;
#else
  constexpr auto rest = TurnSmall<T>;
#endif
  if (w < wn && r > 0) rest(from + w * from_step, from_step, to + w * size, to_step, wn - w, r);
  if (r < rn) rest(from + r * size, from_step, to + r * to_step, to_step, wn, rn - r);
}

}  // namespace HWY_NAMESPACE
}  // namespace reshape::optimized
HWY_AFTER_NAMESPACE();

#endif
