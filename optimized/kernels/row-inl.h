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

// Rows of kVectors vectors of up to kWidth bytes, of which the last ends with the row and may
// overlap the one before.
template <int kVectors, int kWidth = 32, class Walker>
HWY_INLINE void ShortRows(const Walker& rows, std::int64_t run, const Byte* from, Byte* to) {
  const hn::CappedTag<Byte, kWidth> d;
  const std::int64_t w = static_cast<std::int64_t>(hn::Lanes(d));
  rows.each(from, to, run, [d, w, run](const Byte* read, Byte* write) HWY_ATTR {
#pragma GCC unroll 8
    for (int k = 0; k + 1 < kVectors; ++k) hn::StoreU(hn::LoadU(d, read + k * w), d, write + k * w);
    hn::StoreU(hn::LoadU(d, read + run - w), d, write + run - w);
  });
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

// Rows of any length, by vectors.
template <Cache kCache, class Walker>
HWY_INLINE void LongRows(const Walker& rows, std::int64_t run, const Byte* from, Byte* to) {
  rows.each(from, to, run,
            [run](const Byte* read, Byte* write) HWY_ATTR { CopyRun<kCache>(read, write, run); });
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
  if (run == 8) return Blocks<8>(rows, from, to);
  if (run == 16) return Blocks<16>(rows, from, to);
  if (run < 16) return ShortRows<2, 8>(rows, run, from, to);
  if (run < 32) return ShortRows<2, 16>(rows, run, from, to);
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
  const std::int64_t narrow = static_cast<std::int64_t>(hn::Lanes(hn::CappedTag<Byte, 32>()));
  switch ((run + narrow - 1) / narrow) {
    case 1: return Blocks<32>(rows, from, to);
    case 2: return ShortRows<2>(rows, run, from, to);
    case 3: return ShortRows<3>(rows, run, from, to);
    case 4: return ShortRows<4>(rows, run, from, to);
    case 5: return ShortRows<5>(rows, run, from, to);
    case 6: return ShortRows<6>(rows, run, from, to);
    case 7: return ShortRows<7>(rows, run, from, to);
    case 8: return ShortRows<8>(rows, run, from, to);
    default: break;
  }
  if (StringMoves(rows, run, from, to)) return;
  if (rows.to_many_places) return OneByOne(rows, run, from, to);
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
