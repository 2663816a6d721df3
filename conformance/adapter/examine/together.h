#pragma once

#include <vector>

#include "conformance/adapter/contract/plugin_library.h"
#include "conformance/model/outcome.h"
#include "conformance/model/request.h"

namespace reshape::conformance {

// Examines each request in a thread of its own; see Adapter::ask_together. What belongs to the whole
// process is not watched.
std::vector<Outcome> examine_together(const PluginLibrary& library,
                                      const std::vector<Request>& requests, int times,
                                      int milliseconds = 0);

}  // namespace reshape::conformance
