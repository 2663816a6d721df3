#pragma once

#include "conformance/model/outcome.h"

namespace reshape::conformance {

// Whether the process was changed by the calls of an examination, nobody knows by which (duty C14).
bool changes_process(const Outcome& outcome);

// What a closer look, behind each call, saw of an execution and not of inference is told of that execution.
void tell_by_which_execution(const Outcome& closely, Outcome& outcome);

}  // namespace reshape::conformance
