#pragma once

#include <cstdint>

namespace reshape::conformance {

// Bytes that the machine, and every control group of this process, can still provide; the page
// cache counts as free.
std::uint64_t memory_left();

// Bytes that the shell allows one process (ulimit -d, -v), whatever it has taken of them; the largest
// number where it sets no limit.
std::uint64_t memory_of_a_process();

// What a process takes that asks a library, beside the tensors of its request.
inline constexpr std::uint64_t kTakenBesides = 64 << 20;

// How many processes of this process's control group the kernel has killed for lack of memory; 0
// where that is not counted.
std::uint64_t ended_for_memory();

}  // namespace reshape::conformance
