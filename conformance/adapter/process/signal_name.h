#pragma once

#include <string>

namespace reshape::conformance {

// "SIGSEGV (a bad memory access)", "signal 42"
std::string signal_name(int signal);

// How a supervised process ended of a signal, in words: "died of SIGABRT (abort)", or that it was a
// bomb.
std::string death_by(int signal);

}  // namespace reshape::conformance
