#pragma once

#include <string>

#include "reference/tensor/result.h"

namespace reshape::conformance {

// Writes a file in one step: beside it under another name, then renamed over it. Nothing half-written
// is ever seen under `path`, and after an error the old file is still there. Where `path` is a link, what
// it names is written; the mode of a file that was there is kept. The value is the path.
//   What is open already (/dev/stdout, a process substitution) and devices are written in place; every other thing
// that is no regular file is refused: a pipe would wait for its reader without a bound.
Result<std::string> write_file(const std::string& path, const std::string& text);

// Whether what write_file writes there is all that is there afterwards: in place, the next one comes behind it.
bool is_replaced(const std::string& path);

// Whether write_file could work, tried before the work whose result is to be written.
Result<std::string> check_writable(const std::string& path);

}  // namespace reshape::conformance
