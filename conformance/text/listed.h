#pragma once

#include <span>
#include <string>

namespace reshape::conformance {

// "a, b and c"
inline std::string listed(std::span<const std::string> words) {
  std::string text;
  for (std::size_t at = 0; at < words.size(); ++at) {
    text += (at == 0 ? "" : at + 1 == words.size() ? " and " : ", ") + words[at];
  }
  return text;
}

}  // namespace reshape::conformance
