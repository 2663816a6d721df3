#pragma once

#include <string>
#include <vector>

namespace reshape::conformance {

// Becomes the program that the first word names, with the words as its arguments; a name without a
// slash is looked for in the folders of PATH. No shell is started, not even for a file that only a
// shell could run. Returns an errno where that failed, or 0 where `why` says more.
int run_command(const std::vector<std::string>& words, std::string& why);

}  // namespace reshape::conformance
