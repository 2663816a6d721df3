#pragma once

#include <cstdint>

#include "reference/tensor/element_type.h"

namespace reshape::conformance {

// An element whose bytes are all `poison`, with which an output is filled before it is written.
inline std::uint64_t poison_bits(std::uint8_t poison, ElementType type) {
  const std::uint64_t everywhere = 0x0101010101010101u * poison;
  return bits(type) == 64 ? everywhere : everywhere & ((std::uint64_t{1} << bits(type)) - 1);
}

// What the gaps of the data hold, and what lies around data and output in one allocation: something
// else than the output's poison, so that copied gaps show.
inline std::uint8_t gap_poison(std::uint8_t poison) {
  return static_cast<std::uint8_t>(~poison ^ 0x11);
}

}  // namespace reshape::conformance
