#pragma once

#include <optional>
#include <string>

#include "conformance/model/request.h"

namespace reshape::conformance {

// A contradiction between the words of one line: which word, and what is wrong with it.
struct Contradiction {
  std::string word;  // "strides"
  std::string message;
};

// What only the whole request can tell: lists of the right length, strides that stay inside what 63
// bits can address, words that exclude each other. Sound for every request that parse_line gives.
std::optional<Contradiction> contradiction(const Request& request);

}  // namespace reshape::conformance
