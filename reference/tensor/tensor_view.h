#pragma once

#include <cstddef>
#include <cstdint>

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
std::uint64_t load_element(ElementType type, const std::byte* base, std::int64_t position);

// Writes the low `bits(type)` bits of `value`; a 4-bit store leaves the other half of its byte
// alone.
void store_element(ElementType type, std::byte* base, std::int64_t position, std::uint64_t value);

}  // namespace reshape
