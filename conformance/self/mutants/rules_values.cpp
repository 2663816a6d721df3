// Values of a pattern that are read as something else: by their sign, their place, their width, or as a
// mark.
#include <algorithm>
#include <limits>

#include "conformance/self/families.h"
#include "conformance/self/misread.h"

namespace reshape::conformance::self {
namespace {

// Patterns of one type are read as if they were of another, which is as wide.
Steps reads_as(ElementType from, ElementType to) {
  return misunderstand([=](Asked& asked) {
    if (asked.pattern_type == from) asked.read_pattern_as(to);
  });
}

Steps each_below_minus_one(std::function<PatternValue(const Asked&, std::size_t)> change) {
  return misunderstand([=](Asked& asked) {
    for (std::size_t at = 0; at < asked.pattern.size(); ++at) {
      if (asked.pattern[at] < -1) asked.pattern[at] = change(asked, at);
    }
  });
}

// Pattern values equal to `sentinel` are read as `meant`.
Steps takes_for(std::int64_t sentinel, std::int64_t meant) {
  return misunderstand([=](Asked& asked) {
    std::replace(asked.pattern.begin(), asked.pattern.end(), PatternValue{sentinel},
                 PatternValue{meant});
  });
}

// Sizes of data equal to `sentinel` are not known, so that nothing of them is.
Steps refuses_data_of(std::int64_t sentinel) {
  return refuses_where([=](const Asked& asked, const Sizes&) {
    return std::find(asked.data.begin(), asked.data.end(), sentinel) != asked.data.end();
  });
}

// A second -1 from place `first` on is not seen as one, and is 1.
Steps second_minus_one_unseen_from(std::size_t first) {
  return misunderstand([=](Asked& asked) {
    bool seen = false;
    for (std::size_t at = 0; at < asked.pattern.size(); ++at) {
      if (asked.pattern[at] != -1) continue;
      if (seen && at >= first) asked.pattern[at] = 1;
      seen = true;
    }
  });
}

// A value below -1 from place `first` on is not looked at, and counts as 1.
Steps negative_unseen_from(std::size_t first) {
  return misunderstand([=](Asked& asked) {
    for (std::size_t at = first; at < asked.pattern.size(); ++at) {
      if (asked.pattern[at] < -1) asked.pattern[at] = 1;
    }
  });
}

// A copying 0 past the rank of the data is let through as 1 from place `first` on.
Steps past_rank_unseen_from(std::size_t first) {
  return misunderstand([=](Asked& asked) {
    for (std::size_t at = std::max(first, asked.data.rank()); at < asked.pattern.size(); ++at) {
      if (asked.flag() && asked.pattern[at] == 0) asked.pattern[at] = 1;
    }
  });
}

// Each size of the pattern becomes through(size) before it is looked at. A value that cannot be
// written in the pattern's type stays.
Steps pattern_passes(std::function<PatternValue(PatternValue)> through) {
  return misunderstand([=](Asked& asked) {
    for (PatternValue& value : asked.pattern) {
      if (value < 1) continue;
      const PatternValue passed = through(value);
      if (passed >= lowest(asked.pattern_type) && passed <= highest(asked.pattern_type)) {
        value = passed;
      }
    }
  });
}

Steps output_passes(std::function<std::int64_t(std::int64_t)> through) {
  return reshapes_otherwise([=](const Asked&, Sizes& sizes) {
    for (std::int64_t& size : sizes) size = through(size);
  });
}

// Whatever is asked of data is asked of its sizes as through(size).
Steps data_passes(std::function<std::int64_t(std::int64_t)> through) {
  return misreads([=](const Asked& asked, const RightAnswer& right) {
    auto sizes = sizes_asked_for(asked, right);
    if (!sizes) return none();
    Sizes data = sizes_of(asked.data);
    for (std::int64_t& size : data) size = through(size);
    // Copied sizes come out of the same array.
    for (std::size_t at = 0; asked.flag() && at < sizes->size(); ++at) {
      if (asked.pattern[at] == 0 && at < data.size()) (*sizes)[at] = data[at];
    }
    const auto count = element_count(Shape(data));
    if (!count || element_count(Shape(*sizes)) != count) return refusal();
    return answers(*sizes);
  });
}

// A size above `most` on either side is refused.
Steps refuses_sizes_above(std::int64_t most) {
  return refuses_where([=](const Asked& asked, const Sizes& sizes) {
    const auto above = [=](std::int64_t size) { return size > most; };
    return std::any_of(sizes.begin(), sizes.end(), above) ||
           std::any_of(asked.data.begin(), asked.data.end(), above);
  });
}

}  // namespace

Mutants families::rules_values() {
  Mutants table = {
      {"below-minus-one-infers", "pattern.values", "rank-8-below-minus-one-last",
       "every negative value is taken as -1",
       each_below_minus_one([](const Asked&, std::size_t) { return -1; }),
       like("numpy/numpy#27024")},
      {"negative-made-positive", "pattern.values", "signed-minus-two.i32",
       "of values below -1 the sign is dropped",
       each_below_minus_one([](const Asked& asked, std::size_t at) -> PatternValue {
         return -asked.pattern[at] > highest(asked.pattern_type) ? asked.pattern[at]
                                                                 : -asked.pattern[at];
       }),
       like("llvm/llvm-project#103062")},
      {"two-negatives-make-a-volume", "pattern.values", "signed-two-negatives.i32",
       "values below -1 are multiplied on, and two of them keep the count",
       misreads([](const Asked& asked, const RightAnswer& right) {
         if (!right.refused_for("pattern.values")) return none();
         Sizes sizes;
         int negatives = 0;
         for (const PatternValue value : asked.with_zeros_copied()) {
           if (value > 1'000'000 || value < -1'000'000) return none();
           negatives += value < 0 ? 1 : 0;
           sizes.push_back(static_cast<std::int64_t>(value < 0 ? -value : value));
         }
         const auto count = element_count(asked.data);
         if (negatives != 2 || !count || element_count(Shape(sizes)) != count) return none();
         return answers(sizes);
       })},
      {"minus-two-copies-the-rest", "pattern.values", "rank-8-below-minus-one-last",
       "a -2 stands for all remaining sizes of the data, as in MXNet",
       misreads([](const Asked& asked, const RightAnswer& right) {
         const auto& pattern = asked.pattern;
         const bool meant = right.refused_for("pattern.values") && !pattern.empty() &&
                            pattern.back() == -2 && pattern.size() <= asked.data.rank() + 1;
         if (!meant) return none();
         Asked other = asked;
         other.pattern.pop_back();
         const auto plain = plain_pattern(other);
         if (!plain || plain->minus_one) return none();
         Sizes sizes = plain->sizes;
         const auto rest = asked.data.begin() + static_cast<std::ptrdiff_t>(sizes.size());
         sizes.insert(sizes.end(), rest, asked.data.end());
         if (element_count(Shape(sizes)) != element_count(asked.data)) return none();
         return answers(sizes);
       })},
      {"minus-three-merges-two", "pattern.values", "minus-three-merges",
       "a -3 stands for the product of two sizes of the data, as in MXNet",
       each_below_minus_one([](const Asked& asked, std::size_t at) -> PatternValue {
         if (asked.pattern[at] != -3 || at + 1 >= asked.data.rank()) return asked.pattern[at];
         const PatternValue merged = PatternValue{asked.data[at]} * asked.data[at + 1];
         return merged > highest(asked.pattern_type) ? asked.pattern[at] : merged;
       })},
      {"negative-counts-from-the-end", "pattern.values", "rank-8-below-minus-one-last",
       "a value of -k copies the k-th size of the data from its end, from -2 on",
       each_below_minus_one([](const Asked& asked, std::size_t at) -> PatternValue {
         const PatternValue from_end = -asked.pattern[at];
         if (from_end > static_cast<PatternValue>(asked.data.rank())) return asked.pattern[at];
         const PatternValue size =
             asked.data[asked.data.rank() - static_cast<std::size_t>(from_end)];
         return size > highest(asked.pattern_type) ? asked.pattern[at] : size;
       })},
      {"negative-clamped-to-zero", "pattern.values", "i4-lowest-plus-one",
       "values below -1 are raised to 0",
       each_below_minus_one([](const Asked&, std::size_t) { return 0; })},
      {"lowest-value-infers", "pattern.values", "i4-lowest",
       "the lowest value of the pattern's type means unknown, like -1",
       each_below_minus_one([](const Asked& asked, std::size_t at) -> PatternValue {
         return asked.pattern[at] == lowest(asked.pattern_type) ? -1 : asked.pattern[at];
       }),
       like("pytorch/pytorch#173724")},
      {"negative-checked-in-the-low-half", "pattern.values", "lowest-i64-true",
       "i64 values are cut to 32 bits before they are looked at, so that -2^32+6 is 6",
       misunderstand([](Asked& asked) {
         for (PatternValue& value : asked.pattern) {
           if (value < -1) value = static_cast<std::int32_t>(value);
         }
       })},
      {"only-first-negative-looked-at", "pattern.values", "two-negatives-and-one",
       "the search for negative values ends at the first -1", misunderstand([](Asked& asked) {
         const auto first = std::find(asked.pattern.begin(), asked.pattern.end(), -1);
         for (auto value = first; value != asked.pattern.end(); ++value) {
           if (*value < -1) *value = 1;
         }
       })},
      {"u64-read-as-i64", "size.representable", "u64-2-to-64-minus-1-true",
       "patterns of u64 are read as i64, so that 2^64-1 is -1",
       reads_as(ElementType::u64, ElementType::i64)},
      {"u32-read-as-i32", "volume.kept", "u32-highest-is-not-minus-one-true",
       "patterns of u32 are read as i32, so that 2^32-1 is -1",
       reads_as(ElementType::u32, ElementType::i32)},
      {"u16-read-as-i16", "output.shape", "u16-highest-without-elements",
       "patterns of u16 are read as i16, so that 65535 is -1 and 32768 is refused",
       reads_as(ElementType::u16, ElementType::i16)},
      {"u8-read-as-i8", "output.shape", "u8-highest-without-elements",
       "patterns of u8 are read as i8, so that 255 is -1 and 128 is refused",
       reads_as(ElementType::u8, ElementType::i8)},
      {"u4-read-as-i4", "output.shape", "u4-highest-without-elements",
       "patterns of u4 are read as i4, so that 15 is -1 and 8 is refused",
       reads_as(ElementType::u4, ElementType::i4)},
      {"i64-read-as-u64", "minus-one.inferred", "infer-zero-first-true",
       "patterns of i64 are read as u64, so that -1 is too large a size",
       reads_as(ElementType::i64, ElementType::u64)},
      {"i32-not-sign-extended", "minus-one.inferred", "signed-infer-alone.i32",
       "patterns of i32 are widened without their sign, so that -1 is 2^32-1",
       reads_as(ElementType::i32, ElementType::u32)},
      {"i16-not-sign-extended", "minus-one.inferred", "signed-copied-past-the-type.i16",
       "patterns of i16 are widened without their sign, so that -1 is 65535",
       reads_as(ElementType::i16, ElementType::u16)},
      {"i8-not-sign-extended", "minus-one.inferred", "signed-infer.i8",
       "patterns of i8 are widened without their sign, so that -1 is 255",
       reads_as(ElementType::i8, ElementType::u8)},
      {"i4-not-sign-extended", "minus-one.inferred", "signed-infer-last.i4",
       "patterns of i4 are widened without their sign, so that -1 is 15",
       reads_as(ElementType::i4, ElementType::u4)},
      {"4-bit-patterns-high-half-first", "output.shape", "integers-plain.i4",
       "of two 4-bit pattern values in a byte the high half is read first",
       misunderstand([](Asked& asked) {
         if (bits(asked.pattern_type) != 4) return;
         for (std::size_t at = 0; at + 1 < asked.pattern.size(); at += 2) {
           std::swap(asked.pattern[at], asked.pattern[at + 1]);
         }
       })},
      {"i64-pattern-read-in-halves", "output.shape", "count-2.f64",
       "an i64 pattern is walked as i32, so that each value is followed by its upper half",
       misunderstand([](Asked& asked) {
         if (asked.pattern_type != ElementType::i64) return;
         std::vector<PatternValue> halves;
         for (const PatternValue value : asked.pattern) {
           halves.push_back(static_cast<std::int32_t>(value));
           halves.push_back(static_cast<std::int32_t>(value >> 32));
         }
         halves.resize(asked.pattern.size());
         asked.pattern = halves;
       }),
       like("apache/tvm#20174")},
      {"int32-max-infers", "volume.kept", "sentinel-*",
       "2^31-1 in a pattern means what slices mean by it, all that is left",
       takes_for(INT32_MAX, -1)},
      {"int64-max-infers", "volume.kept", "sentinel-*",
       "2^63-1 in a pattern means what slices mean by it, all that is left",
       takes_for(INT64_MAX, -1)},
      {"uint32-max-infers", "volume.kept", "sentinel-*",
       "2^32-1 in a pattern is a -1 that was stored without its sign", takes_for(UINT32_MAX, -1)},
      {"uint16-max-infers", "volume.kept", "sentinel-*",
       "65535 in a pattern is a -1 that was stored without its sign", takes_for(UINT16_MAX, -1)},
      {"uint8-max-infers", "volume.kept", "sentinel-*",
       "255 in a pattern of any type is a -1 that was stored without its sign",
       takes_for(UINT8_MAX, -1)},
      {"int32-min-infers", "pattern.values", "sentinel-*",
       "-2^31 in a pattern of any type means unknown, like -1", takes_for(INT32_MIN, -1)},
      {"minus-999-infers", "pattern.values", "sentinel-*",
       "-999 in a pattern means unknown, like -1", takes_for(-999, -1)},
      {"lowest-value-copies", "pattern.values", "sentinel-*",
       "oneDNN's mark for a size that is known only at run time, -2^63, copies like a 0",
       takes_for(INT64_MIN, 0)},
      {"data-of-255-refused", Duty::C3, "data-size-*",
       "a size of 255 of the data is the mark of a free slot, and refused", refuses_data_of(255)},
      {"data-of-65535-refused", Duty::C3, "data-size-*",
       "a size of 65535 of the data is the mark of a free slot, and refused",
       refuses_data_of(65535)},
      {"data-of-int32-max-refused", Duty::C3, "data-size-*",
       "a size of 2^31-1 of the data is the mark of an unknown one, and refused",
       refuses_data_of(INT32_MAX)},
      {"data-of-uint32-max-refused", Duty::C3, "data-size-*",
       "a size of 2^32-1 of the data is the mark of an unknown one, and refused",
       refuses_data_of(UINT32_MAX)},
      {"data-of-int64-max-refused", Duty::C3, "data-size-*",
       "a size of 2^63-1 of the data is the mark of an unknown one, and refused",
       refuses_data_of(INT64_MAX)},
      {"second-minus-one-unseen-behind-8", "minus-one.once", "second-minus-one-at-33",
       "a second -1 behind the eighth place is taken as 1", second_minus_one_unseen_from(8)},
      {"second-minus-one-unseen-behind-32", "minus-one.once", "second-minus-one-at-33",
       "which places are -1 is kept in 32 bits, and a second one behind them is 1",
       second_minus_one_unseen_from(32)},
      {"second-minus-one-unseen-behind-64", "minus-one.once", "second-minus-one-at-129",
       "which places are -1 is kept in 64 bits, and a second one behind them is 1",
       second_minus_one_unseen_from(64)},
      {"third-minus-one-unseen", "minus-one.once", "three",
       "two -1 are refused; of three the number wraps to one, and the others are 1",
       misunderstand([](Asked& asked) {
         if (asked.minus_ones() < 3) return;
         const auto first = std::find(asked.pattern.begin(), asked.pattern.end(), -1);
         std::replace(first + 1, asked.pattern.end(), PatternValue{-1}, PatternValue{1});
       })},
      {"negative-unseen-behind-4", "pattern.values", "rank-8-below-minus-one-last",
       "a value below -1 behind the fourth place counts as 1", negative_unseen_from(4)},
      {"negative-unseen-behind-8", "pattern.values", "rank-12-below-minus-one-last",
       "a value below -1 behind the eighth place counts as 1", negative_unseen_from(8)},
      {"negative-unseen-behind-32", "pattern.values", "rank-64-below-minus-one-last",
       "a value below -1 behind the 32nd place counts as 1", negative_unseen_from(32)},
      {"past-rank-unseen-behind-8", "zero.past-rank", "zero-past-rank-at-9",
       "a copying 0 past the rank is let through as a 1 behind the eighth place",
       past_rank_unseen_from(8)},
      {"past-rank-unseen-behind-32", "zero.past-rank", "zero-past-rank-at-33",
       "a copying 0 past the rank is let through as a 1 behind the 32nd place",
       past_rank_unseen_from(32)},
      {"past-rank-unseen-behind-a-minus-one", "zero.past-rank", "past-rank-with-minus-one",
       "the search for zeros past the rank ends at the -1", misunderstand([](Asked& asked) {
         const auto first = std::find(asked.pattern.begin(), asked.pattern.end(), -1);
         if (!asked.flag() || first == asked.pattern.end()) return;
         const std::size_t from = static_cast<std::size_t>(first - asked.pattern.begin());
         for (std::size_t at = std::max(from, asked.data.rank()); at < asked.pattern.size(); ++at) {
           if (asked.pattern[at] == 0) asked.pattern[at] = 1;
         }
       })},
      {"unrepresentable-unseen-beside-a-zero", "size.representable",
       "u64-2-to-64-minus-1-without-elements",
       "where the volume is 0 anyway, a u64 size above 2^63-1 is let through as 2^63-1",
       misreads([](const Asked& asked, const RightAnswer& right) {
         if (!right.refused_for("size.representable") || !is_empty(asked.data)) {
           return none();
         }
         Asked other = asked;
         for (PatternValue& value : other.pattern) value = std::min(value, PatternValue{INT64_MAX});
         const auto plain = plain_pattern(other);
         const bool fits = plain && !plain->minus_one && is_empty(Shape(plain->sizes));
         return fits ? answers(plain->sizes) : none();
       })},
      {"unrepresentable-unseen-behind-the-first", "size.representable",
       "u64-2-to-64-minus-1-without-elements",
       "only the first u64 value is held against 2^63-1; others lose their top bit",
       misunderstand([](Asked& asked) {
         for (std::size_t at = 1; at < asked.pattern.size(); ++at) {
           if (asked.pattern[at] > INT64_MAX) asked.pattern[at] &= INT64_MAX;
         }
       })},
      {"pattern-in-32-bits", "volume.kept", "empty-to-wrapping-128",
       "pattern values lose what is above 32 bits, so that 2^32+6 is 6",
       pattern_passes([](PatternValue value) -> PatternValue {
         return static_cast<std::int32_t>(static_cast<std::int64_t>(value));
       })},
      {"pattern-in-16-bits", "volume.kept", "empty-to-wrapping-32",
       "pattern values lose what is above 16 bits",
       pattern_passes([](PatternValue value) { return value & 0xffff; })},
      {"pattern-in-8-bits", "volume.kept", "empty-to-wrapping-32",
       "pattern values lose what is above 8 bits",
       pattern_passes([](PatternValue value) { return value & 0xff; })},
      {"pattern-in-48-bits", "volume.kept", "truncated-to-low-48-bits-true",
       "pattern values are packed into 48 bits beside a tag",
       pattern_passes([](PatternValue value) { return value & 0xffffffffffff; })},
      {"pattern-through-float", "volume.kept", "double-compare-below",
       "pattern values are read through float, so that 2^24+1 is 2^24",
       pattern_passes([](PatternValue value) {
         return static_cast<PatternValue>(static_cast<float>(value));
       })},
      {"pattern-through-double", "volume.kept", "double-compare-below",
       "pattern values are read through double, so that 2^53+1 is 2^53",
       pattern_passes([](PatternValue value) {
         return static_cast<PatternValue>(static_cast<double>(value));
       })},
      {"pattern-clamped-to-int32", "volume.kept", "size-2-to-31",
       "pattern values above 2^31-1 are taken as 2^31-1, OpenVINO's slices in mind",
       pattern_passes([](PatternValue value) { return std::min(value, PatternValue{INT32_MAX}); })},
      {"u64-clamped-to-int64", "size.representable", "u64-2-to-64-minus-1-without-elements",
       "u64 pattern values above 2^63-1 are taken as 2^63-1",
       pattern_passes([](PatternValue value) { return std::min(value, PatternValue{INT64_MAX}); })},
      {"u64-without-its-top-bit", "size.representable", "u64-2-to-64-minus-1-without-elements",
       "of u64 pattern values the top bit is dropped, so that 2^63+6 is 6",
       pattern_passes([](PatternValue value) { return value & INT64_MAX; })},
      {"output-in-32-bits", "output.shape", "infer-zero-wide-volume-64-true",
       "sizes are answered through a 32-bit integer",
       output_passes([](std::int64_t size) { return size & 0x7fffffff; })},
      {"output-clamped-to-int32", "output.shape", "infer-zero-wide-volume-64-true",
       "sizes above 2^31-1 are answered as 2^31-1",
       output_passes([](std::int64_t size) { return std::min(size, std::int64_t{INT32_MAX}); }),
       like("tensorflow/tensorflow#46693")},
      {"output-in-16-bits", "output.shape", "large-1-mib-and-a-tail",
       "sizes are answered through an unsigned 16-bit integer",
       output_passes([](std::int64_t size) { return size & 0xffff; })},
      {"output-in-signed-16-bits", "output.shape", "large-1-mib-and-a-tail",
       "sizes are answered through a 16-bit integer, and negative ones as 0",
       output_passes([](std::int64_t size) {
         return std::max(std::int64_t{0}, std::int64_t{static_cast<std::int16_t>(size)});
       })},
      {"output-in-8-bits", "output.shape", "count-256.f64",
       "sizes are answered through an unsigned 8-bit integer",
       output_passes([](std::int64_t size) { return size & 0xff; })},
      {"output-through-float", "output.shape", "size-2-to-31-minus-1",
       "sizes are answered through float, so that 2^24+1 is 2^24",
       output_passes([](std::int64_t size) {
         return size >= (std::int64_t{1} << 62)
                    ? size
                    : static_cast<std::int64_t>(static_cast<float>(size));
       })},
      {"output-through-double", "output.shape", "double-quotient",
       "sizes are answered through double, so that 2^53+1 is 2^53",
       output_passes([](std::int64_t size) {
         return size >= (std::int64_t{1} << 62)
                    ? size
                    : static_cast<std::int64_t>(static_cast<double>(size));
       })},
      {"data-sizes-in-32-bits", "volume.kept", "truncated-data-size",
       "the data's sizes lose what is above 32 bits",
       data_passes([](std::int64_t size) { return size & 0xffffffff; })},
      {"data-sizes-in-16-bits", "volume.kept", "truncated-data-size",
       "the data's sizes lose what is above 16 bits",
       data_passes([](std::int64_t size) { return size & 0xffff; })},
      {"data-sizes-in-8-bits", "volume.kept", "truncated-data-size",
       "the data's sizes lose what is above 8 bits",
       data_passes([](std::int64_t size) { return size & 0xff; })},
      {"size-above-int32-refused", Duty::C3, "infer-zero-wide-volume-64-true",
       "a size above 2^31-1 on either side is refused", refuses_sizes_above(INT32_MAX)},
      {"size-above-uint32-refused", Duty::C3, "infer-zero-wide-volume-64-true",
       "a size above 2^32-1 on either side is refused", refuses_sizes_above(UINT32_MAX)},
      {"size-above-2-to-53-refused", Duty::C3, "size-2-to-62",
       "a size that double does not hold is refused", refuses_sizes_above(std::int64_t{1} << 53)},
      {"largest-size-means-dynamic", Duty::C3, "size-2-to-63-minus-1",
       "a size of 2^63-1 is taken for one that is not known, and refused",
       refuses_sizes_above(INT64_MAX - 1)},
      {"size-above-uint16-refused", Duty::C3, "large-1-mib-and-a-tail",
       "a size above 65535 on either side is refused", refuses_sizes_above(UINT16_MAX)},
  };
  return family(Kind::rules, {"shape", "shape"}, std::move(table));
}

}  // namespace reshape::conformance::self
