#pragma once

#include <cstdint>
#include <string>

#include "conformance/files/regular_file.h"
#include "reference/tensor/result.h"

namespace reshape::conformance {

// A file of a model, or of its constants. Reads parts on demand: it may be larger than memory.
class ByteFile {
 public:
  // A regular file; the error's place is its path.
  static Result<ByteFile> open(const std::string& path);

  const std::string& path() const { return path_; }
  std::int64_t size() const { return file_.size(); }
  // `size` bytes from `offset`; an error unless all lie in the file. Precondition: both are >= 0.
  Result<std::string> bytes(std::int64_t offset, std::int64_t size) const;

 private:
  ByteFile(std::string path, RegularFile file) : path_(std::move(path)), file_(std::move(file)) {}

  std::string path_;
  RegularFile file_;
};

}  // namespace reshape::conformance
