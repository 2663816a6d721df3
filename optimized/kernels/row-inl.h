// Copies each of many rows of one length, at least 8 bytes, by vectors. Included once per target.
//
// A `Walker` knows where the rows are: rows.each(from, to, run, copy) calls copy(read, write) for
// every one of them. `rows.cache` is the cache that both sides of the whole copy are in.
// `rows.in_lines`: every row begins at a cache line on both sides. `rows.to_many_places`: they
// come in the order of the input, from the last cache or the memory, and go to many places.
#if defined(RESHAPE_ROW_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef RESHAPE_ROW_INL_H
#undef RESHAPE_ROW_INL_H
#else
#define RESHAPE_ROW_INL_H
#endif

#include "optimized/kernels/bytes-inl.h"
#include "optimized/kernels/machine.h"

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
  rows.each(from, to, kVectors * w, [d, w](const Byte* read, Byte* write) HWY_ATTR {
#pragma GCC unroll 8
    for (int k = 0; k < kVectors; ++k) hn::StoreU(hn::LoadU(d, read + k * w), d, write + k * w);
  });
}

// 32 bytes, by one vector or two.
HWY_INLINE void Move32(const Byte* read, Byte* write) {
  const hn::CappedTag<Byte, 32> d;
  const std::int64_t w = static_cast<std::int64_t>(hn::Lanes(d));
#pragma GCC unroll 2
  for (std::int64_t at = 0; at < 32; at += w) hn::StoreU(hn::LoadU(d, read + at), d, write + at);
}

// Moves `left` bytes in parts of kBytes and kOthers bytes, the last of which ends with them.
template <int kBytes, int... kOthers>
HWY_INLINE void MoveInTurn(const Byte* read, Byte* write, std::int64_t left) {
  const std::int64_t at = sizeof...(kOthers) == 0 ? left - kBytes : 0;
  if constexpr (kBytes == 32) {
    Move32(read + at, write + at);
  } else {
    Put<kBytes>(Take<kBytes>(read + at), write + at);
  }
  if constexpr (sizeof...(kOthers) > 0) {
    MoveInTurn<kOthers...>(read + kBytes, write + kBytes, left - kBytes);
  }
}

// Rows of kVectors times 32 bytes and what is left of them, in moves of kRest bytes.
template <int kVectors, int... kRest, class Walker>
HWY_INLINE void VectorsAnd(const Walker& rows, std::int64_t run, const Byte* from, Byte* to) {
  rows.each(from, to, run, [run](const Byte* read, Byte* write) HWY_ATTR {
#pragma GCC unroll 8
    for (int k = 0; k < kVectors; ++k) Move32(read + k * 32, write + k * 32);
    MoveInTurn<kRest...>(read + kVectors * 32, write + kVectors * 32, run - kVectors * 32);
  });
}

// Rows of up to 32 bytes more than kVectors times 32. The last moves are as narrow as suffices: wide
// ones that overlap straddle more lines, and took up to 1.4 times as long on an Emerald Rapids;
// beyond the L2 cache two narrow ones gained nothing.
template <int kVectors, class Walker>
HWY_INLINE void ShortRows(const Walker& rows, std::int64_t run, const Byte* from, Byte* to) {
  const std::int64_t rest = run - kVectors * 32;
  if (rest <= 8) return VectorsAnd<kVectors, 8>(rows, run, from, to);
  if (rest <= 16) return VectorsAnd<kVectors, 16>(rows, run, from, to);
  if (rest <= 24 && rows.cache != Cache::kFurther) {
    return VectorsAnd<kVectors, 16, 8>(rows, run, from, to);
  }
  VectorsAnd<kVectors, 32>(rows, run, from, to);
}

// Rows along two loops, and along a third one around small rectangles. `ahead`: what lies this many
// bytes behind a row is prefetched with it; 0: nothing.
struct Rectangle {
  Step inner, outer;
  std::int64_t ahead;
  Cache cache;
  bool in_lines;
  bool to_many_places = false;
  Step further = {};

  template <class Copy>
  HWY_INLINE void each(const Byte* from, Byte* to, std::int64_t run, Copy copy) const {
    for (std::int64_t k = 0; k < further.count; ++k) {
      one(from + k * further.read, to + k * further.write, run, copy);
    }
  }

 private:
  template <class Copy>
  HWY_INLINE void one(const Byte* from, Byte* to, std::int64_t run, Copy copy) const {
    // Local copies: the stores may alias the members, which would be read again for every row.
    const Step row = inner, column = outer;
    const std::int64_t soon = ahead;
    for (std::int64_t j = 0; j < column.count; ++j) {
      const Byte* read = from + j * column.read;
      Byte* write = to + j * column.write;
      if (soon == 0) {
#pragma GCC unroll 4
        for (std::int64_t i = 0; i < row.count; ++i, read += row.read, write += row.write) {
          copy(read, write);
        }
        continue;
      }
      for (std::int64_t i = 0; i < row.count; ++i, read += row.read, write += row.write) {
        PrefetchRow<3>(read + soon, run);
        copy(read, write);
      }
    }
  }
};

// Rows of any length, by vectors. Not inlined: among the other walks the row's counter was kept in
// memory, which took 1.25 times as long.
template <Cache kCache, class Walker>
HWY_NOINLINE void LongRows(const Walker& rows, std::int64_t run, const Byte* from, Byte* to) {
  rows.each(from, to, run,
            [run](const Byte* read, Byte* write) HWY_ATTR { CopyRun<kCache>(read, write, run); });
}

// Rows that begin at lines on both sides.
template <class Walker>
HWY_INLINE void Lines(const Walker& rows, std::int64_t run, const Byte* from, Byte* to) {
  rows.each(from, to, run, [run](const Byte* read, Byte* write) HWY_ATTR {
    CopyVectors<1>(Wide(), read, write, run);
  });
}

// The same by narrow vectors, each stored before the next one is loaded: best on a Zen 5 for rows
// that are read in order from the last cache and written to 12 to 32 places.
template <class Walker>
HWY_INLINE void OneByOne(const Walker& rows, std::int64_t run, const Byte* from, Byte* to) {
  rows.each(from, to, run, [run](const Byte* read, Byte* write) HWY_ATTR {
    CopyVectors<1>(hn::CappedTag<Byte, 32>(), read, write, run);
  });
}

// Rows of 4 KiB and more outside of the L1 cache, by string moves: on a Zen 5 they took .8 to .95
// of the time of vectors, but longer for rows of less than 3 KiB, and for whole lines in the L2
// cache.
// The C library of Intel's processors begins at 8 KiB.
template <class Walker>
HWY_INLINE bool StringMoves(const Walker& rows, std::int64_t run, const Byte* from, Byte* to) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
  const bool suits =
      rows.cache == Cache::kFurther || (rows.cache == Cache::kSecond && !rows.in_lines);
  if (!suits || run < string_moves_from()) return false;
  rows.each(from, to, run,
            [run](const Byte* read, Byte* write) HWY_ATTR { MoveString(read, write, run); });
  return true;
#else
  (void)rows, (void)run, (void)from, (void)to;
  return false;
#endif
}

// Rows of at least 8 bytes, through the caches.
template <class Walker>
HWY_INLINE void Through(const Walker& rows, std::int64_t run, const Byte* from, Byte* to) {
  const std::int64_t w = WideBytes();
  if (run < 32) {
    if (run == 8) return Blocks<8>(rows, from, to);
    if (run <= 12) return VectorsAnd<0, 8, 4>(rows, run, from, to);
    if (run < 16) return VectorsAnd<0, 8, 8>(rows, run, from, to);
    if (run == 16) return Blocks<16>(rows, from, to);
    if (run <= 20) return VectorsAnd<0, 16, 4>(rows, run, from, to);
    if (run <= 24) return VectorsAnd<0, 16, 8>(rows, run, from, to);
    return VectorsAnd<0, 16, 16>(rows, run, from, to);
  }
  // Beyond the L1 cache wide vectors are no faster, but for lines in powers of two, which straight
  // code moves.
  const bool even_lines = rows.in_lines && (run & (run - 1)) == 0 && !rows.to_many_places;
  const bool wide = rows.cache == Cache::kFirst || w <= 32 || even_lines;
  switch (wide && run % w == 0 ? run / w : 0) {
    case 1: return Vectors<1>(rows, from, to);
    case 2: return Vectors<2>(rows, from, to);
    case 3: return Vectors<3>(rows, from, to);
    case 4: return Vectors<4>(rows, from, to);
    case 5: return Vectors<5>(rows, from, to);
    case 6: return Vectors<6>(rows, from, to);
    case 7: return Vectors<7>(rows, from, to);
    case 8: return Vectors<8>(rows, from, to);
    default: break;
  }
  // Aligning the stores of shorter rows takes as long as it gains.
  constexpr std::int64_t kFewVectors = 96;
  if (rows.cache == Cache::kSecond && run > kFewVectors && run % 32 != 0 &&
      run < string_moves_from()) {
    return LongRows<Cache::kSecond>(rows, run, from, to);
  }
  switch ((run - 1) / 32) {
    case 0: return Blocks<32>(rows, from, to);
    case 1: return ShortRows<1>(rows, run, from, to);
    case 2: return ShortRows<2>(rows, run, from, to);
    case 3: return ShortRows<3>(rows, run, from, to);
    case 4: return ShortRows<4>(rows, run, from, to);
    case 5: return ShortRows<5>(rows, run, from, to);
    case 6: return ShortRows<6>(rows, run, from, to);
    case 7: return ShortRows<7>(rows, run, from, to);
    default: break;
  }
  if (StringMoves(rows, run, from, to)) return;
  if (rows.to_many_places) return OneByOne(rows, run, from, to);
  switch (rows.cache) {
    case Cache::kFirst: return LongRows<Cache::kFirst>(rows, run, from, to);
    case Cache::kSecond:
      return rows.in_lines ? Lines(rows, run, from, to)
                           : LongRows<Cache::kSecond>(rows, run, from, to);
    case Cache::kFurther: return LongRows<Cache::kFurther>(rows, run, from, to);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace reshape::optimized
HWY_AFTER_NAMESPACE();

#endif
