#pragma once

#include <cstdint>
#include <optional>

#include "conformance/abi/reshape_plugin.h"
#include "reference/tensor/element_type.h"

namespace reshape {

// How an element type is written on the C contract. Every ElementType has a form, with one lane.
inline DLDataType dl_type_of(ElementType type) {
  const auto code = [type]() -> unsigned {
    switch (type) {
      case ElementType::bf16: return kDLBfloat;
      case ElementType::f8e4m3: return RESHAPE_DL_FLOAT8_E4M3FN;
      case ElementType::f8e5m2: return RESHAPE_DL_FLOAT8_E5M2;
      case ElementType::boolean: return RESHAPE_DL_BOOL;
      default: break;
    }
    if (is_float(type)) return kDLFloat;
    return is_signed_integer(type) ? kDLInt : kDLUInt;
  }();
  return {static_cast<std::uint8_t>(code), static_cast<std::uint8_t>(bits(type)), 1};
}

// The element type behind a dtype of the C contract; nothing for a dtype that the contract does not
// name (other codes, other widths, vectors of more than one lane). The inverse of dl_type_of.
inline std::optional<ElementType> element_type_of(DLDataType dtype) {
  for (ElementType type : kAllElementTypes) {
    const DLDataType known = dl_type_of(type);
    if (known.code == dtype.code && known.bits == dtype.bits && known.lanes == dtype.lanes) {
      return type;
    }
  }
  return std::nullopt;
}

}  // namespace reshape
