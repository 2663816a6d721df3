#pragma once

#include <algorithm>
#include <cstdint>

#include "optimized/thread_pool.h"

namespace reshape::optimized {

// Calls copy(begin, end) for pieces of `total` positions of `bytes` bytes each. Pieces begin at
// multiples of `granule`, and are large enough to be worth fetching. `pool` may be null.
template <typename Copy>
void share_out(std::int64_t total, std::int64_t granule, std::int64_t bytes, ThreadPool* pool,
               Copy copy) {
  constexpr std::int64_t kBytesPerPiece = 256 << 10, kMostPieces = 256;
  const std::int64_t granules = total / granule;
  const std::int64_t pieces = std::min({kMostPieces, total * bytes / kBytesPerPiece, granules});
  if (pool == nullptr || pool->threads() < 2 || pieces < 2) return copy(0, total);
  const auto border = [&](std::int64_t piece) {
    return piece == pieces ? total : granules * piece / pieces * granule;
  };
  pool->run(static_cast<int>(pieces), [&](int piece) { copy(border(piece), border(piece + 1)); });
}

}  // namespace reshape::optimized
