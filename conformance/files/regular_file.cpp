#include "conformance/files/regular_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace reshape::conformance {

namespace {

std::string cannot_be_read() { return std::string("cannot be read: ") + std::strerror(errno); }

}  // namespace

Result<RegularFile> RegularFile::open(const std::string& path) {
  // Opening a pipe would wait for its other end.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return Error{cannot_be_read(), path};
  struct stat state = {};
  const bool known = ::fstat(descriptor, &state) == 0;
  RegularFile file(descriptor, state.st_size);
  if (!known) return Error{cannot_be_read(), path};
  if (S_ISDIR(state.st_mode)) return Error{"cannot be read: it is a folder", path};
  if (!S_ISREG(state.st_mode)) return Error{"not read: it is no regular file", path};
  return file;
}

RegularFile::RegularFile(RegularFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), size_(other.size_) {}

RegularFile::~RegularFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<std::string> RegularFile::next(std::size_t most) {
  std::string piece(most, '\0');
  ssize_t got = -1;
  do {
    got = ::read(descriptor_, piece.data(), piece.size());
  } while (got < 0 && errno == EINTR);
  if (got < 0) return Error{cannot_be_read()};
  piece.resize(static_cast<std::size_t>(got));
  return piece;
}

}  // namespace reshape::conformance
