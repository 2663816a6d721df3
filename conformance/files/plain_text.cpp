#include "conformance/files/plain_text.h"

#include <algorithm>
#include <cstdint>

#include "conformance/files/regular_file.h"
#include "conformance/files/utf8.h"

namespace reshape::conformance {
namespace {

// Where a byte lies: "path:line:column", the column in bytes.
std::string place_of(std::string_view text, std::size_t at, const std::string& path) {
  const std::string_view before = text.substr(0, at);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t begin = before.rfind('\n') + 1;  // of the line; behind nothing it is 0
  return path + ":" + std::to_string(line) + ":" + std::to_string(at - begin + 1);
}

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

std::optional<Error> not_plain_text(std::string_view text, const std::string& path, Bytes bytes) {
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '\0') return Error{"a NUL, which no text holds", place_of(text, at, path)};
    const std::size_t length =
        bytes == Bytes::utf8 ? first_character(text.substr(at, 4)).bytes : std::size_t{1};
    if (length == 0) {
      constexpr char kDigits[] = "0123456789abcdef";
      const auto byte = static_cast<unsigned char>(text[at]);
      return Error{
          std::string("a byte that is no UTF-8, ") + kDigits[byte >> 4] + kDigits[byte & 0xf],
          place_of(text, at, path)};
    }
    at += length;
  }
  return std::nullopt;
}

Result<std::string> read_text(const std::string& path, std::size_t most, Bytes bytes) {
  Result<std::string> text = read_file(path, most);
  if (!text) return text;
  if (std::optional<Error> wrong = not_plain_text(*text, path, bytes)) return *std::move(wrong);
  return text;
}

}  // namespace reshape::conformance
