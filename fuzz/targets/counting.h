#pragma once

#include "reference/resolve.h"
#include "reference/tensor/dialect.h"
#include "reference/tensor/ruling.h"

namespace reshape::fuzz {

// Checks a ruling by counting elements, independently of the order of the rules: a produced shape
// agrees with the pattern and keeps the volume; where the volume is the reason of a refusal, no
// size keeps it; where a -1 is inferred, no other size keeps it. Volumes are exact; small ones are
// checked by trying every size. Returns null where the ruling is right, else what is wrong.
const char* wrong_by_counting(const Dialect& dialect, const reference::Question& question,
                              const Ruling& ruling);

}  // namespace reshape::fuzz
