#include "conformance/adapter/process/last_words.h"

#include <unistd.h>

#include <cerrno>
#include <string_view>

#include "conformance/text/printable.h"

namespace reshape::conformance {
namespace {

constexpr std::size_t kKept = 4096;
constexpr int kMostPieces = 64;

}  // namespace

bool LastWords::read_from(int pipe) {
  char piece[65536];
  const ssize_t got = read(pipe, piece, sizeof piece);
  if (got <= 0) return got < 0 && (errno == EAGAIN || errno == EINTR);
  tail_.append(piece, static_cast<std::size_t>(got));
  if (tail_.size() > kKept) tail_.erase(0, tail_.size() - kKept);
  return true;
}

void LastWords::read_rest(int pipe) {
  for (int piece = 0; piece < kMostPieces; ++piece) {
    const std::size_t before = tail_.size();
    if (!read_from(pipe) || (tail_.size() == before && before < kKept)) return;
  }
}

std::string LastWords::line() const {
  std::string_view rest = tail_;
  while (!rest.empty()) {
    const std::size_t line = rest.rfind('\n');
    const std::string_view words = line == std::string_view::npos ? rest : rest.substr(line + 1);
    if (words.find_first_not_of(" \t\r") != std::string_view::npos) return printable(words, 160);
    rest = rest.substr(0, line == std::string_view::npos ? 0 : line);
  }
  return {};
}

}  // namespace reshape::conformance
