#include "conformance/adapter/process/last_words.h"

#include <unistd.h>

#include <cerrno>

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
  const std::size_t last = tail_.find_last_not_of(" \t\r\n");
  if (last == std::string::npos) return {};
  const std::size_t begin = tail_.rfind('\n', last) + 1;  // in the first line npos + 1, which is 0
  return printable(tail_.substr(begin, tail_.find('\n', last) - begin), 160);
}

}  // namespace reshape::conformance
