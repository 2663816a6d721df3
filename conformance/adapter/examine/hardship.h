#pragma once

#include "conformance/adapter/adapter.h"
#include "conformance/adapter/contract/plugin_library.h"

namespace reshape::conformance {

// See Adapter::ask_under. A forked child that does not answer within `milliseconds` is killed.
// Returns only in the calling process.
Outcome examine_under(const PluginLibrary& library, const Request& request, Hardship hardship,
                      int milliseconds);

}  // namespace reshape::conformance
