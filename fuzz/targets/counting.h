#pragma once

#include "reference/resolve.h"
#include "reference/tensor/dialect.h"
#include "reference/tensor/ruling.h"

namespace reshape::fuzz {

// A third opinion on a ruling, from what its words mean and not from any rule's order: the shape that
// is produced stands in the pattern and keeps the count; where a volume is refused no size keeps it;
// where a -1 is inferred no other size does. Counts are natural numbers of any length; small ones are
// not divided, but every size is tried. Null when nothing is wrong, else what is.
const char* wrong_by_counting(const Dialect& dialect, const reference::Question& question,
                              const Ruling& ruling);

}  // namespace reshape::fuzz
