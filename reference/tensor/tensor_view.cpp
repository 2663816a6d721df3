#include "reference/tensor/tensor_view.h"

#include <cstring>

namespace reshape {

std::uint64_t load_element(ElementType type, const std::byte* base, std::int64_t position) {
  if (bits(type) == 4) {
    // An arithmetic shift rounds towards the lower byte, so that negative positions work as well.
    const auto byte = static_cast<unsigned>(base[position >> 1]);
    return (position & 1) != 0 ? byte >> 4 : byte & 0xFU;
  }
  const auto width = static_cast<std::size_t>(bits(type) / 8);
  std::uint64_t value = 0;
  // Little-endian hosts only (the build checks): the low bytes of `value` are the element.
  std::memcpy(&value, base + position * static_cast<std::int64_t>(width), width);
  return value;
}

void store_element(ElementType type, std::byte* base, std::int64_t position, std::uint64_t value) {
  if (bits(type) == 4) {
    std::byte& byte = base[position >> 1];
    const auto half = static_cast<std::byte>(value & 0xFU);
    byte = (position & 1) != 0 ? (byte & std::byte{0x0F}) | (half << 4)
                               : (byte & std::byte{0xF0}) | half;
    return;
  }
  const auto width = static_cast<std::size_t>(bits(type) / 8);
  std::memcpy(base + position * static_cast<std::int64_t>(width), &value, width);
}

}  // namespace reshape
