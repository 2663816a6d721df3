#pragma once

#include <string>
#include <string_view>

namespace reshape::conformance {

// Adds terminal colours to one line (without its line end) of a command's output: failures and
// verdicts, recognized by the first word, the labels below a failure, and the conclusion of a run.
// Returns any other line unchanged. Reports themselves are written without colours.
std::string painted(std::string_view line);

}  // namespace reshape::conformance
