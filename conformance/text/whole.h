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

// Checks what needs the whole request: lists of the right length, strides that stay within 63-bit
// positions, words that exclude each other.
std::optional<Contradiction> contradiction(const Request& request);

}  // namespace reshape::conformance
