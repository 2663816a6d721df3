// Shapes that are not what the pattern asked for: ranks, element types, dialects, and ways through the
// code, for one rank or type, on which one rule was left out.
#include <algorithm>
#include <initializer_list>

#include "conformance/self/families.h"
#include "conformance/self/misread.h"

namespace reshape::conformance::self {
namespace {

Steps output_rank_at_most(std::size_t most) {
  return refuses_where([=](const Asked&, const Sizes& sizes) { return sizes.size() > most; });
}

Steps data_rank_at_most(std::size_t most) {
  return refuses_where([=](const Asked& asked, const Sizes&) { return asked.data.rank() > most; });
}

// Only the first sizes are kept, and the rest of the elements go into the last of them.
Steps output_rank_folded(std::size_t most) {
  return reshapes_otherwise([=](const Asked&, Sizes& sizes) {
    for (; sizes.size() > most; sizes.pop_back()) sizes[sizes.size() - 2] *= sizes.back();
  });
}

using Types = std::vector<ElementType>;
constexpr auto kUnsigned = {ElementType::u4, ElementType::u8, ElementType::u16, ElementType::u32,
                            ElementType::u64};
bool among(ElementType type, const Types& types) {
  return std::find(types.begin(), types.end(), type) != types.end();
}

// The data is of one of these types, or the pattern.
WhereAsked data_of(Types types) {
  return [=](const Asked& asked) { return among(asked.data_type, types); };
}
WhereAsked pattern_of(Types types) {
  return [=](const Asked& asked) { return among(asked.pattern_type, types); };
}

// Data of these types is refused although it is promised.
Steps refuses_types(Types types) { return overlooks_where(plain_refusal, data_of(types)); }
Steps refuses_pattern_types(Types types) {
  return overlooks_where(plain_refusal, pattern_of(types));
}

// Every request is read by the rules of one dialect.
Steps speaks_only(const char* dialect) {
  return misunderstand([=](Asked& asked) { asked.dialect = dialect; });
}

constexpr char kOpenvino[] = "openvino-reshape-1";
constexpr char kGraph[] = "onednn-graph-reshape-1";
constexpr char kStatic[] = "onednn-graph-static-reshape-1";
constexpr char kDynamic[] = "onednn-graph-dynamic-reshape-1";

// Where the right answer is a refusal for this clause, and mend(asked) says so, the right answer to the
// request as mended.
Steps overlooks(std::string_view clause, std::function<bool(Asked&)> mend) {
  return misreads([=](const Asked& asked, const RightAnswer& right) {
    Asked mended = asked;
    if (!right.refused_for(clause) || !mend(mended)) return none();
    reshape_message why;
    const RightAnswer other = right_answer(*mended.request(), &why);
    return other.produces() ? answers(other.sizes) : none();
  });
}

// The same, read by the document that admits every type.
Steps admits(std::string_view clause, WhereAsked which) {
  return overlooks(clause, [=](Asked& asked) {
    const bool meant = which(asked);
    asked.dialect = kGraph;
    return meant;
  });
}

WhereAsked rank_is(std::size_t rank) {
  return [=](const Asked& asked) { return asked.data.rank() == rank; };
}
WhereAsked rank_above(std::size_t rank) {
  return [=](const Asked& asked) { return asked.data.rank() > rank; };
}
WhereAsked length_is(std::size_t length) {
  return [=](const Asked& asked) { return asked.pattern.size() == length; };
}
WhereAsked length_above(std::size_t length) {
  return [=](const Asked& asked) { return asked.pattern.size() > length; };
}
WhereAsked both(WhereAsked one, WhereAsked other) {
  return [=](const Asked& asked) { return one(asked) && other(asked); };
}

// By how much the pattern is longer than the data's rank; negative where it is shorter.
std::ptrdiff_t growth(const Asked& asked) {
  return static_cast<std::ptrdiff_t>(asked.pattern.size()) -
         static_cast<std::ptrdiff_t>(asked.data.rank());
}

bool wide(const Asked& asked) { return bits(asked.data_type) == 64; }
bool packed(const Asked& asked) { return bits(asked.data_type) == 4; }
bool of_bytes(const Asked& asked) { return bits(asked.data_type) == 8; }

}  // namespace

Mutants families::rules_shape() {
  Mutants table = {
      {"last-size-one-more", "output.shape", "count-2.f64", "the last size is one more than asked",
       after_infer([](const reshape_request&, reshape_shape& shape) {
         if (shape.rank > 0) ++shape.sizes[shape.rank - 1];
       })},
      {"sizes-reversed", "output.shape", "count-2.f64", "the sizes are written innermost first",
       after_infer([](const reshape_request&, reshape_shape& shape) {
         std::reverse(shape.sizes, shape.sizes + shape.rank);
       })},
      {"everything-is-fine", Duty::C4, "shape-overflow-of-a-tensor",
       "what must be refused is answered with the shape of the data",
       produces_instead_of_rejecting(
           [](const Asked& asked) { return std::optional(sizes_of(asked.data)); })},
      {"nothing-is-fine", Duty::C3, "count-2.f64", "every request is refused",
       refuses_where([](const Asked&, const Sizes&) { return true; })},
      {"empty-is-flat", "output.shape", "infer-zero-first-true",
       "an output without elements is [0], whatever was asked",
       reshapes_otherwise([](const Asked& asked, Sizes& sizes) {
         if (is_empty(asked.data) && !sizes.empty()) sizes = {0};
       })},
      {"empty-keeps-its-shape", "output.shape", "infer-zero-last-true",
       "data without elements is handed on with the shape that it has",
       reshapes_otherwise([](const Asked& asked, Sizes& sizes) {
         if (is_empty(asked.data)) sizes = sizes_of(asked.data);
       })},
      {"leading-ones-dropped", "output.shape", "count-2.f64",
       "sizes of 1 in front are taken for a batch that is not there",
       reshapes_otherwise([](const Asked&, Sizes& sizes) {
         while (sizes.size() > 1 && sizes.front() == 1) sizes.erase(sizes.begin());
       })},
      {"trailing-one-dropped", "output.shape", "count-17-every-type.f64",
       "a last size of 1 is folded away from the answer too",
       reshapes_otherwise([](const Asked&, Sizes& sizes) {
         if (sizes.size() > 1 && sizes.back() == 1) sizes.pop_back();
       })},
      {"inner-ones-folded", "output.shape", "example-3",
       "a 1 between two other sizes is folded away from the answer too",
       reshapes_otherwise([](const Asked&, Sizes& sizes) {
         for (std::size_t at = 1; at + 1 < sizes.size(); ++at) {
           if (sizes[at] != 1 || sizes[at - 1] == 1 || sizes[at + 1] == 1) continue;
           sizes.erase(sizes.begin() + static_cast<std::ptrdiff_t>(at));
           return;
         }
       })},
      {"filled-up-to-four", "output.shape", "five-axes-regrouped.f64",
       "shapes of 3 sizes get a 1 in front, as kernels for images want it",
       reshapes_otherwise([](const Asked&, Sizes& sizes) {
         if (sizes.size() == 3) sizes.insert(sizes.begin(), 1);
       })},
      {"channels-last", "output.shape", "zero-then-ones",
       "an output of 4 sizes is answered with its second size last",
       reshapes_otherwise([](const Asked&, Sizes& sizes) {
         if (sizes.size() == 4) std::rotate(sizes.begin() + 1, sizes.begin() + 2, sizes.end());
       })},
      {"same-length-is-same-shape", "output.shape", "infer-zero-other-size",
       "a pattern as long as the data's rank and of the same first size changes nothing",
       reshapes_otherwise([](const Asked& asked, Sizes& sizes) {
         if (sizes.size() == asked.data.rank() && !sizes.empty() && sizes[0] == asked.data[0]) {
           sizes = sizes_of(asked.data);
         }
       })},
      {"inferred-one-squeezed", "minus-one.inferred", "i16-highest-beside-one",
       "a -1 that comes out as 1 is left out of the shape",
       reshapes_otherwise([](const Asked& asked, Sizes& sizes) {
         for (std::size_t at = 0; at < asked.pattern.size() && sizes.size() > 1; ++at) {
           if (asked.pattern[at] != -1 || sizes[at] != 1) continue;
           sizes.erase(sizes.begin() + static_cast<std::ptrdiff_t>(at));
           return;
         }
       })},
      {"scalar-has-a-size", "pattern.empty", "to-scalar-with-strides.bf16",
       "a scalar is answered as [1], since a rank of 0 has no array",
       reshapes_otherwise([](const Asked&, Sizes& sizes) {
         if (sizes.empty()) sizes = {1};
       })},
      {"no-scalars", "pattern.empty", "to-scalar-with-strides.bf16", "an empty pattern is refused",
       refuses_where([](const Asked&, const Sizes& sizes) { return sizes.empty(); })},
      {"scalar-stays-scalar", "output.shape", "in-place-scalar",
       "a scalar is handed on as it is, whatever was asked",
       reshapes_otherwise([](const Asked& asked, Sizes& sizes) {
         if (asked.data.rank() == 0) sizes.clear();
       })},
      {"scalar-data-refused", "data.scalar", "scalar-minus-one-first", "data of rank 0 is refused",
       refuses_where([](const Asked& asked, const Sizes&) { return asked.data.rank() == 0; })},
      {"scalar-data-is-empty", "data.scalar", "scalar-minus-one-first",
       "data of rank 0 is counted as 0 elements, so that only empty outputs fit it",
       misreads([](const Asked& asked, const RightAnswer& right) {
         if (asked.data.rank() != 0) return none();
         if (right.produces()) return refusal();
         const auto plain = plain_pattern(asked);
         const bool fits = right.refused_for("volume.kept") && plain && !plain->minus_one &&
                           is_empty(Shape(plain->sizes));
         return fits ? answers(plain->sizes) : none();
       })},
      {"empty-pattern-changes-nothing", "pattern.empty", "to-scalar-with-strides.bf16",
       "an empty pattern is taken as a request for the data's own shape",
       misreads([](const Asked& asked, const RightAnswer& right) {
         const bool meant =
             asked.pattern.empty() && (right.produces() || right.refused_for("volume.kept"));
         return meant ? answers(sizes_of(asked.data)) : none();
       })},
      {"empty-pattern-takes-one", "volume.kept", "empty-pattern-over-many-true",
       "an empty pattern gives a scalar of whatever data, its first element",
       misreads([](const Asked& asked, const RightAnswer& right) {
         const bool meant = asked.pattern.empty() && right.refused_for("volume.kept");
         return meant ? answers({}) : none();
       })},
      {"rank-above-4-refused", Duty::C3, "in-place-rank-9.f64",
       "outputs of more than 4 sizes are refused", output_rank_at_most(4)},
      {"rank-above-5-refused", Duty::C3, "in-place-rank-9.f64",
       "outputs of more than 5 sizes are refused", output_rank_at_most(5)},
      {"rank-above-6-refused", Duty::C3, "in-place-rank-9.f64",
       "outputs of more than 6 sizes are refused", output_rank_at_most(6)},
      {"rank-above-8-refused", Duty::C3, "in-place-rank-9.f64",
       "outputs of more than 8 sizes are refused", output_rank_at_most(8),
       like("tensorflow/tensorflow#124982")},
      {"rank-above-12-refused", Duty::C3, "out-rank-13-reversed.f64",
       "outputs of more than 12 sizes are refused, the limit of oneDNN", output_rank_at_most(12)},
      {"rank-above-16-refused", Duty::C3, "out-rank-17-reversed.f64",
       "outputs of more than 16 sizes are refused", output_rank_at_most(16)},
      {"rank-above-32-refused", Duty::C3, "out-rank-33-reversed.f64",
       "outputs of more than 32 sizes are refused, the limit of NumPy 1", output_rank_at_most(32)},
      {"rank-above-64-refused", Duty::C3, "out-rank-65-reversed.f64",
       "outputs of more than 64 sizes are refused, the limit of NumPy 2", output_rank_at_most(64)},
      {"rank-254-refused", Duty::C3, "rank-255-of-zeros",
       "outputs of more than 254 sizes are refused, the limit of TensorFlow",
       output_rank_at_most(254), like("GHSA-f4w6-h4f5-wx45")},
      {"data-rank-above-4-refused", Duty::C3, "five-axes-regrouped.f64",
       "data of more than 4 sizes is refused", data_rank_at_most(4)},
      {"data-rank-above-8-refused", Duty::C3, "thirteen-axes-reversed.f64",
       "data of more than 8 sizes is refused", data_rank_at_most(8)},
      {"data-rank-above-16-refused", Duty::C3, "rank-17-reversed.f64",
       "data of more than 16 sizes is refused", data_rank_at_most(16)},
      {"data-rank-above-32-refused", Duty::C3, "rank-33-reversed.f64",
       "data of more than 32 sizes is refused", data_rank_at_most(32)},
      {"data-rank-above-64-refused", Duty::C3, "rank-65-reversed.f64",
       "data of more than 64 sizes is refused", data_rank_at_most(64)},
      {"rank-folded-into-5", "output.shape", "in-place-rank-9.f32",
       "an output of more than 5 sizes is answered with 5, the last of which takes the rest",
       output_rank_folded(5)},
      {"rank-folded-into-8", "output.shape", "in-place-rank-9.f32",
       "an output of more than 8 sizes is answered with 8, the last of which takes the rest",
       output_rank_folded(8)},
      {"only-eight-data-sizes-read", "volume.kept", "rank-17-shifted",
       "of data of more than 8 sizes the first 8 are multiplied",
       misreads([](const Asked& asked, const RightAnswer& right) {
         const auto plain = plain_pattern(asked);
         const bool concerned = right.produces() || right.refused_for("volume.kept");
         if (!concerned || !plain || plain->minus_one || asked.data.rank() <= 8) {
           return none();
         }
         Sizes first = sizes_of(asked.data);
         first.resize(8);
         const bool same =
             product_in<std::int64_t>(first) == product_in<std::int64_t>(plain->sizes);
         return same ? answers(plain->sizes) : refusal();
       })},
      {"growing-the-rank-refused", Duty::C3, "count-2.f64",
       "a pattern longer than the data's rank is refused",
       refuses_where(
           [](const Asked& asked, const Sizes& sizes) { return sizes.size() > asked.data.rank(); }),
       like("pytorch/pytorch#56053")},
      {"rank-changed-by-three-refused", Duty::C3, "zero-then-ones",
       "an output of four sizes or more, over data of three fewer, is refused",
       refuses_where([](const Asked& asked, const Sizes& sizes) {
         return sizes.size() >= 4 && sizes.size() >= asked.data.rank() + 3;
       })},
      {"f64-refused", Duty::C3, "count-2.f64", "f64 data is refused",
       refuses_types({ElementType::f64})},
      {"bf16-refused", Duty::C3, "count-2.bf16", "bf16 data is refused",
       refuses_types({ElementType::bf16})},
      {"8-bit-floats-refused", Duty::C3, "count-17-every-type.f8e4m3",
       "data of the two 8-bit floats is refused",
       refuses_types({ElementType::f8e4m3, ElementType::f8e5m2})},
      {"4-bit-data-refused", Duty::C3, "count-2.i4", "data of 4 bits is refused",
       refuses_types({ElementType::i4, ElementType::u4})},
      {"unsigned-16-and-32-refused", Duty::C3, "count-17-every-type.u32",
       "data of u16 and u32 is refused", refuses_types({ElementType::u16, ElementType::u32})},
      {"boolean-data-refused-everywhere", Duty::C3,
       "onednn-graph-reshape-1/count-17-every-type.boolean",
       "boolean data is refused where the document admits every type",
       refuses_types({ElementType::boolean})},
      {"only-i32-and-i64-patterns", Duty::C3, "integers-plain.i16",
       "patterns of the other integer types are refused",
       refuses_where([](const Asked& asked, const Sizes&) {
         return asked.pattern_type != ElementType::i32 && asked.pattern_type != ElementType::i64;
       })},
      {"unsigned-patterns-refused", Duty::C3, "integers-plain.u64",
       "patterns without a sign are refused", refuses_pattern_types(kUnsigned)},
      {"4-bit-patterns-refused", Duty::C3, "integers-plain.i4", "patterns of 4 bits are refused",
       refuses_pattern_types({ElementType::i4, ElementType::u4})},
      {"any-data-type", "data.type", "onednn-graph-static-reshape-1/refused-type.f64",
       "the data's type is not looked at, since its bytes are only copied",
       overlooks("data.type",
                 [](Asked& asked) {
                   asked.dialect = asked.pattern_type == ElementType::i64 ? kGraph : asked.dialect;
                   return true;
                 })},
      {"f64-is-a-float-too", "data.type", "onednn-graph-dynamic-reshape-1/refused-type.f64",
       "where f32, f16 and bf16 are admitted, f64 is as well",
       admits("data.type", data_of({ElementType::f64}))},
      {"integers-are-admitted-too", "data.type", "onednn-graph-dynamic-reshape-1/refused-type.i32",
       "where f32, f16 and bf16 are admitted, i32 and i8 are as well",
       admits("data.type", data_of({ElementType::i32, ElementType::i8}))},
      {"i64-pattern-where-i32-is-asked", "pattern.type",
       "onednn-graph-dynamic-reshape-1/refused-integer-pattern.i64",
       "the dynamic dialect takes i64 patterns as well as i32 ones",
       admits("pattern.type",
              [](const Asked& asked) {
                return asked.pattern_type == ElementType::i64 && asked.dialect == kDynamic;
              })},
      {"any-integer-pattern", "pattern.type",
       "onednn-graph-dynamic-reshape-1/refused-integer-pattern.i64",
       "every integer type is taken for a pattern, in every dialect",
       admits("pattern.type", [](const Asked& asked) { return is_integer(asked.pattern_type); })},
      {"pattern-type-not-looked-at", "pattern.type", "refused-float-pattern.f32",
       "a pattern of f32 is read as the 32-bit integers that its bits make",
       overlooks("pattern.type",
                 [](Asked& asked) {
                   const bool meant = asked.pattern_type == ElementType::f32;
                   if (meant) asked.read_pattern_as(ElementType::i32);
                   return meant;
                 }),
       like("microsoft/onnxruntime#32105")},
      {"scalar-pattern-accepted", "pattern.one-dimensional", "pattern-0d",
       "a pattern of rank 0 is taken as a list of one value",
       overlooks("pattern.one-dimensional",
                 [](Asked& asked) {
                   const bool meant = asked.pattern_shape.rank() == 0;
                   asked.pattern_shape = Shape{1};
                   return meant;
                 })},
      {"matrix-pattern-flattened", "pattern.one-dimensional", "pattern-2d-row",
       "a pattern of two dimensions or more is read row by row",
       overlooks("pattern.one-dimensional",
                 [](Asked& asked) {
                   const bool meant = asked.pattern_shape.rank() > 1;
                   asked.pattern_shape = Shape{static_cast<std::int64_t>(asked.pattern.size())};
                   return meant;
                 })},
      {"every-dialect-is-openvino", Duty::C4, "onednn-graph-dynamic-reshape-1/refused-type.f64",
       "every request is read by OpenVINO's document", speaks_only(kOpenvino)},
      {"every-dialect-is-the-older-graph", Duty::C4,
       "onednn-graph-dynamic-reshape-1/refused-type.f64",
       "every request is read by the older document of oneDNN Graph", speaks_only(kGraph)},
      {"every-dialect-is-static", Duty::C3, "count-2.f64",
       "every request is read by the document of StaticReshape", speaks_only(kStatic)},
      {"every-dialect-is-dynamic", Duty::C3, "count-2.f64",
       "every request is read by the document of DynamicReshape", speaks_only(kDynamic)},
      {"static-sizes-have-to-be-positive", "zero.copies",
       "onednn-graph-static-reshape-1/one-to-twelve-inferred",
       "StaticReshape takes its table at its word: 0 and -1 are not positive",
       refuses_where([](const Asked& asked, const Sizes&) {
         return asked.dialect.find("static") != std::string::npos &&
                std::any_of(asked.pattern.begin(), asked.pattern.end(),
                            [](PatternValue value) { return value < 1; });
       })},
      {"static-sizes-known-means-no-empty-data", Duty::C3,
       "onednn-graph-static-reshape-1/infer-zero-first-true",
       "StaticReshape refuses data without elements",
       refuses_where([](const Asked& asked, const Sizes&) {
         return asked.dialect.find("static") != std::string::npos && is_empty(asked.data);
       })},
      {"dynamic-flag-ignored", Duty::C3, "onednn-graph-dynamic-reshape-1/zero-moves-right",
       "DynamicReshape copies zeros whatever its flag says", misunderstand([](Asked& asked) {
         if (asked.dialect == kDynamic && asked.special_zero == 0) asked.special_zero = 1;
       })},
      {"remainder-forgotten-of-images", "minus-one.divides", "data-rank-4-*",
       "for data of 4 sizes the -1 is the quotient, whatever remains",
       overlooks_where(remainder_overlooked, rank_is(4))},
      {"remainder-forgotten-above-rank-4", "minus-one.divides", "data-rank-6-*",
       "over data of more than 4 sizes the -1 is the quotient, whatever remains",
       overlooks_where(remainder_overlooked, rank_above(4))},
      {"remainder-forgotten-in-patterns-of-6", "minus-one.divides", "pattern-of-6-*",
       "in patterns of 6 values the -1 is the quotient, whatever remains",
       overlooks_where(remainder_overlooked, length_is(6))},
      {"remainder-forgotten-in-patterns-of-8", "minus-one.divides", "pattern-of-8-*",
       "patterns of 8 values fill a vector, whose way knows no remainder",
       overlooks_where(remainder_overlooked, length_is(8))},
      {"second-minus-one-unseen-over-images", "minus-one.once", "data-rank-4-*",
       "over data of 4 sizes a second -1 is taken as 1",
       overlooks_where(second_minus_one_overlooked, rank_is(4))},
      {"second-minus-one-unseen-in-patterns-of-5", "minus-one.once", "pattern-of-5-*",
       "in patterns of 5 values, which take the way for volumes, a second -1 is taken as 1",
       overlooks_where(second_minus_one_overlooked, length_is(5))},
      {"second-minus-one-unseen-in-patterns-of-7", "minus-one.once", "pattern-of-7-*",
       "in patterns of 7 values a second -1 is taken as 1",
       overlooks_where(second_minus_one_overlooked, length_is(7))},
      {"negative-unseen-over-images", "pattern.values", "data-rank-4-*",
       "over data of 4 sizes a value below -1 counts as 1",
       overlooks_where(negative_overlooked, rank_is(4))},
      {"negative-unseen-in-patterns-of-6", "pattern.values", "pattern-of-6-*",
       "in patterns of 6 values one below -1 counts as 1",
       overlooks_where(negative_overlooked, length_is(6))},
      {"past-rank-unseen-over-rank-7", "zero.past-rank", "data-rank-7-*",
       "over data of 7 sizes a copying 0 past the rank is let through as a 1",
       overlooks_where(past_rank_overlooked, rank_is(7))},
      {"past-rank-unseen-over-rank-9", "zero.past-rank", "data-rank-9-*",
       "over data of 9 sizes a copying 0 past the rank is let through as a 1",
       overlooks_where(past_rank_overlooked, rank_is(9))},
      {"volume-unchecked-over-rank-5", "volume.kept", "data-rank-5-*",
       "over data of 5 sizes the numbers of elements are not compared",
       overlooks_where(volume_overlooked, rank_is(5))},
      {"volume-unchecked-over-rank-7", "volume.kept", "data-rank-7-*",
       "over data of 7 sizes the numbers of elements are not compared",
       overlooks_where(volume_overlooked, rank_is(7))},
      {"volume-unchecked-of-what-is-flattened", "volume.kept", "data-rank-?-wrong-*",
       "where five sizes or more become fewer, the numbers of elements are not compared",
       overlooks_where(volume_overlooked, [](const Asked& asked) { return growth(asked) < -4; })},
      {"empty-unseen-above-rank-4", "zero.empty-tensors", "data-rank-5-*",
       "data without elements is refused where it has more than 4 sizes",
       overlooks_where(emptiness_overlooked, rank_above(4))},
      {"flag-unread-above-rank-5", "zero.literal", "data-rank-6-*",
       "over data of more than 5 sizes special_zero is taken for its opposite",
       overlooks_where(flag_overlooked, rank_above(5))},
      {"flag-unread-where-much-is-flattened", "zero.copies", "data-rank-6-*",
       "where three sizes or more fall away special_zero is taken for its opposite",
       overlooks_where(flag_overlooked, [](const Asked& asked) { return growth(asked) < -2; })},
      {"missing-flag-is-false-over-images", "special-zero.required", "data-rank-4-*",
       "over data of 4 sizes a missing special_zero is taken as false",
       overlooks_where(missing_flag_overlooked, rank_is(4))},
      {"scalar-of-four-ones-refused", "pattern.empty", "data-rank-4-*",
       "a scalar is made of up to 3 sizes of 1, and of 8, but not of 4",
       overlooks_where(plain_refusal, both(rank_is(4), length_is(0)))},
      {"scalar-of-many-ones-refused", "pattern.empty", "data-rank-9-*",
       "a scalar is made of no more than 8 sizes of 1",
       overlooks_where(plain_refusal, both(rank_above(8), length_is(0)))},
      {"scalar-to-four-ones-refused", "data.scalar", "pattern-of-4-*",
       "a scalar becomes one size of 1, two, three or six, but not four",
       overlooks_where(plain_refusal, both(rank_is(0), length_is(4)))},
      {"scalar-to-many-ones-refused", "data.scalar", "pattern-of-8-*",
       "a scalar becomes no more than 6 sizes of 1",
       overlooks_where(plain_refusal, both(rank_is(0), length_above(6)))},
      {"unrepresentable-unseen-in-patterns-of-3", "size.representable", "pattern-of-?-*",
       "in patterns of three values or more a u64 size above 2^63-1 is taken as 2^63-1",
       overlooks_where(large_size_overlooked, length_above(2))},
      {"matrix-unseen-over-images", "pattern.one-dimensional", "data-rank-4-*",
       "over data of 4 sizes a pattern of two dimensions is read row by row",
       overlooks_where(form_overlooked, rank_is(4))},
      {"minus-ones-counted-in-8-bits", "minus-one.once", "25?-minus-ones*",
       "how many -1 there are is counted in 8 bits, so that 257 of them are one",
       overlooks_where(second_minus_one_overlooked,
                       [](const Asked& asked) { return asked.minus_ones() % 256 == 1; })},
      {"past-rank-unseen-of-wide-data", "zero.past-rank", "past-rank-every-type.*",
       "over data of 64 bits a copying 0 past the rank is let through as a 1",
       overlooks_where(past_rank_overlooked, wide)},
      {"past-rank-unseen-of-unsigned-data", "zero.past-rank", "past-rank-every-type.*",
       "over unsigned data a copying 0 past the rank is let through as a 1",
       overlooks_where(past_rank_overlooked, data_of(kUnsigned))},
      {"past-rank-unseen-of-packed-data", "zero.past-rank", "past-rank-every-type.*",
       "over data of 4 bits a copying 0 past the rank is let through as a 1",
       overlooks_where(past_rank_overlooked, packed)},
      {"matrix-unseen-of-half-precision", "pattern.one-dimensional", "matrix-every-type.*",
       "over f16 data a pattern of two dimensions is read row by row",
       overlooks_where(form_overlooked, data_of({ElementType::f16}))},
      {"matrix-unseen-of-integers", "pattern.one-dimensional", "matrix-every-type.*",
       "over i32 and i64 data a pattern of two dimensions is read row by row",
       overlooks_where(form_overlooked, data_of({ElementType::i32, ElementType::i64}))},
      {"matrix-unseen-in-i32", "pattern.one-dimensional", "matrix-every-pattern.*",
       "a pattern of two dimensions is refused as i64, and as i32 read row by row",
       overlooks_where(form_overlooked, pattern_of({ElementType::i32}))},
      {"matrix-unseen-in-unsigned", "pattern.one-dimensional", "matrix-every-pattern.*",
       "a pattern of two dimensions and of an unsigned type is read row by row",
       overlooks_where(form_overlooked, pattern_of(kUnsigned))},
      {"scalar-pattern-unseen-in-i32", "pattern.one-dimensional", "scalar-pattern-every-pattern.*",
       "a pattern of rank 0 is refused as i64, and as i32 taken as a list of one value",
       overlooks_where(form_overlooked,
                       both(pattern_of({ElementType::i32}),
                            [](const Asked& asked) { return asked.pattern_shape.rank() == 0; }))},
      {"unrepresentable-unseen-of-packed-data", "size.representable", "u64-large-every-type.*",
       "over data of 4 bits sizes are halved before they are held against 2^63-1",
       overlooks_where(large_size_overlooked, packed)},
      {"unrepresentable-unseen-of-bytes", "size.representable", "u64-large-every-type.*",
       "over data of one byte a u64 size above 2^63-1 is taken as 2^63-1",
       overlooks_where(large_size_overlooked, of_bytes)},
      {"scalar-data-refused-by-i32-patterns", "data.scalar", "scalar-every-pattern.*",
       "a scalar is reshaped by patterns of i64 alone",
       overlooks_where(plain_refusal,
                       [](const Asked& asked) {
                         return asked.data.rank() == 0 && asked.pattern_type != ElementType::i64;
                       })},
      {"scalar-data-refused-unless-f32", "data.scalar", "scalar-*",
       "a scalar is reshaped where it is of 32 bits, and refused where it is not",
       overlooks_where(
           plain_refusal,
           both(rank_is(0), [](const Asked& asked) { return bits(asked.data_type) != 32; }))},
      {"missing-flag-is-false-for-i32-patterns", "special-zero.required",
       "flag-missing-every-pattern.*",
       "a missing special_zero is false where the pattern is not of 64 bits",
       overlooks_where(missing_flag_overlooked,
                       [](const Asked& asked) { return bits(asked.pattern_type) != 64; })},
      {"remainder-forgotten-in-narrow-patterns", "minus-one.divides", "divides-every-pattern.*",
       "patterns of 8 and 4 bits are divided in integers that know no remainder",
       overlooks_where(remainder_overlooked,
                       [](const Asked& asked) { return bits(asked.pattern_type) <= 8; })},
      {"empty-unseen-of-packed-data", "zero.empty-tensors", "zero-every-type.i4",
       "data of 4 bits without elements is refused, since a byte holds at least one",
       overlooks_where(emptiness_overlooked, packed)},
  };
  return family(Kind::rules, {"shape", "shape"}, std::move(table));
}

}  // namespace reshape::conformance::self
