// Mistakes about zeros: the flag, what is copied, and sizes of 0 on either side.
#include <algorithm>
#include <functional>

#include "conformance/self/misread.h"

namespace reshape::conformance::self {
namespace {

// Each 0 that copies becomes size(asked, its place); a negative answer leaves it as it is.
Steps copies(std::function<std::int64_t(const Asked&, std::size_t)> size) {
  return misunderstand([=](Asked& asked) {
    const Asked before = asked;
    for (const std::size_t at : copying_places(before)) {
      const std::int64_t copied = size(before, at);
      if (copied >= 0) asked.pattern[at] = copied;
    }
  });
}

// The same of a 0 past the rank of the data, which has a rank.
Steps copies_past_rank(std::function<std::int64_t(const Asked&, std::size_t)> size) {
  return copies([=](const Asked& asked, std::size_t at) {
    return at < asked.data.rank() ? -1 : size(asked, at);
  });
}

std::size_t count_before(const Asked& asked, std::size_t at, PatternValue value) {
  const auto end = asked.pattern.begin() + static_cast<std::ptrdiff_t>(at);
  return static_cast<std::size_t>(std::count(asked.pattern.begin(), end, value));
}

// -1 where there is no such axis.
std::int64_t size_at(const Asked& asked, std::size_t axis) {
  return axis < asked.data.rank() ? asked.data[axis] : -1;
}

// Whether a 0 at index `places` or later has copied a size for which is(size) is true.
template <typename Is>
WhereReshaped copied_behind(std::size_t places, Is is) {
  return [=](const Reshaping& r) {
    const std::vector<std::size_t> copying = copying_places(r.asked);
    return std::any_of(copying.begin(), copying.end(),
                       [&](std::size_t at) { return at >= places && is(r.sizes[at]); });
  };
}
bool is_zero(std::int64_t size) { return size == 0; }

Mistake kept_in_a_mask_of(std::size_t bits) {
  return {"which zeros copy is kept in " + std::to_string(bits) + " bits; further ones are plain",
          kRefused.steps(copied_behind(bits, std::not_fn(is_zero)))};
}

constexpr std::int32_t kFalse = RESHAPE_FLAG_FALSE;
constexpr std::int32_t kTrue = RESHAPE_FLAG_TRUE;
constexpr std::int32_t kMissing = RESHAPE_FLAG_MISSING;

// special_zero, where it is given as `from`, is read as `to`.
Steps reads_flag_as(std::int32_t from, std::int32_t to, WhereAsked when = kAnyRequest) {
  return misunderstand([=, concerned = flag_is(from) && when](Asked& asked) {
    if (concerned(asked)) asked.special_zero = to;
  });
}

std::int64_t product_without_zeros(const Sizes& sizes) {
  Sizes kept = sizes;
  std::erase(kept, 0);
  return product_in<std::int64_t>(kept);
}

}  // namespace

Mutants families::rules_zero() {
  Table table(Kind::rules, {"shape", "shape"});
  table[Duty::C3] = {
      {"flag-ignored", "zero-moves-right", "special_zero is taken as true, whatever is given",
       reads_flag_as(kFalse, kTrue), like("openvinotoolkit/openvino#36046")},
      {"flag-never-true", "one-to-twelve-inferred", "every 0 is a plain size, as in NumPy",
       reads_flag_as(kTrue, kFalse), like("apache/tvm#20151")},
      {"flag-inverted", "one-to-twelve-inferred", "special_zero false copies, true does not",
       misunderstand([](Asked& asked) {
         if (asked.special_zero != kMissing)
           asked.special_zero = asked.zero_copies() ? kFalse : kTrue;
       })},
      {"empty-data-refused", "infer-zero-first-true", kRefused, kEmptyData,
       like("opencv/opencv#18209")},
  };
  table["special-zero.required"] = {
      {"missing-flag-means-false", "integers-flag-missing.i32",
       "a request without special_zero is taken as false", reads_flag_as(kMissing, kFalse),
       like("NVIDIA/TensorRT#1598")},
      {"missing-flag-means-true", "integers-flag-missing.i32",
       "a request without special_zero is taken as true, ONNX's default",
       reads_flag_as(kMissing, kTrue)},
      {"missing-flag-is-no-matter-without-zeros", "integers-flag-missing.i32",
       "the flag is asked for only when the pattern has a 0 that needs it",
       reads_flag_as(kMissing, kFalse, !pattern_has(0))},
  };
  table["zero.literal"] = {
      {"flag-unread-above-rank-5", "data-rank-6-*", kFlagInverted, kDataRank > 5},
      {"flag-forgotten-beside-minus-one", "plain-zero-minus-one-full",
       "a 0 beside a -1 copies, whatever the flag says",
       reads_flag_as(kFalse, kTrue, kMinusOnes == 1)},
      {"flag-read-for-constants-only", "integers-plain-zero.u16",
       "patterns that are not i64 take a way on which every 0 copies",
       reads_flag_as(kFalse, kTrue, !pattern_is({ElementType::i64})),
       like("openvinotoolkit/openvino#10189")},
      {"zero-taken-as-minus-one", "full-to-empty",
       "a plain 0 is inferred like a -1, because only sizes above 0 are known",
       misunderstand([](Asked& asked) {
         const std::vector<std::size_t> zeros = places_of(asked, 0);
         if (asked.special_zero != kFalse || asked.minus_ones() != 0 || zeros.size() != 1) return;
         // An unsigned type cannot hold -1; such patterns are read correctly.
         if (is_signed_integer(asked.pattern_type)) asked.pattern[zeros[0]] = -1;
       }),
       like("numba/numba#1542")},
      {"plain-zero-refused", "zero-moves-to-the-front",
       "with special_zero false a 0 is refused: sizes have to be positive", kRefused,
       flag_is(kFalse) && pattern_has(0)},
  };
  table["zero.copies"] = {
      {"copies-in-a-mask-of-32", "rank-33-copied", kept_in_a_mask_of(32)},
      {"copies-in-a-mask-of-64", "rank-65-copied", kept_in_a_mask_of(64)},
      {"flag-false-where-copying-is-idle", "copy-zero-same",
       "the flag is simplified to false where the pattern is as long as the data's rank",
       reads_flag_as(kTrue, kFalse, kGrowth == 0), like("Xilinx/onnx-mlir#204")},
      {"copied-zero-right-aligned", "copy-zero-every-type.u32",
       "a copying 0 looks at the same place from the right",
       copies([](const Asked& asked, std::size_t at) {
         return size_at(asked, asked.data.rank() - (asked.pattern.size() - at));
       }),
       like("microsoft/onnxruntime#15203")},
      {"copied-zero-mirrored", "copy-zero-same",
       "a copying 0 at place i looks at the i-th size from the end",
       copies([](const Asked& asked, std::size_t at) {
         return size_at(asked, asked.data.rank() - 1 - at);
       })},
      {"copied-zero-looks-one-further", "copy-zero-same",
       "places are counted from 1 in the pattern and from 0 in the data",
       copies([](const Asked& asked, std::size_t at) { return size_at(asked, at + 1); })},
      {"nth-zero-copies-nth-size", "copy-zero-every-type.u32",
       "the n-th 0 copies the n-th size, wherever it stands",
       copies([](const Asked& asked, std::size_t at) {
         return size_at(asked, count_before(asked, at, 0));
       })},
      {"first-zero-copies-only", "example-3-every-type.u32",
       "the first 0 copies, a further one is a plain size", misunderstand([](Asked& asked) {
         const std::vector<std::size_t> copying = copying_places(asked);
         // A copied size of 0 must not be written, since it would copy again.
         if (copying.empty() || size_at(asked, copying[0]) < 1) return;
         asked.pattern[copying[0]] = size_at(asked, copying[0]);
         asked.special_zero = kFalse;
       })},
      {"zeros-copy-the-first-size", "copy-zero-every-type.u32",
       "every copying 0 copies the data's first size, the batch",
       copies([](const Asked& asked, std::size_t at) {
         return at < asked.data.rank() ? asked.data[0] : -1;
       })},
      {"copying-of-nothing-refused", "copy-zero-same",
       "a copied size of 0 is taken for a size that is not known yet, and refused", kRefused,
       copied_behind(0, is_zero)},
      {"copied-in-32-bits", "size-2-to-31-plus-1-copied",
       "copied sizes pass through a 32-bit integer", reshapes([](const Asked& asked, Sizes& sizes) {
         for (const std::size_t at : copying_places(asked)) {
           sizes[at] = static_cast<std::int32_t>(sizes[at]);
         }
         if (std::any_of(sizes.begin(), sizes.end(), [](auto size) { return size < 0; }))
           sizes = {0};
       })},
  };
  table["minus-one.beside-copied-zero"] = {
      Mutant{"minus-one-not-counted-as-a-place", "minus-one-first-by-design",
             "behind a -1 a 0 copies from one place before its own",
             copies([](const Asked& asked, std::size_t at) {
               return size_at(asked, at - count_before(asked, at, -1));
             })}};
  table["zero.past-rank"] = {
      {"copied-index-unchecked", "in-place-past-rank",
       "a copying 0 past the rank of the data gives 1",
       copies_past_rank([](const Asked&, std::size_t) { return 1; }), like("apache/tvm#20255")},
      {"copied-index-off-by-one", "in-place-past-rank",
       "a copying 0 right behind the last size is let through as a 1",
       copies_past_rank(
           [](const Asked& asked, std::size_t at) { return at == asked.data.rank() ? 1 : -1; })},
      {"copied-index-clamped", "past-rank-minus-one-first",
       "a copying 0 past the rank of the data copies the last size",
       copies_past_rank(
           [](const Asked& asked, std::size_t) { return size_at(asked, asked.data.rank() - 1); })},
      {"copied-index-wraps", "past-rank-minus-one-first",
       "a copying 0 past the rank of the data begins again at its first size",
       copies_past_rank([](const Asked& asked, std::size_t at) {
         return asked.data.rank() == 0 ? -1 : asked.data[at % asked.data.rank()];
       })},
      {"zero-past-rank-is-plain", "zero-after-overflow-past-rank",
       "a copying 0 past the rank of the data is a plain size of 0",
       misreads([](const Asked& asked, const RightAnswer& right) {
         if (!right.refused_for("zero.past-rank") || !is_empty(asked.data)) return none();
         Asked other = asked;
         for (const std::size_t at : copying_places(asked)) {
           other.pattern[at] = std::max(size_at(asked, at), std::int64_t{0});
         }
         other.special_zero = kFalse;
         const auto sizes = plain_sizes(other);
         return sizes ? answers(*sizes) : none();
       }),
       like("microsoft/onnxruntime#8421")},
  };
  table["volume.kept"] = {
      {"only-zeros-is-unchanged", "truncated-data-size-to-zero",
       "a pattern of nothing but zeros is taken for the data's shape before the flag is read",
       misreads([](const Asked& asked, const RightAnswer& right) {
         const std::size_t rank = asked.data.rank();
         const bool zeros =
             rank > 0 && asked.pattern.size() == rank && places_of(asked, 0).size() == rank;
         const bool meant = zeros && (right.produces() || right.refused_for("volume.kept"));
         return meant ? answers(sizes_of(asked.data)) : none();
       })},
      {"volume-unchecked-beside-copies", "copy-size-beside-zero-not-copied", kVolumeUnchecked,
       worded("special_zero true and some 0", flag_is(kTrue) && pattern_has(0))},
      {"volume-unchecked-of-empty-data", "copy-size-beside-zero-not-copied", kVolumeUnchecked,
       kEmptyData},
      {"volume-unchecked-of-empty-output", "full-to-empty", kVolumeUnchecked, kEmptyOutput},
      {"zeros-left-out-of-the-products", "empty-to-full-true",
       "both products are taken over the sizes that are not 0", compares_as(product_without_zeros),
       like("nv-legate/cupynumeric#490")},
      {"zeros-left-out-beside-minus-one", "plain-zero-minus-one-full",
       "beside a plain 0 the -1 is what the other sizes leave",
       misreads([](const Asked& asked, const RightAnswer& right) {
         const auto plain = plain_with_minus_one(asked);
         const bool beside_zero = plain && !asked.zero_copies() && !places_of(asked, 0).empty();
         if (!beside_zero || !right.refused_for("volume.kept", "zero.with-minus-one"))
           return none();
         const std::int64_t known = product_without_zeros(plain->sizes);
         const std::int64_t count = element_count(asked.data).value_or(0);
         return known > 0 && count % known == 0 ? answers(plain->with(count / known)) : none();
       }),
       like("huggingface/candle#3908")},
      {"empty-only-at-rank-one", "empty-to-its-other-sizes",
       "a shape counts as empty when its first size is 0; a 0 further back is skipped",
       compares_as([](const Sizes& of) {
         return !of.empty() && of[0] == 0 ? 0 : product_without_zeros(of);
       })},
  };
  table["output.shape"] = {
      {"lone-zero-is-scalar", "empty-wild-strides.u32",
       "the pattern [0] with special_zero false gives a scalar",
       misreads([](const Asked& asked, const RightAnswer& right) {
         const bool meant = asked.special_zero == kFalse && asked.pattern.size() == 1 &&
                            asked.pattern[0] == 0 &&
                            (right.produces() || right.refused_for("volume.kept"));
         return meant ? answers({}) : none();
       }),
       like("openvinotoolkit/openvino#5828")},
      {"size-of-zero-becomes-one", "infer-zero-first-true",
       "sizes below 1 are raised to 1, so that buffers are never of size 0",
       reshapes([](const Asked&, Sizes& sizes) {
         for (std::int64_t& size : sizes) size = size < 1 ? 1 : size;
       })},
  };
  table["minus-one.inferred"] = {
      {"flag-false-forbids-minus-one", "infer-zero-every-type.f8e4m3",
       "with special_zero false every -1 is refused, not only one beside a 0", kRefused,
       flag_is(kFalse) && pattern_has(-1), like("microsoft/onnxruntime#10664")},
      {"minus-one-of-empty-data-refused", "infer-zero-first-true",
       "a -1 over data without elements is refused, although the known sizes are not 0", kRefused,
       kEmptyData && pattern_has(-1), like("microsoft/onnxruntime#9940")},
      {"minus-one-of-nothing-is-one", "infer-zero-first-true",
       "a -1 over data without elements is 1, so that the output is not empty",
       reshapes([](const Asked& asked, Sizes& sizes) {
         for (const std::size_t at : places_of(asked, -1)) sizes[at] = 1;
       }),
       kEmptyData},
      {"minus-one-of-nothing-from-the-other-sizes", "infer-zero-first-true",
       "a -1 over data without elements is divided out of the sizes that are not 0",
       reshapes([](const Asked& asked, Sizes& sizes) {
         const auto plain = plain_with_minus_one(asked);
         if (!is_empty(asked.data) || !plain) return;
         const std::int64_t known = product_without_zeros(plain->sizes);
         if (known > 0) sizes = plain->with(product_without_zeros(sizes_of(asked.data)) / known);
       }),
       kAnyRequest, like("onnx/onnx#7575")},
  };
  table["zero.with-minus-one"] = {
      Mutant{"minus-one-beside-plain-zero-is-zero",
             "onednn-graph-static-reshape-1/plain-zero-minus-one-empty",
             "beside a plain 0 over empty data the -1 is 0, in every dialect",
             misreads([](const Asked& asked, const RightAnswer& right) {
               const auto plain = plain_pattern(asked);
               const bool meant =
                   right.refused_for("zero.with-minus-one") && plain && is_empty(asked.data);
               return meant ? answers(plain->with(0)) : none();
             }),
             like("microsoft/onnxruntime#29027")}};
  return table.mutants();
}

}  // namespace reshape::conformance::self
