#pragma once

#include <cstdint>
#include <string>

#include "reference/tensor/result.h"

namespace reshape::conformance {

// The file of a model's constants. It may be larger than the memory, so it is never read whole.
class WeightsFile {
 public:
  // A regular file; the error's place is its path.
  static Result<WeightsFile> open(const std::string& path);
  WeightsFile(WeightsFile&& other) noexcept;
  WeightsFile& operator=(WeightsFile&&) = delete;
  ~WeightsFile();

  const std::string& path() const { return path_; }
  std::int64_t size() const { return size_; }
  // Bytes from `offset`. An error where they do not all lie in the file. Precondition: both are >= 0.
  Result<std::string> bytes(std::int64_t offset, std::int64_t size) const;

 private:
  WeightsFile(std::string path, int file, std::int64_t size)
      : path_(std::move(path)), file_(file), size_(size) {}

  std::string path_;
  int file_;
  std::int64_t size_;
};

}  // namespace reshape::conformance
