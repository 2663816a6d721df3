#pragma once

#include <memory>

#include "conformance/adapter/adapter.h"

namespace reshape::conformance {

// Reaches the library in a process of its own, which is this program started again with the hidden
// arguments `host --library PATH --channel FD` (see serve_as_host). A host process that dies, hangs
// or speaks nonsense is killed together with everything it started, and the next request gets a new
// one. What the library prints is discarded, except for the last line before a death.
Result<std::unique_ptr<Adapter>> start_host_process(const AdapterOptions& options);

}  // namespace reshape::conformance
