#pragma once

#include <cstdint>
#include <numeric>

#include "optimized/kernels/machine.h"

// Limits of single kernels that the table needs as well.

namespace reshape::optimized {

// Copies of up to this many bytes stay in the last cache: nothing is prefetched for them.
inline std::int64_t nearby_bytes() { return last_cache_bytes() / 16 * 3; }

// The longest block that is shuffled in vectors, in bytes.
inline constexpr std::int64_t kMostShuffled = 512;

// The most rows that a list of their positions has room for, and the longest such row in bytes.
inline constexpr std::int64_t kMostListed = 2040, kLongestListed = 128;

// The longest step, in elements, that is taken in vectors.
inline constexpr std::int64_t kLongestStep = 4;

// How many runs of `run` bytes, read `step` bytes apart, lie within a window of `window` bytes and
// also fit into a vector of that size.
constexpr std::int64_t packed_at_once(std::int64_t run, std::int64_t step, std::int64_t window) {
  const std::int64_t far = step < 0 ? -step : step;
  if (run > window || far == 0) return 0;
  const std::int64_t read = (window - run) / far + 1, written = window / run;
  return read < written ? read : written;
}

// How many such runs must be left for the first ones to be packed: a whole vector is read and
// written, which must not go past the last run.
constexpr std::int64_t packed_from(std::int64_t run, std::int64_t step, std::int64_t window) {
  const std::int64_t far = step < 0 ? -step : step;
  const std::int64_t written = (window + run - 1) / run, read = (window - run + far - 1) / far + 1;
  return written > read ? written : read;
}

// Addresses this far apart, in bytes, share a set of the L1 cache, which keeps so many of them.
inline constexpr std::int64_t kSameSet = 4 << 10, kWays = 8;

// How many of `rows` lines that are `apart` bytes from each other share a set of the L1 cache.
constexpr std::int64_t lines_in_a_set(std::int64_t rows, std::int64_t apart) {
  return apart == 0 ? 1 : rows / (kSameSet / std::gcd(kSameSet, apart));
}

// Whether rows are a few bytes more or less apart than a multiple of `bytes`. At nearly kSameSet
// the lines of many rows share a set as well, and a store is taken for a load of another row.
constexpr bool are_nearly_apart(std::int64_t apart, std::int64_t bytes) {
  constexpr std::int64_t kFew = 16;
  const std::int64_t past = (apart % bytes + bytes) % bytes;
  return past != 0 && (past < kFew || bytes - past < kFew);
}

// Whether they are so many that they evict each other: what the first row has beside its first
// element is gone when the last one has been read.
constexpr bool evict_each_other(std::int64_t rows, std::int64_t apart) {
  return lines_in_a_set(rows, apart) > kWays;
}

// The most rows that one run is dealt to.
inline constexpr std::int64_t kMostSplit = 16;

// The longest output row, in bytes, that interleave deals from input rows; and around the caches,
// where the prefetcher follows so many rows.
inline constexpr std::int64_t kMostDealt = 256, kMostDealtAround = 640;

// The shortest output rows, in bytes, that deinterleave streams: where they are whole lines, and
// where they are not.
inline constexpr std::int64_t kStreamedLines = 128, kStreamedRow = 3 << 9;

// The same in elements, where all rows go through a stage.
inline constexpr std::int64_t kStreamed = 512;

// Rows are dealt to one run (interleave), or one run to rows (deinterleave).
enum class Dealing { kToRun, kFromRun };

// The speed of dealing by lookups, in percent of that by tiles of 16 bytes, for 5 to 15 rows of
// elements of `bytes` bytes, as measured on Zen 4; 0 where lookups are not used. Up to four rows
// have instructions of their own.
constexpr int lookups_speed(std::int64_t rows, std::int64_t bytes, Dealing way) {
  constexpr int kFirst = 5, kCounts = 11;
  constexpr int kToRun1[kCounts] = {235, 205, 170, 120, 190, 175, 140, 130, 110, 104, 90};
  constexpr int kFromRun1[kCounts] = {350, 350, 260, 0, 230, 205, 160, 150, 122, 115, 98};
  constexpr int kToRun2[kCounts] = {155, 135, 115, 0, 120, 108, 103, 103};
  constexpr int kFromRun2[kCounts] = {160, 140, 125, 0, 105};
  constexpr int kToRun4[kCounts] = {110}, kFromRun4[kCounts] = {106};
  if (rows < kFirst || rows >= kFirst + kCounts) return 0;
  const bool to_run = way == Dealing::kToRun;
  const std::int64_t at = rows - kFirst;
  if (bytes == 1) return (to_run ? kToRun1 : kFromRun1)[at];
  if (bytes == 2) return (to_run ? kToRun2 : kFromRun2)[at];
  if (bytes == 4) return (to_run ? kToRun4 : kFromRun4)[at];
  return 0;
}

// Whether rows of `along` elements are dealt faster by lookups than by tiles. A partly filled
// vector of each row costs as much as a whole one, and every call as much as one vector more.
inline bool dealt_by_lookups(std::int64_t rows, std::int64_t bytes, std::int64_t along,
                             Dealing way) {
  if (looks_up_small_slowly() && bytes < 4 && rows > (bytes == 1 ? 10 : 6)) return false;
  constexpr std::int64_t kVector = 64;
  const std::int64_t vectors = (along * bytes + kVector - 1) / kVector;
  return lookups_speed(rows, bytes, way) * along * bytes > 100 * kVector * (vectors + 1);
}

}  // namespace reshape::optimized
