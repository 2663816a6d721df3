#include "conformance/run/write_file.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>

#include "conformance/text/number.h"

namespace reshape::conformance {
namespace {

Error cannot_write(const std::string& path, int reason) {
  return Error{std::string("cannot be written: ") + std::strerror(reason), path};
}

// A temporary name in the same folder, because a rename works only within one file system.
std::string name_beside(const std::string& path) {
  return path + ".part-" + std::to_string(::getpid());
}

// The descriptor in a name like /dev/fd/63 (a process substitution) or /proc/self/fd/1 (the target
// of /dev/stdout).
std::optional<int> own_descriptor(std::string_view name) {
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (name.starts_with(folder)) return number_in<int>(name.substr(folder.size()));
  }
  return std::nullopt;
}

// Resolves links, so that a link stays and its target, which need not exist yet, is written.
std::string behind_links(const std::string& path) {
  std::string name = path;
  constexpr int kMostLinks = 40;
  for (int link = 0; link < kMostLinks && !own_descriptor(name); ++link) {
    std::error_code no_link;
    const std::filesystem::path target = std::filesystem::read_symlink(name, no_link);
    if (no_link) break;
    name = (std::filesystem::path(name).parent_path() / target).string();
  }
  return name;
}

// Gives the new file the permissions, and if possible the owner, of the one that it replaces.
void keep_mode(const std::string& old_path, int new_file) {
  struct stat state = {};
  if (::stat(old_path.c_str(), &state) != 0) return;
  if (::fchown(new_file, state.st_uid, state.st_gid) != 0) {
    // A file of another owner becomes ours, as with every program that writes by renaming.
  }
  ::fchmod(new_file, state.st_mode & 07777);
}

int write_all(int file, const std::string& text) {
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t step = ::write(file, text.data() + written, text.size() - written);
    if (step < 0 && errno == EINTR) continue;
    if (step < 0 && errno == EAGAIN) {
      constexpr int kMostWaiting = 60'000;  // milliseconds, for who reads to go on
      pollfd reader = {file, POLLOUT, 0};
      if (::poll(&reader, 1, kMostWaiting) == 0) return ETIMEDOUT;
      continue;
    }
    if (step < 0) return errno;
    written += static_cast<std::size_t>(step);
  }
  return 0;
}

int write_in_place(const std::string& path, const std::string& text) {
  const std::optional<int> open_already = own_descriptor(path);
  // Opening it by name would start at the beginning of the file.
  const int file = open_already
                       ? ::fcntl(*open_already, F_DUPFD_CLOEXEC, 0)
                       : ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (file < 0) return errno;
  const int wrong = write_all(file, text);
  if (::close(file) != 0 && wrong == 0) return errno;
  return wrong;
}

// Writes a new file beside `path` with the mode of the old one. Where the file system supports it,
// the file is nameless until it is complete, so that a killed program leaves nothing behind.
int write_beside(const std::string& path, const std::string& beside, const std::string& text) {
  ::unlink(beside.c_str());  // left by a killed program with the same process id
  const std::size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  int file = ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
  const bool unnamed = file >= 0;
  if (!unnamed) file = ::open(beside.c_str(), O_WRONLY | O_CLOEXEC | O_CREAT | O_EXCL, 0666);
  if (file < 0) return errno;
  int wrong = write_all(file, text);
  if (wrong == 0) keep_mode(path, file);
  const std::string name = "/proc/self/fd/" + std::to_string(file);
  if (wrong == 0 && unnamed &&
      ::linkat(AT_FDCWD, name.c_str(), AT_FDCWD, beside.c_str(), AT_SYMLINK_FOLLOW) != 0) {
    wrong = errno;
  }
  if (::close(file) != 0 && wrong == 0) return errno;
  return wrong;
}

// How a file is written. `in_place`: the text is written to the existing file or device.
enum class Way { replaced, in_place };
Result<Way> way_to_write(const std::string& path) {
  struct stat state = {};
  if (path == "-") return Error{"cannot be written: this goes into a file of its own", path};
  if (own_descriptor(path)) return Way::in_place;
  if (::stat(path.c_str(), &state) != 0) {
    // Anything but a missing file is an error: a loop of links, or a folder without permission.
    if (errno != ENOENT) return cannot_write(path, errno);
    return Way::replaced;
  }
  if (S_ISDIR(state.st_mode)) return cannot_write(path, EISDIR);
  if (S_ISCHR(state.st_mode)) return Way::in_place;
  // A named pipe would block until somebody reads, and a block device would be overwritten.
  if (!S_ISREG(state.st_mode)) return Error{"not written: it is no regular file", path};
  return Way::replaced;
}

}  // namespace

std::optional<int> descriptor_of(const std::string& name) {
  return name == "-" ? STDOUT_FILENO : own_descriptor(behind_links(name));
}

bool is_replaced(const std::string& name) {
  const Result<Way> way = way_to_write(behind_links(name));
  return way && *way == Way::replaced;
}

Result<std::string> write_file(const std::string& name, const std::string& text) {
  const std::string path = behind_links(name);
  const Result<Way> way = way_to_write(path);
  if (!way) return way.error();
  if (*way == Way::in_place) {
    const int wrong = write_in_place(path, text);
    if (wrong != 0) return cannot_write(path, wrong);
    return path;
  }
  const std::string beside = name_beside(path);
  int wrong = write_beside(path, beside, text);
  if (wrong == 0 && std::rename(beside.c_str(), path.c_str()) != 0) wrong = errno;
  if (wrong == 0) return name;
  ::unlink(beside.c_str());
  return cannot_write(path, wrong);
}

Result<std::string> check_writable(const std::string& name) {
  const std::string path = behind_links(name);
  const Result<Way> way = way_to_write(path);
  if (!way) return way.error();
  if (*way == Way::in_place) {
    const std::optional<int> open_already = own_descriptor(path);
    const bool writes =
        open_already ? ::fcntl(*open_already, F_GETFD) >= 0 : ::access(path.c_str(), W_OK) == 0;
    if (!writes) return cannot_write(path, errno);
    return name;
  }
  const std::string beside = name_beside(path);
  const int wrong = write_beside(path, beside, "");
  ::unlink(beside.c_str());
  if (wrong != 0) return cannot_write(path, wrong);
  return name;
}

}  // namespace reshape::conformance
