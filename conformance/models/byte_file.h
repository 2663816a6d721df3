#pragma once

#include <cstdint>
#include <string>

#include "reference/tensor/result.h"

namespace reshape::conformance {

// A file of a model, or of its constants. It may be larger than the memory, so it is never held whole.
class ByteFile {
 public:
  // A regular file; the error's place is its path.
  static Result<ByteFile> open(const std::string& path);
  ByteFile(ByteFile&& other) noexcept;
  ByteFile& operator=(ByteFile&&) = delete;
  ~ByteFile();

  const std::string& path() const { return path_; }
  std::int64_t size() const { return size_; }
  // Bytes from `offset`. An error where they do not all lie in the file. Precondition: both are >= 0.
  Result<std::string> bytes(std::int64_t offset, std::int64_t size) const;

 private:
  ByteFile(std::string path, int file, std::int64_t size)
      : path_(std::move(path)), file_(file), size_(size) {}

  std::string path_;
  int file_;
  std::int64_t size_;
};

}  // namespace reshape::conformance
