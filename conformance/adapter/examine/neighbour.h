#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "conformance/adapter/contract/bare_calls.h"

namespace reshape::conformance {

// Calls again and again while another thread writes the byte behind the output. A library that
// reads a whole line there and writes it back, unchanged as it read it, undoes what was written in
// between (duty C7). Where that was seen, a sentence. `refusal`: 0, or the error of the machine where
// it gives no other thread; then nothing was asked. Precondition: calls.behind_output() is there.
std::optional<std::string> undone_beside(BareCalls& calls,
                                         std::chrono::steady_clock::time_point end, int& refusal);

}  // namespace reshape::conformance
