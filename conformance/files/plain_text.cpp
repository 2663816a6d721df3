#include "conformance/files/plain_text.h"

#include <algorithm>
#include <cstdint>

#include "conformance/files/regular_file.h"

namespace reshape::conformance {
namespace {

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
    const Result<std::string> piece = file->next();
    if (!piece) return Error{piece.error().message, path};
    if (piece->empty()) return text;
    text += *piece;
    if (text.size() > most) return larger(most, path);
  }
}

std::optional<Error> not_plain_text(std::string_view text, const std::string& path) {
  const std::size_t at = text.find('\0');
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view before = text.substr(0, at);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t begin = before.rfind('\n') + 1;  // of the line; behind nothing it is 0
  return Error{"a NUL, which no text holds",
               path + ":" + std::to_string(line) + ":" + std::to_string(at - begin + 1)};
}

Result<std::string> read_text(const std::string& path, std::size_t most) {
  Result<std::string> text = read_file(path, most);
  if (!text) return text;
  if (std::optional<Error> wrong = not_plain_text(*text, path)) return *std::move(wrong);
  return text;
}

}  // namespace reshape::conformance
