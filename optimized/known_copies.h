#pragma once

#include <cstddef>
#include <optional>

#include "optimized/plan.h"
#include "optimized/reshape.h"

namespace reshape::optimized {

// A cache of small copies, planned and prepared: planning takes longer than copying a few KiB, and
// a caller that copies in a loop repeats its requests. A copy enters at its second request. The key
// is the element type, the offsets and the collapsed axes of both sides, so equivalent layouts
// share an entry. The cache belongs to the process, has a fixed size of some hundred entries, and
// allocates nothing but what a plan across a seam holds. No call waits: an entry that another
// thread is using counts as a miss.

// Runs a known copy, as run() does; nothing, with nothing done, where the copy is not known.
// Precondition of both functions: look_at() was called on both sides.
std::optional<Ran> run_known(ElementType type, const Side& data, const Side& output,
                             const std::byte* read_base, std::byte* write_base);

// Enters the copy if it is small and this is its second request in a row. `plan` is its plan.
void remember(ElementType type, const Side& data, const Side& output, const CopyPlan& plan);

}  // namespace reshape::optimized
