#include "conformance/files/plain_text.h"

#include <algorithm>

#include "conformance/files/read_file.h"

namespace reshape::conformance {

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
