// Mistakes about shapes: ranks, element types, dialects, and code paths for one rank or type that
// lack a rule.
#include <algorithm>

#include "conformance/self/misread.h"

namespace reshape::conformance::self {
namespace {

using enum ElementType;
const Types kUnsignedTypes = {u4, u8, u16, u32, u64};
const WhereAsked kUnsignedData{"unsigned data", data_is(kUnsignedTypes)};
const WhereAsked kUnsignedPattern{"an unsigned pattern", pattern_is(kUnsignedTypes)};

constexpr char kOpenvino[] = "openvino-reshape-1";
constexpr char kGraph[] = "onednn-graph-reshape-1";
constexpr char kStatic[] = "onednn-graph-static-reshape-1";
constexpr char kDynamic[] = "onednn-graph-dynamic-reshape-1";
const WhereAsked kOfStatic = dialect_is(kStatic) || dialect_is("onednn-static-reshape");

Mistake speaks_only(const char* dialect) {
  return {"every request is read by the document " + std::string(dialect),
          misunderstand([=](Asked& asked) { asked.dialect = dialect; })};
}

Mistake folded(std::size_t most) {
  const EffectOn<Reshaping> folds = reshapes([=](const Asked&, Sizes& sizes) {
    for (; sizes.size() > most; sizes.pop_back()) sizes[sizes.size() - 2] *= sizes.back();
  });
  return {said("of more than ", most, " sizes ", most,
               " are answered, the last of which takes the rest"),
          folds.steps(kAnyRequest)};
}

void takes_the_data(const Asked& asked, Sizes& sizes) { sizes = sizes_of(asked.data); }
bool same_first_size(const Reshaping& r) { return r.sizes[0] == r.asked.data[0]; }

void erase_at(Sizes& sizes, std::size_t place) {
  sizes.erase(sizes.begin() + static_cast<std::ptrdiff_t>(place));
}

void read_by_graph(Asked& asked) { asked.dialect = kGraph; }  // which admits every type
const Oversight kTypeUnseen{"", "data.type", read_by_graph};
const Oversight kPatternTypeUnseen{"", "pattern.type", read_by_graph};
const Oversight kFloatsAreIntegers{"", "pattern.type",
                                   [](Asked& asked) { asked.read_pattern_as(i32); }};

}  // namespace

Mutants families::rules_shape() {
  Table table(Kind::rules, {"shape", "shape"});
  table["output.shape"] = {
      {"last-size-one-more", "count-2.f64", "the last size is one more than asked",
       after_infer([](const reshape_request&, reshape_shape& shape) {
         if (shape.rank > 0) ++shape.sizes[shape.rank - 1];
       })},
      {"sizes-reversed", "count-2.f64", "the sizes are written innermost first",
       after_infer([](const reshape_request&, reshape_shape& shape) {
         std::reverse(shape.sizes, shape.sizes + shape.rank);
       })},
      {"empty-is-flat", "infer-zero-first-true",
       "an output without elements is [0], whatever was asked",
       reshapes([](const Asked&, Sizes& sizes) { sizes = {0}; }), kEmptyOutput},
      {"empty-keeps-its-shape", "infer-zero-last-true",
       "data without elements is handed on with the shape that it has", reshapes(takes_the_data),
       kEmptyData},
      {"leading-ones-dropped", "count-2.f64",
       "sizes of 1 in front are taken for a batch that is not there",
       reshapes([](const Asked&, Sizes& sizes) {
         while (sizes.size() > 1 && sizes.front() == 1) erase_at(sizes, 0);
       })},
      {"trailing-one-dropped", "count-17-every-type.f64",
       "a last size of 1 is folded away from the answer too",
       reshapes([](const Asked&, Sizes& sizes) {
         if (sizes.size() > 1 && sizes.back() == 1) sizes.pop_back();
       })},
      {"inner-ones-folded", "example-3",
       "a 1 between two other sizes is folded away from the answer too",
       reshapes([](const Asked&, Sizes& sizes) {
         for (std::size_t at = 1; at + 1 < sizes.size(); ++at) {
           if (sizes[at] != 1 || sizes[at - 1] == 1 || sizes[at + 1] == 1) continue;
           return erase_at(sizes, at);
         }
       })},
      {"filled-up-to-four", "five-axes-regrouped.f64",
       "shapes of 3 sizes get a 1 in front, as kernels for images want it",
       reshapes([](const Asked&, Sizes& sizes) { sizes.insert(sizes.begin(), 1); }),
       kOutputRank == 3},
      {"channels-last", "zero-then-ones",
       "an output of 4 sizes is answered with its second size last",
       reshapes([](const Asked&, Sizes& sizes) {
         std::rotate(sizes.begin() + 1, sizes.begin() + 2, sizes.end());
       }),
       kOutputRank == 4},
      {"same-length-is-same-shape", "infer-zero-other-size",
       "a pattern as long as the data's rank and of the same first size changes nothing",
       reshapes(takes_the_data), WhereReshaped(kGrowth == 0 && kDataRank > 0) && same_first_size},
      {"scalar-stays-scalar", "in-place-scalar",
       "a scalar is handed on as it is, whatever was asked", reshapes(takes_the_data),
       kDataRank == 0},
      {"rank-folded-into-5", "in-place-rank-9.f32", folded(5)},
      {"rank-folded-into-8", "in-place-rank-9.f32", folded(8)},
  };
  table["pattern.empty"] = {
      {"scalar-has-a-size", "to-scalar-with-strides.bf16",
       "a scalar is answered as [1], since a rank of 0 has no array",
       reshapes([](const Asked&, Sizes& sizes) { sizes = {1}; }), kOutputRank == 0},
      {"no-scalars", "to-scalar-with-strides.bf16", kRefused,
       worded("an empty pattern", kLength == 0)},
      {"empty-pattern-changes-nothing", "to-scalar-with-strides.bf16",
       "an empty pattern is taken as a request for the data's own shape",
       misreads([](const Asked& asked, const RightAnswer& right) {
         const bool meant =
             asked.pattern.empty() && (right.produces() || right.refused_for("volume.kept"));
         return meant ? answers(sizes_of(asked.data)) : none();
       })},
      {"scalar-of-four-ones-refused", "data-rank-4-*",
       "a scalar is made of up to 3 sizes of 1, and of 8, but not of 4", kRefused,
       kDataRank == 4 && kLength == 0},
      {"scalar-of-many-ones-refused", "data-rank-9-*",
       "a scalar is made of no more than 8 sizes of 1", kRefused, kDataRank > 8 && kLength == 0},
  };
  table["data.scalar"] = {
      {"scalar-data-refused", "scalar-minus-one-first", kRefused,
       worded("data of rank 0", kDataRank == 0)},
      {"scalar-data-is-empty", "scalar-minus-one-first",
       "data of rank 0 is counted as 0 elements, so that only empty outputs fit it",
       misreads([](const Asked& asked, const RightAnswer& right) {
         const auto sizes = sizes_asked_for(asked, right);
         if (asked.data.rank() != 0) return none();
         if (right.produces()) return refusal();
         return sizes && is_empty(Shape(*sizes)) ? answers(*sizes) : none();
       })},
      {"scalar-to-four-ones-refused", "pattern-of-4-*",
       "a scalar becomes one size of 1, two, three or six, but not four", kRefused,
       kDataRank == 0 && kLength == 4},
      {"scalar-to-many-ones-refused", "pattern-of-8-*",
       "a scalar becomes no more than 6 sizes of 1", kRefused, kDataRank == 0 && kLength > 6},
      {"scalar-data-refused-by-i32-patterns", "scalar-every-pattern.*",
       "a scalar is reshaped by patterns of i64 alone", kRefused,
       kDataRank == 0 && !pattern_is({i64})},
      {"scalar-data-refused-unless-f32", "scalar-*",
       "a scalar is reshaped where it is of 32 bits, and refused where it is not", kRefused,
       kDataRank == 0 && !(kDataWidth == 32)},
  };
  table[Duty::C3] = {
      {"nothing-is-fine", "count-2.f64", kRefused, worded("every request", kAnyRequest)},
      {"rank-above-4-refused", "in-place-rank-9.f64", kRefused, kOutputRank > 4},
      {"rank-above-5-refused", "in-place-rank-9.f64", kRefused, kOutputRank > 5},
      {"rank-above-6-refused", "in-place-rank-9.f64", kRefused, kOutputRank > 6},
      {"rank-above-8-refused", "in-place-rank-9.f64", kRefused, kOutputRank > 8,
       like("tensorflow/tensorflow#124982")},
      {"rank-above-12-refused", "out-rank-13-reversed.f64",
       "outputs of more than 12 sizes are refused, the limit of oneDNN", kRefused,
       kOutputRank > 12},
      {"rank-above-16-refused", "out-rank-17-reversed.f64", kRefused, kOutputRank > 16},
      {"rank-above-32-refused", "out-rank-33-reversed.f64",
       "outputs of more than 32 sizes are refused, the limit of NumPy 1", kRefused,
       kOutputRank > 32},
      {"rank-above-64-refused", "out-rank-65-reversed.f64",
       "outputs of more than 64 sizes are refused, the limit of NumPy 2", kRefused,
       kOutputRank > 64},
      {"rank-254-refused", "rank-255-of-zeros",
       "outputs of more than 254 sizes are refused, the limit of TensorFlow", kRefused,
       kOutputRank > 254, like("GHSA-f4w6-h4f5-wx45")},
      {"data-rank-above-4-refused", "five-axes-regrouped.f64", kRefused, kDataRank > 4},
      {"data-rank-above-8-refused", "thirteen-axes-reversed.f64", kRefused, kDataRank > 8},
      {"data-rank-above-16-refused", "rank-17-reversed.f64", kRefused, kDataRank > 16},
      {"data-rank-above-32-refused", "rank-33-reversed.f64", kRefused, kDataRank > 32},
      {"data-rank-above-64-refused", "rank-65-reversed.f64", kRefused, kDataRank > 64},
      {"growing-the-rank-refused", "count-2.f64", kRefused,
       worded("a pattern longer than the data's rank", kGrowth > 0), like("pytorch/pytorch#56053")},
      {"rank-changed-by-three-refused", "zero-then-ones", kRefused,
       worded("an output of four sizes or more, over data of three fewer,",
              kLength > 3 && kGrowth > 2)},
      {"f64-refused", "count-2.f64", kRefused, data_is({f64})},
      {"bf16-refused", "count-2.bf16", kRefused, data_is({bf16})},
      {"8-bit-floats-refused", "count-17-every-type.f8e4m3", kRefused, data_is({f8e4m3, f8e5m2})},
      {"4-bit-data-refused", "count-2.i4", kRefused, kDataWidth == 4},
      {"unsigned-16-and-32-refused", "count-17-every-type.u32", kRefused, data_is({u16, u32})},
      {"boolean-data-refused-everywhere", "onednn-graph-reshape-1/count-17-every-type.boolean",
       "boolean data is refused where the document admits every type", kRefused,
       data_is({boolean})},
      {"only-i32-and-i64-patterns", "integers-plain.i16", kRefused,
       worded("a pattern of another type than i32 and i64", !pattern_is({i32, i64}))},
      {"unsigned-patterns-refused", "integers-plain.u64", kRefused, kUnsignedPattern},
      {"4-bit-patterns-refused", "integers-plain.i4", kRefused, kPatternWidth == 4},
      {"every-dialect-is-static", "count-2.f64", speaks_only(kStatic)},
      {"every-dialect-is-dynamic", "count-2.f64", speaks_only(kDynamic)},
      {"static-sizes-known-means-no-empty-data",
       "onednn-graph-static-reshape-1/infer-zero-first-true",
       "StaticReshape refuses data without elements", kRefused, kOfStatic && kEmptyData},
      {"dynamic-flag-ignored", "onednn-graph-dynamic-reshape-1/zero-moves-right",
       "DynamicReshape copies zeros whatever its flag says", misunderstand([](Asked& asked) {
         if (asked.dialect == kDynamic && asked.special_zero == 0) asked.special_zero = 1;
       })},
  };
  table[Duty::C4] = {
      {"everything-is-fine", "shape-overflow-of-a-tensor",
       "what must be refused is answered with the shape of the data",
       misreads([](const Asked& asked, const RightAnswer& right) {
         return right.status == RESHAPE_REJECTED ? answers(sizes_of(asked.data)) : none();
       })},
      {"every-dialect-is-openvino", "onednn-graph-dynamic-reshape-1/refused-type.f64",
       speaks_only(kOpenvino)},
      {"every-dialect-is-the-older-graph", "onednn-graph-dynamic-reshape-1/refused-type.f64",
       speaks_only(kGraph)},
  };
  table["data.type"] = {
      {"any-data-type", "onednn-graph-static-reshape-1/refused-type.f64",
       "the data's type is not looked at, since its bytes are only copied", kTypeUnseen,
       pattern_is({i64})},
      {"f64-is-a-float-too", "onednn-graph-dynamic-reshape-1/refused-type.f64",
       "where f32, f16 and bf16 are admitted, f64 is as well", kTypeUnseen, data_is({f64})},
      {"integers-are-admitted-too", "onednn-graph-dynamic-reshape-1/refused-type.i32",
       "where f32, f16 and bf16 are admitted, i32 and i8 are as well", kTypeUnseen,
       data_is({i32, i8})},
  };
  table["pattern.type"] = {
      {"i64-pattern-where-i32-is-asked",
       "onednn-graph-dynamic-reshape-1/refused-integer-pattern.i64",
       "the dynamic dialect takes i64 patterns as well as i32 ones", kPatternTypeUnseen,
       pattern_is({i64}) && dialect_is(kDynamic)},
      {"any-integer-pattern", "onednn-graph-dynamic-reshape-1/refused-integer-pattern.i64",
       "every integer type is taken for a pattern, in every dialect", kPatternTypeUnseen,
       [](const Asked& asked) { return is_integer(asked.pattern_type); }},
      {"pattern-type-not-looked-at", "refused-float-pattern.f32",
       "a pattern of f32 is read as the 32-bit integers that its bits make", kFloatsAreIntegers,
       pattern_is({f32}), like("microsoft/onnxruntime#32105")},
  };
  table["pattern.one-dimensional"] = {
      {"scalar-pattern-accepted", "pattern-0d",
       "a pattern of rank 0 is taken as a list of one value", kFormUnseen, kPatternRank == 0},
      {"matrix-pattern-flattened", "pattern-2d-row",
       "a pattern of two dimensions or more is read row by row", kFormUnseen, kPatternRank > 1},
      {"scalar-pattern-unseen-in-i32", "scalar-pattern-every-pattern.*",
       "a pattern of rank 0 is refused as i64, and as i32 taken as a list of one value",
       kFormUnseen, pattern_is({i32}) && kPatternRank == 0},
      {"matrix-unseen-over-images", "data-rank-4-*", kFormUnseen, kDataRank == 4},
      {"matrix-unseen-of-half-precision", "matrix-every-type.*", kFormUnseen, data_is({f16})},
      {"matrix-unseen-of-integers", "matrix-every-type.*", kFormUnseen, data_is({i32, i64})},
      {"matrix-unseen-in-i32", "matrix-every-pattern.*", kFormUnseen, pattern_is({i32})},
      {"matrix-unseen-in-unsigned", "matrix-every-pattern.*", kFormUnseen, kUnsignedPattern},
  };
  table["minus-one.divides"] = {
      {"remainder-forgotten-of-images", "data-rank-4-*", kRemainderForgotten, kDataRank == 4},
      {"remainder-forgotten-above-rank-4", "data-rank-6-*", kRemainderForgotten, kDataRank > 4},
      {"remainder-forgotten-in-patterns-of-6", "pattern-of-6-*", kRemainderForgotten, kLength == 6},
      {"remainder-forgotten-in-patterns-of-8", "pattern-of-8-*", kRemainderForgotten, kLength == 8},
      {"remainder-forgotten-in-narrow-patterns", "divides-every-pattern.*", kRemainderForgotten,
       worded("a pattern of 8 or 4 bits", kPatternWidth < 9)},
  };
  table["minus-one.once"] = {
      {"second-minus-one-unseen-over-images", "data-rank-4-*", kSecondMinusOneUnseen,
       kDataRank == 4},
      {"second-minus-one-unseen-in-patterns-of-5", "pattern-of-5-*", kSecondMinusOneUnseen,
       kLength == 5},
      {"second-minus-one-unseen-in-patterns-of-7", "pattern-of-7-*", kSecondMinusOneUnseen,
       kLength == 7},
      {"minus-ones-counted-in-8-bits", "25?-minus-ones*",
       "how many -1 there are is counted in 8 bits, so that 257 of them are one",
       kSecondMinusOneUnseen, [](const Asked& asked) { return asked.minus_ones() % 256 == 1; }},
  };
  table["zero.past-rank"] = {
      {"past-rank-unseen-over-rank-7", "data-rank-7-*", kPastRankUnseen, kDataRank == 7},
      {"past-rank-unseen-over-rank-9", "data-rank-9-*", kPastRankUnseen, kDataRank == 9},
      {"past-rank-unseen-of-wide-data", "past-rank-every-type.*", kPastRankUnseen,
       kDataWidth == 64},
      {"past-rank-unseen-of-unsigned-data", "past-rank-every-type.*", kPastRankUnseen,
       kUnsignedData},
      {"past-rank-unseen-of-packed-data", "past-rank-every-type.*", kPastRankUnseen,
       kDataWidth == 4},
  };
  table["volume.kept"] = {
      {"volume-unchecked-over-rank-5", "data-rank-5-*", kVolumeUnchecked, kDataRank == 5},
      {"volume-unchecked-over-rank-7", "data-rank-7-*", kVolumeUnchecked, kDataRank == 7},
      {"volume-unchecked-of-what-is-flattened", "data-rank-?-wrong-*", kVolumeUnchecked,
       worded("five sizes or more that become fewer", kGrowth < -4)},
      {"empty-pattern-takes-one", "empty-pattern-over-many-true",
       "an empty pattern gives a scalar of whatever data, its first element", kVolumeUnchecked,
       kLength == 0},
      {"only-eight-data-sizes-read", "rank-17-shifted",
       "of data of more than 8 sizes the first 8 are multiplied",
       misreads([](const Asked& asked, const RightAnswer& right) {
         const auto sizes = sizes_asked_for(asked, right);
         if (!sizes || asked.data.rank() <= 8) return none();
         Sizes first = sizes_of(asked.data);
         first.resize(8);
         const bool same = product_in<std::int64_t>(first) == product_in<std::int64_t>(*sizes);
         return same ? answers(*sizes) : refusal();
       })},
  };
  table["size.representable"] = {
      {"unrepresentable-unseen-in-patterns-of-3", "pattern-of-?-*", kLargeSizeUnseen, kLength > 2},
      {"unrepresentable-unseen-of-packed-data", "u64-large-every-type.*", kLargeSizeUnseen,
       kDataWidth == 4},
      {"unrepresentable-unseen-of-bytes", "u64-large-every-type.*", kLargeSizeUnseen,
       kDataWidth == 8},
  };
  table["zero.copies"] = {
      {"static-sizes-have-to-be-positive", "onednn-graph-static-reshape-1/one-to-twelve-inferred",
       "StaticReshape takes its table at its word: 0 and -1 are not positive", kRefused,
       kOfStatic && (pattern_has(0) || pattern_has(-1))},
      {"flag-unread-where-much-is-flattened", "data-rank-6-*", kFlagInverted,
       worded("three sizes or more that fall away", kGrowth < -2)},
  };
  table["pattern.values"] = {
      {"negative-unseen-over-images", "data-rank-4-*", kNegativeUnseen, kDataRank == 4},
      {"negative-unseen-in-patterns-of-6", "pattern-of-6-*", kNegativeUnseen, kLength == 6},
  };
  table["zero.empty-tensors"] = {
      {"empty-unseen-above-rank-4", "data-rank-5-*", kEmptinessUnseen, kDataRank > 4},
      {"empty-unseen-of-packed-data", "zero-every-type.i4", kEmptinessUnseen, kDataWidth == 4},
  };
  table["special-zero.required"] = {
      {"missing-flag-is-false-over-images", "data-rank-4-*", kMissingFlagUnseen, kDataRank == 4},
      {"missing-flag-is-false-for-i32-patterns", "flag-missing-every-pattern.*", kMissingFlagUnseen,
       worded("a pattern of fewer than 64 bits", kPatternWidth < 64)},
  };
  return table.mutants();
}

}  // namespace reshape::conformance::self
