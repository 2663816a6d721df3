#pragma once

#include <cstddef>
#include <string>

#include "reference/tensor/result.h"

namespace reshape::conformance {

// Reads a whole regular file of at most `most` bytes. A pipe or a device, which may block or never
// end, is refused before it is read. The error is one sentence; its place is the path.
Result<std::string> read_file(const std::string& path, std::size_t most);

}  // namespace reshape::conformance
