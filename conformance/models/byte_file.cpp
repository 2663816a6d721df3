#include "conformance/models/byte_file.h"

#include <unistd.h>

#include <cerrno>
#include <utility>

#include "conformance/text/printable.h"

namespace reshape::conformance {

Result<ByteFile> ByteFile::open(const std::string& path) {
  Result<RegularFile> file = RegularFile::open(path);
  if (!file) return Error{file.error().message, printable(path)};
  if (file->size() == 0) {
    // A file such as those in /proc tells a size of 0, whatever it holds and whether it can be read.
    const Result<std::string> first = file->next(1);
    if (!first) return Error{first.error().message, printable(path)};
    if (!first->empty()) return Error{"not read: it does not tell its size", printable(path)};
  }
  return ByteFile(path, std::move(*file));
}

Result<std::string> ByteFile::bytes(std::int64_t offset, std::int64_t size) const {
  // offset + size could overflow: both come from the model.
  if (offset > file_.size() || size > file_.size() - offset) {
    return Error{std::to_string(size) + " bytes at offset " + std::to_string(offset) +
                 " do not lie in " + printable(path_) + ", which has " +
                 std::to_string(file_.size())};
  }
  std::string read(static_cast<std::size_t>(size), '\0');
  std::size_t got = 0;
  while (got < read.size()) {
    const ssize_t step = ::pread(file_.descriptor(), read.data() + got, read.size() - got,
                                 static_cast<off_t>(offset) + static_cast<off_t>(got));
    if (step < 0 && errno == EINTR) continue;
    // Zero: the file has become shorter since it was opened.
    if (step <= 0) return Error{"cannot be read: " + printable(path_)};
    got += static_cast<std::size_t>(step);
  }
  return read;
}

}  // namespace reshape::conformance
