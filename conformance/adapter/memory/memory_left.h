#pragma once

#include <cstdint>

namespace reshape::conformance {

// Bytes that the machine, and every control group of this process, can still provide; the page
// cache counts as free.
std::uint64_t memory_left();

// How many processes of this process's control group the kernel has killed for lack of memory; 0
// where that is not counted.
std::uint64_t ended_for_memory();

}  // namespace reshape::conformance
