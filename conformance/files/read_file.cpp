#include "conformance/files/read_file.h"

#include <cstdint>

#include "conformance/files/regular_file.h"

namespace reshape::conformance {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 16;

Error larger(std::size_t most, const std::string& path) {
  return Error{"larger than " + std::to_string(most >> 20) + " MiB", path};
}

}  // namespace

Result<std::string> read_file(const std::string& path, std::size_t most) {
  Result<RegularFile> file = RegularFile::open(path);
  if (!file) return file.error();
  if (file->size() > static_cast<std::int64_t>(most)) return larger(most, path);
  // The limit is also checked while reading: files such as those in /proc report a size of 0.
  std::string text;
  while (true) {
    const Result<std::string> piece = file->next(kPiece);
    if (!piece) return Error{piece.error().message, path};
    if (piece->empty()) return text;
    text += *piece;
    if (text.size() > most) return larger(most, path);
  }
}

}  // namespace reshape::conformance
