#pragma once

#include <span>
#include <string>

#include "conformance/run/result.h"

namespace reshape::conformance {

// What the wrong elements of nearly all of these failures (all but one in twenty) have in common:
// "the last element of each row; each is 0", followed by " (61 of 64)" if there are exceptions.
// Empty where they have nothing in common, or there are fewer than three failures.
std::string wrong_elements_in_common(std::span<const CaseResult* const> failures);

// The same of the wrong shapes of these failures: "the -1 is the quotient rounded down".
std::string wrong_shapes_in_common(std::span<const CaseResult* const> failures);

// Of three wrong shapes or more that break the same, takes back what is said of one of them and is
// true of one or two, and of fewer than half: it may be a coincidence. Says instead what nearly all
// have in common.
void say_what_most_shapes_share(std::span<CaseResult> cases);

// Whether the sizes that were answered are what a fault is about: those of a wrong shape, or such
// as are none because some are negative, which are explained alike.
bool is_about_sizes(const Fault& fault);

// Either of them.
std::string wrong_in_common(std::span<const CaseResult* const> failures);

// The part about the values of the elements: "is 0".
std::string wrong_values_in_common(std::span<const CaseResult* const> failures);

}  // namespace reshape::conformance
