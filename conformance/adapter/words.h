#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace reshape::conformance {

// What a library said or left, made fit for a sentence: see printable().
std::string brief(std::string_view text, std::size_t most = 200);

// "SIGSEGV (a bad memory access)", "signal 42"
std::string signal_words(int signal);

}  // namespace reshape::conformance
