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

// Turns kLanes rows of kLanes elements inside each 16-byte block, in log2 rounds, each of which
// interleaves row i with row i + half.
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

// Where the rows of a side begin: evenly apart, or where a list says, in bytes from a base.
template <class At>
struct Evenly {
  At base;
  std::int64_t step;
  HWY_INLINE At row(std::int64_t i) const { return base + i * step; }
  // The same without the first `rows` rows and the first `bytes` bytes of each.
  HWY_INLINE Evenly past(std::int64_t rows, std::int64_t bytes) const {
    return {base + rows * step + bytes, step};
  }
};

template <class At>
struct Listed {
  At base;
  const std::int64_t* offsets;
  HWY_INLINE At row(std::int64_t i) const { return base + offsets[i]; }
  HWY_INLINE Listed past(std::int64_t rows, std::int64_t bytes) const {
    return {base + bytes, offsets + rows};
  }
};

// Rows at these places, all `past` bytes further on.
struct RowsAt {
  const Byte* const* at;
  std::int64_t past;
  HWY_INLINE const Byte* row(std::int64_t i) const { return at[i] + past; }
};

// Element j of input row i goes to element i of output row j. Stores are aligned when kAligned, and
// go around the caches when kStream (which needs whole aligned vectors).
enum class Store { kUnaligned, kAligned, kStream };

template <class D, Store kStore, class In, class Out>
HWY_INLINE void Tile(D d, In in, Out out) {
  using T = hn::TFromD<D>;
  using V = hn::Vec<D>;
  constexpr int kLanes = 16 / sizeof(T);
  constexpr int kBlocks = static_cast<int>(hn::MaxLanes(D()) * sizeof(T) / 16);
  V turned[kBlocks][kLanes];
#pragma GCC unroll 4
  for (int a = 0; a < kBlocks; ++a) {
#pragma GCC unroll 16
    for (int b = 0; b < kLanes; ++b) {
      turned[a][b] = hn::LoadU(d, reinterpret_cast<const T*>(in.row(a * kLanes + b)));
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
      T* place = reinterpret_cast<T*>(out.row(c * kLanes + b));
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

// 16 bytes, as one block of a wider vector.
template <class T>
HWY_INLINE hn::Vec<hn::Full128<T>> LoadPart(const Byte* at) {
  return hn::LoadU(hn::Full128<T>(), reinterpret_cast<const T*>(at));
}
template <class T>
HWY_INLINE void StorePart(hn::Vec<hn::Full128<T>> v, Byte* at) {
  hn::StoreU(v, hn::Full128<T>(), reinterpret_cast<T*>(at));
}

// A vector of the 16 bytes at each of four rows (or two, or one), and the reverse.
template <class T, class In>
HWY_INLINE hn::Vec<hn::Full128<T>> Gather(hn::Full128<T>, In in, std::int64_t, std::int64_t i) {
  return LoadPart<T>(in.row(i));
}
template <class T, class Out>
HWY_INLINE void Scatter(hn::Full128<T>, hn::Vec<hn::Full128<T>> v, Out out, std::int64_t,
                        std::int64_t i) {
  StorePart<T>(v, out.row(i));
}
#if HWY_TARGET <= HWY_AVX2 && HWY_ARCH_X86
template <class T, class In>
HWY_INLINE hn::Vec<hn::Full256<T>> Gather(hn::Full256<T> d, In in, std::int64_t apart,
                                          std::int64_t i) {
  return hn::Combine(d, LoadPart<T>(in.row(i + apart)), LoadPart<T>(in.row(i)));
}
template <class T, class Out>
HWY_INLINE void Scatter(hn::Full256<T>, hn::Vec<hn::Full256<T>> v, Out out, std::int64_t apart,
                        std::int64_t i) {
  _mm_storeu_si128(reinterpret_cast<__m128i*>(out.row(i)), _mm256_castsi256_si128(v.raw));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(out.row(i + apart)),
                   _mm256_extracti128_si256(v.raw, 1));
}
#endif
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
template <class T, class In>
HWY_INLINE hn::Vec<hn::Full512<T>> Gather(hn::Full512<T>, In in, std::int64_t apart,
                                          std::int64_t i) {
  const auto part = [&](std::int64_t k) HWY_ATTR {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(in.row(i + k * apart)));
  };
  __m512i v = _mm512_castsi128_si512(part(0));
  v = _mm512_mask_broadcast_i32x4(v, 0x00F0, part(1));
  v = _mm512_mask_broadcast_i32x4(v, 0x0F00, part(2));
  return hn::Vec<hn::Full512<T>>{_mm512_mask_broadcast_i32x4(v, 0xF000, part(3))};
}
template <class T, class Out>
HWY_INLINE void Scatter(hn::Full512<T>, hn::Vec<hn::Full512<T>> v, Out out, std::int64_t apart,
                        std::int64_t i) {
  const auto part = [&](std::int64_t k)
                        HWY_ATTR { return reinterpret_cast<__m128i*>(out.row(i + k * apart)); };
  _mm_storeu_si128(part(0), _mm512_castsi512_si128(v.raw));
  _mm_storeu_si128(part(1), _mm512_extracti32x4_epi32(v.raw, 1));
  _mm_storeu_si128(part(2), _mm512_extracti32x4_epi32(v.raw, 2));
  _mm_storeu_si128(part(3), _mm512_extracti32x4_epi32(v.raw, 3));
}
#endif

// A strip of output columns, 16 bytes wide, as many tiles side by side as a vector has 16 bytes:
// input rows are read by whole vectors. The last vector begins early enough to end with the rows.
template <class T, class D, class In, class Out>
HWY_NOINLINE void StripOfColumns(D d, In in, Out out, std::int64_t rn) {
  constexpr int kLanes = 16 / sizeof(T);
  constexpr std::int64_t n = static_cast<std::int64_t>(hn::MaxLanes(D()));
  for (std::int64_t r = 0; r < rn; r += n) {
    const std::int64_t at = HWY_MIN(r, rn - n);
    const In from = in.past(0, at * static_cast<std::int64_t>(sizeof(T)));
    const Out to = out.past(at, 0);
    hn::Vec<D> v[kLanes];
#pragma GCC unroll 16
    for (int i = 0; i < kLanes; ++i) v[i] = hn::LoadU(d, reinterpret_cast<const T*>(from.row(i)));
    TurnBlocks<kLanes>(d, v);
#pragma GCC unroll 16
    for (int i = 0; i < kLanes; ++i) Scatter(d, v[i], to, kLanes, i);
  }
}

#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
// The same for no more columns than D has elements, but more than half as many: a piece of an output
// row is one masked store, not two of strips that overlap, which took up to 1.6 times as long.
template <class T, class D, class In, class Out>
HWY_NOINLINE void NarrowColumns(D d, In in, Out out, std::int64_t wn, std::int64_t rn) {
  constexpr int kLanes = 16 / sizeof(T), kMost = static_cast<int>(hn::MaxLanes(D()));
  const Byte* read[kMost];
  for (int i = 0; i < kMost; ++i) read[i] = in.row(HWY_MIN(i, wn - 1));
  const auto columns = hn::FirstN(d, static_cast<std::size_t>(wn));
  for (std::int64_t r = 0; r < rn; r += kLanes) {
    const std::int64_t at = HWY_MIN(r, rn - kLanes);
    const RowsAt from{read, at * static_cast<std::int64_t>(sizeof(T))};
    const Out to = out.past(at, 0);
    hn::Vec<D> v[kLanes];
#pragma GCC unroll 16
    for (int i = 0; i < kLanes; ++i) v[i] = Gather(d, from, kLanes, i);
    TurnBlocks<kLanes>(d, v);
#pragma GCC unroll 16
    for (int i = 0; i < kLanes; ++i) {
      hn::BlendedStore(v[i], columns, d, reinterpret_cast<T*>(to.row(i)));
    }
  }
}
#endif

// 16 bytes of as many input rows as D has elements become a vector of each of a few output rows.
template <class T, class D, class In, class Out>
HWY_INLINE void TurnColumns(D d, In in, Out out) {
  constexpr int kLanes = 16 / sizeof(T);
  hn::Vec<D> v[kLanes];
#pragma GCC unroll 16
  for (int i = 0; i < kLanes; ++i) v[i] = Gather(d, in, kLanes, i);
  TurnBlocks<kLanes>(d, v);
#pragma GCC unroll 16
  for (int i = 0; i < kLanes; ++i) hn::StoreU(v[i], d, reinterpret_cast<T*>(out.row(i)));
}

// A strip of input columns: output rows are written by whole vectors.
template <class T, class D, class In, class Out>
HWY_NOINLINE void StripOfRows(D d, In in, Out out, std::int64_t wn) {
  constexpr std::int64_t n = static_cast<std::int64_t>(hn::MaxLanes(D()));
  for (std::int64_t w = 0; w < wn; w += n) {
    const std::int64_t at = HWY_MIN(w, wn - n);
    TurnColumns<T>(d, in.past(at, 0), out.past(0, at * static_cast<std::int64_t>(sizeof(T))));
  }
}

// wn x rn elements in square tiles of one size. Where a side is no multiple of the tile's, its last
// tile begins early enough to end with it, and writes some elements twice: no element is moved
// alone. Precondition: both sides are at least as long as a tile's.
template <class T, class D, class In, class Out>
HWY_NOINLINE void TurnTiles(D d, In in, Out out, std::int64_t wn, std::int64_t rn) {
  constexpr std::int64_t n = static_cast<std::int64_t>(hn::MaxLanes(D()));
  constexpr std::int64_t size = sizeof(T);
  for (std::int64_t w = 0; w < wn; w += n) {
    const std::int64_t w_at = HWY_MIN(w, wn - n);
    for (std::int64_t r = 0; r < rn; r += n) {
      const std::int64_t r_at = HWY_MIN(r, rn - n);
      Tile<D, Store::kUnaligned>(d, in.past(w_at, r_at * size), out.past(r_at, w_at * size));
    }
  }
}

// For fewer output columns than 16 bytes have elements, but at least kFew: kFew input rows are
// turned at a time, and the short pieces of the output rows are extracted from the vectors.
template <class T, int kFew, class In, class Out>
HWY_NOINLINE void TurnFewRows(In in, Out out, std::int64_t wn, std::int64_t rn) {
  using D = hn::Full128<T>;
  constexpr std::int64_t n = 16 / sizeof(T), size = sizeof(T);
  using Piece = hwy::UnsignedFromSize<kFew * sizeof(T)>;
  constexpr int kPieces = 16 / sizeof(Piece);
  for (std::int64_t w = 0; w < wn; w += kFew) {
    const std::int64_t w_at = HWY_MIN(w, wn - kFew);
    for (std::int64_t r = 0; r < rn; r += n) {
      const std::int64_t r_at = HWY_MIN(r, rn - n);
      const In from = in.past(w_at, r_at * size);
      const Out to = out.past(r_at, w_at * size);
      hn::Vec<D> row[kFew];
#pragma GCC unroll 8
      for (int i = 0; i < kFew; ++i) row[i] = LoadPart<T>(from.row(i));
      TurnBlocks<kFew>(D(), row);
#pragma GCC unroll 8
      for (int i = 0; i < kFew; ++i) {
        const auto pieces = hn::BitCast(hn::Full128<Piece>(), row[i]);
#pragma GCC unroll 4
        for (int k = 0; k < kPieces; ++k) {
          const Piece piece = hn::ExtractLane(pieces, static_cast<std::size_t>(k));
          std::memcpy(to.row(i * kPieces + k), &piece, sizeof(Piece));
        }
      }
    }
  }
}

// The reverse: fewer input columns than that, but at least kFew. The first rounds of the
// transposition combine the short pieces of the input rows into vectors.
template <class T, int kFew, class In, class Out>
HWY_NOINLINE void TurnFewColumns(In in, Out out, std::int64_t wn, std::int64_t rn) {
  using D = hn::Full128<T>;
  constexpr int n = 16 / sizeof(T);
  constexpr std::int64_t size = sizeof(T);
  using Piece = hwy::UnsignedFromSize<kFew * sizeof(T)>;
  for (std::int64_t r = 0; r < rn; r += kFew) {
    const std::int64_t r_at = HWY_MIN(r, rn - kFew);
    for (std::int64_t w = 0; w < wn; w += n) {
      const std::int64_t w_at = HWY_MIN(w, wn - n);
      const In from = in.past(w_at, r_at * size);
      const Out to = out.past(r_at, w_at * size);
      hn::Vec<D> v[n];
#pragma GCC unroll 16
      for (int i = 0; i < n; ++i) {
        Piece piece;
        std::memcpy(&piece, from.row(i), sizeof(Piece));
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
      for (int i = 0; i < kFew; ++i) StorePart<T>(row[i], to.row(i));
    }
  }
}

#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
// For fewer input columns than 16 bytes have elements: pieces of the input rows are masked loads.
template <class T, class In, class Out>
HWY_NOINLINE void TurnColumnsMasked(In in, Out out, std::int64_t wn, std::int64_t rn) {
  const hn::Full128<T> d;
  constexpr int n = 16 / sizeof(T);
  const auto columns = hn::FirstN(d, static_cast<std::size_t>(rn));
  for (std::int64_t w = 0; w < wn; w += n) {
    const std::int64_t at = HWY_MIN(w, wn - n);
    const In from = in.past(at, 0);
    const Out to = out.past(0, at * static_cast<std::int64_t>(sizeof(T)));
    hn::Vec<hn::Full128<T>> v[n];
#pragma GCC unroll 8
    for (int i = 0; i < n; ++i) {
      v[i] = hn::MaskedLoad(columns, d, reinterpret_cast<const T*>(from.row(i)));
    }
    TurnBlocks<n>(d, v);
#pragma GCC unroll 8
    for (int i = 0; i < n; ++i) {
      if (i < rn) StorePart<T>(v[i], to.row(i));
    }
  }
}
#endif

template <class T, class In, class Out>
HWY_NOINLINE void TurnFew(In in, Out out, std::int64_t wn, std::int64_t rn) {
  constexpr std::int64_t n = 16 / sizeof(T), size = sizeof(T);
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
  // What no two pieces of half a vector make.
  if constexpr (size == 2 || size == 4) {
    if (rn >= n && wn > n / 2) return NarrowColumns<T>(hn::Full128<T>(), in, out, wn, rn);
    if (wn >= n && rn > n / 2) return TurnColumnsMasked<T>(in, out, wn, rn);
  }
#endif
  if constexpr (size < 8) {
    constexpr int kHalf = n / 2, kQuarter = size == 1 ? 4 : 2;
    if (rn >= n && wn >= kHalf) return TurnFewRows<T, kHalf>(in, out, wn, rn);
    if (rn >= n && wn >= kQuarter) return TurnFewRows<T, kQuarter>(in, out, wn, rn);
    if (wn >= n && rn >= kHalf) return TurnFewColumns<T, kHalf>(in, out, wn, rn);
    if (wn >= n && rn >= kQuarter) return TurnFewColumns<T, kQuarter>(in, out, wn, rn);
  }
  for (std::int64_t r = 0; r < rn; ++r) {
    Byte* to = out.row(r);
    for (std::int64_t w = 0; w < wn; ++w)
      CopyExactly<sizeof(T)>(in.row(w) + r * size, to + w * size);
  }
}

// Strips over `short_side` elements, of which the last begins early enough to end with it.
template <class T, class Strip>
HWY_INLINE void InStrips(std::int64_t short_side, Strip strip) {
  constexpr std::int64_t n = 16 / sizeof(T);
  for (std::int64_t at = 0; at < short_side; at += n) strip(HWY_MIN(at, short_side - n));
}

// Whole tiles, and strips beside and below them. A strip that would be nearly as wide as a tile is
// one.
template <class T, class D, class In, class Out>
HWY_INLINE void TurnRagged(D d, In in, Out out, std::int64_t wn, std::int64_t rn,
                           [[maybe_unused]] bool masked) {
  constexpr std::int64_t n = static_cast<std::int64_t>(hn::MaxLanes(D()));
  constexpr std::int64_t size = sizeof(T), few = 16 / size;
  const auto rest_of = [](std::int64_t count) { return count % n > n / 2 ? 0 : count % n; };
  const std::int64_t w_rest = rest_of(wn), r_rest = rest_of(rn);
  TurnTiles<T>(d, in, out, wn - w_rest, rn - r_rest);
  std::int64_t left = w_rest;
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
  if (left > few && masked) {
    const std::int64_t at = wn - left;
    NarrowColumns<T>(hn::Full256<T>(), in.past(at, 0), out.past(0, at * size), left, rn);
    left = 0;
  }
#endif
  for (; left > 0; left -= few) {
    const std::int64_t at = wn - HWY_MAX(left, few);
    StripOfColumns<T>(d, in.past(at, 0), out.past(0, at * size), rn);
  }
  for (std::int64_t rest = r_rest; rest > 0; rest -= few) {
    const std::int64_t at = rn - HWY_MAX(rest, few);
    StripOfRows<T>(d, in.past(0, at * size), out.past(at, 0), wn - w_rest);
  }
}

// For one side as long as a vector, and another that is shorter but has at least 16 bytes.
template <class T, class D, class In, class Out>
HWY_INLINE void TurnStrips(D d, In in, Out out, std::int64_t wn, std::int64_t rn) {
  constexpr std::int64_t size = sizeof(T);
  if (wn < rn) {
    InStrips<T>(wn, [&](std::int64_t at) HWY_ATTR {
      StripOfColumns<T>(d, in.past(at, 0), out.past(0, at * size), rn);
    });
  } else {
    InStrips<T>(rn, [&](std::int64_t at) HWY_ATTR {
      StripOfRows<T>(d, in.past(0, at * size), out.past(at, 0), wn);
    });
  }
}

// Any wn x rn elements: input rows `in`, output rows `out`. `masked`: more short output rows than
// usually are each gathered and written by a masked store.
template <class T, class In, class Out>
HWY_NOINLINE void TurnRows(In in, Out out, std::int64_t wn, std::int64_t rn,
                           [[maybe_unused]] bool masked = false) {
  constexpr std::int64_t size = sizeof(T);
  const std::int64_t least = HWY_MIN(wn, rn) * size;
  [[maybe_unused]] const std::int64_t most = HWY_MAX(wn, rn) * size;
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
  // Other output rows than these took less time in tiles and strips.
  const std::int64_t row = wn * size;
  if (rn * size >= 16 && row > 16 && row < 32) {
    return NarrowColumns<T>(hn::Full256<T>(), in, out, wn, rn);
  }
  constexpr std::int64_t usual = size == 2 ? 32 : size == 4 ? 48 : 64, more = size == 1 ? 48 : 32;
  if (rn * size >= 16 && row < 64 && row > (masked ? more : usual)) {
    return NarrowColumns<T>(hn::Full512<T>(), in, out, wn, rn);
  }
  // Up to one and a half vectors of 2 or 4 bytes: a tile and strips took 1.2 to 1.5 times as long.
  if (masked && (size == 2 || size == 4) && rn * size >= 64 && row > 64 && row < 96) {
    constexpr std::int64_t first = 48 / size;
    TurnRows<T>(in, out, first, rn, true);
    return TurnRows<T>(in.past(first, 0), out.past(0, first * size), wn - first, rn, true);
  }
#endif
  if (least < 16) return TurnFew<T>(in, out, wn, rn);
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
  if (least >= 64) return TurnRagged<T>(hn::Full512<T>(), in, out, wn, rn, masked);
  // Output rows of 32 bytes are faster with vectors of 32 bytes than in two strips.
  if (most >= 64 && (wn > rn || least < 32)) {
    return TurnStrips<T>(hn::Full512<T>(), in, out, wn, rn);
  }
#endif
#if HWY_TARGET <= HWY_AVX2 && HWY_ARCH_X86
  if (least >= 32) return TurnRagged<T>(hn::Full256<T>(), in, out, wn, rn, false);
  if (most >= 32) return TurnStrips<T>(hn::Full256<T>(), in, out, wn, rn);
#endif
  TurnTiles<T>(hn::Full128<T>(), in, out, wn, rn);
}

// The same with rows evenly apart on both sides.
template <class T>
HWY_INLINE void TurnPiece(const Byte* from, std::int64_t from_step, Byte* to, std::int64_t to_step,
                          std::int64_t wn, std::int64_t rn, bool masked = false) {
  TurnRows<T>(Evenly<const Byte*>{from, from_step}, Evenly<Byte*>{to, to_step}, wn, rn, masked);
}

}  // namespace HWY_NAMESPACE
}  // namespace reshape::optimized
HWY_AFTER_NAMESPACE();

#endif
