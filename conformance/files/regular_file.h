#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "reference/tensor/result.h"

namespace reshape::conformance {

// A regular file, open for reading while this lives. A pipe or a device, which may block or never
// end, is refused. The error is one sentence; its place is the path as it was given.
class RegularFile {
 public:
  static Result<RegularFile> open(const std::string& path);
  RegularFile(RegularFile&& other) noexcept;
  RegularFile& operator=(RegularFile&&) = delete;
  ~RegularFile();

  int descriptor() const { return descriptor_; }
  std::int64_t size() const { return size_; }  // bytes when it was opened; 0 for files as in /proc

  // The next bytes, at most `most`; empty at the end. An error here has no place.
  Result<std::string> next(std::size_t most = 1 << 16);

 private:
  RegularFile(int descriptor, std::int64_t size) : descriptor_(descriptor), size_(size) {}

  int descriptor_;
  std::int64_t size_;
};

}  // namespace reshape::conformance
