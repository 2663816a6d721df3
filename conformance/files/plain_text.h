#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "reference/tensor/result.h"

namespace reshape::conformance {

// Reads a whole regular file of at most `most` bytes. A pipe or a device, which may block or never
// end, is refused before it is read. The error is one sentence; its place is the path.
Result<std::string> read_file(const std::string& path, std::size_t most);

// An error, at "path:line:column", where `text` contains a NUL or bytes that are no UTF-8; nothing
// where it is plain text. Many programs stop reading at a NUL, and each shows other bytes in its own
// way, so a person and a program could see different texts.
// of_any_encoding: the file says itself what its bytes mean, and NULs alone are looked for.
enum class Bytes : bool { utf8, of_any_encoding };
std::optional<Error> not_plain_text(std::string_view text, const std::string& path,
                                    Bytes bytes = Bytes::utf8);

// Like read_file(), and an error unless the file is plain text.
Result<std::string> read_text(const std::string& path, std::size_t most, Bytes bytes = Bytes::utf8);

}  // namespace reshape::conformance
