#pragma once

#include <memory>

#include "conformance/adapter/adapter.h"

namespace reshape::conformance {

// Calls the library in this process: fast, but a crash ends the program and there is no deadline.
// Process-wide state (files, threads, memory) is watched only while this is the only such adapter.
Result<std::unique_ptr<Adapter>> start_in_process(const AdapterOptions& options);

}  // namespace reshape::conformance
