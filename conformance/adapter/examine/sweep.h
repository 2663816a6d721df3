#pragma once

#include <chrono>
#include <vector>

#include "conformance/adapter/contract/plugin_library.h"
#include "conformance/model/outcome.h"
#include "conformance/model/request.h"

namespace reshape::conformance {

// See Adapter::ask_swept. Stops at `end`; then fewer were asked, and the outcome is cut short.
Outcome examine_sweep(const PluginLibrary& library, const std::vector<Request>& requests,
                      std::chrono::steady_clock::time_point end);

}  // namespace reshape::conformance
