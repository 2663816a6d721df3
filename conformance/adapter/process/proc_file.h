#pragma once

#include <array>
#include <string>
#include <string_view>

namespace reshape::conformance {

// A file of /proc that is read after every call. It stays open, because opening such a file costs
// more than reading it. An implementation may close or replace it, so anything incriminating must
// be confirmed by read_anew().
class ProcFile {
 public:
  explicit ProcFile(std::string path);
  ~ProcFile();
  ProcFile(const ProcFile&) = delete;
  ProcFile& operator=(const ProcFile&) = delete;

  // Its current text, up to 4 KiB, valid until the next read; empty where there is no such file.
  // Allocates nothing.
  std::string_view read();
  // The same after opening the file by name.
  std::string_view read_anew();

 private:
  std::string path_;
  int file_;
  std::array<char, 4096> text_ = {};
};

// The value of a line such as "State:\tS (sleeping)", by its name; empty where there is none.
std::string_view field(std::string_view text, std::string_view name);

}  // namespace reshape::conformance
