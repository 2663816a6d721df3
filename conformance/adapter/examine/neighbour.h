#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "conformance/adapter/contract/bare_calls.h"

namespace reshape::conformance {

// Executes again and again while another thread writes these bytes, which lie behind the output or in
// its gaps. A library that reads a whole line or word there and writes it back, unchanged as it read
// it, undoes what was written in between (duties C7 and C8). Where that was seen, a sentence, of the
// elements where these are wrong by then. `refusal`: 0, or the error of the machine where it gives no other thread;
// then nothing was asked. Precondition: calls.executes().
std::optional<std::string> undone_beside(BareCalls& calls, const std::vector<std::byte*>& bytes,
                                         std::chrono::steady_clock::time_point end, int& refusal);

}  // namespace reshape::conformance
