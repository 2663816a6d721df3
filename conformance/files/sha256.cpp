#include "conformance/files/sha256.h"

#include <sha2.h>  // of libmd

#include <array>
#include <cstdint>

#include "conformance/files/regular_file.h"

namespace reshape::conformance {
namespace {

std::string digits_of(SHA2_CTX& state) {
  std::array<char, SHA256_DIGEST_STRING_LENGTH> digits{};
  SHA256End(&state, digits.data());
  return digits.data();
}

void add(SHA2_CTX& state, const char* bytes, std::size_t count) {
  SHA256Update(&state, reinterpret_cast<const std::uint8_t*>(bytes), count);
}

}  // namespace

std::string sha256(std::string_view bytes) {
  SHA2_CTX state;
  SHA256Init(&state);
  add(state, bytes.data(), bytes.size());
  return digits_of(state);
}

Result<std::string> sha256_of_file(const std::string& path) {
  constexpr std::size_t kPiece = std::size_t{1} << 16;
  Result<RegularFile> file = RegularFile::open(path);
  if (!file) return file.error();
  SHA2_CTX state;
  SHA256Init(&state);
  while (true) {
    const Result<std::string> piece = file->next(kPiece);
    if (!piece) return Error{piece.error().message, path};
    if (piece->empty()) return digits_of(state);
    add(state, piece->data(), piece->size());
  }
}

}  // namespace reshape::conformance
