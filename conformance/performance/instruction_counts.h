#pragma once

#include <functional>

namespace reshape::conformance::performance {

// Runs `counted`, and where this process runs under callgrind, has its instructions, and nothing
// else's, written into callgrind's next file. Elsewhere it only runs it.
void count_instructions(const std::function<void()>& counted);

}  // namespace reshape::conformance::performance
