#include "conformance/adapter/process/own_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

namespace reshape::conformance {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr const char* kName = "reshape-host-";
constexpr std::size_t kMostTold = 8;               // names of files left behind
constexpr std::chrono::seconds kMostRemoving{10};  // what is not gone by then is left

char in_the_making[PATH_MAX];

// The signal handler. It is fine to remove the folder of a running host: the host ends with this
// program.
void remove_and_end(int signal_number) {
  rmdir(in_the_making);
  signal(signal_number, SIG_DFL);
  raise(signal_number);
}

std::string& adopted() {
  static std::string folder;
  return folder;
}

// Gives the owner access to a folder, so that its contents can be removed.
void open_to_owner(int parent, const char* name) {
  struct stat state = {};
  if (fstatat(parent, name, &state, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISDIR(state.st_mode)) return;
  fchmodat(parent, name, S_IRWXU, 0);
}

// An open folder; does not follow links.
class OpenFolder {
 public:
  OpenFolder(int parent, const char* path) {
    open_to_owner(parent, path);
    file_ = openat(parent, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  }
  ~OpenFolder() {
    if (file_ >= 0) close(file_);
  }
  OpenFolder(OpenFolder&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
  OpenFolder& operator=(OpenFolder&& other) noexcept {
    std::swap(file_, other.file_);
    return *this;
  }

  explicit operator bool() const { return file_ >= 0; }
  OpenFolder inner(const std::string& name) const { return {file_, name.c_str()}; }
  OpenFolder parent() const { return {file_, ".."}; }

  std::vector<std::string> names() const {
    std::vector<std::string> names;
    DIR* stream = fdopendir(fcntl(file_, F_DUPFD_CLOEXEC, 0));
    if (stream == nullptr) return names;
    rewinddir(stream);
    while (const dirent* entry = readdir(stream)) {
      const std::string_view name = entry->d_name;
      if (name != "." && name != "..") names.emplace_back(name);
    }
    closedir(stream);
    return names;
  }

  bool removes(const std::string& name) const {
    return unlinkat(file_, name.c_str(), 0) == 0 ||
           unlinkat(file_, name.c_str(), AT_REMOVEDIR) == 0;
  }

  std::pair<dev_t, ino_t> identity() const {
    struct stat state = {};
    fstat(file_, &state);
    return {state.st_dev, state.st_ino};
  }

 private:
  int file_ = -1;
};

// Removes a folder's contents with two open files and no paths, so that any depth works. Stops if a
// folder was moved.
void empty(OpenFolder folder) {
  struct Level {
    std::vector<std::string> names;  // what may still be there; the last one is being removed
    std::pair<dev_t, ino_t> folder;
  };
  const Clock::time_point end = Clock::now() + kMostRemoving;
  std::vector<Level> levels;
  levels.push_back({folder.names(), folder.identity()});
  while (Clock::now() < end) {
    std::vector<std::string>& names = levels.back().names;
    if (names.empty()) {
      levels.pop_back();
      if (levels.empty()) return;
      folder = folder.parent();
      if (!folder || folder.identity() != levels.back().folder) return;
      folder.removes(levels.back().names.back());
      levels.back().names.pop_back();
      continue;
    }
    if (!folder.removes(names.back())) {
      if (OpenFolder inner = folder.inner(names.back())) {
        levels.push_back({inner.names(), inner.identity()});
        folder = std::move(inner);
        continue;
      }
    }
    names.pop_back();
  }
}

// A modification time that is set as a mark: any change of the folder's entries replaces it.
constexpr timespec kUntouched = {1, 0};

void set_untouched(const std::string& folder) {
  const timespec times[] = {kUntouched, kUntouched};
  utimensat(AT_FDCWD, folder.c_str(), times, AT_SYMLINK_NOFOLLOW);
}

}  // namespace

std::unique_lock<std::mutex> making_own_folder() {
  static std::mutex one_at_a_time;
  return std::unique_lock(one_at_a_time);
}

void end_without_own_folder() {
  for (const int number : {SIGTERM, SIGINT, SIGHUP}) {
    struct sigaction now = {};
    sigaction(number, nullptr, &now);
    if (now.sa_handler == SIG_DFL) signal(number, remove_and_end);
  }
}

Result<std::string> make_own_folder() {
  std::string why;
  // The folder that TMPDIR names may be missing or full, so /tmp is tried as well.
  std::error_code failure;
  for (const fs::path& temporary : {fs::temp_directory_path(failure), fs::path("/tmp")}) {
    if (temporary.empty()) continue;
    const std::string folder = (temporary / (std::string(kName) + "XXXXXX")).string();
    errno = ENAMETOOLONG;
    if (folder.size() < sizeof in_the_making &&
        mkdtemp(std::strcpy(in_the_making, folder.c_str())) != nullptr) {
      return std::string(in_the_making);
    }
    why = "no folder can be made in " + temporary.string() + ": " + std::strerror(errno);
  }
  return Error{why};
}

void remove_own_folder(const std::string& folder) {
  if (folder.empty()) return;
  if (OpenFolder open(AT_FDCWD, folder.c_str()); open) empty(std::move(open));
  // It may have been replaced by a file.
  if (rmdir(folder.c_str()) != 0) unlink(folder.c_str());
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
  struct stat state = {};
  if (adopted().empty() || lstat(adopted().c_str(), &state) != 0) return {};
  if (state.st_mtim.tv_sec == kUntouched.tv_sec) return {};
  OpenFolder folder(AT_FDCWD, adopted().c_str());
  if (!folder) return {};
  std::vector<std::string> names = folder.names();
  empty(std::move(folder));
  set_untouched(adopted());
  if (names.size() > kMostTold) names.resize(kMostTold);
  return names;
}

}  // namespace reshape::conformance
