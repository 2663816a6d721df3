#pragma once

#include <cstddef>
#include <optional>

#include "optimized/plan.h"
#include "optimized/reshape.h"

namespace reshape::optimized {

// Small copies that were asked for twice, planned and prepared: planning takes longer than copying a few KiB,
// and who copies in a loop asks the same again. They are known by the axes of their two sides, so that layouts
// that differ only in how they are written share one. There is room for some hundreds, and they are of this
// process; nothing is allocated for them, and no call waits for another: what is in use by another thread is
// planned anew.

// Runs a copy that is known, as run() does; nothing, and nothing is done, where it is not known.
// Precondition of both functions: the sides were looked at.
std::optional<Ran> run_known(ElementType type, const Side& data, const Side& output,
                             const std::byte* read_base, std::byte* write_base);

// Makes the copy known if it was asked for before and is small. `plan` is its plan.
void remember(ElementType type, const Side& data, const Side& output, const CopyPlan& plan);

}  // namespace reshape::optimized
