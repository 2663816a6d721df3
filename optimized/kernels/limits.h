#pragma once

#include <cstdint>

// What the table has to know of single kernels.

namespace reshape::optimized {

// The longest block that is shuffled in vectors.
inline constexpr std::int64_t kMostShuffled = 512;

// The longest step, in elements, that is taken in vectors.
inline constexpr std::int64_t kLongestStep = 4;

// The longest output row, in bytes, that is dealt from as many input rows.
inline constexpr std::int64_t kMostDealt = 256;

}  // namespace reshape::optimized
