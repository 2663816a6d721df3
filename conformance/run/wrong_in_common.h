#pragma once

#include <span>
#include <string>

#include "conformance/run/result.h"

namespace reshape::conformance {

// What can be said of the wrong elements of nearly all of these failures (all, or of many all but one in twenty):
// "the last element of each row; each is 0", with the number where it is not of all: " (61 of 64)". Empty where
// nothing can be said, or of fewer than three failures.
std::string wrong_in_common(std::span<const CaseResult* const> failures);

// What nearly all of them hold instead of what is right: "is 0".
std::string wrong_values_in_common(std::span<const CaseResult* const> failures);

}  // namespace reshape::conformance
