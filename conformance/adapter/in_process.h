#pragma once

#include <memory>

#include "conformance/adapter/adapter.h"

namespace reshape::conformance {

// Reaches the library in this very process: fast, but a crash ends the program and there is no
// deadline. What belongs to the whole process (files, threads, memory) is watched only as long as
// this is the one such adapter.
Result<std::unique_ptr<Adapter>> start_in_process(const AdapterOptions& options);

}  // namespace reshape::conformance
