// Sizes of 0, on either side.
#include <algorithm>

#include "conformance/self/misread.h"
#include "conformance/self/mutant.h"

namespace reshape::conformance::self {
namespace {

bool has(const Asked& asked, PatternValue value) {
  return std::find(asked.pattern.begin(), asked.pattern.end(), value) != asked.pattern.end();
}

std::int64_t product_without_zeros(const Sizes& sizes) {
  Sizes kept = sizes;
  std::erase(kept, 0);
  return product_in<std::int64_t>(kept);
}

// The sizes as asked where volumes were refused and when(asked, sizes) says to look away.
template <typename When>
void skips_the_volume(reshape_plugin& table, When) {
  misreads(table, [](const Asked& asked, const RightAnswer& right) {
    const auto plain = plain_pattern(asked);
    const bool skipped = right.refused_for("volume.kept") && plain && !plain->minus_one &&
                         When{}(asked, plain->sizes);
    return skipped ? Misreading::of(plain->sizes) : Misreading::none();
  });
}

}  // namespace

MUTANT("volume-unchecked-beside-copies", Breaks("volume.kept"), Caught("shape", "shape"),
       On("openvino-reshape-1/copy-size-beside-zero-not-copied"),
       Says("with special_zero true and some 0 the volumes are not compared")) {
  skips_the_volume(table,
                   [](const Asked& asked, const Sizes&) { return asked.flag() && has(asked, 0); });
}

MUTANT("volume-unchecked-of-empty-data", Breaks("volume.kept"), Caught("shape", "shape"),
       On("openvino-reshape-1/copy-size-beside-zero-not-copied"),
       Says("data without elements fits every shape")) {
  skips_the_volume(table, [](const Asked& asked, const Sizes&) { return is_empty(asked.data); });
}

MUTANT("volume-unchecked-of-empty-output", Breaks("volume.kept"), Caught("shape", "shape"),
       On("openvino-reshape-1/full-to-empty"),
       Says("an output without elements fits all data, since nothing has to be copied")) {
  skips_the_volume(table, [](const Asked&, const Sizes& sizes) { return is_empty(Shape(sizes)); });
}

MUTANT("zeros-left-out-of-the-products", Breaks("volume.kept"), Caught("shape", "shape"),
       On("openvino-reshape-1/empty-to-full-true"), LikePublicBug("nv-legate/cupynumeric#490"),
       Says("both products are taken over the sizes that are not 0")) {
  misreads(table, [](const Asked& asked, const RightAnswer& right) {
    const auto plain = plain_pattern(asked);
    const bool concerned = right.produces() || right.refused_for("volume.kept");
    if (!plain || plain->minus_one || !concerned) return Misreading::none();
    const bool same =
        product_without_zeros(plain->sizes) == product_without_zeros(sizes_of(asked.data));
    return same ? Misreading::of(plain->sizes) : Misreading::refusal();
  });
}

MUTANT("zero-taken-as-minus-one", Breaks("zero.literal"), Caught("shape", "shape"),
       On("openvino-reshape-1/full-to-empty"), LikePublicBug("numba/numba#1542"),
       Says("a plain 0 is inferred like a -1, because only sizes above 0 are known")) {
  misunderstand(table, [](Asked& asked) {
    if (asked.special_zero != RESHAPE_FLAG_FALSE || asked.minus_ones() != 0) return;
    if (std::count(asked.pattern.begin(), asked.pattern.end(), 0) != 1) return;
    // Without a sign there is no -1 to write; such patterns are read rightly.
    if (!is_signed_integer(asked.pattern_type)) return;
    std::replace(asked.pattern.begin(), asked.pattern.end(), PatternValue{0}, PatternValue{-1});
  });
}

MUTANT("lone-zero-is-scalar", Breaks("output.shape"), Caught("shape", "shape"),
       On("openvino-reshape-1/empty-wild-strides.u32"),
       LikePublicBug("openvinotoolkit/openvino#5828"),
       Says("the pattern [0] with special_zero false gives a scalar")) {
  misreads(table, [](const Asked& asked, const RightAnswer& right) {
    const bool meant = asked.special_zero == RESHAPE_FLAG_FALSE && asked.pattern.size() == 1 &&
                       asked.pattern[0] == 0 &&
                       (right.produces() || right.refused_for("volume.kept"));
    return meant ? Misreading::of({}) : Misreading::none();
  });
}

MUTANT("plain-zero-refused", Breaks("zero.literal"), Caught("shape", "shape"),
       On("openvino-reshape-1/zero-moves-to-the-front"),
       Says("with special_zero false a 0 is refused: sizes have to be positive")) {
  refuses_where(table, [](const Asked& asked, const Sizes&) {
    return asked.special_zero == RESHAPE_FLAG_FALSE && has(asked, 0);
  });
}

MUTANT("flag-false-forbids-minus-one", Breaks("minus-one.inferred"), Caught("shape", "shape"),
       On("openvino-reshape-1/infer-zero-every-type.f8e4m3"),
       LikePublicBug("microsoft/onnxruntime#10664"),
       Says("with special_zero false every -1 is refused, not only one beside a 0")) {
  refuses_where(table, [](const Asked& asked, const Sizes&) {
    return asked.special_zero == RESHAPE_FLAG_FALSE && asked.minus_ones() > 0;
  });
}

MUTANT("empty-data-refused", Breaks("C3"), Caught("shape", "shape"),
       On("openvino-reshape-1/infer-zero-first-true"), LikePublicBug("opencv/opencv#18209"),
       Says("data without elements is refused")) {
  refuses_where(table, [](const Asked& asked, const Sizes&) { return is_empty(asked.data); });
}

MUTANT("minus-one-of-empty-data-refused", Breaks("minus-one.inferred"), Caught("shape", "shape"),
       On("openvino-reshape-1/infer-zero-first-true"), LikePublicBug("microsoft/onnxruntime#9940"),
       Says("a -1 over data without elements is refused, although the known sizes are not 0")) {
  refuses_where(table, [](const Asked& asked, const Sizes&) {
    return is_empty(asked.data) && asked.minus_ones() > 0;
  });
}

MUTANT("minus-one-of-nothing-is-one", Breaks("minus-one.inferred"), Caught("shape", "shape"),
       On("openvino-reshape-1/infer-zero-first-true"),
       Says("a -1 over data without elements is 1, so that the output is not empty")) {
  reshapes_otherwise(table, [](const Asked& asked, Sizes& sizes) {
    for (std::size_t at = 0; is_empty(asked.data) && at < sizes.size(); ++at) {
      if (asked.pattern[at] == -1) sizes[at] = 1;
    }
  });
}

MUTANT("minus-one-of-nothing-from-the-other-sizes", Breaks("minus-one.inferred"),
       Caught("shape", "shape"), On("openvino-reshape-1/infer-zero-first-true"),
       LikePublicBug("onnx/onnx#7575"),
       Says("a -1 over data without elements is divided out of the sizes that are not 0")) {
  reshapes_otherwise(table, [](const Asked& asked, Sizes& sizes) {
    if (!is_empty(asked.data) || asked.minus_ones() != 1) return;
    const auto plain = plain_pattern(asked);
    const std::int64_t known = product_without_zeros(plain->sizes);
    if (known > 0) sizes = plain->with(product_without_zeros(sizes_of(asked.data)) / known);
  });
}

MUTANT("minus-one-beside-plain-zero-is-zero", Breaks("zero.with-minus-one"),
       Caught("shape", "shape"), On("onednn-graph-static-reshape-1/plain-zero-minus-one-empty"),
       LikePublicBug("microsoft/onnxruntime#29027"),
       Says("beside a plain 0 over empty data the -1 is 0, in every dialect")) {
  misreads(table, [](const Asked& asked, const RightAnswer& right) {
    const auto plain = plain_pattern(asked);
    const bool meant = right.refused_for("zero.with-minus-one") && plain && is_empty(asked.data);
    return meant ? Misreading::of(plain->with(0)) : Misreading::none();
  });
}

MUTANT("zeros-left-out-beside-minus-one", Breaks("volume.kept"), Caught("shape", "shape"),
       On("openvino-reshape-1/plain-zero-minus-one-full"), LikePublicBug("huggingface/candle#3908"),
       Says("beside a plain 0 the -1 is what the other sizes leave")) {
  misreads(table, [](const Asked& asked, const RightAnswer& right) {
    const auto plain = plain_pattern(asked);
    if (!plain || !plain->minus_one || asked.flag() || !has(asked, 0)) return Misreading::none();
    const bool refused =
        right.refused_for("volume.kept") || right.refused_for("zero.with-minus-one");
    const std::int64_t known = product_without_zeros(plain->sizes);
    const std::int64_t count = element_count(asked.data).value_or(0);
    if (!refused || known <= 0 || count % known != 0) return Misreading::none();
    return Misreading::of(plain->with(count / known));
  });
}

MUTANT("size-of-zero-becomes-one", Breaks("output.shape"), Caught("shape", "shape"),
       On("openvino-reshape-1/infer-zero-first-true"),
       Says("sizes below 1 are raised to 1, so that buffers are never of size 0")) {
  reshapes_otherwise(table, [](const Asked&, Sizes& sizes) {
    for (std::int64_t& size : sizes) size = size < 1 ? 1 : size;
  });
}

MUTANT("empty-only-at-rank-one", Breaks("volume.kept"), Caught("shape", "shape"),
       On("openvino-reshape-1/empty-to-its-other-sizes"),
       Says("a shape counts as empty when its first size is 0; a 0 further back is skipped")) {
  misreads(table, [](const Asked& asked, const RightAnswer& right) {
    const auto plain = plain_pattern(asked);
    const bool concerned = right.produces() || right.refused_for("volume.kept");
    if (!plain || plain->minus_one || !concerned) return Misreading::none();
    const auto volume = [](const Sizes& sizes) {
      return !sizes.empty() && sizes[0] == 0 ? 0 : product_without_zeros(sizes);
    };
    const bool same = volume(plain->sizes) == volume(sizes_of(asked.data));
    return same ? Misreading::of(plain->sizes) : Misreading::refusal();
  });
}

}  // namespace reshape::conformance::self
