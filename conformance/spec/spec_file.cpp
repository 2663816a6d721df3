#include "conformance/spec/spec_file.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <system_error>
#include <utility>

#include "conformance/files/plain_text.h"

namespace reshape::conformance {

namespace fs = std::filesystem;

namespace {

// The lock of an editor, or what a file system without attributes keeps of them.
bool is_left_beside(const std::string& name) {
  return name.starts_with(".#") || name.starts_with("._");
}

constexpr std::size_t kLargestFile = std::size_t{16} << 20;  // bytes; those of specs/ have 0.1 MiB

}  // namespace

Result<std::vector<SpecFile>> read_spec_files(const std::string& folder) {
  std::error_code failure;
  if (!fs::is_directory(folder, failure)) return Error{"no such folder", folder};
  std::vector<SpecFile> files;
  fs::recursive_directory_iterator entry(folder, failure);
  for (const fs::recursive_directory_iterator end; !failure && entry != end;
       entry.increment(failure)) {
    const fs::path& path = entry->path();
    const std::string name = path.filename().string();
    const bool is_folder = entry->is_directory(failure);
    if (is_folder && (name.front() == '.' || (entry.depth() == 0 && name == "schema"))) {
      entry.disable_recursion_pending();
    }
    if (is_folder) continue;
    const std::string below = fs::path(path).lexically_relative(folder).generic_string();
    std::string extension = path.extension().string();
    for (char& letter : extension)
      letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    if (name.front() == '.') {
      // Beside the folders of documents and cases lie the settings of tools.
      if (entry.depth() == 0 || extension != ".yaml" || is_left_beside(name)) continue;
      return Error{"not read: its name begins with a dot; rename it, or move it elsewhere",
                   folder + '/' + below};
    }
    if (extension == ".yml" || extension == ".json" ||
        (extension == ".yaml" && path.extension() != ".yaml")) {
      return Error{"not read: name it .yaml", folder + '/' + below};
    }
    if (extension != ".yaml") continue;
    Result<std::string> text = read_text(folder + '/' + below, kLargestFile);
    if (!text) return text.error();
    files.push_back({below, *std::move(text)});
  }
  if (failure) return Error{"cannot be listed: " + failure.message(), folder};
  std::ranges::sort(files, {}, &SpecFile::path);
  return files;
}

}  // namespace reshape::conformance
