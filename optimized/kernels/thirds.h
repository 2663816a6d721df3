#pragma once

#include <cstdint>

namespace reshape::optimized {

// Byte indices that split 192 bytes of three-byte pixels into three rows of 64. `of_two` takes a
// row's bytes from the first 128 (bit 6 selects the second vector); `of_third` keeps those and adds
// the bytes from the last 64.
struct Thirds {
  alignas(64) std::uint8_t of_two[3][64];
  alignas(64) std::uint8_t of_third[3][64];
};

constexpr Thirds make_thirds() {
  Thirds thirds{};
  for (unsigned part = 0; part < 3; ++part) {
    for (unsigned i = 0; i < 64; ++i) {
      const unsigned at = 3 * i + part;
      thirds.of_two[part][i] = static_cast<std::uint8_t>(at < 128 ? at : 0);
      thirds.of_third[part][i] = static_cast<std::uint8_t>(at < 128 ? i : 64 + (at - 128));
    }
  }
  return thirds;
}

inline constexpr Thirds kThirds = make_thirds();

}  // namespace reshape::optimized
