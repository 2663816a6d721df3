#include "conformance/adapter/process/own_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sys/mount.h>
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

#include "conformance/adapter/process/proc_file.h"

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

// The mount that an open file belongs to; empty where that cannot be told.
std::string mount_of(int file) {
  return std::string(field(ProcFile("/proc/self/fdinfo/" + std::to_string(file)).read(), "mnt_id"));
}

// An open folder. What is below it is reached without following links or crossing into a mount:
// files that a library mounts there are those of others.
class OpenFolder {
 public:
  // The folder in which `path` lies.
  static OpenFolder around(const fs::path& path) {
    const int file = open(path.parent_path().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
    return {file, mount_of(file)};
  }
  ~OpenFolder() {
    if (file_ >= 0) close(file_);
  }
  OpenFolder(OpenFolder&& other) noexcept
      : file_(std::exchange(other.file_, -1)), mount_(std::move(other.mount_)) {}
  OpenFolder& operator=(OpenFolder&& other) noexcept {
    std::swap(file_, other.file_);
    std::swap(mount_, other.mount_);
    return *this;
  }

  explicit operator bool() const { return file_ >= 0; }
  // It may have been moved, so the caller compares the identity.
  OpenFolder parent() const {
    return {openat(file_, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC), mount_};
  }

  // The owner is given access to it, so that its contents can be removed.
  OpenFolder inner(const std::string& name) const {
    const int place = openat(file_, name.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    int opened = -1;
    if (place >= 0 && !mount_.empty() && mount_of(place) == mount_) {
      chmod(path_of(place).c_str(), S_IRWXU);
      opened = openat(place, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    }
    if (place >= 0) close(place);
    return {opened, mount_};
  }

  // Whether something else was mounted in its place.
  bool is_mount(const std::string& name) const {
    const int place = openat(file_, name.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (place < 0) return false;
    const std::string there = mount_of(place);
    close(place);
    return !there.empty() && there != mount_;
  }

  // Takes away what was mounted there, however often.
  bool detaches(const std::string& name) const {
    constexpr int kMostMounts = 100'000;
    const std::string path = path_of(file_) + '/' + name;
    int times = 0;
    while (times < kMostMounts && umount2(path.c_str(), MNT_DETACH | UMOUNT_NOFOLLOW) == 0) ++times;
    return times > 0;
  }

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
  bool removes_or_detaches(const std::string& name) const {
    return removes(name) || (is_mount(name) && detaches(name) && removes(name));
  }

  std::pair<dev_t, ino_t> identity() const {
    struct stat state = {};
    fstat(file_, &state);
    return {state.st_dev, state.st_ino};
  }

 private:
  OpenFolder(int file, std::string mount) : file_(file), mount_(std::move(mount)) {}
  static std::string path_of(int file) { return "/proc/self/fd/" + std::to_string(file); }

  int file_ = -1;
  std::string mount_;
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
      folder.removes_or_detaches(levels.back().names.back());
      levels.back().names.pop_back();
      continue;
    }
    if (!folder.removes_or_detaches(names.back())) {
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
  const OpenFolder around = OpenFolder::around(folder);
  const std::string name = fs::path(folder).filename();
  if (around.is_mount(name)) around.detaches(name);
  if (OpenFolder open = around.inner(name)) empty(std::move(open));
  around.removes(name);  // or the file that replaced it
}

std::string absolute_path(const std::string& library) {
  std::error_code failure;
  if (!fs::exists(library, failure)) return library;
  const fs::path path = fs::absolute(library, failure);
  return failure ? library : path.string();
}

const std::string& own_folder() { return adopted(); }

void adopt_own_folder() {
  adopted().clear();
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
  const OpenFolder around = OpenFolder::around(adopted());
  const std::string name = fs::path(adopted()).filename();
  const bool mounted = around.is_mount(name);
  if (mounted) around.detaches(name);
  std::vector<std::string> names;
  if (OpenFolder folder = around.inner(name)) {
    names = folder.names();
    empty(std::move(folder));
    set_untouched(adopted());
  }
  if (mounted) names.insert(names.begin(), "a mount over it");
  if (names.size() > kMostTold) names.resize(kMostTold);
  return names;
}

}  // namespace reshape::conformance
