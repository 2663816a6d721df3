// Arithmetic in the type that the pattern happens to have.
#include <cmath>

#include "conformance/self/misread.h"
#include "conformance/self/mutant.h"

namespace reshape::conformance::self {
namespace {

// A number as it comes out of a variable of an integer type.
PatternValue wrapped(PatternValue value, ElementType type) {
  const PatternValue span = PatternValue{1} << bits(type);
  PatternValue rest = value % span;
  if (rest < 0) rest += span;
  return is_signed_integer(type) && rest >= span / 2 ? rest - span : rest;
}

}  // namespace

MUTANT("volume-in-the-pattern-type", Breaks("output.shape"), Caught("shape", "shape"),
       On("openvino-reshape-1/integers-plain.u4"),
       Says("sizes are multiplied in the pattern's type, so that u8[16,16] makes 0")) {
  misreads(table, [](const Asked& asked, const RightAnswer& right) {
    const auto plain = plain_pattern(asked);
    const auto count = element_count(asked.data);
    const bool narrow = is_integer(asked.pattern_type) && bits(asked.pattern_type) < 64;
    if (!right.produces() || !plain || plain->minus_one || !count || !narrow) {
      return Misreading::none();
    }
    PatternValue product = 1;
    for (const std::int64_t size : plain->sizes) {
      product = wrapped(product * wrapped(size, asked.pattern_type), asked.pattern_type);
    }
    return product == *count ? Misreading::none() : Misreading::refusal();
  });
}

MUTANT("both-volumes-in-the-pattern-type", Breaks("volume.kept"), Caught("shape", "shape"),
       On("onednn-graph-dynamic-reshape-1/empty-to-wrapping-32"),
       Says("both volumes are multiplied in the pattern's type and compared there")) {
  misreads(table, [](const Asked& asked, const RightAnswer& right) {
    const auto plain = plain_pattern(asked);
    if (!right.refused_for("volume.kept") || !plain || plain->minus_one ||
        bits(asked.pattern_type) >= 64) {
      return Misreading::none();
    }
    const auto product = [&](const Sizes& sizes) {
      PatternValue all = 1;
      for (const std::int64_t size : sizes) {
        all = wrapped(all * wrapped(size, asked.pattern_type), asked.pattern_type);
      }
      return all;
    };
    const bool same = product(plain->sizes) == product(sizes_of(asked.data));
    return same ? Misreading::of(plain->sizes) : Misreading::none();
  });
}

MUTANT("copied-into-the-pattern-type", Breaks("zero.copies"), Caught("shape", "shape"),
       On("openvino-reshape-1/signed-copied-past-the-type.i8"),
       Says("copied sizes are written over the zeros, in the pattern's type")) {
  misreads(table, [](const Asked& asked, const RightAnswer& right) {
    if (!right.produces() || !asked.flag()) return Misreading::none();
    Sizes sizes = right.sizes;
    for (std::size_t at = 0; at < sizes.size(); ++at) {
      if (asked.pattern[at] != 0) continue;
      const PatternValue size = wrapped(sizes[at], asked.pattern_type);
      if (size < 0) return Misreading::refusal();
      sizes[at] = static_cast<std::int64_t>(size);
    }
    return Misreading::of(sizes);
  });
}

MUTANT("inferred-into-the-pattern-type", Breaks("minus-one.inferred"), Caught("shape", "shape"),
       On("openvino-reshape-1/signed-infer-alone.i4"),
       Says("an inferred size is written over the -1, in the pattern's type")) {
  misreads(table, [](const Asked& asked, const RightAnswer& right) {
    if (!right.produces()) return Misreading::none();
    Sizes sizes = right.sizes;
    for (std::size_t at = 0; at < sizes.size(); ++at) {
      if (asked.pattern[at] != -1) continue;
      const PatternValue size = wrapped(sizes[at], asked.pattern_type);
      if (size < 0) return Misreading::refusal();
      sizes[at] = static_cast<std::int64_t>(size);
    }
    return Misreading::of(sizes);
  });
}

MUTANT("known-product-in-the-pattern-type", Breaks("minus-one.inferred"), Caught("shape", "shape"),
       On("openvino-reshape-1/signed-infer-last.i4"),
       Says("the known sizes are multiplied in the pattern's type before they divide the count")) {
  misreads(table, [](const Asked& asked, const RightAnswer& right) {
    const auto plain = division(asked, right);
    const auto count = element_count(asked.data);
    if (!plain || !count) return Misreading::none();
    PatternValue known = 1;
    for (const std::int64_t size : plain->sizes) {
      known = wrapped(known * wrapped(size, asked.pattern_type), asked.pattern_type);
    }
    if (known <= 0 || *count % known != 0) return Misreading::refusal();
    return Misreading::of(plain->with(static_cast<std::int64_t>(*count / known)));
  });
}

MUTANT("data-count-in-the-pattern-type", Breaks("minus-one.inferred"), Caught("shape", "shape"),
       On("openvino-reshape-1/signed-infer-last.i4"),
       Says("the data's elements are counted in the pattern's type before the -1 divides them")) {
  misreads(table, [](const Asked& asked, const RightAnswer& right) {
    const auto plain = division(asked, right);
    const auto count = element_count(asked.data);
    const auto known = plain ? element_count(Shape(plain->sizes)) : std::nullopt;
    if (!plain || !count || !known) return Misreading::none();
    const PatternValue there = wrapped(*count, asked.pattern_type);
    if (there < 0 || there % *known != 0) return Misreading::refusal();
    return Misreading::of(plain->with(static_cast<std::int64_t>(there / *known)));
  });
}

MUTANT("volume-in-128-bits", Breaks("volume.kept"), Caught("shape", "shape"),
       On("openvino-reshape-1/wrap-128-to-zero"),
       Says("the numbers of elements are multiplied in 128 bits that wrap around")) {
  misreads(table, [](const Asked& asked, const RightAnswer& right) {
    const auto plain = plain_pattern(asked);
    if (!right.refused_for("volume.kept") || !plain || plain->minus_one) {
      return Misreading::none();
    }
    const auto product = [](const Sizes& sizes) {
      unsigned __int128 all = 1;
      for (const std::int64_t size : sizes) all *= static_cast<unsigned __int128>(size);
      return all;
    };
    const bool same = product(plain->sizes) == product(sizes_of(asked.data));
    return same ? Misreading::of(plain->sizes) : Misreading::none();
  });
}

MUTANT("volume-in-long-double", Breaks("volume.kept"), Caught("shape", "shape"),
       On("openvino-reshape-1/volume-beyond-long-double"),
       Says("the numbers of elements are multiplied in long double, which holds 64 bits")) {
  compares_in<long double>(table);
}

MUTANT("volume-by-logarithms", Breaks("volume.kept"), Caught("shape", "shape"),
       On("openvino-reshape-1/double-small-sizes-one-more"),
       Says("volumes are compared as sums of logarithms, to nine places")) {
  misreads(table, [](const Asked& asked, const RightAnswer& right) {
    const auto plain = plain_pattern(asked);
    const bool concerned = right.refused_for("volume.kept") && plain && !plain->minus_one &&
                           !is_empty(asked.data) && !is_empty(Shape(plain->sizes));
    if (!concerned) return Misreading::none();
    const auto sum = [](const Sizes& sizes) {
      double all = 0;
      for (const std::int64_t size : sizes) all += std::log2(static_cast<double>(size));
      return all;
    };
    const bool same = std::abs(sum(plain->sizes) - sum(sizes_of(asked.data))) < 1e-9;
    return same ? Misreading::of(plain->sizes) : Misreading::none();
  });
}

}  // namespace reshape::conformance::self
