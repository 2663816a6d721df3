#pragma once

#include <optional>

#include "reference/tensor/dialect.h"

namespace reshape {

// Whether a 0 of the pattern copies, with the flag as it is given: by the flag, by what the document takes a
// missing one for, or as in every request of a document that has none. False where the flag is missing and
// must not be.
inline bool zero_copies(const Dialect& dialect, std::optional<bool> flag) {
  if (dialect.zero != ZeroRule::by_flag) return dialect.zero == ZeroRule::copies;
  return flag.value_or(dialect.flag_missing == MissingFlag::copies);
}

}  // namespace reshape
