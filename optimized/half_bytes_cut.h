#pragma once

#include <cstddef>
#include <cstdint>

#include "optimized/kernels/nest.h"

namespace reshape::optimized {

// Which loop over 4-bit elements threads share: up to `granules` pieces, each of whole granules but the last.
struct HalfBytesCut {
  std::size_t loop = 0;  // in UnitNest::loops
  std::int64_t granule = 1;
  std::int64_t granules = 0;  // below 2: none can be shared

  // The step that a piece begins with, of `count` in `pieces`.
  std::int64_t border(std::int64_t piece, std::int64_t pieces, std::int64_t count) const {
    return piece == pieces ? count : granules * piece / pieces * granule;
  }
};

// No two pieces write halves of one byte, if the first element that is written is a lower half. A loop that
// neither side goes along element by element is cut before one that a side does, whose runs become shorter, and
// of those the longest.
HalfBytesCut half_bytes_cut(const UnitNest& nest, int threads, std::int64_t pieces_per_thread);

}  // namespace reshape::optimized
