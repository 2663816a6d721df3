#pragma once

#include <cstddef>
#include <cstdint>

#include "optimized/kernels/nest.h"

namespace reshape::optimized {

// Which loop over 4-bit elements is shared between threads: in up to `granules` pieces, each of
// whole granules except the last.
struct HalfBytesCut {
  std::size_t loop = 0;       // in UnitNest::loops
  std::int64_t granule = 1;   // steps
  std::int64_t granules = 0;  // below 2: none can be shared

  // The step that a piece begins with, of `count` in `pieces`.
  std::int64_t border(std::int64_t piece, std::int64_t pieces, std::int64_t count) const {
    return piece == pieces ? count : granules * piece / pieces * granule;
  }
};

// Chooses a cut where no two pieces write halves of one byte, provided that the first element
// written is a low half. Prefers a loop that is contiguous on neither side, since cutting it
// shortens no run; otherwise the longest.
HalfBytesCut half_bytes_cut(const UnitNest& nest, int threads, std::int64_t pieces_per_thread);

}  // namespace reshape::optimized
