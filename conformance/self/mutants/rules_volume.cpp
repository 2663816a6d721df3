// Whether the number of elements is kept, and in what arithmetic that is asked.
#include <algorithm>

#include "conformance/self/misread.h"
#include "conformance/self/mutant.h"

namespace reshape::conformance::self {
namespace {

std::int64_t saturating_product(const Sizes& sizes, std::int64_t most) {
  std::int64_t product = 1;
  for (const std::int64_t size : sizes) {
    if (size == 0) return 0;
    product = product > most / size ? most : product * size;
  }
  return product;
}

bool overflows_on_the_way(const Sizes& sizes) {
  std::int64_t product = 1;
  for (const std::int64_t size : sizes) {
    if (__builtin_mul_overflow(product, size, &product)) return true;
  }
  return false;
}

// Produces the sizes as asked although the volumes differ, where accepts(asked, sizes) says so.
template <typename Accepts>
void accepts_where(reshape_plugin& table, Accepts) {
  misreads(table, [](const Asked& asked, const RightAnswer& right) {
    const auto plain = plain_pattern(asked);
    const bool accepted = right.refused_for("volume.kept") && plain && !plain->minus_one &&
                          Accepts{}(asked, plain->sizes);
    return accepted ? Misreading::of(plain->sizes) : Misreading::none();
  });
}

}  // namespace

MUTANT("volume-unchecked", Breaks("volume.kept"), Caught("shape", "shape"),
       On("openvino-reshape-1/shape-overflow-of-a-tensor"),
       LikePublicBug("llvm/llvm-project#108151"),
       Says("the numbers of elements are not compared")) {
  accepts_where(table, [](const Asked&, const Sizes&) { return true; });
}

MUTANT("volume-in-32-bits", Breaks("volume.kept"), Caught("shape", "shape"),
       On("openvino-reshape-1/empty-to-wrapping-32"),
       Says("the numbers of elements are multiplied in 32 bits")) {
  compares_in<std::int32_t>(table);
}

MUTANT("volume-in-64-bits", Breaks("volume.kept"), Caught("shape", "shape"),
       On("openvino-reshape-1/empty-to-wrapping-64"), LikePublicBug("numpy/numpy#7456"),
       Says("the numbers of elements are multiplied in 64 bits that wrap around")) {
  compares_in<std::int64_t>(table);
}

MUTANT("volume-in-16-bits", Breaks("volume.kept"), Caught("shape", "shape"),
       On("openvino-reshape-1/empty-to-wrapping-32"),
       Says("the numbers of elements are multiplied in 16 bits")) {
  compares_in<std::uint16_t>(table);
}

MUTANT("volume-in-float", Breaks("volume.kept"), Caught("shape", "shape"),
       On("openvino-reshape-1/i32-highest-wrong-volume"),
       Says("the numbers of elements are multiplied in float, which holds 24 bits")) {
  compares_in<float>(table);
}

MUTANT("volume-in-double", Breaks("volume.kept"), Caught("shape", "shape"),
       On("openvino-reshape-1/i64-highest-wrong-volume"),
       Says("the numbers of elements are multiplied in double, which holds 53 bits")) {
  compares_in<double>(table);
}

MUTANT("volume-saturates", Breaks("volume.kept"), Caught("shape", "shape"),
       On("openvino-reshape-1/wrap-64-both-sides"),
       Says("products stop at 2^63-1, where all large volumes are the same")) {
  accepts_where(table, [](const Asked& asked, const Sizes& sizes) {
    return saturating_product(sizes, INT64_MAX) ==
           saturating_product(sizes_of(asked.data), INT64_MAX);
  });
}

MUTANT("volume-saturates-at-int32", Breaks("volume.kept"), Caught("shape", "shape"),
       On("openvino-reshape-1/i32-highest-wrong-volume"),
       Says("products stop at 2^31-1, where all large volumes are the same")) {
  accepts_where(table, [](const Asked& asked, const Sizes& sizes) {
    return saturating_product(sizes, INT32_MAX) ==
           saturating_product(sizes_of(asked.data), INT32_MAX);
  });
}

MUTANT("volume-in-bytes", Breaks("volume.kept"), Caught("shape", "shape"),
       On("openvino-reshape-1/in-place-wrong-volume.u8"),
       Says("bytes are compared, rounded up to whole 8, instead of elements")) {
  accepts_where(table, [](const Asked& asked, const Sizes& sizes) {
    const auto words = [&](const Sizes& of) -> std::int64_t {
      const auto count = element_count(Shape(of));
      if (!count || *count > (std::int64_t{1} << 40)) return -1;
      return (*count * bits(asked.data_type) + 63) / 64;
    };
    return words(sizes) >= 0 && words(sizes) == words(sizes_of(asked.data));
  });
}

MUTANT("volume-compared-one-size-behind", Breaks("volume.kept"), Caught("shape", "shape"),
       On("openvino-reshape-1/empty-to-same-with-one"),
       Says("the first sizes are compared on their own and left out of the products")) {
  accepts_where(table, [](const Asked& asked, const Sizes& sizes) {
    if (sizes.size() < 2 || asked.data.rank() < 2) return false;
    const Sizes data = sizes_of(asked.data);
    return product_in<std::uint64_t>({sizes.begin() + 1, sizes.end()}) ==
           product_in<std::uint64_t>({data.begin() + 1, data.end()});
  });
}

MUTANT("smaller-output-accepted", Breaks("volume.kept"), Caught("shape", "shape"),
       On("openvino-reshape-1/full-to-empty"), LikePublicBug("numpy/numpy#15030"),
       Says("an output that needs fewer elements than there are is filled with the first ones")) {
  accepts_where(table, [](const Asked& asked, const Sizes& sizes) {
    const auto asked_for = element_count(Shape(sizes));
    const auto there = element_count(asked.data);
    return asked_for && (!there || *asked_for < *there);
  });
}

MUTANT("multiple-accepted", Breaks("volume.kept"), Caught("shape", "shape"),
       On("openvino-reshape-1/truncated-to-minus-one-beside-size"),
       Says("an output of a whole multiple of the data is accepted, as in broadcasting")) {
  accepts_where(table, [](const Asked& asked, const Sizes& sizes) {
    const auto asked_for = element_count(Shape(sizes));
    const auto there = element_count(asked.data);
    return asked_for && there && *there > 0 && *asked_for % *there == 0 && *asked_for > 0;
  });
}

MUTANT("one-element-fits-all", Breaks("volume.kept"), Caught("shape", "shape"),
       On("openvino-reshape-1/rank-8-wrong-volume"),
       Says("data of one element is taken for a scalar that fits every shape")) {
  accepts_where(table,
                [](const Asked& asked, const Sizes&) { return element_count(asked.data) == 1; });
}

MUTANT("one-size-means-flat", Breaks("volume.kept"), Caught("shape", "shape"),
       On("openvino-reshape-1/empty-to-full-true"),
       Says("a pattern of one value is answered with the flat shape without a look at the value")) {
  misreads(table, [](const Asked& asked, const RightAnswer& right) {
    const auto count = element_count(asked.data);
    const bool meant = right.refused_for("volume.kept") && asked.pattern.size() == 1 && count;
    return meant ? Misreading::of({*count}) : Misreading::none();
  });
}

MUTANT("equal-ranks-unchecked", Breaks("volume.kept"), Caught("shape", "shape"),
       On("openvino-reshape-1/copy-size-beside-zero-not-copied"),
       Says("volumes are compared only where the rank changes")) {
  accepts_where(table, [](const Asked& asked, const Sizes& sizes) {
    return asked.data.rank() == sizes.size();
  });
}

MUTANT("large-sizes-unchecked", Breaks("volume.kept"), Caught("shape", "shape"),
       On("openvino-reshape-1/shape-overflow-of-a-tensor"),
       Says("where either product overflows, the volumes are not compared")) {
  accepts_where(table, [](const Asked& asked, const Sizes& sizes) {
    return overflows_on_the_way(sizes) || overflows_on_the_way(sizes_of(asked.data));
  });
}

MUTANT("declared-output-held-against-itself", Breaks("volume.kept"), Caught("shape", "status"),
       On("openvino-reshape-1/empty-to-ones"), LikePublicBug("uxlfoundation/oneDNN@e1952c4d10"),
       Says("execution checks the output against the pattern, and neither against the data")) {
  table.execute = [](const reshape_request* request, DLTensor* output, reshape_message* why) {
    const RightAnswer answer = right_answer(*request, why);
    const auto plain = plain_pattern(Asked(*request));
    const bool unseen = answer.refused_for("volume.kept") && plain && !plain->minus_one;
    return answer_execution(*request, unseen ? Misreading::of(plain->sizes) : Misreading::none(),
                            output, why);
  };
}

MUTANT("overflow-before-a-zero-refused", Breaks("output.shape"), Caught("shape", "shape"),
       On("openvino-reshape-1/zero-after-128-bits-small-sizes"),
       Says("products that overflow before they meet a 0 are refused")) {
  refuses_where(table, [](const Asked& asked, const Sizes& sizes) {
    return overflows_on_the_way(sizes) || overflows_on_the_way(sizes_of(asked.data));
  });
}

MUTANT("volume-above-int32-refused", Breaks("C3"), Caught("shape", "shape"),
       On("openvino-reshape-1/size-2-to-31"), Says("more than 2^31-1 elements are refused")) {
  refuses_where(table, [](const Asked& asked, const Sizes&) {
    return element_count(asked.data).value_or(INT64_MAX) > INT32_MAX;
  });
}

MUTANT(
    "bytes-beyond-int64-refused", Breaks("C3"), Caught("shape", "shape"),
    On("openvino-reshape-1/size-2-to-62"),
    Says(
        "shapes whose bytes cannot be counted in 63 bits are refused, though none are asked for")) {
  refuses_where(table, [](const Asked& asked, const Sizes&) {
    const std::int64_t width = bits(asked.data_type) / 8;
    return width > 1 && element_count(asked.data).value_or(INT64_MAX) > INT64_MAX / width;
  });
}

MUTANT("strides-beyond-int64-refused", Breaks("C3"), Caught("shape", "shape"),
       On("openvino-reshape-1/zero-before-overflow"),
       Says("the strides of an empty output are computed with its zeros as 1, and overflow")) {
  refuses_where(table, [](const Asked&, const Sizes& sizes) {
    return !row_major_strides(Shape(sizes)).has_value();
  });
}

}  // namespace reshape::conformance::self
