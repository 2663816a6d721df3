#pragma once

#include <string>

namespace reshape::conformance {

// The word, quoted if a shell would split or expand it.
std::string shell_word(const std::string& word);

}  // namespace reshape::conformance
