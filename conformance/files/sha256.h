#pragma once

#include <string>
#include <string_view>

#include "reference/tensor/result.h"

namespace reshape::conformance {

// SHA-256 (FIPS 180-4) as 64 lower-case hexadecimal digits, as sha256sum prints it.
std::string sha256(std::string_view bytes);

// The same for a regular file, which may be larger than memory.
Result<std::string> sha256_of_file(const std::string& path);

}  // namespace reshape::conformance
