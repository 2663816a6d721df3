#include "reference/volume.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace reshape::reference {

std::optional<std::int64_t> product(Sizes sizes) {
  // A 0 anywhere decides, whatever a running product would have overflowed to before it.
  if (std::ranges::find(sizes, 0) != sizes.end()) return 0;
  std::int64_t running = 1;
  for (const std::int64_t size : sizes) {
    if (__builtin_mul_overflow(running, size, &running)) return std::nullopt;
  }
  return running;
}

bool same_product(Sizes left, Sizes right) {
  const auto left_product = product(left);
  const auto right_product = product(right);
  // One that fits into 63 bits never equals one that does not.
  if (left_product || right_product) return left_product == right_product;
  return divide(left, right).value == 1;
}

Quotient divide(Sizes whole, Sizes part) {
  const auto whole_product = product(whole);
  const auto part_product = product(part);
  if (whole_product && part_product) {
    if (*whole_product % *part_product != 0) return {};
    return {true, *whole_product / *part_product};
  }

  // Too large to multiply out: every factor of `part` is cancelled against the factors of `whole`.
  // For each prime, going through all of `whole` takes away as much as is there, so what is left of
  // a factor is exactly what the product of `whole` does not hold. A 0 in `whole` holds every
  // factor.
  std::vector<std::int64_t> rest(whole.begin(), whole.end());
  for (std::int64_t factor : part) {
    for (std::int64_t& size : rest) {
      const std::int64_t common = std::gcd(factor, size);
      factor /= common;
      size /= common;
    }
    if (factor != 1) return {};
  }
  return {true, product(rest)};
}

std::string product_text(Sizes sizes) {
  const auto number = product(sizes);
  return number ? fmt::to_string(*number) : fmt::format("{}", fmt::join(sizes, "*"));
}

}  // namespace reshape::reference
