#pragma once

#include <string>

namespace reshape::conformance {

// "SIGSEGV (a bad memory access)", "signal 42"
std::string signal_name(int signal);

}  // namespace reshape::conformance
