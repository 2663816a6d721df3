#include "conformance/files/read_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace reshape::conformance {
namespace {

std::string mebibytes(std::size_t bytes) { return std::to_string(bytes >> 20) + " MiB"; }

// Some systems' files say that they have no size, so it is held while reading, too.
Result<std::string> read_all(int file, std::size_t most, const std::string& path) {
  std::string text;
  char piece[65536];
  while (true) {
    const ssize_t got = ::read(file, piece, sizeof piece);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return Error{"cannot be read", path};
    if (got == 0) return text;
    text.append(piece, static_cast<std::size_t>(got));
    if (text.size() > most) return Error{"larger than " + mebibytes(most), path};
  }
}

}  // namespace

Result<std::string> read_file(const std::string& path, std::size_t most) {
  // Opening a pipe would wait for its other end.
  const int file = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return Error{"cannot be read", path};
  struct stat state = {};
  Result<std::string> text = Error{"cannot be read", path};
  if (::fstat(file, &state) == 0) {
    if (S_ISDIR(state.st_mode)) {
      text = Error{"cannot be read: it is a folder", path};
    } else if (!S_ISREG(state.st_mode)) {
      text = Error{"not read: it is no regular file", path};
    } else if (state.st_size > static_cast<off_t>(most)) {
      text = Error{"larger than " + mebibytes(most), path};
    } else {
      text = read_all(file, most, path);
    }
  }
  ::close(file);
  return text;
}

}  // namespace reshape::conformance
