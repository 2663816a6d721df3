#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "reference/tensor/element_type.h"
#include "reference/tensor/layout.h"

namespace reshape {

// Elements somewhere in memory, not owned, of any alignment. `base` is the address that positions
// of the layout count from; it may be null when the tensor is empty. For 4-bit types positions
// count half bytes from `base`, the low half of a byte first.
struct TensorView {
  ElementType type = ElementType::f32;
  Layout layout;
  const std::byte* base = nullptr;
};

struct MutableTensorView {
  ElementType type = ElementType::f32;
  Layout layout;
  std::byte* base = nullptr;
};

// One element's bits, in the low `bits(type)` bits of the result. `position` counts elements from
// base.
inline std::uint64_t load_element(ElementType type, const std::byte* base, std::int64_t position) {
  // Little-endian hosts only (the build checks): the low bytes of a value are the element.
  const auto whole_bytes = [&](auto element) -> std::uint64_t {
    constexpr auto kWidth = static_cast<std::int64_t>(sizeof element);
    std::memcpy(&element, base + position * kWidth, sizeof element);
    return element;
  };
  switch (bits(type)) {
    case 64: return whole_bytes(std::uint64_t{});
    case 32: return whole_bytes(std::uint32_t{});
    case 16: return whole_bytes(std::uint16_t{});
    case 8: return whole_bytes(std::uint8_t{});
    default: break;
  }
  // An arithmetic shift rounds towards the lower byte, so that negative positions work as well.
  const auto byte = static_cast<unsigned>(base[position >> 1]);
  return (position & 1) != 0 ? byte >> 4 : byte & 0xFU;
}

// Writes the low `bits(type)` bits of `value`; a 4-bit store leaves the other half of its byte
// alone.
inline void store_element(ElementType type, std::byte* base, std::int64_t position,
                          std::uint64_t value) {
  const auto whole_bytes = [&](auto element) {
    constexpr auto kWidth = static_cast<std::int64_t>(sizeof element);
    std::memcpy(base + position * kWidth, &element, sizeof element);
  };
  switch (bits(type)) {
    case 64: return whole_bytes(value);
    case 32: return whole_bytes(static_cast<std::uint32_t>(value));
    case 16: return whole_bytes(static_cast<std::uint16_t>(value));
    case 8: return whole_bytes(static_cast<std::uint8_t>(value));
    default: break;
  }
  std::byte& byte = base[position >> 1];
  const auto half = static_cast<std::byte>(value & 0xFU);
  byte = (position & 1) != 0 ? (byte & std::byte{0x0F}) | (half << 4)
                             : (byte & std::byte{0xF0}) | half;
}

}  // namespace reshape
