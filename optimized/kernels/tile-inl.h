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

// wn x rn elements in square tiles of one size. Where a side is no multiple of the tile's, its last tile
// begins early enough to end with it, and writes some elements again: no element is moved alone.
// Precondition: both sides are as long as the tile's.
template <class T, class D>
HWY_NOINLINE void TurnTiles(D d, const Byte* from, std::int64_t from_step, Byte* to,
                            std::int64_t to_step, std::int64_t wn, std::int64_t rn) {
  constexpr std::int64_t n = static_cast<std::int64_t>(hn::MaxLanes(D()));
  constexpr std::int64_t size = sizeof(T);
  for (std::int64_t w = 0; w < wn; w += n) {
    const std::int64_t w_at = HWY_MIN(w, wn - n);
    for (std::int64_t r = 0; r < rn; r += n) {
      const std::int64_t r_at = HWY_MIN(r, rn - n);
      Tile<D, Store::kUnaligned>(d, from + w_at * from_step + r_at * size, from_step,
                                 to + r_at * to_step + w_at * size, to_step);
    }
  }
}

// Fewer output columns than a vector of 16 bytes has elements, but at least kFew: kFew input rows are
// turned at a time, and the short pieces of the output rows are taken out of the vectors.
template <class T, int kFew>
HWY_NOINLINE void TurnFewRows(const Byte* from, std::int64_t from_step, Byte* to,
                              std::int64_t to_step, std::int64_t wn, std::int64_t rn) {
  using D = hn::Full128<T>;
  constexpr std::int64_t n = 16 / sizeof(T), size = sizeof(T);
  using Piece = hwy::UnsignedFromSize<kFew * sizeof(T)>;
  constexpr int kPieces = 16 / sizeof(Piece);
  for (std::int64_t w = 0; w < wn; w += kFew) {
    const std::int64_t w_at = HWY_MIN(w, wn - kFew);
    for (std::int64_t r = 0; r < rn; r += n) {
      const std::int64_t r_at = HWY_MIN(r, rn - n);
      hn::Vec<D> row[kFew];
#pragma GCC unroll 8
      for (int i = 0; i < kFew; ++i) {
        row[i] =
            hn::LoadU(D(), reinterpret_cast<const T*>(from + (w_at + i) * from_step + r_at * size));
      }
      TurnBlocks<kFew>(D(), row);
      Byte* out = to + r_at * to_step + w_at * size;
#pragma GCC unroll 8
      for (int i = 0; i < kFew; ++i) {
        const auto pieces = hn::BitCast(hn::Full128<Piece>(), row[i]);
#pragma GCC unroll 4
        for (int k = 0; k < kPieces; ++k, out += to_step) {
          const Piece piece = hn::ExtractLane(pieces, static_cast<std::size_t>(k));
          std::memcpy(out, &piece, sizeof(Piece));
        }
      }
    }
  }
}

// The same the other way round: fewer input columns than that, but at least kFew. The short pieces of the
// input rows are put together to vectors by the first rounds of the turn.
template <class T, int kFew>
HWY_NOINLINE void TurnFewColumns(const Byte* from, std::int64_t from_step, Byte* to,
                                 std::int64_t to_step, std::int64_t wn, std::int64_t rn) {
  using D = hn::Full128<T>;
  constexpr int n = 16 / sizeof(T);
  constexpr std::int64_t size = sizeof(T);
  using Piece = hwy::UnsignedFromSize<kFew * sizeof(T)>;
  for (std::int64_t r = 0; r < rn; r += kFew) {
    const std::int64_t r_at = HWY_MIN(r, rn - kFew);
    for (std::int64_t w = 0; w < wn; w += n) {
      const std::int64_t w_at = HWY_MIN(w, wn - n);
      hn::Vec<D> v[n];
#pragma GCC unroll 16
      for (int i = 0; i < n; ++i) {
        Piece piece;
        std::memcpy(&piece, from + (w_at + i) * from_step + r_at * size, sizeof(Piece));
        v[i] = hn::BitCast(D(), hn::Set(hn::Full128<Piece>(), piece));
      }
#pragma GCC unroll 2
      for (int pieces = n; pieces > kFew; pieces /= 2) {
#pragma GCC unroll 8
        for (int i = 0; i < pieces / 2; ++i) {
          v[i] = hn::InterleaveLower(D(), v[i], v[i + pieces / 2]);
        }
      }
      hn::Vec<D> row[kFew];
#pragma GCC unroll 8
      for (int i = 0; i < kFew; ++i) row[i] = v[i];
      TurnBlocks<kFew>(D(), row);
#pragma GCC unroll 8
      for (int i = 0; i < kFew; ++i) {
        hn::StoreU(row[i], D(), reinterpret_cast<T*>(to + (r_at + i) * to_step + w_at * size));
      }
    }
  }
}

template <class T>
HWY_NOINLINE void TurnFew(const Byte* from, std::int64_t from_step, Byte* to, std::int64_t to_step,
                          std::int64_t wn, std::int64_t rn) {
  constexpr std::int64_t n = 16 / sizeof(T), size = sizeof(T);
  if constexpr (size < 4) {
    constexpr int kHalf = n / 2, kQuarter = size == 1 ? 4 : kHalf;
    if (rn >= n && wn >= kHalf) return TurnFewRows<T, kHalf>(from, from_step, to, to_step, wn, rn);
    if (rn >= n && wn >= kQuarter) {
      return TurnFewRows<T, kQuarter>(from, from_step, to, to_step, wn, rn);
    }
    if (wn >= n && rn >= kHalf) {
      return TurnFewColumns<T, kHalf>(from, from_step, to, to_step, wn, rn);
    }
    if (wn >= n && rn >= kQuarter) {
      return TurnFewColumns<T, kQuarter>(from, from_step, to, to_step, wn, rn);
    }
  }
  for (std::int64_t r = 0; r < rn; ++r) {
    for (std::int64_t w = 0; w < wn; ++w) {
      CopyAs<T>(from + w * from_step + r * size, to + r * to_step + w * size);
    }
  }
}

// The whole tiles of one size, and beside and below them tiles just large enough for what is left.
template <class T, class D>
HWY_INLINE void TurnRagged(D d, const Byte* from, std::int64_t from_step, Byte* to,
                           std::int64_t to_step, std::int64_t wn, std::int64_t rn) {
  constexpr std::int64_t n = static_cast<std::int64_t>(hn::MaxLanes(D()));
  constexpr std::int64_t size = sizeof(T);
  const std::int64_t w_rest = wn % n, r_rest = rn % n;
  TurnTiles<T>(d, from, from_step, to, to_step, wn - w_rest, rn - r_rest);
  // A strip of `rest` columns or rows, made as wide as a tile by elements that are there already.
  const auto strip = [&](auto tile, std::int64_t w, std::int64_t r, std::int64_t w_count,
                         std::int64_t r_count) HWY_ATTR {
    TurnTiles<T>(tile, from + w * from_step + r * size, from_step, to + r * to_step + w * size,
                 to_step, w_count, r_count);
  };
  const auto width_for = [](std::int64_t rest) {
    const std::int64_t least = 16 / size;
    return rest <= least ? least : HWY_MIN(n, rest <= 2 * least ? 2 * least : 4 * least);
  };
  const auto strip_of = [&](std::int64_t width, std::int64_t w, std::int64_t r,
                            std::int64_t w_count, std::int64_t r_count) HWY_ATTR {
    if (width == n) return strip(d, w, r, w_count, r_count);
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
    if (width * size == 32) return strip(hn::Full256<T>(), w, r, w_count, r_count);
#endif
    return strip(hn::Full128<T>(), w, r, w_count, r_count);
  };
  if (w_rest != 0) {
    const std::int64_t width = width_for(w_rest);
    strip_of(width, wn - width, 0, width, rn);
  }
  if (r_rest != 0 && wn > w_rest) {
    const std::int64_t width = width_for(r_rest);
    strip_of(width, 0, rn - width, wn - w_rest, width);
  }
}

// Any wn x rn elements.
template <class T>
HWY_NOINLINE void TurnPiece(const Byte* from, std::int64_t from_step, Byte* to,
                            std::int64_t to_step, std::int64_t wn, std::int64_t rn) {
  constexpr std::int64_t size = sizeof(T);
  const std::int64_t least = HWY_MIN(wn, rn) * size;
  if (least < 16) return TurnFew<T>(from, from_step, to, to_step, wn, rn);
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
  if (least >= 64) {
    return TurnRagged<T>(hn::Full512<T>(), from, from_step, to, to_step, wn, rn);
  }
#endif
#if HWY_TARGET <= HWY_AVX2 && HWY_ARCH_X86
  if (least >= 32) {
    return TurnRagged<T>(hn::Full256<T>(), from, from_step, to, to_step, wn, rn);
  }
#endif
  TurnRagged<T>(hn::Full128<T>(), from, from_step, to, to_step, wn, rn);
}

}  // namespace HWY_NAMESPACE
}  // namespace reshape::optimized
HWY_AFTER_NAMESPACE();

#endif
