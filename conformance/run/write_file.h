#pragma once

#include <optional>
#include <string>

#include "reference/tensor/result.h"

namespace reshape::conformance {

// Replaces a file atomically: writes it under another name, then renames it. After an error the old
// file is still there. Where `path` is a link, its target is written; an existing file's mode is
// kept. Returns the path. Open descriptors (/dev/stdout, a process substitution) and character
// devices are written in place; anything else that is not a regular file is refused, since a pipe
// would block until somebody reads.
Result<std::string> write_file(const std::string& path, const std::string& text);

// Whether write_file replaces what is there. False for files that are written in place: texts are
// appended.
bool is_replaced(const std::string& path);

// Of a name that stands for a stream which this program was given ("-", /dev/stdout, /dev/fd/7): its
// descriptor.
std::optional<int> descriptor_of(const std::string& path);

// Whether write_file would succeed; to be called before the work whose result is to be written.
Result<std::string> check_writable(const std::string& path);

}  // namespace reshape::conformance
