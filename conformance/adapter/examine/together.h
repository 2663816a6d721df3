#pragma once

#include <vector>

#include "conformance/adapter/contract/plugin_library.h"
#include "conformance/model/outcome.h"
#include "conformance/model/request.h"

namespace reshape::conformance {

enum class Threads { one_each, none };

// Examines each request in a thread of its own, or the same in turn on this thread; see
// Adapter::ask_together and ask_in_turn. Process-wide state is not watched.
std::vector<Outcome> examine_together(const PluginLibrary& library,
                                      const std::vector<Request>& requests, int times,
                                      Threads threads, int milliseconds = 0);

}  // namespace reshape::conformance
