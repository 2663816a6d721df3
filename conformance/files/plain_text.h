#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "reference/tensor/result.h"

namespace reshape::conformance {

// An error, at "path:line:column", where `text` contains a NUL; nothing where it is plain text.
// Many programs stop reading at a NUL, so a person and a program could see different texts.
std::optional<Error> not_plain_text(std::string_view text, const std::string& path);

// Like read_file(), and an error unless the file is plain text.
Result<std::string> read_text(const std::string& path, std::size_t most);

}  // namespace reshape::conformance
