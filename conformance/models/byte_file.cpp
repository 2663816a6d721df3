#include "conformance/models/byte_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "conformance/text/printable.h"

namespace reshape::conformance {

Result<ByteFile> ByteFile::open(const std::string& path) {
  // Opening a pipe would wait for its other end.
  const int file = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return Error{"cannot be read", printable(path)};
  struct stat state = {};
  if (::fstat(file, &state) != 0 || !S_ISREG(state.st_mode)) {
    ::close(file);
    return Error{"not read: it is no regular file", printable(path)};
  }
  return ByteFile(path, file, state.st_size);
}

ByteFile::ByteFile(ByteFile&& other) noexcept
    : path_(std::move(other.path_)), file_(std::exchange(other.file_, -1)), size_(other.size_) {}

ByteFile::~ByteFile() {
  if (file_ >= 0) ::close(file_);
}

Result<std::string> ByteFile::bytes(std::int64_t offset, std::int64_t size) const {
  // Not offset + size, which a hostile model makes overflow.
  if (offset > size_ || size > size_ - offset) {
    return Error{std::to_string(size) + " bytes at offset " + std::to_string(offset) +
                 " do not lie in " + printable(path_) + ", which has " + std::to_string(size_)};
  }
  std::string read(static_cast<std::size_t>(size), '\0');
  std::size_t got = 0;
  while (got < read.size()) {
    const ssize_t step = ::pread(file_, read.data() + got, read.size() - got,
                                 static_cast<off_t>(offset) + static_cast<off_t>(got));
    if (step < 0 && errno == EINTR) continue;
    // Zero: the file has become shorter since it was opened.
    if (step <= 0) return Error{"cannot be read: " + printable(path_)};
    got += static_cast<std::size_t>(step);
  }
  return read;
}

}  // namespace reshape::conformance
