// Mutant answers to what the shape is.
#include <optional>

#include "conformance/self/mutant.h"
#include "conformance/self/spoil.h"

namespace reshape::conformance::self {
namespace {

// The pattern with its zeros copied, as plain sizes; a -1 becomes `minus_one`. Nothing where a
// value cannot be a size.
std::optional<Sizes> sizes_of(const Asked& asked, std::int64_t minus_one = -1) {
  Sizes sizes;
  for (PatternValue value : asked.with_zeros_copied()) {
    const PatternValue size = value == -1 ? minus_one : value;
    if (size < 0 || size > INT64_MAX) return std::nullopt;
    sizes.push_back(static_cast<std::int64_t>(size));
  }
  return sizes;
}

template <typename Int>
Int wrapping_product(const Sizes& sizes) {
  std::uint64_t product = 1;
  for (std::int64_t size : sizes) product *= static_cast<std::uint64_t>(size);
  return static_cast<Int>(product);
}

Sizes sizes_of(const Shape& shape) { return Sizes(shape.begin(), shape.end()); }

// What a volume check in arithmetic of type Int lets through.
template <typename Int>
std::optional<Sizes> same_volume_in(const Asked& asked) {
  const auto sizes = sizes_of(asked);
  if (!sizes || asked.minus_ones() != 0) return std::nullopt;
  if (wrapping_product<Int>(*sizes) != wrapping_product<Int>(sizes_of(asked.data))) {
    return std::nullopt;
  }
  return sizes;
}

}  // namespace

MUTANT("last-size-one-more", Breaks("output.shape"), Caught("shape", "shape"),
       Says("the last size is one more than asked")) {
  table.infer_shape = after_infer([](const reshape_request&, reshape_shape& shape) {
    if (shape.rank > 0) ++shape.sizes[shape.rank - 1];
  });
}

MUTANT("sizes-reversed", Breaks("output.shape"), Caught("shape", "shape"),
       Says("the sizes are written innermost first")) {
  table.infer_shape = after_infer([](const reshape_request&, reshape_shape& shape) {
    for (int a = 0, b = shape.rank - 1; a < b; ++a, --b) {
      const std::int64_t kept = shape.sizes[a];
      shape.sizes[a] = shape.sizes[b];
      shape.sizes[b] = kept;
    }
  });
}

MUTANT("flag-ignored", Breaks("C3"), Caught("shape", "shape"),
       Says("special_zero is taken as true, whatever is given")) {
  misunderstand(table, [](Asked& asked) {
    if (asked.special_zero != RESHAPE_FLAG_MISSING) asked.special_zero = RESHAPE_FLAG_TRUE;
  });
}

MUTANT("flag-inverted", Breaks("C3"), Caught("shape", "shape"),
       Says("special_zero false copies, true does not")) {
  misunderstand(table, [](Asked& asked) {
    if (asked.special_zero != RESHAPE_FLAG_MISSING) asked.special_zero = asked.flag() ? 0 : 1;
  });
}

MUTANT("missing-flag-means-false", Breaks("special-zero.required"), Caught("shape", "shape"),
       Says("a request without special_zero is taken as false")) {
  misunderstand(table, [](Asked& asked) {
    if (asked.special_zero == RESHAPE_FLAG_MISSING) asked.special_zero = RESHAPE_FLAG_FALSE;
  });
}

MUTANT("copied-zero-right-aligned", Breaks("output.shape"), Caught("shape", "shape"),
       Says("a copying 0 looks at the same place from the right")) {
  misunderstand(table, [](Asked& asked) {
    if (!asked.flag()) return;
    const std::size_t rank = asked.data.rank(), length = asked.pattern.size();
    for (std::size_t at = 0; at < length; ++at) {
      const std::size_t from_right = length - at;
      if (asked.pattern[at] == 0 && from_right <= rank) {
        asked.pattern[at] = asked.data[rank - from_right];
      }
    }
  });
}

MUTANT("copied-index-unchecked", Breaks("zero.past-rank"), Caught("shape", "shape"),
       Says("a copying 0 past the rank of the data gives 1")) {
  misunderstand(table, [](Asked& asked) {
    for (std::size_t at = asked.data.rank(); asked.flag() && at < asked.pattern.size(); ++at) {
      if (asked.pattern[at] == 0) asked.pattern[at] = 1;
    }
  });
}

MUTANT("first-minus-one-infers", Breaks("minus-one.once"), Caught("shape", "shape"),
       Says("of several -1 the first is inferred, the others are 1")) {
  misunderstand(table, [](Asked& asked) {
    bool first = true;
    for (PatternValue& value : asked.pattern) {
      if (value != -1) continue;
      if (!first) value = 1;
      first = false;
    }
  });
}

MUTANT("below-minus-one-infers", Breaks("pattern.values"), Caught("shape", "shape"),
       Says("every negative value is taken as -1")) {
  misunderstand(table, [](Asked& asked) {
    for (PatternValue& value : asked.pattern) {
      if (value < 0) value = -1;
    }
  });
}

MUTANT("unsigned-all-ones-infers", Breaks("size.representable"), Caught("shape", "shape"),
       Says("patterns are read as i64, so that 2^64-1 is -1"), On("openvino-reshape-1/u64-*")) {
  produces_instead_of_rejecting(table, [](const Asked& asked) -> std::optional<Sizes> {
    Sizes sizes;
    std::size_t inferred = 0, infers = 0;
    std::int64_t known = 1;
    for (PatternValue value : asked.with_zeros_copied()) {
      const bool all_ones = value == static_cast<PatternValue>(UINT64_MAX);
      if (!all_ones && (value < 0 || value > 1'000'000)) return std::nullopt;
      if (all_ones) inferred = sizes.size();
      infers += all_ones;
      sizes.push_back(all_ones ? 1 : static_cast<std::int64_t>(value));
      known *= sizes.back();
    }
    const std::int64_t count = element_count(asked.data).value_or(0);
    if (infers != 1 || known <= 0 || count % known != 0) return std::nullopt;
    sizes[inferred] = count / known;
    return sizes;
  });
}

MUTANT("minus-one-rounds-down", Breaks("minus-one.divides"), Caught("shape", "shape"),
       Says("the -1 is the quotient, and the remainder is forgotten")) {
  produces_instead_of_rejecting(table, [](const Asked& asked) -> std::optional<Sizes> {
    const auto known = sizes_of(asked, 1);
    const auto count = element_count(asked.data);
    if (!known || !count || asked.minus_ones() != 1) return std::nullopt;
    const auto product = element_count(Shape(*known));
    if (!product || *product == 0) return std::nullopt;
    return sizes_of(asked, *count / *product);
  });
}

MUTANT("volume-unchecked", Breaks("volume.kept"), Caught("shape", "shape"),
       Says("the numbers of elements are not compared")) {
  produces_instead_of_rejecting(table, [](const Asked& asked) { return sizes_of(asked); });
}

MUTANT("volume-in-32-bits", Breaks("volume.kept"), Caught("shape", "shape"),
       Says("the numbers of elements are multiplied in 32 bits")) {
  produces_instead_of_rejecting(
      table, [](const Asked& asked) { return same_volume_in<std::int32_t>(asked); });
}

MUTANT("volume-in-64-bits", Breaks("volume.kept"), Caught("shape", "shape"),
       Says("the numbers of elements are multiplied in 64 bits that wrap around")) {
  produces_instead_of_rejecting(
      table, [](const Asked& asked) { return same_volume_in<std::int64_t>(asked); });
}

MUTANT("everything-is-fine", Breaks("C4"), Caught("shape", "shape"),
       Says("what must be refused is answered with the shape of the data")) {
  produces_instead_of_rejecting(
      table, [](const Asked& asked) { return std::optional(sizes_of(asked.data)); });
}

MUTANT("nothing-is-fine", Breaks("C3"), Caught("shape", "shape"),
       Says("every request is refused")) {
  table.infer_shape = [](const reshape_request*, reshape_shape*, reshape_message* why) {
    return answer(RESHAPE_REJECTED, "no", why);
  };
  table.execute = [](const reshape_request*, DLTensor*, reshape_message* why) {
    return answer(RESHAPE_REJECTED, "no", why);
  };
}

MUTANT("empty-is-flat", Breaks("output.shape"), Caught("shape", "shape"),
       Says("an output without elements is [0], whatever was asked")) {
  table.infer_shape = after_infer([](const reshape_request& request, reshape_shape& shape) {
    if (!is_empty(shape_of(*request.data)) || shape.rank == 0) return;
    shape.rank = 1;
    shape.sizes[0] = 0;
  });
}

}  // namespace reshape::conformance::self
