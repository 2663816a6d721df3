#pragma once

#include <cstddef>
#include <string>

namespace reshape::conformance {

// "1 case", "2 cases"
inline std::string counted(std::size_t count, const std::string& word) {
  return std::to_string(count) + ' ' + word + (count == 1 ? "" : "s");
}

}  // namespace reshape::conformance
