#pragma once

#include "conformance/adapter/adapter.h"
#include "conformance/adapter/contract/plugin_library.h"

namespace reshape::conformance {

// See Adapter::ask_under. A child that does not answer within so many milliseconds is killed. Returns only in
// the process that called.
Outcome examine_under(const PluginLibrary& library, const Request& request, Hardship hardship,
                      int milliseconds);

}  // namespace reshape::conformance
