#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace reshape::reference {

// Products of sizes as mathematics has them: lists may be of any length and their product of any
// magnitude, nothing wraps around. Every entry is >= 0; the product of no sizes is 1.
using Sizes = std::span<const std::int64_t>;

// The product, or nothing when it is above 2^63-1.
std::optional<std::int64_t> product(Sizes sizes);

bool same_product(Sizes left, Sizes right);

// product(whole) / product(part), where that is a whole number.
struct Quotient {
  bool exact = false;                 // false: a remainder is left
  std::optional<std::int64_t> value;  // absent when not exact, or when above 2^63-1
};

// Precondition: no entry of `part` is 0.
Quotient divide(Sizes whole, Sizes part);

// The product in digits, or the factors where it is above 2^63-1: "24", "4294967296*4294967296".
std::string product_text(Sizes sizes);

}  // namespace reshape::reference
