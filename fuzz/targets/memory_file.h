#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <string>
#include <string_view>

namespace reshape::fuzz {

// A file in memory that can be rewritten for each input, for readers that need a path.
class MemoryFile {
 public:
  explicit MemoryFile(const char* name) : descriptor_(memfd_create(name, 0)) {
    path_ = "/proc/self/fd/" + std::to_string(descriptor_);
  }
  bool hold(std::string_view text) {
    return ftruncate(descriptor_, 0) == 0 &&
           pwrite(descriptor_, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size());
  }
  const std::string& path() const { return path_; }

 private:
  int descriptor_;
  std::string path_;
};

}  // namespace reshape::fuzz
