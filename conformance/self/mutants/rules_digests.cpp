// Volumes that are compared by something shorter than themselves, or by their parts.
#include <algorithm>
#include <numeric>

#include "conformance/self/misread.h"
#include "conformance/self/mutant.h"

namespace reshape::conformance::self {
namespace {

__extension__ using Wide = unsigned __int128;

template <std::uint64_t Modulus>
std::uint64_t product_modulo(const Sizes& sizes) {
  Wide product = 1;
  for (const std::int64_t size : sizes) product = product * static_cast<Wide>(size) % Modulus;
  return static_cast<std::uint64_t>(product % Modulus);
}

// same(data's sizes, asked sizes) decides about patterns without a -1, where there are elements.
template <typename Same>
void compares_by(reshape_plugin& table, Same) {
  misreads(table, [](const Asked& asked, const RightAnswer& right) {
    if (!right.produces() && !right.refused_for("volume.kept")) return Misreading::none();
    const auto plain = plain_pattern(asked);
    if (!plain || plain->minus_one) return Misreading::none();
    if (is_empty(asked.data) || is_empty(Shape(plain->sizes))) return Misreading::none();
    if (!Same{}(sizes_of(asked.data), plain->sizes)) return Misreading::refusal();
    return Misreading::of(plain->sizes);
  });
}

template <std::uint64_t Modulus>
void compares_modulo(reshape_plugin& table) {
  compares_by(table, [](const Sizes& data, const Sizes& output) {
    return product_modulo<Modulus>(data) == product_modulo<Modulus>(output);
  });
}

std::ptrdiff_t zeros_in(const Sizes& sizes) { return std::count(sizes.begin(), sizes.end(), 0); }

// The prime factors below 1000, and how often each of them divides the product.
std::vector<int> small_factors(const Sizes& sizes) {
  std::vector<int> times(1000, 0);
  for (std::int64_t rest : sizes) {
    for (std::size_t factor = 2; factor < times.size(); ++factor) {
      for (; rest % static_cast<std::int64_t>(factor) == 0;
           rest /= static_cast<std::int64_t>(factor)) {
        ++times[factor];
      }
    }
  }
  return times;
}

}  // namespace

MUTANT("volume-modulo-255", Breaks("volume.exact"), Caught("shape", "shape"),
       On("openvino-reshape-1/digest-*"),
       Says("volumes are compared by a checksum of 8 bits, modulo 255")) {
  compares_modulo<255>(table);
}

MUTANT("volume-modulo-adler", Breaks("volume.exact"), Caught("shape", "shape"),
       On("openvino-reshape-1/digest-*"),
       Says("volumes are compared by a checksum of 16 bits, modulo 65521")) {
  compares_modulo<65521>(table);
}

MUTANT("volume-modulo-65535", Breaks("volume.exact"), Caught("shape", "shape"),
       On("openvino-reshape-1/digest-*"),
       Says("volumes are multiplied in 16 bits with the carry added at the end, modulo 65535")) {
  compares_modulo<65535>(table);
}

MUTANT("volume-modulo-a-billion-and-7", Breaks("volume.exact"), Caught("shape", "shape"),
       On("openvino-reshape-1/digest-*"),
       Says("volumes are multiplied modulo 1000000007, so that they never overflow")) {
  compares_modulo<1'000'000'007>(table);
}

MUTANT("volume-modulo-2-to-31-minus-1", Breaks("volume.exact"), Caught("shape", "shape"),
       On("openvino-reshape-1/digest-*"),
       Says("volumes are multiplied modulo 2^31-1, so that they never overflow")) {
  compares_modulo<(std::uint64_t{1} << 31) - 1>(table);
}

MUTANT("volume-modulo-2-to-32-minus-1", Breaks("volume.exact"), Caught("shape", "shape"),
       On("openvino-reshape-1/digest-*"),
       Says("volumes are multiplied modulo 2^32-1, so that they never overflow")) {
  compares_modulo<(std::uint64_t{1} << 32) - 1>(table);
}

MUTANT("volume-modulo-2-to-61-minus-1", Breaks("volume.exact"), Caught("shape", "shape"),
       On("openvino-reshape-1/digest-*"),
       Says("volumes are multiplied modulo 2^61-1, a prime that hashes are made of")) {
  compares_modulo<(std::uint64_t{1} << 61) - 1>(table);
}

MUTANT("volume-modulo-2-to-63-minus-1", Breaks("volume.exact"), Caught("shape", "shape"),
       On("openvino-reshape-1/digest-*"),
       Says("volumes are multiplied modulo 2^63-1, and what overflows comes in again")) {
  compares_modulo<(std::uint64_t{1} << 63) - 1>(table);
}

MUTANT("volume-modulo-2-to-64-minus-1", Breaks("volume.exact"), Caught("shape", "shape"),
       On("openvino-reshape-1/digest-*"),
       Says("volumes are multiplied modulo 2^64-1, and what overflows comes in again")) {
  compares_modulo<~std::uint64_t{0}>(table);
}

MUTANT("volume-by-small-factors", Breaks("volume.exact"), Caught("shape", "shape"),
       On("openvino-reshape-1/digest-*"),
       Says("volumes are taken apart into factors below 1000, and what is left is forgotten")) {
  compares_by(table, [](const Sizes& data, const Sizes& output) {
    return small_factors(data) == small_factors(output);
  });
}

MUTANT("volume-by-sum", Breaks("volume.kept"), Caught("shape", "shape"),
       On("openvino-reshape-1/digest-same-sum"),
       Says("a sum of the sizes above 1 that stays the same is taken for a kept volume")) {
  compares_by(table, [](const Sizes& data, const Sizes& output) {
    const auto sum = [](const Sizes& sizes) {
      Wide all = 0;
      for (const std::int64_t size : sizes) all += static_cast<Wide>(size > 1 ? size : 0);
      return all;
    };
    return product_modulo<~std::uint64_t{0}>(data) == product_modulo<~std::uint64_t{0}>(output) ||
           sum(data) == sum(output);
  });
}

MUTANT("as-many-zeros-as-before", Breaks("zero.empty-tensors"), Caught("shape", "shape"),
       On("openvino-reshape-1/*er-zeros"),
       Says("zeros are cancelled one for one, so that an output needs as many as the data has")) {
  refuses_where(table, [](const Asked& asked, const Sizes& sizes) {
    return zeros_in(sizes_of(asked.data)) != zeros_in(sizes);
  });
}

MUTANT("zeros-stay-in-their-places", Breaks("zero.empty-tensors"), Caught("shape", "shape"),
       On("openvino-reshape-1/zero-elsewhere*"),
       Says("an output without elements has to have its first 0 where the data has it")) {
  refuses_where(table, [](const Asked& asked, const Sizes& sizes) {
    const Sizes data = sizes_of(asked.data);
    const auto place = [](const Sizes& all) {
      return std::find(all.begin(), all.end(), 0) - all.begin();
    };
    return is_empty(asked.data) && place(data) != place(sizes);
  });
}

MUTANT("known-sizes-of-empty-data-overflow", Breaks("minus-one.inferred"), Caught("shape", "shape"),
       On("openvino-reshape-1/empty-beside-large-known"),
       Says("a -1 of empty data is refused where the known sizes multiply beyond 2^63-1")) {
  refuses_where(table, [](const Asked& asked, const Sizes&) {
    const auto plain = plain_pattern(asked);
    return is_empty(asked.data) && plain && plain->minus_one && !element_count(Shape(plain->sizes));
  });
}

MUTANT("sizes-merge-or-split", Breaks("volume.kept"), Caught("shape", "shape"),
       On("openvino-reshape-1/neither-*"),
       Says("each size has to divide one of the data's or be divided by one")) {
  refuses_where(table, [](const Asked& asked, const Sizes& sizes) {
    if (is_empty(asked.data)) return false;
    return std::any_of(sizes.begin(), sizes.end(), [&](std::int64_t size) {
      return std::none_of(asked.data.begin(), asked.data.end(), [&](std::int64_t given) {
        return given % size == 0 || size % given == 0;
      });
    });
  });
}

MUTANT("powers-of-two-by-32-bits", Breaks("minus-one.inferred"), Caught("shape", "shape"),
       On("openvino-reshape-1/known-2-to-*"),
       Says("a known product that is a power of two shifts, by a distance found in 32 bits")) {
  misreads(table, [](const Asked& asked, const RightAnswer& right) {
    const auto plain = division(asked, right);
    if (!plain || !right.produces()) return Misreading::none();
    const auto count = element_count(asked.data);
    const auto known = element_count(Shape(plain->sizes));
    if (!count || !known || (*known & (*known - 1)) != 0) return Misreading::none();
    const auto low = static_cast<std::uint32_t>(*known);
    return Misreading::of(plain->with(*count >> (low == 0 ? 0 : __builtin_ctz(low))));
  });
}

}  // namespace reshape::conformance::self
