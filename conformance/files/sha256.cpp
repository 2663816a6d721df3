#include "conformance/files/sha256.h"

#include <sha2.h>  // of libmd

#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>

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
  std::error_code failure;
  std::ifstream file(path, std::ios::binary);
  // What would never end, or wait for ever, is not read.
  if (!file || !std::filesystem::is_regular_file(path, failure)) {
    return Error{"it cannot be read, or is no file", path};
  }
  SHA2_CTX state;
  SHA256Init(&state);
  std::array<char, 1 << 16> piece{};
  while (file.read(piece.data(), piece.size()) || file.gcount() > 0) {
    add(state, piece.data(), static_cast<std::size_t>(file.gcount()));
  }
  if (!file.eof()) return Error{"it cannot be read to its end", path};
  return digits_of(state);
}

}  // namespace reshape::conformance
