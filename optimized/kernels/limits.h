#pragma once

#include <cstdint>

#include "optimized/kernels/machine.h"

// What the table has to know of single kernels.

namespace reshape::optimized {

// What stays in the second cache is not asked for ahead: copies of up to so many bytes.
inline constexpr std::int64_t kNearby = 512 << 10;

// The longest block that is shuffled in vectors.
inline constexpr std::int64_t kMostShuffled = 512;

// The longest step, in elements, that is taken in vectors.
inline constexpr std::int64_t kLongestStep = 4;

// How many runs of so many bytes, read at such steps, lie within a window of `window` bytes, and are no more.
constexpr std::int64_t packed_at_once(std::int64_t run, std::int64_t step, std::int64_t window) {
  const std::int64_t far = step < 0 ? -step : step;
  if (run > window || far == 0) return 0;
  const std::int64_t read = (window - run) / far + 1, written = window / run;
  return read < written ? read : written;
}

// How many such runs there have to be for the first to be packed, if any are at once: a vector is read and written
// whole.
constexpr std::int64_t packed_from(std::int64_t run, std::int64_t step, std::int64_t window) {
  const std::int64_t far = step < 0 ? -step : step;
  const std::int64_t written = (window + run - 1) / run, read = (window - run + far - 1) / far + 1;
  return written > read ? written : read;
}

// The most rows that one run is dealt to.
inline constexpr std::int64_t kMostSplit = 16;

// The longest output row, in bytes, that is dealt from as many input rows.
inline constexpr std::int64_t kMostDealt = 256;

// Whether that many rows of such elements are better dealt by lookups in vectors, of which each vector
// takes one for two rows, than in tiles 16 bytes wide, which the rows have to fill. Up to four have
// instructions of their own.
inline bool dealt_by_lookups(std::int64_t rows, std::int64_t bytes) {
  if (rows <= 4 || rows >= kMostSplit || rows * bytes == 16 || rows * bytes > 24) return false;
  if (bytes >= 4) return true;
  if (!looks_up_small_slowly()) return bytes == 1 || rows <= 10;
  return rows <= (bytes == 1 ? 10 : 6);
}

}  // namespace reshape::optimized
