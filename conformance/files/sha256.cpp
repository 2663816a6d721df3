#include "conformance/files/sha256.h"

#include <sha2.h>  // of libmd

#include <array>
#include <cstdint>

#include "conformance/files/regular_file.h"

namespace reshape::conformance {
namespace {

using Digits = std::array<char, SHA256_DIGEST_STRING_LENGTH>;

const std::uint8_t* numbers(std::string_view bytes) {
  return reinterpret_cast<const std::uint8_t*>(bytes.data());
}

}  // namespace

std::string sha256(std::string_view bytes) {
  Digits digits{};
  return SHA256Data(numbers(bytes), bytes.size(), digits.data());
}

Result<std::string> sha256_of_file(const std::string& path) {
  Result<RegularFile> file = RegularFile::open(path);
  if (!file) return file.error();
  SHA2_CTX state;
  SHA256Init(&state);
  while (true) {
    const Result<std::string> piece = file->next();
    if (!piece) return Error{piece.error().message, path};
    if (piece->empty()) break;
    SHA256Update(&state, numbers(*piece), piece->size());
  }
  Digits digits{};
  return std::string(SHA256End(&state, digits.data()));
}

}  // namespace reshape::conformance
