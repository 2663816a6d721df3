#pragma once

#include <cstdint>

// What the table has to know of single kernels.

namespace reshape::optimized {

// The longest output row, in bytes, that is dealt from as many input rows.
inline constexpr std::int64_t kMostDealt = 256;

}  // namespace reshape::optimized
