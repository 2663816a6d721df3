#pragma once

#include <string>

#include "conformance/model/clause.h"
#include "reference/tensor/result.h"

namespace reshape::conformance {

// Compares `suite` with an older one, given as the output of its `list --json`. One line for each
// case that is new, was changed under its id, was renamed or is gone, and then the counts. An error
// where `older` is no such list.
Result<std::string> changes_since(const std::string& older, const Suite& suite);

}  // namespace reshape::conformance
