#pragma once

#include <array>
#include <string>
#include <string_view>

namespace reshape::conformance {

// A file of /proc that is read after every call. It stays open, because opening such a file costs more than
// reading it. An implementation may close it, or put a file of its own in its place; so that what it says that
// would be held against somebody is read anew.
class ProcFile {
 public:
  explicit ProcFile(std::string path);
  ~ProcFile();
  ProcFile(const ProcFile&) = delete;
  ProcFile& operator=(const ProcFile&) = delete;

  // What it says now, up to 4 KiB, until it is read again; empty where there is no such file. Allocates nothing.
  std::string_view read();
  // The same of the file that has the name now.
  std::string_view read_anew();

 private:
  std::string path_;
  int file_;
  std::array<char, 4096> text_ = {};
};

// Of a text in lines such as "State:\tS (sleeping)" the one of this name, without its name; empty where there is none.
std::string_view field(std::string_view text, std::string_view name);

}  // namespace reshape::conformance
