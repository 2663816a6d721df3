#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "reference/tensor/result.h"

namespace reshape::fuzz {

using Input = std::vector<std::uint8_t>;

// The bytes of a regular file of at most 1 MiB, which is as long as libFuzzer makes an input. The
// error is one sentence.
Result<Input> read_input(const std::filesystem::path& file);
// False when it cannot be written.
bool write_input(const std::filesystem::path& file, const Input& bytes);
bool write_text(const std::filesystem::path& file, std::string_view text);

Input bytes_of(std::string_view text);
// The given files, and all regular files below the given folders, sorted.
Result<std::vector<std::filesystem::path>> files_below(const std::vector<std::string>& paths);

// Says the sentence on standard error and gives `code` back.
int stop(int code, const std::string& sentence);

}  // namespace reshape::fuzz
