#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "reference/tensor/result.h"

namespace reshape::conformance {

// Why `text` is no text, or nothing: a NUL ends what many readers see, so that a person and a program would read
// different things. The place is `path`, a line and a column.
std::optional<Error> not_plain_text(std::string_view text, const std::string& path);

// What read_file reads, where it is plain text.
Result<std::string> read_text(const std::string& path, std::size_t most);

}  // namespace reshape::conformance
