#pragma once

#include <cstdint>

namespace reshape::optimized {

// Byte choices that part 192 bytes of three-byte pixels into three rows of 64. `of_two` takes what
// a row has in the first 128 bytes (bit 6 names the second table), `of_third` keeps that and adds
// what it has in the last 64.
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
