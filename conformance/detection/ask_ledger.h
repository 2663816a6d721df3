#pragma once

#include <cstddef>
#include <functional>

#include "conformance/adapter/adapter.h"
#include "conformance/self/mutant.h"

namespace reshape::conformance {

// How a mutant is reached: in a process of its own, as `run -i mutant:NAME` reaches it.
AdapterOptions reach(const self::Mutant& mutant, double deadline_seconds);

// Calls task(0) .. task(count - 1), each once, on this thread and `jobs` - 1 more. Most of the time of
// asking a mutant goes into starting its process.
void at_once(std::size_t count, int jobs, const std::function<void(std::size_t)>& task);

}  // namespace reshape::conformance
