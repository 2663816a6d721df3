// Values that mean something else to the code than to the document.
#include <algorithm>
#include <limits>

#include "conformance/self/misread.h"
#include "conformance/self/mutant.h"

namespace reshape::conformance::self {
namespace {

// Pattern values equal to Sentinel are read as Meant.
template <std::int64_t Sentinel, std::int64_t Meant>
void takes_for(reshape_plugin& table) {
  misunderstand(table, [](Asked& asked) {
    std::replace(asked.pattern.begin(), asked.pattern.end(), PatternValue{Sentinel},
                 PatternValue{Meant});
  });
}

// Sizes of data equal to Sentinel are not known, so that nothing of them is.
template <std::int64_t Sentinel>
void refuses_data_of(reshape_plugin& table) {
  refuses_where(table, [](const Asked& asked, const Sizes&) {
    return std::find(asked.data.begin(), asked.data.end(), Sentinel) != asked.data.end();
  });
}

}  // namespace

MUTANT("int32-max-infers", Breaks("volume.kept"), Caught("shape", "shape"),
       On("openvino-reshape-1/sentinel-*"),
       Says("2^31-1 in a pattern means what slices mean by it, all that is left")) {
  takes_for<std::numeric_limits<std::int32_t>::max(), -1>(table);
}

MUTANT("int64-max-infers", Breaks("volume.kept"), Caught("shape", "shape"),
       On("openvino-reshape-1/sentinel-*"),
       Says("2^63-1 in a pattern means what slices mean by it, all that is left")) {
  takes_for<std::numeric_limits<std::int64_t>::max(), -1>(table);
}

MUTANT("uint32-max-infers", Breaks("volume.kept"), Caught("shape", "shape"),
       On("openvino-reshape-1/sentinel-*"),
       Says("2^32-1 in a pattern is a -1 that was stored without its sign")) {
  takes_for<std::numeric_limits<std::uint32_t>::max(), -1>(table);
}

MUTANT("uint16-max-infers", Breaks("volume.kept"), Caught("shape", "shape"),
       On("openvino-reshape-1/sentinel-*"),
       Says("65535 in a pattern is a -1 that was stored without its sign")) {
  takes_for<std::numeric_limits<std::uint16_t>::max(), -1>(table);
}

MUTANT("uint8-max-infers", Breaks("volume.kept"), Caught("shape", "shape"),
       On("openvino-reshape-1/sentinel-*"),
       Says("255 in a pattern of any type is a -1 that was stored without its sign")) {
  takes_for<std::numeric_limits<std::uint8_t>::max(), -1>(table);
}

MUTANT("int32-min-infers", Breaks("pattern.values"), Caught("shape", "shape"),
       On("openvino-reshape-1/sentinel-*"),
       Says("-2^31 in a pattern of any type means unknown, like -1")) {
  takes_for<std::numeric_limits<std::int32_t>::min(), -1>(table);
}

MUTANT("minus-999-infers", Breaks("pattern.values"), Caught("shape", "shape"),
       On("openvino-reshape-1/sentinel-*"), Says("-999 in a pattern means unknown, like -1")) {
  takes_for<-999, -1>(table);
}

MUTANT("lowest-value-copies", Breaks("pattern.values"), Caught("shape", "shape"),
       On("openvino-reshape-1/sentinel-*"),
       Says("oneDNN's mark for a size that is known only at run time, -2^63, copies like a 0")) {
  takes_for<std::numeric_limits<std::int64_t>::min(), 0>(table);
}

MUTANT("data-of-255-refused", Breaks("C3"), Caught("shape", "shape"),
       On("openvino-reshape-1/data-size-*"),
       Says("a size of 255 of the data is the mark of a free slot, and refused")) {
  refuses_data_of<255>(table);
}

MUTANT("data-of-65535-refused", Breaks("C3"), Caught("shape", "shape"),
       On("openvino-reshape-1/data-size-*"),
       Says("a size of 65535 of the data is the mark of a free slot, and refused")) {
  refuses_data_of<65535>(table);
}

MUTANT("data-of-int32-max-refused", Breaks("C3"), Caught("shape", "shape"),
       On("openvino-reshape-1/data-size-*"),
       Says("a size of 2^31-1 of the data is the mark of an unknown one, and refused")) {
  refuses_data_of<std::numeric_limits<std::int32_t>::max()>(table);
}

MUTANT("data-of-uint32-max-refused", Breaks("C3"), Caught("shape", "shape"),
       On("openvino-reshape-1/data-size-*"),
       Says("a size of 2^32-1 of the data is the mark of an unknown one, and refused")) {
  refuses_data_of<std::numeric_limits<std::uint32_t>::max()>(table);
}

MUTANT("data-of-int64-max-refused", Breaks("C3"), Caught("shape", "shape"),
       On("openvino-reshape-1/data-size-*"),
       Says("a size of 2^63-1 of the data is the mark of an unknown one, and refused")) {
  refuses_data_of<std::numeric_limits<std::int64_t>::max()>(table);
}

}  // namespace reshape::conformance::self
