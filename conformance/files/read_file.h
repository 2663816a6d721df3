#pragma once

#include <cstddef>
#include <string>

#include "reference/tensor/result.h"

namespace reshape::conformance {

// The whole of a regular file of at most `most` bytes. What would wait for ever or never end (a pipe, a
// device) is refused before it is read. The error is one sentence, and its place the path.
Result<std::string> read_file(const std::string& path, std::size_t most);

}  // namespace reshape::conformance
