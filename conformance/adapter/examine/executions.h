#pragma once

#include <chrono>

#include "conformance/adapter/contract/plugin_library.h"
#include "conformance/model/outcome.h"
#include "conformance/model/request.h"

namespace reshape::conformance {

// Hardship::executed_in_turn of Adapter::ask_under: executes small requests in turn, of the
// document, the types and the flag of `request`, with no inference in between. The pattern, the
// data and the output stay at their addresses while values and sizes change. Each one is compared
// with its own execution directly after its inference; and so is the inference that follows an
// execution. Malformed where one differs; unsupported where those that are to be answered are not,
// `end` came first, or there is no memory.
Outcome examine_executions(const PluginLibrary& library, const Request& request,
                           std::chrono::steady_clock::time_point end);

}  // namespace reshape::conformance
