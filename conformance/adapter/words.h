#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace reshape::conformance {

// Text from outside, made fit for reports: control characters and broken UTF-8 become '?', and what
// is longer than `most` bytes ends in "...".
std::string printable(std::string_view text, std::size_t most = 200);

// "SIGSEGV (a bad memory access)", "signal 42"
std::string signal_words(int signal);

}  // namespace reshape::conformance
