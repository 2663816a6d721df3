// Mistakes about the pattern's values: their sign, index or width, or other special values.
#include <algorithm>
#include <limits>

#include "conformance/self/misread.h"

namespace reshape::conformance::self {
namespace {

using enum ElementType;

// Patterns of one type are read as if they were of another, which is as wide.
Mistake read_as(ElementType from, ElementType to, const std::string& so_that) {
  return {"patterns of " + std::string(name(from)) + " are read as " + std::string(name(to)) +
              ", so that " + so_that,
          misunderstand([=](Asked& asked) {
            if (asked.pattern_type == from) asked.read_pattern_as(to);
          })};
}

Steps each_below_minus_one(std::function<PatternValue(const Asked&, std::size_t)> change) {
  return misunderstand([=](Asked& asked) {
    for (std::size_t at = 0; at < asked.pattern.size(); ++at) {
      if (asked.pattern[at] < -1) asked.pattern[at] = change(asked, at);
    }
  });
}

Steps takes_for(std::int64_t sentinel, std::int64_t meant) {
  return misunderstand([=](Asked& asked) {
    for (const std::size_t at : places_of(asked, sentinel)) asked.pattern[at] = meant;
  });
}
Mistake without_its_sign(std::int64_t value, const std::string& text) {
  return {text + " in a pattern is a -1 that was stored without its sign", takes_for(value, -1)};
}
Mistake all_that_is_left(std::int64_t value, const std::string& text) {
  return {text + " in a pattern means what slices mean by it, all that is left",
          takes_for(value, -1)};
}
Mistake unknown(std::int64_t value, const std::string& text) {
  return {text + " in a pattern means unknown, like -1", takes_for(value, -1)};
}

WhereAsked data_has(std::int64_t size, const std::string& text) {
  return {"data with a size of " + text + ", which marks what is not known,",
          [=](const Asked& asked) {
            return std::find(asked.data.begin(), asked.data.end(), size) != asked.data.end();
          }};
}

// Looks for a forbidden value only in the first `places` values; further back it is read as 1.
Mistake unseen_behind(std::size_t places, const std::string& what,
                      bool (*is)(const Asked&, std::size_t)) {
  return {what + " behind place " + std::to_string(places) + " is taken as 1",
          takes_for_one(
              [=](const Asked& asked, std::size_t at) { return at >= places && is(asked, at); })};
}
Mistake second_unseen_behind(std::size_t places) {
  return unseen_behind(places, "a second -1", is_second_minus_one);
}
Mistake negative_unseen_behind(std::size_t places) {
  return unseen_behind(places, "a value below -1", is_negative);
}
Mistake past_rank_unseen_behind(std::size_t places) {
  return unseen_behind(places, "a copying 0 past the rank", copies_past_rank);
}

// A change of sizes, with its words.
struct Through {
  std::string words;  // "lose what is above 16 bits"
  std::function<PatternValue(PatternValue)> change;
};
template <typename Number>
Through through(const std::string& type) {
  return {"pass through " + type,
          [](PatternValue value) { return static_cast<PatternValue>(static_cast<Number>(value)); }};
}
Through low_bits(int number) {
  return {"lose what is above " + std::to_string(number) + " bits",
          [=](PatternValue value) { return value & ((PatternValue{1} << number) - 1); }};
}
Through at_most(std::int64_t most, const std::string& text) {
  return {"stop at " + text,
          [=](PatternValue value) { return std::min(value, PatternValue{most}); }};
}
const Through kFloat = through<float>("float, so that 2^24+1 is 2^24");
const Through kDouble = through<double>("double, so that 2^53+1 is 2^53");
const Through kSigned16{
    "pass through a 16-bit integer, and negative ones become 0", [](PatternValue value) {
      return std::max(PatternValue{0}, PatternValue{static_cast<std::int16_t>(value)});
    }};

// A value that cannot be written in the pattern's type stays.
Mistake pattern_values(const Through& through) {
  return {"pattern values " + through.words, misunderstand([=](Asked& asked) {
            for (PatternValue& value : asked.pattern) {
              const PatternValue passed = value < 1 ? value : through.change(value);
              if (holds(asked.pattern_type, passed)) value = passed;
            }
          })};
}

// The same for sizes; results that are no size are not applied.
void pass(Sizes& sizes, const Through& through) {
  for (std::int64_t& size : sizes) {
    const PatternValue passed = through.change(size);
    if (passed <= INT64_MAX) size = static_cast<std::int64_t>(passed);
  }
}

Mistake output_sizes(const Through& through) {
  return {"sizes of the output " + through.words,
          reshapes([=](const Asked&, Sizes& sizes) { pass(sizes, through); }).steps(kAnyRequest)};
}

// Answers as if the data had the changed sizes.
Mistake data_sizes(const Through& through) {
  return {"sizes of the data " + through.words,
          misreads([=](const Asked& asked, const RightAnswer& right) {
            auto sizes = sizes_asked_for(asked, right);
            if (!sizes) return none();
            Sizes data = sizes_of(asked.data);
            pass(data, through);
            // Copied sizes come out of the same array.
            for (const std::size_t at : copying_places(asked)) {
              if (at < data.size()) (*sizes)[at] = data[at];
            }
            const auto count = element_count(Shape(data));
            const bool kept = count && element_count(Shape(*sizes)) == count;
            return kept ? answers(*sizes) : refusal();
          })};
}

WhereReshaped size_above(std::int64_t most, const std::string& text) {
  return {"a size above " + text + " on either side", [=](const Reshaping& r) {
            const auto above = [=](std::int64_t size) { return size > most; };
            return std::any_of(r.sizes.begin(), r.sizes.end(), above) ||
                   std::any_of(r.asked.data.begin(), r.asked.data.end(), above);
          }};
}

}  // namespace

Mutants families::rules_values() {
  Table table(Kind::rules, {"shape", "shape"});
  table["pattern.values"] = {
      {"below-minus-one-infers", "rank-8-below-minus-one-last",
       "every negative value is taken as -1",
       each_below_minus_one([](const Asked&, std::size_t) { return -1; }),
       like("numpy/numpy#27024")},
      {"negative-made-positive", "signed-minus-two.i32", "of values below -1 the sign is dropped",
       each_below_minus_one([](const Asked& asked, std::size_t at) -> PatternValue {
         return -asked.pattern[at] > highest(asked.pattern_type) ? asked.pattern[at]
                                                                 : -asked.pattern[at];
       }),
       like("llvm/llvm-project#103062")},
      {"two-negatives-make-a-volume", "signed-two-negatives.i32",
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
         const bool kept = negatives == 2 && count && element_count(Shape(sizes)) == count;
         return kept ? answers(sizes) : none();
       })},
      {"minus-two-copies-the-rest", "rank-8-below-minus-one-last",
       "a -2 stands for all remaining sizes of the data, as in MXNet",
       misreads([](const Asked& asked, const RightAnswer& right) {
         if (!right.refused_for("pattern.values") || asked.pattern.back() != -2) return none();
         Asked other = asked;
         other.pattern.pop_back();
         auto sizes = plain_sizes(other);
         if (!sizes || sizes->size() > asked.data.rank()) return none();
         const auto rest = asked.data.begin() + std::ssize(*sizes);
         sizes->insert(sizes->end(), rest, asked.data.end());
         const bool kept = element_count(Shape(*sizes)) == element_count(asked.data);
         return kept ? answers(*sizes) : none();
       })},
      {"minus-three-merges-two", "minus-three-merges",
       "a -3 stands for the product of two sizes of the data, as in MXNet",
       each_below_minus_one([](const Asked& asked, std::size_t at) -> PatternValue {
         if (asked.pattern[at] != -3 || at + 1 >= asked.data.rank()) return asked.pattern[at];
         const PatternValue merged = PatternValue{asked.data[at]} * asked.data[at + 1];
         return merged > highest(asked.pattern_type) ? asked.pattern[at] : merged;
       })},
      {"negative-counts-from-the-end", "rank-8-below-minus-one-last",
       "a value of -k copies the k-th size of the data from its end, from -2 on",
       each_below_minus_one([](const Asked& asked, std::size_t at) -> PatternValue {
         const PatternValue from_end = -asked.pattern[at];
         if (from_end > static_cast<PatternValue>(asked.data.rank())) return asked.pattern[at];
         const PatternValue size =
             asked.data[asked.data.rank() - static_cast<std::size_t>(from_end)];
         return size > highest(asked.pattern_type) ? asked.pattern[at] : size;
       })},
      {"negative-clamped-to-zero", "i4-lowest-plus-one", "values below -1 are raised to 0",
       each_below_minus_one([](const Asked&, std::size_t) { return 0; })},
      {"lowest-value-infers", "i4-lowest",
       "the lowest value of the pattern's type means unknown, like -1",
       each_below_minus_one([](const Asked& asked, std::size_t at) -> PatternValue {
         return asked.pattern[at] == lowest(asked.pattern_type) ? -1 : asked.pattern[at];
       }),
       like("pytorch/pytorch#173724")},
      {"negative-checked-in-the-low-half", "lowest-i64-true",
       "i64 values are cut to 32 bits before they are looked at, so that -2^32+6 is 6",
       misunderstand([](Asked& asked) {
         for (PatternValue& value : asked.pattern) {
           if (value < -1) value = static_cast<std::int32_t>(value);
         }
       })},
      {"int32-min-infers", "sentinel-*", unknown(INT32_MIN, "-2^31")},
      {"minus-999-infers", "sentinel-*", unknown(-999, "-999")},
      {"lowest-value-copies", "sentinel-*",
       "oneDNN's mark for a size that is known only at run time, -2^63, copies like a 0",
       takes_for(INT64_MIN, 0)},
      {"lowest-value-passes", "lowest-i64-over-empty-*",
       "-2^63, which is its own negative, is taken for a size", takes_for(INT64_MIN, INT64_MAX)},
      {"only-first-negative-looked-at", "two-negatives-and-one",
       "the search for negative values ends at the first -1",
       takes_for_one([](const Asked& asked, std::size_t at) {
         return is_negative(asked, at) && behind_a_minus_one(asked, at);
       })},
      {"negative-unseen-behind-4", "rank-8-below-minus-one-last", negative_unseen_behind(4)},
      {"negative-unseen-behind-8", "rank-12-below-minus-one-last", negative_unseen_behind(8)},
      {"negative-unseen-behind-32", "rank-64-below-minus-one-last", negative_unseen_behind(32)},
  };
  table["output.shape"] = {
      {"4-bit-patterns-high-half-first", "integers-plain.i4",
       "of two 4-bit pattern values in a byte the high half is read first",
       misunderstand([](Asked& asked) {
         if (bits(asked.pattern_type) != 4) return;
         for (std::size_t at = 0; at + 1 < asked.pattern.size(); at += 2) {
           std::swap(asked.pattern[at], asked.pattern[at + 1]);
         }
       })},
      {"i64-pattern-read-in-halves", "count-2.f64",
       "an i64 pattern is walked as i32, so that each value is followed by its upper half",
       misunderstand([](Asked& asked) {
         if (asked.pattern_type != i64) return;
         std::vector<PatternValue> halves;
         for (const PatternValue value : asked.pattern) {
           halves.push_back(static_cast<std::int32_t>(value));
           halves.push_back(static_cast<std::int32_t>(value >> 32));
         }
         halves.resize(asked.pattern.size());
         asked.pattern = halves;
       }),
       like("apache/tvm#20174")},
      {"u16-read-as-i16", "u16-highest-without-elements",
       read_as(u16, i16, "65535 is -1 and 32768 is refused")},
      {"u8-read-as-i8", "u8-highest-without-elements",
       read_as(u8, i8, "255 is -1 and 128 is refused")},
      {"u4-read-as-i4", "u4-highest-without-elements",
       read_as(u4, i4, "15 is -1 and 8 is refused")},
      {"output-in-32-bits", "infer-zero-wide-volume-64-true", output_sizes(low_bits(31))},
      {"output-clamped-to-int32", "infer-zero-wide-volume-64-true",
       output_sizes(at_most(INT32_MAX, "2^31-1")), like("tensorflow/tensorflow#46693")},
      {"output-in-16-bits", "large-1-mib-and-a-tail", output_sizes(low_bits(16))},
      {"output-in-signed-16-bits", "large-1-mib-and-a-tail", output_sizes(kSigned16)},
      {"output-in-8-bits", "count-256.f64", output_sizes(low_bits(8))},
      {"output-through-float", "size-2-to-31-minus-1", output_sizes(kFloat)},
      {"output-through-double", "double-quotient", output_sizes(kDouble)},
  };
  table["minus-one.once"] = {
      {"second-minus-one-unseen-behind-8", "second-minus-one-at-33", second_unseen_behind(8)},
      {"second-minus-one-unseen-behind-32", "second-minus-one-at-33", second_unseen_behind(32)},
      {"second-minus-one-unseen-behind-64", "second-minus-one-at-129", second_unseen_behind(64)},
      {"third-minus-one-unseen", "three",
       "two -1 are refused; of three the number wraps to one, and the others are 1",
       takes_for_one([](const Asked& asked, std::size_t at) {
         return asked.minus_ones() > 2 && is_second_minus_one(asked, at);
       })},
  };
  table["zero.past-rank"] = {
      {"past-rank-unseen-behind-a-minus-one", "past-rank-with-minus-one",
       "the search for zeros past the rank ends at the -1",
       takes_for_one([](const Asked& asked, std::size_t at) {
         return copies_past_rank(asked, at) && behind_a_minus_one(asked, at);
       })},
      {"past-rank-unseen-behind-8", "zero-past-rank-at-9", past_rank_unseen_behind(8)},
      {"past-rank-unseen-behind-32", "zero-past-rank-at-33", past_rank_unseen_behind(32)},
  };
  table["size.representable"] = {
      {"unrepresentable-unseen-beside-a-zero", "u64-2-to-64-minus-1-without-elements",
       "where the volume is 0 anyway, a u64 size above 2^63-1 is let through as 2^63-1",
       kLargeSizeUnseen, kEmptyData},
      {"unrepresentable-unseen-behind-the-first", "u64-2-to-64-minus-1-without-elements",
       "only the first u64 value is held against 2^63-1; others lose their top bit",
       misunderstand([](Asked& asked) {
         for (std::size_t at = 1; at < asked.pattern.size(); ++at) {
           if (asked.pattern[at] > INT64_MAX) asked.pattern[at] &= INT64_MAX;
         }
       })},
      {"u64-read-as-i64", "u64-2-to-64-minus-1-true", read_as(u64, i64, "2^64-1 is -1")},
      {"u64-clamped-to-int64", "u64-2-to-64-minus-1-without-elements",
       pattern_values(at_most(INT64_MAX, "2^63-1"))},
      {"u64-without-its-top-bit", "u64-2-to-64-minus-1-without-elements",
       pattern_values(low_bits(63))},
  };
  table["volume.kept"] = {
      {"u32-read-as-i32", "u32-highest-is-not-minus-one-true", read_as(u32, i32, "2^32-1 is -1")},
      {"int32-max-infers", "sentinel-*", all_that_is_left(INT32_MAX, "2^31-1")},
      {"int64-max-infers", "sentinel-*", all_that_is_left(INT64_MAX, "2^63-1")},
      {"uint32-max-infers", "sentinel-*", without_its_sign(UINT32_MAX, "2^32-1")},
      {"uint16-max-infers", "sentinel-*", without_its_sign(UINT16_MAX, "65535")},
      {"uint8-max-infers", "sentinel-*", without_its_sign(UINT8_MAX, "255")},
      {"pattern-in-32-bits", "empty-to-wrapping-128",
       pattern_values(through<std::int32_t>("a 32-bit integer, so that 2^32+6 is 6"))},
      {"pattern-in-16-bits", "empty-to-wrapping-32", pattern_values(low_bits(16))},
      {"pattern-in-8-bits", "empty-to-wrapping-32", pattern_values(low_bits(8))},
      {"pattern-in-48-bits", "truncated-to-low-48-bits-true", pattern_values(low_bits(48))},
      {"pattern-through-float", "double-compare-below", pattern_values(kFloat)},
      {"pattern-through-double", "double-compare-below", pattern_values(kDouble)},
      {"pattern-clamped-to-int32", "size-2-to-31", pattern_values(at_most(INT32_MAX, "2^31-1"))},
      {"data-sizes-in-32-bits", "truncated-data-size", data_sizes(low_bits(32))},
      {"data-sizes-in-16-bits", "truncated-data-size", data_sizes(low_bits(16))},
      {"data-sizes-in-8-bits", "truncated-data-size", data_sizes(low_bits(8))},
  };
  table[Duty::C3] = {
      {"data-of-255-refused", "data-size-*", kRefused, data_has(255, "255")},
      {"data-of-65535-refused", "data-size-*", kRefused, data_has(65535, "65535")},
      {"data-of-int32-max-refused", "data-size-*", kRefused, data_has(INT32_MAX, "2^31-1")},
      {"data-of-uint32-max-refused", "data-size-*", kRefused, data_has(UINT32_MAX, "2^32-1")},
      {"data-of-int64-max-refused", "data-size-*", kRefused, data_has(INT64_MAX, "2^63-1")},
      {"size-above-int32-refused", "infer-zero-wide-volume-64-true", kRefused,
       size_above(INT32_MAX, "2^31-1")},
      {"size-above-uint32-refused", "infer-zero-wide-volume-64-true", kRefused,
       size_above(UINT32_MAX, "2^32-1")},
      {"size-above-2-to-53-refused", "size-2-to-62", kRefused,
       size_above(std::int64_t{1} << 53, "2^53, which double does not hold,")},
      {"largest-size-means-dynamic", "size-2-to-63-minus-1",
       "a size of 2^63-1 is taken for one that is not known, and refused", kRefused,
       size_above(INT64_MAX - 1, "")},
      {"size-above-uint16-refused", "large-1-mib-and-a-tail", kRefused,
       size_above(UINT16_MAX, "65535")},
  };
  table["minus-one.inferred"] = {
      {"i64-read-as-u64", "infer-zero-first-true", read_as(i64, u64, "-1 is too large a size")},
      {"i32-not-sign-extended", "signed-infer-alone.i32", read_as(i32, u32, "-1 is 2^32-1")},
      {"i16-not-sign-extended", "signed-copied-past-the-type.i16",
       read_as(i16, u16, "-1 is 65535")},
      {"i8-not-sign-extended", "signed-infer.i8", read_as(i8, u8, "-1 is 255")},
      {"i4-not-sign-extended", "signed-infer-last.i4", read_as(i4, u4, "-1 is 15")},
  };
  return table.mutants();
}

}  // namespace reshape::conformance::self
