#include "fuzz/campaign/files.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <system_error>

#include "conformance/files/plain_text.h"

namespace reshape::fuzz {

namespace fs = std::filesystem;

Result<Input> read_input(const fs::path& file) {
  constexpr std::size_t kLongest = 1 << 20;
  const Result<std::string> bytes = conformance::read_file(file.string(), kLongest);
  if (!bytes) return bytes.error();
  return bytes_of(*bytes);
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

Result<std::vector<fs::path>> files_below(const std::vector<std::string>& paths) {
  std::vector<fs::path> files;
  for (const std::string& path : paths) {
    std::error_code none;
    // What is not there at all is told when it is read.
    if (!fs::is_directory(path, none)) {
      files.emplace_back(path);
      continue;
    }
    std::error_code failure;
    fs::recursive_directory_iterator entry(path, failure);
    for (const fs::recursive_directory_iterator end; !failure && entry != end;
         entry.increment(failure)) {
      if (entry->is_regular_file(none)) files.push_back(entry->path());
    }
    if (failure) return Error{"cannot be listed: " + failure.message(), path};
  }
  std::sort(files.begin(), files.end());
  return files;
}

int stop(int code, const std::string& sentence) {
  std::fprintf(stderr, "reshape-fuzz: %s\n", sentence.c_str());
  return code;
}

}  // namespace reshape::fuzz
