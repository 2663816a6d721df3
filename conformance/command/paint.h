#pragma once

#include <string>
#include <string_view>

namespace reshape::conformance {

// One line of what commands print, with the colours of a terminal: failures and verdicts by the word that the
// line begins with, the labels of a failure dim, the conclusion of a run. Any other line is returned as it is.
// Reports know of no terminal; whoever writes to one calls this for each line, without its line end.
std::string painted(std::string_view line);

}  // namespace reshape::conformance
