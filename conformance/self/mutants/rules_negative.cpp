// Values below -1, and values that only look like a -1.
#include <algorithm>

#include "conformance/self/misread.h"
#include "conformance/self/mutant.h"

namespace reshape::conformance::self {
namespace {

// Patterns of the type From are read as if they were of the type To, which is as wide.
template <ElementType From, ElementType To>
void takes_for(reshape_plugin& table) {
  misunderstand(table, [](Asked& asked) {
    if (asked.pattern_type == From) asked.read_pattern_as(To);
  });
}

template <typename Change>
void each_below_minus_one(reshape_plugin& table, Change) {
  misunderstand(table, [](Asked& asked) {
    for (std::size_t at = 0; at < asked.pattern.size(); ++at) {
      if (asked.pattern[at] < -1) asked.pattern[at] = Change{}(asked, at);
    }
  });
}

}  // namespace

MUTANT("below-minus-one-infers", Breaks("pattern.values"), Caught("shape", "shape"),
       On("openvino-reshape-1/rank-8-below-minus-one-last"), LikePublicBug("numpy/numpy#27024"),
       Says("every negative value is taken as -1")) {
  each_below_minus_one(table, [](const Asked&, std::size_t) -> PatternValue { return -1; });
}

MUTANT("negative-made-positive", Breaks("pattern.values"), Caught("shape", "shape"),
       On("openvino-reshape-1/signed-minus-two.i32"), LikePublicBug("llvm/llvm-project#103062"),
       Says("of values below -1 the sign is dropped")) {
  each_below_minus_one(table, [](const Asked& asked, std::size_t at) -> PatternValue {
    return -asked.pattern[at] > highest(asked.pattern_type) ? asked.pattern[at]
                                                            : -asked.pattern[at];
  });
}

MUTANT("two-negatives-make-a-volume", Breaks("pattern.values"), Caught("shape", "shape"),
       On("openvino-reshape-1/signed-two-negatives.i32"),
       Says("values below -1 are multiplied on, and two of them keep the count")) {
  misreads(table, [](const Asked& asked, const RightAnswer& right) {
    if (!right.refused_for("pattern.values")) return Misreading::none();
    Sizes sizes;
    int negatives = 0;
    for (const PatternValue value : asked.with_zeros_copied()) {
      if (value > 1'000'000 || value < -1'000'000) return Misreading::none();
      negatives += value < 0 ? 1 : 0;
      sizes.push_back(static_cast<std::int64_t>(value < 0 ? -value : value));
    }
    const auto count = element_count(asked.data);
    if (negatives != 2 || !count || element_count(Shape(sizes)) != count) return Misreading::none();
    return Misreading::of(sizes);
  });
}

MUTANT("minus-two-copies-the-rest", Breaks("pattern.values"), Caught("shape", "shape"),
       On("openvino-reshape-1/rank-8-below-minus-one-last"),
       Says("a -2 stands for all remaining sizes of the data, as in MXNet")) {
  misreads(table, [](const Asked& asked, const RightAnswer& right) {
    const auto& pattern = asked.pattern;
    const bool meant = right.refused_for("pattern.values") && !pattern.empty() &&
                       pattern.back() == -2 && pattern.size() <= asked.data.rank() + 1;
    if (!meant) return Misreading::none();
    Asked other = asked;
    other.pattern.pop_back();
    const auto plain = plain_pattern(other);
    if (!plain || plain->minus_one) return Misreading::none();
    Sizes sizes = plain->sizes;
    const auto rest = asked.data.begin() + static_cast<std::ptrdiff_t>(sizes.size());
    sizes.insert(sizes.end(), rest, asked.data.end());
    if (element_count(Shape(sizes)) != element_count(asked.data)) return Misreading::none();
    return Misreading::of(sizes);
  });
}

MUTANT("minus-three-merges-two", Breaks("pattern.values"), Caught("shape", "shape"),
       On("openvino-reshape-1/minus-three-merges"),
       Says("a -3 stands for the product of two sizes of the data, as in MXNet")) {
  each_below_minus_one(table, [](const Asked& asked, std::size_t at) -> PatternValue {
    if (asked.pattern[at] != -3 || at + 1 >= asked.data.rank()) return asked.pattern[at];
    const PatternValue merged = PatternValue{asked.data[at]} * asked.data[at + 1];
    return merged > highest(asked.pattern_type) ? asked.pattern[at] : merged;
  });
}

MUTANT("negative-counts-from-the-end", Breaks("pattern.values"), Caught("shape", "shape"),
       On("openvino-reshape-1/rank-8-below-minus-one-last"),
       Says("a value of -k copies the k-th size of the data from its end, from -2 on")) {
  each_below_minus_one(table, [](const Asked& asked, std::size_t at) -> PatternValue {
    const PatternValue from_end = -asked.pattern[at];
    if (from_end > static_cast<PatternValue>(asked.data.rank())) return asked.pattern[at];
    const PatternValue size = asked.data[asked.data.rank() - static_cast<std::size_t>(from_end)];
    return size > highest(asked.pattern_type) ? asked.pattern[at] : size;
  });
}

MUTANT("negative-clamped-to-zero", Breaks("pattern.values"), Caught("shape", "shape"),
       On("openvino-reshape-1/i4-lowest-plus-one"), Says("values below -1 are raised to 0")) {
  each_below_minus_one(table, [](const Asked&, std::size_t) -> PatternValue { return 0; });
}

MUTANT("lowest-value-infers", Breaks("pattern.values"), Caught("shape", "shape"),
       On("openvino-reshape-1/i4-lowest"), LikePublicBug("pytorch/pytorch#173724"),
       Says("the lowest value of the pattern's type means unknown, like -1")) {
  each_below_minus_one(table, [](const Asked& asked, std::size_t at) -> PatternValue {
    return asked.pattern[at] == lowest(asked.pattern_type) ? -1 : asked.pattern[at];
  });
}

MUTANT("negative-checked-in-the-low-half", Breaks("pattern.values"), Caught("shape", "shape"),
       On("openvino-reshape-1/lowest-i64-true"),
       Says("i64 values are cut to 32 bits before they are looked at, so that -2^32+6 is 6")) {
  misunderstand(table, [](Asked& asked) {
    for (PatternValue& value : asked.pattern) {
      if (value < -1) value = static_cast<std::int32_t>(value);
    }
  });
}

MUTANT("only-first-negative-looked-at", Breaks("pattern.values"), Caught("shape", "shape"),
       On("openvino-reshape-1/two-negatives-and-one"),
       Says("the search for negative values ends at the first -1")) {
  misunderstand(table, [](Asked& asked) {
    const auto first = std::find(asked.pattern.begin(), asked.pattern.end(), -1);
    for (auto value = first; value != asked.pattern.end(); ++value) {
      if (*value < -1) *value = 1;
    }
  });
}

MUTANT("u64-read-as-i64", Breaks("size.representable"), Caught("shape", "shape"),
       On("openvino-reshape-1/u64-2-to-64-minus-1-true"),
       Says("patterns of u64 are read as i64, so that 2^64-1 is -1")) {
  takes_for<ElementType::u64, ElementType::i64>(table);
}

MUTANT("u32-read-as-i32", Breaks("volume.kept"), Caught("shape", "shape"),
       On("openvino-reshape-1/u32-highest-is-not-minus-one-true"),
       Says("patterns of u32 are read as i32, so that 2^32-1 is -1")) {
  takes_for<ElementType::u32, ElementType::i32>(table);
}

MUTANT("u16-read-as-i16", Breaks("output.shape"), Caught("shape", "shape"),
       On("openvino-reshape-1/u16-highest-without-elements"),
       Says("patterns of u16 are read as i16, so that 65535 is -1 and 32768 is refused")) {
  takes_for<ElementType::u16, ElementType::i16>(table);
}

MUTANT("u8-read-as-i8", Breaks("output.shape"), Caught("shape", "shape"),
       On("openvino-reshape-1/u8-highest-without-elements"),
       Says("patterns of u8 are read as i8, so that 255 is -1 and 128 is refused")) {
  takes_for<ElementType::u8, ElementType::i8>(table);
}

MUTANT("u4-read-as-i4", Breaks("output.shape"), Caught("shape", "shape"),
       On("openvino-reshape-1/u4-highest-without-elements"),
       Says("patterns of u4 are read as i4, so that 15 is -1 and 8 is refused")) {
  takes_for<ElementType::u4, ElementType::i4>(table);
}

MUTANT("i64-read-as-u64", Breaks("minus-one.inferred"), Caught("shape", "shape"),
       On("openvino-reshape-1/infer-zero-first-true"),
       Says("patterns of i64 are read as u64, so that -1 is too large a size")) {
  takes_for<ElementType::i64, ElementType::u64>(table);
}

MUTANT("i32-not-sign-extended", Breaks("minus-one.inferred"), Caught("shape", "shape"),
       On("openvino-reshape-1/signed-infer-alone.i32"),
       Says("patterns of i32 are widened without their sign, so that -1 is 2^32-1")) {
  takes_for<ElementType::i32, ElementType::u32>(table);
}

MUTANT("i16-not-sign-extended", Breaks("minus-one.inferred"), Caught("shape", "shape"),
       On("openvino-reshape-1/signed-copied-past-the-type.i16"),
       Says("patterns of i16 are widened without their sign, so that -1 is 65535")) {
  takes_for<ElementType::i16, ElementType::u16>(table);
}

MUTANT("i8-not-sign-extended", Breaks("minus-one.inferred"), Caught("shape", "shape"),
       On("openvino-reshape-1/signed-infer.i8"),
       Says("patterns of i8 are widened without their sign, so that -1 is 255")) {
  takes_for<ElementType::i8, ElementType::u8>(table);
}

MUTANT("i4-not-sign-extended", Breaks("minus-one.inferred"), Caught("shape", "shape"),
       On("openvino-reshape-1/signed-infer-last.i4"),
       Says("patterns of i4 are widened without their sign, so that -1 is 15")) {
  takes_for<ElementType::i4, ElementType::u4>(table);
}

MUTANT("4-bit-patterns-high-half-first", Breaks("output.shape"), Caught("shape", "shape"),
       On("openvino-reshape-1/integers-plain.i4"),
       Says("of two 4-bit pattern values in a byte the high half is read first")) {
  misunderstand(table, [](Asked& asked) {
    if (bits(asked.pattern_type) != 4) return;
    for (std::size_t at = 0; at + 1 < asked.pattern.size(); at += 2) {
      std::swap(asked.pattern[at], asked.pattern[at + 1]);
    }
  });
}

MUTANT("i64-pattern-read-in-halves", Breaks("output.shape"), Caught("shape", "shape"),
       On("openvino-reshape-1/count-2.f64"), LikePublicBug("apache/tvm#20174"),
       Says("an i64 pattern is walked as i32, so that each value is followed by its upper half")) {
  misunderstand(table, [](Asked& asked) {
    if (asked.pattern_type != ElementType::i64) return;
    std::vector<PatternValue> halves;
    for (const PatternValue value : asked.pattern) {
      halves.push_back(static_cast<std::int32_t>(value));
      halves.push_back(static_cast<std::int32_t>(value >> 32));
    }
    halves.resize(asked.pattern.size());
    asked.pattern = halves;
  });
}

}  // namespace reshape::conformance::self
