#pragma once

#include <span>
#include <string>

#include "conformance/run/result.h"

namespace reshape::conformance {

// The words before a kind of execution.
inline constexpr const char* kEachWith = ", each with ";

// What failing executions have in common besides their requests, to be appended to a sentence: ":
// the last element of each row; each is 0" (see wrong_in_common.h), ", each with ..." and words for
// the kind of execution, where all that are known to fail are of this kind. Empty where they have
// nothing in common, or too few fail.
//
// How else they were set up is told by set_up.h, which knows the executions that pass: those before
// the first that fails differ from it in several ways at once.
std::string executions_in_common(std::span<const CaseResult* const> failures);

}  // namespace reshape::conformance
