#include "conformance/adapter/process/own_folder.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace reshape::conformance {
namespace {

namespace fs = std::filesystem;

constexpr const char* kName = "reshape-host-";

std::string& adopted() {
  static std::string folder;
  return folder;
}

// What nobody may enter or read is opened to its owner, so that it can be removed.
void remove_tree(const fs::path& path) {
  std::error_code ignored;
  if (fs::is_directory(fs::symlink_status(path, ignored))) {
    chmod(path.c_str(), S_IRWXU);
    for (fs::directory_iterator entry(path, ignored), end; entry != end && !ignored;
         entry.increment(ignored)) {
      if (fs::is_directory(fs::symlink_status(entry->path(), ignored))) remove_tree(entry->path());
    }
  }
  fs::remove_all(path, ignored);
}

// A time that no change sets: another one says that something was put in or taken out.
constexpr timespec kUntouched = {1, 0};

void set_untouched(const std::string& folder) {
  const timespec times[] = {kUntouched, kUntouched};
  utimensat(AT_FDCWD, folder.c_str(), times, 0);
}

}  // namespace

std::string make_own_folder() {
  std::error_code failure;
  const fs::path temporary = fs::temp_directory_path(failure);
  if (failure) return {};
  std::string folder = (temporary / (std::string(kName) + "XXXXXX")).string();
  return mkdtemp(folder.data()) != nullptr ? folder : std::string();
}

void remove_own_folder(const std::string& folder) {
  if (!folder.empty()) remove_tree(folder);
}

const std::string& own_folder() { return adopted(); }

void adopt_own_folder() {
  char path[PATH_MAX];
  if (getcwd(path, sizeof path) == nullptr) return;
  if (!fs::path(path).filename().string().starts_with(kName)) return;
  adopted() = path;
  set_untouched(adopted());
}

std::vector<std::string> left_in_own_folder() {
  std::vector<std::string> names;
  struct stat state = {};
  if (adopted().empty() || stat(adopted().c_str(), &state) != 0) return names;
  if (state.st_mtim.tv_sec == kUntouched.tv_sec) return names;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(adopted(), ignored)) {
    names.push_back(entry.path().filename().string());
  }
  for (const std::string& name : names) remove_tree(fs::path(adopted()) / name);
  set_untouched(adopted());
  return names;
}

}  // namespace reshape::conformance
