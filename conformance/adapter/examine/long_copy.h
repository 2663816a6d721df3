#pragma once

#include "conformance/adapter/contract/plugin_library.h"
#include "conformance/model/outcome.h"
#include "conformance/model/request.h"

namespace reshape::conformance {

// A dense request of more bytes than 32 bits count, data of two axes whose sizes the pattern swaps, executed over pages that repeat, so that it takes little
// memory: Hardship::long_copy of Adapter::ask_under. It is executed where a copy of a part of it shows that it
// would take less than `milliseconds`, and where the machine could hold two of it, should the implementation
// take a buffer. Unsupported where not.
Outcome examine_long_copy(const PluginLibrary& library, const Request& request, int milliseconds);

}  // namespace reshape::conformance
