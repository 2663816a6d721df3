#include "conformance/adapter/process/proc_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

namespace reshape::conformance {
namespace {

int opened(const std::string& path) { return open(path.c_str(), O_RDONLY | O_CLOEXEC); }

}  // namespace

ProcFile::ProcFile(std::string path) : path_(std::move(path)), file_(opened(path_)) {}

ProcFile::~ProcFile() {
  if (file_ >= 0) close(file_);
}

std::string_view ProcFile::read() {
  const ssize_t size = pread(file_, text_.data(), text_.size(), 0);
  // Not reopened if somebody closed it: the watch over open files shall notice that.
  return size > 0 ? std::string_view(text_.data(), static_cast<std::size_t>(size)) : read_anew();
}

std::string_view ProcFile::read_anew() {
  const int file = opened(path_);
  if (file < 0) return {};
  const ssize_t size = pread(file, text_.data(), text_.size(), 0);
  close(file);
  return {text_.data(), size > 0 ? static_cast<std::size_t>(size) : 0};
}

std::string_view field(std::string_view text, std::string_view name) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    if (line.starts_with(name) && line.substr(name.size()).starts_with(":\t")) {
      return line.substr(name.size() + 2);
    }
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return {};
}

}  // namespace reshape::conformance
