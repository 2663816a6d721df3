#include "conformance/run/write_file.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace reshape::conformance {
namespace {

Error cannot_write(const std::string& path, int reason) {
  return Error{std::string("cannot be written: ") + std::strerror(reason), path};
}

// In the same folder, because a rename works only within one file system.
std::string name_beside(const std::string& path) {
  return path + ".part-" + std::to_string(::getpid());
}

bool is_folder(const std::string& path) {
  struct stat state = {};
  return ::stat(path.c_str(), &state) == 0 && S_ISDIR(state.st_mode);
}

// Pipes and devices (/dev/stdout, a process substitution) have no name to be renamed over.
bool is_special(const std::string& path) {
  struct stat state = {};
  return ::stat(path.c_str(), &state) == 0 && !S_ISREG(state.st_mode) && !S_ISDIR(state.st_mode);
}

// A link stays a link: what it names is written, whether it is there yet or not.
std::string behind_links(const std::string& path) {
  std::string name = path;
  constexpr int kMostLinks = 40;
  for (int link = 0; link < kMostLinks; ++link) {
    char target[PATH_MAX];
    const ssize_t length = ::readlink(name.c_str(), target, sizeof target);
    if (length < 0) break;
    const std::string next(target, static_cast<std::size_t>(length));
    const std::size_t slash = name.rfind('/');
    name = next.starts_with('/') || slash == std::string::npos ? next
                                                               : name.substr(0, slash + 1) + next;
  }
  return name;
}

// Who may read the file that is replaced may read the new one, and nobody else.
void keep_mode(const std::string& old_path, const std::string& new_path) {
  struct stat state = {};
  if (::stat(old_path.c_str(), &state) != 0) return;
  if (::chown(new_path.c_str(), state.st_uid, state.st_gid) != 0) {
    // Another owner's file becomes ours, as it does for every program that writes so.
  }
  ::chmod(new_path.c_str(), state.st_mode & 07777);
}

int write_all(int file, const std::string& text) {
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t step = ::write(file, text.data() + written, text.size() - written);
    if (step < 0 && errno == EINTR) continue;
    if (step < 0) return errno;
    written += static_cast<std::size_t>(step);
  }
  return 0;
}

int write_to(const std::string& path, const std::string& text, int flags) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | flags, 0666);
  if (file < 0) return errno;
  const int wrong = write_all(file, text);
  if (::close(file) != 0 && wrong == 0) return errno;
  return wrong;
}

}  // namespace

Result<std::string> write_file(const std::string& name, const std::string& text) {
  const std::string path = behind_links(name);
  if (is_folder(path)) return cannot_write(path, EISDIR);
  if (is_special(path)) {
    const int wrong = write_to(path, text, 0);
    if (wrong != 0) return cannot_write(path, wrong);
    return path;
  }
  const std::string beside = name_beside(path);
  int wrong = write_to(beside, text, O_CREAT | O_TRUNC);
  if (wrong == 0) keep_mode(path, beside);
  if (wrong == 0 && std::rename(beside.c_str(), path.c_str()) != 0) wrong = errno;
  if (wrong == 0) return name;
  ::unlink(beside.c_str());
  return cannot_write(path, wrong);
}

Result<std::string> check_writable(const std::string& name) {
  const std::string path = behind_links(name);
  if (is_folder(path)) return cannot_write(path, EISDIR);
  if (is_special(path)) {
    if (::access(path.c_str(), W_OK) != 0) return cannot_write(path, errno);
    return name;
  }
  const std::string beside = name_beside(path);
  const int wrong = write_to(beside, "", O_CREAT | O_TRUNC);
  ::unlink(beside.c_str());
  if (wrong != 0) return cannot_write(path, wrong);
  return name;
}

}  // namespace reshape::conformance
