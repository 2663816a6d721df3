#pragma once

#include <cstdint>
#include <string>

#include "reference/tensor/result.h"

namespace reshape::conformance {

// A regular file, open for reading while this lives. What would wait for ever or never end (a pipe, a
// device) is refused; the error is one sentence, and its place the path as it was given.
class RegularFile {
 public:
  static Result<RegularFile> open(const std::string& path);
  RegularFile(RegularFile&& other) noexcept;
  RegularFile& operator=(RegularFile&&) = delete;
  ~RegularFile();

  int descriptor() const { return descriptor_; }
  std::int64_t size() const { return size_; }  // when it was opened; of some systems' files 0

  // Up to `most` bytes from where the last read ended, nothing at the end; or an error without a place.
  Result<std::string> next(std::size_t most);

 private:
  RegularFile(int descriptor, std::int64_t size) : descriptor_(descriptor), size_(size) {}

  int descriptor_;
  std::int64_t size_;
};

}  // namespace reshape::conformance
