#pragma once

#include <span>
#include <string>

#include "conformance/run/result.h"

namespace reshape::conformance {

// What failing executions have in common that no request tells, in words to go behind a sentence: ": the last
// element of each row; each is 0", ", first seen with payload=hard placement=back". Empty where they have nothing
// in common, or too few fail.
//
// Of wrong elements see wrong_in_common.h. The set-up is that of the first execution of each case that is at fault:
// what they share, but for what the first execution of every request has, and only where it is not always the same
// one.
std::string executions_in_common(std::span<const CaseResult* const> failures);

}  // namespace reshape::conformance
