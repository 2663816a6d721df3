// The arithmetic in which the -1 is divided out.
#include <cmath>

#include "conformance/self/misread.h"
#include "conformance/self/mutant.h"

namespace reshape::conformance::self {
namespace {

template <typename Float>
std::int64_t quotient_in(const Sizes& data, const Sizes& known) {
  const Float quotient = product_in<Float>(data) / product_in<Float>(known);
  // 2^63 is the first number that is no size; it stays right that it is refused.
  if (quotient != std::floor(quotient) || quotient >= static_cast<Float>(9223372036854775808.0)) {
    return -1;
  }
  return static_cast<std::int64_t>(quotient);
}

bool exact(const Sizes& sizes) { return element_count(Shape(sizes)).has_value(); }

}  // namespace

MUTANT("minus-one-through-float", Breaks("minus-one.divides"), Caught("shape", "shape"),
       On("openvino-reshape-1/wrap-32-indivisible"),
       Says("the -1 is divided out in float, which holds 24 bits")) {
  infers(table,
         [](const Sizes& data, const Sizes& known) { return quotient_in<float>(data, known); });
}

MUTANT("minus-one-through-double", Breaks("minus-one.divides"), Caught("shape", "shape"),
       On("openvino-reshape-1/saturated-minus-one"),
       Says("the -1 is divided out in double, which holds 53 bits")) {
  infers(table,
         [](const Sizes& data, const Sizes& known) { return quotient_in<double>(data, known); });
}

MUTANT("minus-one-in-32-bits", Breaks("minus-one.inferred"), Caught("shape", "shape"),
       On("openvino-reshape-1/size-2-to-31-inferred"), LikePublicBug("tensorflow/tflite-micro#400"),
       Says("an inferred size above 2^31-1 loses its upper half")) {
  infers(table, [](const Sizes& data, const Sizes& known) -> std::int64_t {
    if (!exact(data) || !exact(known)) return -1;
    const std::int64_t count = product_in<std::int64_t>(data);
    const std::int64_t by = product_in<std::int64_t>(known);
    return count % by == 0 ? (count / by) & 0x7fffffff : -1;
  });
}

MUTANT("known-product-in-32-bits", Breaks("minus-one.divides"), Caught("shape", "shape"),
       On("openvino-reshape-1/wrap-32-indivisible-known"),
       Says("the known sizes are multiplied in 32 bits before they divide the count")) {
  infers(table, [](const Sizes& data, const Sizes& known) -> std::int64_t {
    const std::int64_t by = product_in<std::int32_t>(known);
    if (!exact(data) || by <= 0) return -1;
    const std::int64_t count = product_in<std::int64_t>(data);
    return count % by == 0 ? count / by : -1;
  });
}

MUTANT("known-product-in-64-bits", Breaks("minus-one.divides"), Caught("shape", "shape"),
       On("openvino-reshape-1/wrap-64-minus-one-known-to-one"), LikePublicBug("onnx/onnx#7822"),
       Says("the known sizes are multiplied in 64 bits that wrap around")) {
  infers(table, [](const Sizes& data, const Sizes& known) -> std::int64_t {
    const std::int64_t by = product_in<std::int64_t>(known);
    if (!exact(data) || by <= 0) return -1;
    const std::int64_t count = product_in<std::int64_t>(data);
    return count % by == 0 ? count / by : -1;
  });
}

MUTANT("data-count-in-32-bits", Breaks("minus-one.inferred"), Caught("shape", "shape"),
       On("openvino-reshape-1/size-2-to-62-inferred"),
       Says("the data's elements are counted in 32 bits before the -1 is divided out")) {
  infers(table, [](const Sizes& data, const Sizes& known) -> std::int64_t {
    const std::int64_t count = product_in<std::uint32_t>(data);
    if (!exact(known)) return -1;
    const std::int64_t by = product_in<std::int64_t>(known);
    return count % by == 0 ? count / by : -1;
  });
}

MUTANT("data-count-in-64-bits", Breaks("size.representable"), Caught("shape", "shape"),
       On("openvino-reshape-1/inferred-2-to-64"),
       Says("the data's elements are counted in 64 bits that wrap around, then divided")) {
  misreads(table, [](const Asked& asked, const RightAnswer& right) {
    const auto plain = plain_pattern(asked);
    const bool concerned =
        right.refused_for("minus-one.divides") || right.refused_for("size.representable");
    if (!concerned || !plain || !plain->minus_one || !exact(plain->sizes)) {
      return Misreading::none();
    }
    const std::int64_t count = product_in<std::int64_t>(sizes_of(asked.data));
    const std::int64_t known = product_in<std::int64_t>(plain->sizes);
    if (known <= 0 || count < 0 || count % known != 0) return Misreading::none();
    return Misreading::of(plain->with(count / known));
  });
}

MUTANT("minus-one-of-what-saturates", Breaks("volume.beyond-int64"), Caught("shape", "shape"),
       On("openvino-reshape-1/beyond-inferred"),
       Says("a count above 2^63-1 is taken as 2^63-1, of which the -1 is a part")) {
  misreads(table, [](const Asked& asked, const RightAnswer& right) {
    const auto plain = plain_pattern(asked);
    const bool concerned = right.refused_for("volume.beyond-int64") ||
                           right.refused_for("minus-one.divides") ||
                           right.refused_for("size.representable");
    if (!concerned || !plain || !plain->minus_one || exact(sizes_of(asked.data))) {
      return Misreading::none();
    }
    const auto known = element_count(Shape(plain->sizes));
    if (!known || *known == 0) return Misreading::none();
    return Misreading::of(plain->with(INT64_MAX / *known));
  });
}

}  // namespace reshape::conformance::self
