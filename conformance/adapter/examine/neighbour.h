#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "conformance/adapter/contract/bare_calls.h"

namespace reshape::conformance {

// Calls again and again while another thread writes a byte behind the output or in a gap of it. A
// library that reads a whole line or word there and writes it back, unchanged as it read it, undoes
// what was written in between (duties C7 and C8). Where that was seen, a sentence. `refusal`: 0, or
// the error of the machine where it gives no other thread; then nothing was asked. Precondition:
// calls.lend_a_byte() is there.
std::optional<std::string> undone_beside(BareCalls& calls,
                                         std::chrono::steady_clock::time_point end, int& refusal);

}  // namespace reshape::conformance
