#pragma once

#include <optional>

#include "reference/tensor/dialect.h"

namespace reshape {

// Whether a 0 of the pattern copies the data's size: as the flag says, as the document reads a
// missing flag, or, in a document without a flag, always the same. False where a required flag is
// missing.
inline bool zero_copies(const Dialect& dialect, std::optional<bool> flag) {
  if (dialect.zero != ZeroRule::by_flag) return dialect.zero == ZeroRule::copies;
  return flag.value_or(dialect.flag_missing == MissingFlag::copies);
}

}  // namespace reshape
