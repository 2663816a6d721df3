#pragma once

#include <cstddef>

#include "optimized/seam_rows.h"
#include "optimized/target.h"

namespace reshape::optimized {

// Copies a seam of 4-bit elements, on one thread only: two rows may share a byte.
void copy_half_bytes(const SeamOfRows& seam, const std::byte* read, std::byte* write,
                     const Target& target);

}  // namespace reshape::optimized
