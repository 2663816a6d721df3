#pragma once

#include <string>

#include "conformance/model/clause.h"
#include "reference/tensor/result.h"

namespace reshape::conformance {

// What of `suite` is not as in an older one, of which `list --json` wrote `older`: a line for each case that is
// new, asks or expects something else under its id, asks the same under another id, or is gone; then the counts.
// The error: `older` is no such list.
Result<std::string> changes_since(const std::string& older, const Suite& suite);

}  // namespace reshape::conformance
