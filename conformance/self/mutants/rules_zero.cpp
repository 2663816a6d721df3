// What a 0 means: the flag, what is copied, and sizes of 0 on either side.
#include <algorithm>

#include "conformance/self/families.h"
#include "conformance/self/misread.h"

namespace reshape::conformance::self {
namespace {

// Each 0 that copies becomes size(asked, the pattern, its place); a negative answer leaves it as it is.
Steps copies(
    std::function<std::int64_t(const Asked&, const std::vector<PatternValue>&, std::size_t)> size) {
  return misunderstand([=](Asked& asked) {
    if (!asked.flag()) return;
    const std::vector<PatternValue> before = asked.pattern;
    for (std::size_t at = 0; at < before.size(); ++at) {
      if (before[at] != 0) continue;
      const std::int64_t copied = size(asked, before, at);
      if (copied >= 0) asked.pattern[at] = copied;
    }
  });
}

// A copying 0 past the rank of the data becomes size(rank, its place).
Steps copies_past_rank(std::function<std::int64_t(const Asked&, std::size_t)> size) {
  return copies([=](const Asked& asked, const std::vector<PatternValue>&, std::size_t at) {
    return at < asked.data.rank() ? -1 : size(asked, at);
  });
}

std::size_t count_before(const std::vector<PatternValue>& pattern, std::size_t at,
                         PatternValue value) {
  return static_cast<std::size_t>(
      std::count(pattern.begin(), pattern.begin() + static_cast<std::ptrdiff_t>(at), value));
}

std::int64_t size_at(const Asked& asked, std::size_t axis) {
  return axis < asked.data.rank() ? asked.data[axis] : -1;
}

// Which zeros copy is kept in so many bits; further ones are plain sizes.
Steps copies_in_a_mask_of(std::size_t bits) {
  return refuses_where([=](const Asked& asked, const Sizes& sizes) {
    for (std::size_t at = bits; asked.flag() && at < sizes.size(); ++at) {
      if (asked.pattern[at] == 0 && sizes[at] != 0) return true;
    }
    return false;
  });
}

// special_zero, where it is given as `from`, is read as `to`, if when(asked).
Steps reads_flag_as(
    std::int32_t from, std::int32_t to, WhereAsked when = [](const Asked&) { return true; }) {
  return misunderstand([=](Asked& asked) {
    if (asked.special_zero == from && when(asked)) asked.special_zero = to;
  });
}

bool has(const Asked& asked, PatternValue value) {
  return std::find(asked.pattern.begin(), asked.pattern.end(), value) != asked.pattern.end();
}

std::int64_t product_without_zeros(const Sizes& sizes) {
  Sizes kept = sizes;
  std::erase(kept, 0);
  return product_in<std::int64_t>(kept);
}

}  // namespace

Mutants families::rules_zero() {
  Mutants table = {
      {"flag-ignored", Duty::C3, "zero-moves-right",
       "special_zero is taken as true, whatever is given",
       reads_flag_as(RESHAPE_FLAG_FALSE, RESHAPE_FLAG_TRUE),
       like("openvinotoolkit/openvino#36046")},
      {"flag-never-true", Duty::C3, "one-to-twelve-inferred",
       "every 0 is a plain size, as in NumPy", reads_flag_as(RESHAPE_FLAG_TRUE, RESHAPE_FLAG_FALSE),
       like("apache/tvm#20151")},
      {"flag-inverted", Duty::C3, "one-to-twelve-inferred",
       "special_zero false copies, true does not", misunderstand([](Asked& asked) {
         if (asked.special_zero != RESHAPE_FLAG_MISSING) asked.special_zero = asked.flag() ? 0 : 1;
       })},
      {"missing-flag-means-false", "special-zero.required", "integers-flag-missing.i32",
       "a request without special_zero is taken as false",
       reads_flag_as(RESHAPE_FLAG_MISSING, RESHAPE_FLAG_FALSE), like("NVIDIA/TensorRT#1598")},
      {"missing-flag-means-true", "special-zero.required", "integers-flag-missing.i32",
       "a request without special_zero is taken as true, ONNX's default",
       reads_flag_as(RESHAPE_FLAG_MISSING, RESHAPE_FLAG_TRUE)},
      {"missing-flag-is-no-matter-without-zeros", "special-zero.required",
       "integers-flag-missing.i32",
       "the flag is asked for only when the pattern has a 0 that needs it",
       reads_flag_as(RESHAPE_FLAG_MISSING, RESHAPE_FLAG_FALSE,
                     [](const Asked& asked) { return !has(asked, 0); })},
      {"flag-forgotten-beside-minus-one", "zero.literal", "plain-zero-minus-one-full",
       "a 0 beside a -1 copies, whatever the flag says",
       reads_flag_as(RESHAPE_FLAG_FALSE, RESHAPE_FLAG_TRUE,
                     [](const Asked& asked) { return asked.minus_ones() == 1; })},
      {"flag-read-for-constants-only", "zero.literal", "integers-plain-zero.u16",
       "patterns that are not i64 take a way on which every 0 copies",
       reads_flag_as(RESHAPE_FLAG_FALSE, RESHAPE_FLAG_TRUE,
                     [](const Asked& asked) { return asked.pattern_type != ElementType::i64; }),
       like("openvinotoolkit/openvino#10189")},
      {"flag-false-where-copying-is-idle", "zero.copies", "copy-zero-same",
       "the flag is simplified to false where the pattern is as long as the data's rank",
       reads_flag_as(RESHAPE_FLAG_TRUE, RESHAPE_FLAG_FALSE,
                     [](const Asked& asked) { return asked.pattern.size() == asked.data.rank(); }),
       like("Xilinx/onnx-mlir#204")},
      {"copied-zero-right-aligned", "zero.copies", "copy-zero-every-type.u32",
       "a copying 0 looks at the same place from the right",
       copies([](const Asked& asked, const std::vector<PatternValue>& pattern, std::size_t at) {
         const std::size_t from_right = pattern.size() - at;
         return from_right <= asked.data.rank() ? asked.data[asked.data.rank() - from_right] : -1;
       }),
       like("microsoft/onnxruntime#15203")},
      {"copied-zero-mirrored", "zero.copies", "copy-zero-same",
       "a copying 0 at place i looks at the i-th size from the end",
       copies([](const Asked& asked, const std::vector<PatternValue>&, std::size_t at) {
         return at < asked.data.rank() ? asked.data[asked.data.rank() - 1 - at] : -1;
       })},
      {"copied-zero-looks-one-further", "zero.copies", "copy-zero-same",
       "places are counted from 1 in the pattern and from 0 in the data",
       copies([](const Asked& asked, const std::vector<PatternValue>&, std::size_t at) {
         return size_at(asked, at + 1);
       })},
      {"nth-zero-copies-nth-size", "zero.copies", "copy-zero-every-type.u32",
       "the n-th 0 copies the n-th size, wherever it stands",
       copies([](const Asked& asked, const std::vector<PatternValue>& pattern, std::size_t at) {
         return size_at(asked, count_before(pattern, at, 0));
       })},
      {"minus-one-not-counted-as-a-place", "minus-one.beside-copied-zero",
       "minus-one-first-by-design", "behind a -1 a 0 copies from one place before its own",
       copies([](const Asked& asked, const std::vector<PatternValue>& pattern, std::size_t at) {
         return size_at(asked, at - count_before(pattern, at, -1));
       })},
      {"first-zero-copies-only", "zero.copies", "example-3-every-type.u32",
       "the first 0 copies, a further one is a plain size", misunderstand([](Asked& asked) {
         if (!asked.flag()) return;
         const auto first = std::find(asked.pattern.begin(), asked.pattern.end(), 0);
         const std::size_t at = static_cast<std::size_t>(first - asked.pattern.begin());
         if (first == asked.pattern.end() || at >= asked.data.rank()) return;
         const std::int64_t size = asked.data[at];
         // A copied 0 would be read as one that copies, which it does not have to any more.
         if (size == 0) return;
         *first = size;
         asked.special_zero = RESHAPE_FLAG_FALSE;
       })},
      {"zeros-copy-the-first-size", "zero.copies", "copy-zero-every-type.u32",
       "every copying 0 copies the data's first size, the batch",
       copies([](const Asked& asked, const std::vector<PatternValue>&, std::size_t at) {
         return at < asked.data.rank() ? asked.data[0] : -1;
       })},
      {"copied-index-unchecked", "zero.past-rank", "in-place-past-rank",
       "a copying 0 past the rank of the data gives 1",
       copies_past_rank([](const Asked&, std::size_t) { return 1; }), like("apache/tvm#20255")},
      {"copied-index-off-by-one", "zero.past-rank", "in-place-past-rank",
       "a copying 0 right behind the last size is let through as a 1",
       copies_past_rank(
           [](const Asked& asked, std::size_t at) { return at == asked.data.rank() ? 1 : -1; })},
      {"copied-index-clamped", "zero.past-rank", "past-rank-minus-one-first",
       "a copying 0 past the rank of the data copies the last size",
       copies_past_rank([](const Asked& asked, std::size_t) {
         return asked.data.rank() == 0 ? -1 : asked.data[asked.data.rank() - 1];
       })},
      {"copied-index-wraps", "zero.past-rank", "past-rank-minus-one-first",
       "a copying 0 past the rank of the data begins again at its first size",
       copies_past_rank([](const Asked& asked, std::size_t at) {
         return asked.data.rank() == 0 ? -1 : asked.data[at % asked.data.rank()];
       })},
      {"zero-past-rank-is-plain", "zero.past-rank", "zero-after-overflow-past-rank",
       "a copying 0 past the rank of the data is a plain size of 0",
       misreads([](const Asked& asked, const RightAnswer& right) {
         if (!right.refused_for("zero.past-rank")) return none();
         Asked other = asked;
         for (std::size_t at = 0; at < asked.data.rank() && at < other.pattern.size(); ++at) {
           if (other.pattern[at] == 0) other.pattern[at] = asked.data[at];
         }
         other.special_zero = RESHAPE_FLAG_FALSE;
         const auto plain = plain_pattern(other);
         const bool fits = plain && !plain->minus_one && is_empty(asked.data);
         return fits ? answers(plain->sizes) : none();
       }),
       like("microsoft/onnxruntime#8421")},
      {"only-zeros-is-unchanged", "volume.kept", "truncated-data-size-to-zero",
       "a pattern of nothing but zeros is taken for the data's shape before the flag is read",
       misreads([](const Asked& asked, const RightAnswer& right) {
         const bool zeros = !asked.pattern.empty() && asked.pattern.size() == asked.data.rank() &&
                            std::all_of(asked.pattern.begin(), asked.pattern.end(),
                                        [](PatternValue value) { return value == 0; });
         if (!zeros || !(right.produces() || right.refused_for("volume.kept"))) {
           return none();
         }
         return answers(sizes_of(asked.data));
       })},
      {"copying-of-nothing-refused", "zero.copies", "copy-zero-same",
       "a copied size of 0 is taken for a size that is not known yet, and refused",
       refuses_where([](const Asked& asked, const Sizes& sizes) {
         for (std::size_t at = 0; asked.flag() && at < sizes.size(); ++at) {
           if (asked.pattern[at] == 0 && sizes[at] == 0) return true;
         }
         return false;
       })},
      {"copied-in-32-bits", "zero.copies", "size-2-to-31-plus-1-copied",
       "copied sizes pass through a 32-bit integer",
       reshapes_otherwise([](const Asked& asked, Sizes& sizes) {
         for (std::size_t at = 0; asked.flag() && at < sizes.size(); ++at) {
           if (asked.pattern[at] == 0) sizes[at] = static_cast<std::int32_t>(sizes[at]);
         }
         if (std::any_of(sizes.begin(), sizes.end(), [](auto size) { return size < 0; }))
           sizes = {0};
       })},
      {"copies-in-a-mask-of-32", "zero.copies", "rank-33-copied",
       "which zeros copy is kept in 32 bits, so that the 33rd is a plain size",
       copies_in_a_mask_of(32)},
      {"copies-in-a-mask-of-64", "zero.copies", "rank-65-copied",
       "which zeros copy is kept in 64 bits, so that the 65th is a plain size",
       copies_in_a_mask_of(64)},
      {"volume-unchecked-beside-copies", "volume.kept", "copy-size-beside-zero-not-copied",
       "with special_zero true and some 0 the volumes are not compared",
       accepts_where(
           [](const Asked& asked, const Sizes&) { return asked.flag() && has(asked, 0); })},
      {"volume-unchecked-of-empty-data", "volume.kept", "copy-size-beside-zero-not-copied",
       "data without elements fits every shape",
       accepts_where([](const Asked& asked, const Sizes&) { return is_empty(asked.data); })},
      {"volume-unchecked-of-empty-output", "volume.kept", "full-to-empty",
       "an output without elements fits all data, since nothing has to be copied",
       accepts_where([](const Asked&, const Sizes& sizes) { return is_empty(Shape(sizes)); })},
      {"zeros-left-out-of-the-products", "volume.kept", "empty-to-full-true",
       "both products are taken over the sizes that are not 0",
       misreads([](const Asked& asked, const RightAnswer& right) {
         const auto sizes = sizes_asked_for(asked, right);
         if (!sizes) return none();
         const bool same =
             product_without_zeros(*sizes) == product_without_zeros(sizes_of(asked.data));
         return same ? answers(*sizes) : refusal();
       }),
       like("nv-legate/cupynumeric#490")},
      {"zero-taken-as-minus-one", "zero.literal", "full-to-empty",
       "a plain 0 is inferred like a -1, because only sizes above 0 are known",
       misunderstand([](Asked& asked) {
         if (asked.special_zero != RESHAPE_FLAG_FALSE || asked.minus_ones() != 0) return;
         if (std::count(asked.pattern.begin(), asked.pattern.end(), 0) != 1) return;
         // Without a sign there is no -1 to write; such patterns are read rightly.
         if (!is_signed_integer(asked.pattern_type)) return;
         std::replace(asked.pattern.begin(), asked.pattern.end(), PatternValue{0},
                      PatternValue{-1});
       }),
       like("numba/numba#1542")},
      {"lone-zero-is-scalar", "output.shape", "empty-wild-strides.u32",
       "the pattern [0] with special_zero false gives a scalar",
       misreads([](const Asked& asked, const RightAnswer& right) {
         const bool meant = asked.special_zero == RESHAPE_FLAG_FALSE && asked.pattern.size() == 1 &&
                            asked.pattern[0] == 0 &&
                            (right.produces() || right.refused_for("volume.kept"));
         return meant ? answers({}) : none();
       }),
       like("openvinotoolkit/openvino#5828")},
      {"plain-zero-refused", "zero.literal", "zero-moves-to-the-front",
       "with special_zero false a 0 is refused: sizes have to be positive",
       refuses_where([](const Asked& asked, const Sizes&) {
         return asked.special_zero == RESHAPE_FLAG_FALSE && has(asked, 0);
       })},
      {"flag-false-forbids-minus-one", "minus-one.inferred", "infer-zero-every-type.f8e4m3",
       "with special_zero false every -1 is refused, not only one beside a 0",
       refuses_where([](const Asked& asked, const Sizes&) {
         return asked.special_zero == RESHAPE_FLAG_FALSE && asked.minus_ones() > 0;
       }),
       like("microsoft/onnxruntime#10664")},
      {"empty-data-refused", Duty::C3, "infer-zero-first-true", "data without elements is refused",
       refuses_where([](const Asked& asked, const Sizes&) { return is_empty(asked.data); }),
       like("opencv/opencv#18209")},
      {"minus-one-of-empty-data-refused", "minus-one.inferred", "infer-zero-first-true",
       "a -1 over data without elements is refused, although the known sizes are not 0",
       refuses_where([](const Asked& asked, const Sizes&) {
         return is_empty(asked.data) && asked.minus_ones() > 0;
       }),
       like("microsoft/onnxruntime#9940")},
      {"minus-one-of-nothing-is-one", "minus-one.inferred", "infer-zero-first-true",
       "a -1 over data without elements is 1, so that the output is not empty",
       reshapes_otherwise([](const Asked& asked, Sizes& sizes) {
         for (std::size_t at = 0; is_empty(asked.data) && at < sizes.size(); ++at) {
           if (asked.pattern[at] == -1) sizes[at] = 1;
         }
       })},
      {"minus-one-of-nothing-from-the-other-sizes", "minus-one.inferred", "infer-zero-first-true",
       "a -1 over data without elements is divided out of the sizes that are not 0",
       reshapes_otherwise([](const Asked& asked, Sizes& sizes) {
         if (!is_empty(asked.data) || asked.minus_ones() != 1) return;
         const auto plain = plain_pattern(asked);
         const std::int64_t known = product_without_zeros(plain->sizes);
         if (known > 0) sizes = plain->with(product_without_zeros(sizes_of(asked.data)) / known);
       }),
       like("onnx/onnx#7575")},
      {"minus-one-beside-plain-zero-is-zero", "zero.with-minus-one",
       "onednn-graph-static-reshape-1/plain-zero-minus-one-empty",
       "beside a plain 0 over empty data the -1 is 0, in every dialect",
       misreads([](const Asked& asked, const RightAnswer& right) {
         const auto plain = plain_pattern(asked);
         const bool meant =
             right.refused_for("zero.with-minus-one") && plain && is_empty(asked.data);
         return meant ? answers(plain->with(0)) : none();
       }),
       like("microsoft/onnxruntime#29027")},
      {"zeros-left-out-beside-minus-one", "volume.kept", "plain-zero-minus-one-full",
       "beside a plain 0 the -1 is what the other sizes leave",
       misreads([](const Asked& asked, const RightAnswer& right) {
         const auto plain = plain_pattern(asked);
         if (!plain || !plain->minus_one || asked.flag() || !has(asked, 0)) return none();
         const bool refused =
             right.refused_for("volume.kept") || right.refused_for("zero.with-minus-one");
         const std::int64_t known = product_without_zeros(plain->sizes);
         const std::int64_t count = element_count(asked.data).value_or(0);
         if (!refused || known <= 0 || count % known != 0) return none();
         return answers(plain->with(count / known));
       }),
       like("huggingface/candle#3908")},
      {"size-of-zero-becomes-one", "output.shape", "infer-zero-first-true",
       "sizes below 1 are raised to 1, so that buffers are never of size 0",
       reshapes_otherwise([](const Asked&, Sizes& sizes) {
         for (std::int64_t& size : sizes) size = size < 1 ? 1 : size;
       })},
      {"empty-only-at-rank-one", "volume.kept", "empty-to-its-other-sizes",
       "a shape counts as empty when its first size is 0; a 0 further back is skipped",
       misreads([](const Asked& asked, const RightAnswer& right) {
         const auto sizes = sizes_asked_for(asked, right);
         if (!sizes) return none();
         const auto volume = [](const Sizes& of) {
           return !of.empty() && of[0] == 0 ? 0 : product_without_zeros(of);
         };
         const bool same = volume(*sizes) == volume(sizes_of(asked.data));
         return same ? answers(*sizes) : refusal();
       })},
  };
  return family(Kind::rules, {"shape", "shape"}, std::move(table));
}

}  // namespace reshape::conformance::self
