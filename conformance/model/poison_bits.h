#pragma once

#include <cstdint>

#include "reference/tensor/element_type.h"

namespace reshape::conformance {

// An element whose bytes are all `poison`, with which an output is filled before it is written.
inline std::uint64_t poison_bits(std::uint8_t poison, ElementType type) {
  const std::uint64_t everywhere = 0x0101010101010101u * poison;
  return bits(type) == 64 ? everywhere : everywhere & ((std::uint64_t{1} << bits(type)) - 1);
}

}  // namespace reshape::conformance
