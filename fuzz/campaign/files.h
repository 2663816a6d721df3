#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace reshape::fuzz {

using Input = std::vector<std::uint8_t>;

Input read_input(const std::filesystem::path& file);
// False when it cannot be written.
bool write_input(const std::filesystem::path& file, const Input& bytes);
bool write_text(const std::filesystem::path& file, std::string_view text);
Input bytes_of(std::string_view text);
// The given files, and all files below the given folders, sorted.
std::vector<std::filesystem::path> files_below(const std::vector<std::string>& paths);

}  // namespace reshape::fuzz
