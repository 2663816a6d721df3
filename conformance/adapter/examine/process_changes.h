#pragma once

#include "conformance/model/outcome.h"

namespace reshape::conformance {

// Whether calls of an examination changed the process (duty C14), without it being known which
// ones.
bool changes_process(const Outcome& outcome);

// Moves such observations in `outcome` to the execution to which `closely`, an examination with
// checks after each call, attributes them.
void tell_by_which_execution(const Outcome& closely, Outcome& outcome);

}  // namespace reshape::conformance
