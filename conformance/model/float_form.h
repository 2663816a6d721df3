#pragma once

#include <cstdint>
#include <optional>

#include "reference/tensor/element_type.h"

namespace reshape::conformance {

// A floating-point format with infinities.
struct FloatForm {
  int width;
  int fraction;  // bits

  std::uint64_t fraction_of(std::uint64_t value) const {
    return value & ((std::uint64_t{1} << fraction) - 1);
  }
  std::uint64_t exponents() const { return (std::uint64_t{1} << (width - 1 - fraction)) - 1; }
  std::uint64_t exponent_of(std::uint64_t value) const { return value >> fraction & exponents(); }
  bool is_nan(std::uint64_t value) const {
    return exponent_of(value) == exponents() && fraction_of(value) != 0;
  }
  bool is_denormal(std::uint64_t value) const {
    return exponent_of(value) == 0 && fraction_of(value) != 0;
  }
  std::uint64_t sign() const { return std::uint64_t{1} << (width - 1); }
  // The fraction bit that makes a NaN quiet.
  std::uint64_t quiet_bit() const { return std::uint64_t{1} << (fraction - 1); }
};

// Nothing for other types, f8e4m3 among them, which has one NaN of each sign.
inline std::optional<FloatForm> float_form(ElementType type) {
  switch (type) {
    case ElementType::f64: return FloatForm{64, 52};
    case ElementType::f32: return FloatForm{32, 23};
    case ElementType::f16: return FloatForm{16, 10};
    case ElementType::bf16: return FloatForm{16, 7};
    case ElementType::f8e5m2: return FloatForm{8, 2};
    default: return std::nullopt;
  }
}

}  // namespace reshape::conformance
