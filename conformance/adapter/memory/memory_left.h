#pragma once

#include <cstdint>

namespace reshape::conformance {

// Bytes that the machine, and every control group that this process is in, can still give; what the page cache
// holds counts as free.
std::uint64_t memory_left();

// How many processes of this process's control group the kernel has ended for lack of memory; 0 where that is not
// counted.
std::uint64_t ended_for_memory();

}  // namespace reshape::conformance
