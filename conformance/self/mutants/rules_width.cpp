// Sizes that pass through a number that is too narrow.
#include <algorithm>

#include "conformance/self/misread.h"
#include "conformance/self/mutant.h"

namespace reshape::conformance::self {
namespace {

// Each size of the pattern becomes through(size) before it is looked at. A value that cannot be
// written in the pattern's type stays.
template <typename Through>
void pattern_passes(reshape_plugin& table, Through) {
  misunderstand(table, [](Asked& asked) {
    for (PatternValue& value : asked.pattern) {
      if (value < 1) continue;
      const PatternValue through = Through{}(value);
      if (through >= lowest(asked.pattern_type) && through <= highest(asked.pattern_type)) {
        value = through;
      }
    }
  });
}

template <typename Through>
void output_passes(reshape_plugin& table, Through) {
  reshapes_otherwise(table, [](const Asked&, Sizes& sizes) {
    for (std::int64_t& size : sizes) size = Through{}(size);
  });
}

// Whatever is asked of data is asked of its sizes as through(size).
template <typename Through>
void data_passes(reshape_plugin& table, Through) {
  misreads(table, [](const Asked& asked, const RightAnswer& right) {
    const bool concerned = right.produces() || right.refused_for("volume.kept");
    const auto plain = plain_pattern(asked);
    if (!concerned || !plain || plain->minus_one) return Misreading::none();
    Sizes data = sizes_of(asked.data);
    for (std::int64_t& size : data) size = Through{}(size);
    // Copied sizes come out of the same array.
    Sizes sizes = plain->sizes;
    for (std::size_t at = 0; asked.flag() && at < sizes.size(); ++at) {
      if (asked.pattern[at] == 0 && at < data.size()) sizes[at] = data[at];
    }
    const auto count = element_count(Shape(data));
    if (!count || element_count(Shape(sizes)) != count) return Misreading::refusal();
    return Misreading::of(sizes);
  });
}

bool any_above(const Sizes& sizes, std::int64_t most) {
  return std::any_of(sizes.begin(), sizes.end(), [&](auto size) { return size > most; });
}

}  // namespace

MUTANT("pattern-in-32-bits", Breaks("volume.kept"), Caught("shape", "shape"),
       On("openvino-reshape-1/empty-to-wrapping-128"),
       Says("pattern values lose what is above 32 bits, so that 2^32+6 is 6")) {
  pattern_passes(table, [](PatternValue value) -> PatternValue {
    return static_cast<std::int32_t>(static_cast<std::int64_t>(value));
  });
}

MUTANT("pattern-in-16-bits", Breaks("volume.kept"), Caught("shape", "shape"),
       On("openvino-reshape-1/empty-to-wrapping-32"),
       Says("pattern values lose what is above 16 bits")) {
  pattern_passes(table, [](PatternValue value) { return value & 0xffff; });
}

MUTANT("pattern-in-8-bits", Breaks("volume.kept"), Caught("shape", "shape"),
       On("openvino-reshape-1/empty-to-wrapping-32"),
       Says("pattern values lose what is above 8 bits")) {
  pattern_passes(table, [](PatternValue value) { return value & 0xff; });
}

MUTANT("pattern-in-48-bits", Breaks("volume.kept"), Caught("shape", "shape"),
       On("openvino-reshape-1/truncated-to-low-48-bits-true"),
       Says("pattern values are packed into 48 bits beside a tag")) {
  pattern_passes(table, [](PatternValue value) { return value & 0xffffffffffff; });
}

MUTANT("pattern-through-float", Breaks("volume.kept"), Caught("shape", "shape"),
       On("openvino-reshape-1/double-compare-below"),
       Says("pattern values are read through float, so that 2^24+1 is 2^24")) {
  pattern_passes(table, [](PatternValue value) {
    return static_cast<PatternValue>(static_cast<float>(value));
  });
}

MUTANT("pattern-through-double", Breaks("volume.kept"), Caught("shape", "shape"),
       On("openvino-reshape-1/double-compare-below"),
       Says("pattern values are read through double, so that 2^53+1 is 2^53")) {
  pattern_passes(table, [](PatternValue value) {
    return static_cast<PatternValue>(static_cast<double>(value));
  });
}

MUTANT("pattern-clamped-to-int32", Breaks("volume.kept"), Caught("shape", "shape"),
       On("openvino-reshape-1/size-2-to-31"),
       Says("pattern values above 2^31-1 are taken as 2^31-1, OpenVINO's slices in mind")) {
  pattern_passes(table,
                 [](PatternValue value) { return std::min(value, PatternValue{INT32_MAX}); });
}

MUTANT("u64-clamped-to-int64", Breaks("size.representable"), Caught("shape", "shape"),
       On("openvino-reshape-1/u64-2-to-64-minus-1-without-elements"),
       Says("u64 pattern values above 2^63-1 are taken as 2^63-1")) {
  pattern_passes(table,
                 [](PatternValue value) { return std::min(value, PatternValue{INT64_MAX}); });
}

MUTANT("u64-without-its-top-bit", Breaks("size.representable"), Caught("shape", "shape"),
       On("openvino-reshape-1/u64-2-to-64-minus-1-without-elements"),
       Says("of u64 pattern values the top bit is dropped, so that 2^63+6 is 6")) {
  pattern_passes(table, [](PatternValue value) { return value & INT64_MAX; });
}

MUTANT("output-in-32-bits", Breaks("output.shape"), Caught("shape", "shape"),
       On("openvino-reshape-1/infer-zero-wide-volume-64-true"),
       Says("sizes are answered through a 32-bit integer")) {
  output_passes(table, [](std::int64_t size) { return size & 0x7fffffff; });
}

MUTANT("output-clamped-to-int32", Breaks("output.shape"), Caught("shape", "shape"),
       On("openvino-reshape-1/infer-zero-wide-volume-64-true"),
       LikePublicBug("tensorflow/tensorflow#46693"),
       Says("sizes above 2^31-1 are answered as 2^31-1")) {
  output_passes(table, [](std::int64_t size) { return std::min(size, std::int64_t{INT32_MAX}); });
}

MUTANT("output-in-16-bits", Breaks("output.shape"), Caught("shape", "shape"),
       On("openvino-reshape-1/large-1-mib-and-a-tail"),
       Says("sizes are answered through an unsigned 16-bit integer")) {
  output_passes(table, [](std::int64_t size) { return size & 0xffff; });
}

MUTANT("output-in-signed-16-bits", Breaks("output.shape"), Caught("shape", "shape"),
       On("openvino-reshape-1/large-1-mib-and-a-tail"),
       Says("sizes are answered through a 16-bit integer, and negative ones as 0")) {
  output_passes(table, [](std::int64_t size) {
    return std::max(std::int64_t{0}, std::int64_t{static_cast<std::int16_t>(size)});
  });
}

MUTANT("output-in-8-bits", Breaks("output.shape"), Caught("shape", "shape"),
       On("openvino-reshape-1/count-256.f64"),
       Says("sizes are answered through an unsigned 8-bit integer")) {
  output_passes(table, [](std::int64_t size) { return size & 0xff; });
}

MUTANT("output-through-float", Breaks("output.shape"), Caught("shape", "shape"),
       On("openvino-reshape-1/size-2-to-31-minus-1"),
       Says("sizes are answered through float, so that 2^24+1 is 2^24")) {
  output_passes(table, [](std::int64_t size) {
    return size >= (std::int64_t{1} << 62) ? size
                                           : static_cast<std::int64_t>(static_cast<float>(size));
  });
}

MUTANT("output-through-double", Breaks("output.shape"), Caught("shape", "shape"),
       On("openvino-reshape-1/double-quotient"),
       Says("sizes are answered through double, so that 2^53+1 is 2^53")) {
  output_passes(table, [](std::int64_t size) {
    return size >= (std::int64_t{1} << 62) ? size
                                           : static_cast<std::int64_t>(static_cast<double>(size));
  });
}

MUTANT("data-sizes-in-32-bits", Breaks("volume.kept"), Caught("shape", "shape"),
       On("openvino-reshape-1/truncated-data-size"),
       Says("the data's sizes lose what is above 32 bits")) {
  data_passes(table, [](std::int64_t size) { return size & 0xffffffff; });
}

MUTANT("data-sizes-in-16-bits", Breaks("volume.kept"), Caught("shape", "shape"),
       On("openvino-reshape-1/truncated-data-size"),
       Says("the data's sizes lose what is above 16 bits")) {
  data_passes(table, [](std::int64_t size) { return size & 0xffff; });
}

MUTANT("data-sizes-in-8-bits", Breaks("volume.kept"), Caught("shape", "shape"),
       On("openvino-reshape-1/truncated-data-size"),
       Says("the data's sizes lose what is above 8 bits")) {
  data_passes(table, [](std::int64_t size) { return size & 0xff; });
}

MUTANT("size-above-int32-refused", Breaks("C3"), Caught("shape", "shape"),
       On("openvino-reshape-1/infer-zero-wide-volume-64-true"),
       Says("a size above 2^31-1 on either side is refused")) {
  refuses_where(table, [](const Asked& asked, const Sizes& sizes) {
    return any_above(sizes, INT32_MAX) || any_above(sizes_of(asked.data), INT32_MAX);
  });
}

MUTANT("size-above-uint32-refused", Breaks("C3"), Caught("shape", "shape"),
       On("openvino-reshape-1/infer-zero-wide-volume-64-true"),
       Says("a size above 2^32-1 on either side is refused")) {
  refuses_where(table, [](const Asked& asked, const Sizes& sizes) {
    return any_above(sizes, UINT32_MAX) || any_above(sizes_of(asked.data), UINT32_MAX);
  });
}

MUTANT("size-above-2-to-53-refused", Breaks("C3"), Caught("shape", "shape"),
       On("openvino-reshape-1/size-2-to-62"), Says("a size that double does not hold is refused")) {
  constexpr static std::int64_t kMost = std::int64_t{1} << 53;
  refuses_where(table, [](const Asked& asked, const Sizes& sizes) {
    return any_above(sizes, kMost) || any_above(sizes_of(asked.data), kMost);
  });
}

MUTANT("largest-size-means-dynamic", Breaks("C3"), Caught("shape", "shape"),
       On("openvino-reshape-1/size-2-to-63-minus-1"),
       Says("a size of 2^63-1 is taken for one that is not known, and refused")) {
  refuses_where(table, [](const Asked& asked, const Sizes& sizes) {
    return any_above(sizes, INT64_MAX - 1) || any_above(sizes_of(asked.data), INT64_MAX - 1);
  });
}

MUTANT("size-above-uint16-refused", Breaks("C3"), Caught("shape", "shape"),
       On("openvino-reshape-1/large-1-mib-and-a-tail"),
       Says("a size above 65535 on either side is refused")) {
  refuses_where(table, [](const Asked& asked, const Sizes& sizes) {
    return any_above(sizes, UINT16_MAX) || any_above(sizes_of(asked.data), UINT16_MAX);
  });
}

}  // namespace reshape::conformance::self
