// Shapes that are not what the pattern asked for.
#include <algorithm>

#include "conformance/self/misread.h"
#include "conformance/self/mutant.h"

namespace reshape::conformance::self {

MUTANT("last-size-one-more", Breaks("output.shape"), Caught("shape", "shape"),
       On("openvino-reshape-1/count-2.f64"), Says("the last size is one more than asked")) {
  table.infer_shape = after_infer([](const reshape_request&, reshape_shape& shape) {
    if (shape.rank > 0) ++shape.sizes[shape.rank - 1];
  });
}

MUTANT("sizes-reversed", Breaks("output.shape"), Caught("shape", "shape"),
       On("openvino-reshape-1/count-2.f64"), Says("the sizes are written innermost first")) {
  table.infer_shape = after_infer([](const reshape_request&, reshape_shape& shape) {
    std::reverse(shape.sizes, shape.sizes + shape.rank);
  });
}

MUTANT("everything-is-fine", Breaks("C4"), Caught("shape", "shape"),
       On("openvino-reshape-1/shape-overflow-of-a-tensor"),
       Says("what must be refused is answered with the shape of the data")) {
  produces_instead_of_rejecting(
      table, [](const Asked& asked) { return std::optional(sizes_of(asked.data)); });
}

MUTANT("nothing-is-fine", Breaks("C3"), Caught("shape", "shape"),
       On("openvino-reshape-1/count-2.f64"), Says("every request is refused")) {
  refuses_where(table, [](const Asked&, const Sizes&) { return true; });
}

MUTANT("empty-is-flat", Breaks("output.shape"), Caught("shape", "shape"),
       On("openvino-reshape-1/infer-zero-first-true"),
       Says("an output without elements is [0], whatever was asked")) {
  reshapes_otherwise(table, [](const Asked& asked, Sizes& sizes) {
    if (is_empty(asked.data) && !sizes.empty()) sizes = {0};
  });
}

MUTANT("empty-keeps-its-shape", Breaks("output.shape"), Caught("shape", "shape"),
       On("openvino-reshape-1/infer-zero-last-true"),
       Says("data without elements is handed on with the shape that it has")) {
  reshapes_otherwise(table, [](const Asked& asked, Sizes& sizes) {
    if (is_empty(asked.data)) sizes = sizes_of(asked.data);
  });
}

MUTANT("leading-ones-dropped", Breaks("output.shape"), Caught("shape", "shape"),
       On("openvino-reshape-1/count-2.f64"),
       Says("sizes of 1 in front are taken for a batch that is not there")) {
  reshapes_otherwise(table, [](const Asked&, Sizes& sizes) {
    while (sizes.size() > 1 && sizes.front() == 1) sizes.erase(sizes.begin());
  });
}

MUTANT("trailing-one-dropped", Breaks("output.shape"), Caught("shape", "shape"),
       On("openvino-reshape-1/count-17-every-type.f64"),
       Says("a last size of 1 is folded away from the answer too")) {
  reshapes_otherwise(table, [](const Asked&, Sizes& sizes) {
    if (sizes.size() > 1 && sizes.back() == 1) sizes.pop_back();
  });
}

MUTANT("inner-ones-folded", Breaks("output.shape"), Caught("shape", "shape"),
       On("openvino-reshape-1/example-3"),
       Says("a 1 between two other sizes is folded away from the answer too")) {
  reshapes_otherwise(table, [](const Asked&, Sizes& sizes) {
    for (std::size_t at = 1; at + 1 < sizes.size(); ++at) {
      if (sizes[at] != 1 || sizes[at - 1] == 1 || sizes[at + 1] == 1) continue;
      sizes.erase(sizes.begin() + static_cast<std::ptrdiff_t>(at));
      return;
    }
  });
}

MUTANT("filled-up-to-four", Breaks("output.shape"), Caught("shape", "shape"),
       On("openvino-reshape-1/five-axes-regrouped.f64"),
       Says("shapes of 3 sizes get a 1 in front, as kernels for images want it")) {
  reshapes_otherwise(table, [](const Asked&, Sizes& sizes) {
    if (sizes.size() == 3) sizes.insert(sizes.begin(), 1);
  });
}

MUTANT("channels-last", Breaks("output.shape"), Caught("shape", "shape"),
       On("openvino-reshape-1/zero-then-ones"),
       Says("an output of 4 sizes is answered with its second size last")) {
  reshapes_otherwise(table, [](const Asked&, Sizes& sizes) {
    if (sizes.size() == 4) std::rotate(sizes.begin() + 1, sizes.begin() + 2, sizes.end());
  });
}

MUTANT("same-length-is-same-shape", Breaks("output.shape"), Caught("shape", "shape"),
       On("openvino-reshape-1/infer-zero-other-size"),
       Says("a pattern as long as the data's rank and of the same first size changes nothing")) {
  reshapes_otherwise(table, [](const Asked& asked, Sizes& sizes) {
    if (sizes.size() == asked.data.rank() && !sizes.empty() && sizes[0] == asked.data[0]) {
      sizes = sizes_of(asked.data);
    }
  });
}

MUTANT("inferred-one-squeezed", Breaks("minus-one.inferred"), Caught("shape", "shape"),
       On("openvino-reshape-1/i16-highest-beside-one"),
       Says("a -1 that comes out as 1 is left out of the shape")) {
  reshapes_otherwise(table, [](const Asked& asked, Sizes& sizes) {
    for (std::size_t at = 0; at < asked.pattern.size() && sizes.size() > 1; ++at) {
      if (asked.pattern[at] != -1 || sizes[at] != 1) continue;
      sizes.erase(sizes.begin() + static_cast<std::ptrdiff_t>(at));
      return;
    }
  });
}

MUTANT("scalar-has-a-size", Breaks("pattern.empty"), Caught("shape", "shape"),
       On("openvino-reshape-1/to-scalar-with-strides.bf16"),
       Says("a scalar is answered as [1], since a rank of 0 has no array")) {
  reshapes_otherwise(table, [](const Asked&, Sizes& sizes) {
    if (sizes.empty()) sizes = {1};
  });
}

MUTANT("no-scalars", Breaks("pattern.empty"), Caught("shape", "shape"),
       On("openvino-reshape-1/to-scalar-with-strides.bf16"), Says("an empty pattern is refused")) {
  refuses_where(table, [](const Asked&, const Sizes& sizes) { return sizes.empty(); });
}

MUTANT("scalar-stays-scalar", Breaks("output.shape"), Caught("shape", "shape"),
       On("openvino-reshape-1/in-place-scalar"),
       Says("a scalar is handed on as it is, whatever was asked")) {
  reshapes_otherwise(table, [](const Asked& asked, Sizes& sizes) {
    if (asked.data.rank() == 0) sizes.clear();
  });
}

MUTANT("scalar-data-refused", Breaks("data.scalar"), Caught("shape", "shape"),
       On("openvino-reshape-1/scalar-minus-one-first"), Says("data of rank 0 is refused")) {
  refuses_where(table, [](const Asked& asked, const Sizes&) { return asked.data.rank() == 0; });
}

MUTANT("scalar-data-is-empty", Breaks("data.scalar"), Caught("shape", "shape"),
       On("openvino-reshape-1/scalar-minus-one-first"),
       Says("data of rank 0 is counted as 0 elements, so that only empty outputs fit it")) {
  misreads(table, [](const Asked& asked, const RightAnswer& right) {
    if (asked.data.rank() != 0) return Misreading::none();
    if (right.produces()) return Misreading::refusal();
    const auto plain = plain_pattern(asked);
    const bool fits = right.refused_for("volume.kept") && plain && !plain->minus_one &&
                      is_empty(Shape(plain->sizes));
    return fits ? Misreading::of(plain->sizes) : Misreading::none();
  });
}

MUTANT("empty-pattern-changes-nothing", Breaks("pattern.empty"), Caught("shape", "shape"),
       On("openvino-reshape-1/to-scalar-with-strides.bf16"),
       Says("an empty pattern is taken as a request for the data's own shape")) {
  misreads(table, [](const Asked& asked, const RightAnswer& right) {
    const bool meant =
        asked.pattern.empty() && (right.produces() || right.refused_for("volume.kept"));
    return meant ? Misreading::of(sizes_of(asked.data)) : Misreading::none();
  });
}

MUTANT("empty-pattern-takes-one", Breaks("volume.kept"), Caught("shape", "shape"),
       On("openvino-reshape-1/empty-pattern-over-many-true"),
       Says("an empty pattern gives a scalar of whatever data, its first element")) {
  misreads(table, [](const Asked& asked, const RightAnswer& right) {
    const bool meant = asked.pattern.empty() && right.refused_for("volume.kept");
    return meant ? Misreading::of({}) : Misreading::none();
  });
}

}  // namespace reshape::conformance::self
