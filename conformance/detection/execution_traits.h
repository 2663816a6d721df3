#pragma once

#include <span>
#include <string>

#include "conformance/run/result.h"

namespace reshape::conformance {

// The words before a set-up.
inline constexpr const char* kFirstSeenWith = ", each first seen with ";

// What failing executions have in common besides their requests, to be appended to a sentence: ":
// the last element of each row; each is 0" (see wrong_in_common.h), ", each first seen with ..."
// and words for the set-up. Empty where they have nothing in common, or too few fail.
//
// The set-up is that of each case's first wrong execution. Only what these share is named, without
// what the first execution of every request has, and only if they do not all have the same set-up.
std::string executions_in_common(std::span<const CaseResult* const> failures);

}  // namespace reshape::conformance
