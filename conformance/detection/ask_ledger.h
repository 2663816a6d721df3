#pragma once

#include <cstddef>
#include <functional>

#include "conformance/adapter/adapter.h"
#include "conformance/self/mutant.h"

namespace reshape::conformance {

// The options to start a mutant: in a process of its own, like `run -i mutant:NAME`.
AdapterOptions reach(const self::Mutant& mutant, double deadline_seconds);

// Calls task(0) .. task(count - 1), each once, on this thread and `jobs` - 1 more. For asking
// mutants, which mostly means starting processes.
void at_once(std::size_t count, int jobs, const std::function<void(std::size_t)>& task);

}  // namespace reshape::conformance
