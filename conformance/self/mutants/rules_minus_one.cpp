// How the -1 is inferred.
#include <algorithm>
#include <cmath>

#include "conformance/self/misread.h"
#include "conformance/self/mutant.h"

namespace reshape::conformance::self {
namespace {

bool exact(const Sizes& sizes) { return element_count(Shape(sizes)).has_value(); }

}  // namespace

MUTANT("first-minus-one-infers", Breaks("minus-one.once"), Caught("shape", "shape"),
       On("openvino-reshape-1/in-place-two-minus-ones"),
       Says("of several -1 the first is inferred, the others are 1")) {
  misunderstand(table, [](Asked& asked) {
    const auto first = std::find(asked.pattern.begin(), asked.pattern.end(), -1);
    if (first != asked.pattern.end()) {
      std::replace(first + 1, asked.pattern.end(), PatternValue{-1}, PatternValue{1});
    }
  });
}

MUTANT("last-minus-one-infers", Breaks("minus-one.once"), Caught("shape", "shape"),
       On("openvino-reshape-1/in-place-two-minus-ones"), LikePublicBug("huggingface/candle#3908"),
       Says("of several -1 the last is inferred, the others are 1")) {
  misunderstand(table, [](Asked& asked) {
    for (std::size_t left = asked.minus_ones(); left > 1; --left) {
      *std::find(asked.pattern.begin(), asked.pattern.end(), -1) = 1;
    }
  });
}

MUTANT("two-minus-ones-share", Breaks("minus-one.once"), Caught("shape", "shape"),
       On("openvino-reshape-1/rank-8-two-minus-ones"),
       Says("two -1 are both given the root of what the other sizes leave, where it is whole")) {
  misreads(table, [](const Asked& asked, const RightAnswer& right) {
    if (!right.refused_for("minus-one.once") || asked.minus_ones() != 2) return Misreading::none();
    Sizes sizes;
    for (const PatternValue value : asked.with_zeros_copied()) {
      if (value < -1 || value > 1'000'000) return Misreading::none();
      sizes.push_back(value == -1 ? 1 : static_cast<std::int64_t>(value));
    }
    const std::int64_t count = element_count(asked.data).value_or(0);
    const std::int64_t known = product_in<std::int64_t>(sizes);
    if (known <= 0 || count <= 0 || count % known != 0) return Misreading::none();
    const auto root = static_cast<std::int64_t>(std::sqrt(static_cast<double>(count / known)));
    if (root * root != count / known) return Misreading::none();
    for (std::size_t at = 0; at < sizes.size(); ++at) {
      if (asked.pattern[at] == -1) sizes[at] = root;
    }
    return Misreading::of(sizes);
  });
}

MUTANT("adjacent-minus-ones-are-one", Breaks("minus-one.once"), Caught("shape", "shape"),
       On("openvino-reshape-1/in-place-two-minus-ones"),
       Says("a -1 right behind a -1 is not counted as a second one, and is 1")) {
  misunderstand(table, [](Asked& asked) {
    for (std::size_t at = asked.pattern.size(); at-- > 1;) {
      if (asked.pattern[at] == -1 && asked.pattern[at - 1] == -1) asked.pattern[at] = 1;
    }
  });
}

MUTANT("minus-one-rounds-down", Breaks("minus-one.divides"), Caught("shape", "shape"),
       On("openvino-reshape-1/strided-indivisible.f64"),
       LikePublicBug("tensorflow/tflite-micro#3070"),
       Says("the -1 is the quotient, and the remainder is forgotten")) {
  infers(table, [](const Sizes& data, const Sizes& known) -> std::int64_t {
    if (!exact(data)) return -1;
    return exact(known) ? product_in<std::int64_t>(data) / product_in<std::int64_t>(known) : 0;
  });
}

MUTANT("minus-one-rounds-up", Breaks("minus-one.divides"), Caught("shape", "shape"),
       On("openvino-reshape-1/strided-indivisible.f64"),
       Says("the -1 is the quotient rounded up, so that every element finds a place")) {
  infers(table, [](const Sizes& data, const Sizes& known) -> std::int64_t {
    if (!exact(data)) return -1;
    if (!exact(known)) return 1;
    const std::int64_t count = product_in<std::int64_t>(data);
    const std::int64_t by = product_in<std::int64_t>(known);
    return count / by + (count % by != 0 ? 1 : 0);
  });
}

MUTANT("minus-one-at-least-one", Breaks("minus-one.divides"), Caught("shape", "shape"),
       On("openvino-reshape-1/indivisible-floor-is-zero"),
       Says("a -1 of data that is smaller than the known sizes is 1")) {
  infers(table, [](const Sizes& data, const Sizes& known) -> std::int64_t {
    if (!exact(data) || !exact(known)) return -1;
    const std::int64_t count = product_in<std::int64_t>(data);
    const std::int64_t by = product_in<std::int64_t>(known);
    if (count < by) return 1;
    return count % by == 0 ? count / by : -1;
  });
}

MUTANT("minus-one-before-copies", Breaks("minus-one.inferred"), Caught("shape", "shape"),
       On("openvino-reshape-1/example-2-every-type.i4"), LikePublicBug("onnx/onnx-mlir#2601"),
       Says("the -1 is divided out before zeros are copied, as if they were 1")) {
  misreads(table, [](const Asked& asked, const RightAnswer& right) {
    const auto plain = division(asked, right);
    if (!plain || !asked.flag() || !exact(sizes_of(asked.data))) return Misreading::none();
    Sizes written = plain->sizes;
    for (std::size_t at = 0; at < written.size(); ++at) {
      if (asked.pattern[at] == 0) written[at] = 1;
    }
    if (!exact(written)) return Misreading::none();
    const std::int64_t count = product_in<std::int64_t>(sizes_of(asked.data));
    const std::int64_t known = product_in<std::int64_t>(written);
    if (count % known != 0) return Misreading::refusal();
    return Misreading::of(plain->with(count / known));
  });
}

MUTANT("minus-one-divides-once-for-each-copy", Breaks("minus-one.inferred"),
       Caught("shape", "shape"), On("openvino-reshape-1/example-2-every-type.i4"),
       Says("a copied size is divided out twice where that leaves no remainder")) {
  misreads(table, [](const Asked& asked, const RightAnswer& right) {
    const auto plain = division(asked, right);
    if (!plain || !right.produces() || !asked.flag()) return Misreading::none();
    std::int64_t size = right.sizes[*plain->minus_one];
    for (std::size_t at = 0; at < plain->sizes.size(); ++at) {
      if (asked.pattern[at] == 0 && size % plain->sizes[at] == 0) size /= plain->sizes[at];
    }
    return Misreading::of(plain->with(size));
  });
}

MUTANT("minus-one-keeps-only-what-is-in-front", Breaks("minus-one.inferred"),
       Caught("shape", "shape"), On("openvino-reshape-1/example-2-every-type.i4"),
       Says("the -1 is divided by the sizes in front of it only")) {
  misreads(table, [](const Asked& asked, const RightAnswer& right) {
    const auto plain = division(asked, right);
    if (!plain || !exact(sizes_of(asked.data))) return Misreading::none();
    const Sizes front(plain->sizes.begin(),
                      plain->sizes.begin() + static_cast<std::ptrdiff_t>(*plain->minus_one));
    if (!exact(front)) return Misreading::none();
    const std::int64_t count = product_in<std::int64_t>(sizes_of(asked.data));
    const std::int64_t known = product_in<std::int64_t>(front);
    if (count % known != 0) return Misreading::refusal();
    return Misreading::of(plain->with(count / known));
  });
}

MUTANT(
    "minus-one-copies-its-place", Breaks("minus-one.inferred"), Caught("shape", "shape"),
    On("openvino-reshape-1/example-2-every-type.i4"),
    Says("a -1 first tries the data's size at its place, and keeps it if that divides the count")) {
  misreads(table, [](const Asked& asked, const RightAnswer& right) {
    const auto plain = division(asked, right);
    if (!plain || !right.produces() || *plain->minus_one >= asked.data.rank()) {
      return Misreading::none();
    }
    return Misreading::of(plain->with(asked.data[*plain->minus_one]));
  });
}

MUTANT("minus-one-only-last", Breaks("minus-one.inferred"), Caught("shape", "shape"),
       On("openvino-reshape-1/infer-zero-first-true"),
       Says("a -1 that is not the last value is refused")) {
  refuses_where(table, [](const Asked& asked, const Sizes&) {
    return asked.minus_ones() == 1 && asked.pattern.back() != -1;
  });
}

MUTANT("minus-one-only-first", Breaks("minus-one.inferred"), Caught("shape", "shape"),
       On("openvino-reshape-1/infer-zero-last-true"),
       Says("a -1 that is not the first value is refused")) {
  refuses_where(table, [](const Asked& asked, const Sizes&) {
    return asked.minus_ones() == 1 && asked.pattern.front() != -1;
  });
}

MUTANT("minus-one-never-beside-copies", Breaks("minus-one.inferred"), Caught("shape", "shape"),
       On("openvino-reshape-1/example-2-every-type.i4"),
       Says("a 0 that copies and a -1 are never accepted together")) {
  refuses_where(table, [](const Asked& asked, const Sizes&) {
    return asked.flag() && asked.minus_ones() == 1 &&
           std::count(asked.pattern.begin(), asked.pattern.end(), 0) > 0;
  });
}

}  // namespace reshape::conformance::self
