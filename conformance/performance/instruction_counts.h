#pragma once

#include <functional>

namespace reshape::conformance::performance {

// Runs `counted`. Under callgrind, its instructions alone are written into callgrind's next file.
void count_instructions(const std::function<void()>& counted);

}  // namespace reshape::conformance::performance
