#include "fuzz/campaign/files.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <system_error>

namespace reshape::fuzz {

namespace fs = std::filesystem;

Input read_input(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

bool write_input(const fs::path& file, const Input& bytes) {
  return write_text(file, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

bool write_text(const fs::path& file, std::string_view text) {
  std::error_code failure;
  fs::create_directories(file.parent_path(), failure);
  std::ofstream stream(file, std::ios::binary);
  stream.write(text.data(), static_cast<std::streamsize>(text.size()));
  return static_cast<bool>(stream.flush());
}

Input bytes_of(std::string_view text) { return {text.begin(), text.end()}; }

std::vector<fs::path> files_below(const std::vector<std::string>& paths) {
  std::vector<fs::path> files;
  for (const std::string& path : paths) {
    std::error_code none;
    if (!fs::is_directory(path, none)) {
      files.emplace_back(path);
      continue;
    }
    for (const auto& entry : fs::recursive_directory_iterator(path, none)) {
      if (entry.is_regular_file(none)) files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace reshape::fuzz
