#pragma once

#include <cstddef>
#include <cstring>
#include <span>

namespace reshape::conformance {

// Equality of bytes by memcmp. The standard library's comparison of std::byte goes byte by byte.
inline bool same_bytes(std::span<const std::byte> one, std::span<const std::byte> other) {
  return one.size() == other.size() &&
         (one.empty() || std::memcmp(one.data(), other.data(), one.size()) == 0);
}

}  // namespace reshape::conformance
