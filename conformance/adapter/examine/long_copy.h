#pragma once

#include "conformance/adapter/contract/plugin_library.h"
#include "conformance/model/outcome.h"
#include "conformance/model/request.h"

namespace reshape::conformance {

// Hardship::long_copy of Adapter::ask_under: executes a request of more bytes than 32 bits can
// count, over pages that are mapped repeatedly, so that it takes little memory. Data and output
// have two axes, or one. A row of the data is one of the output or several, and its bytes are a
// power of two; either may have its rows a power of two of rows apart. Of one axis each element is
// a row, and those of the data may all be the same one. Unsupported where a part of the copy shows
// that the whole would take more than `milliseconds`, or where the machine's memory would not hold
// it twice (the implementation may use a buffer).
Outcome examine_long_copy(const PluginLibrary& library, const Request& request, int milliseconds);

// Seconds that the preparation, mostly mapping, may take on a busy machine; not counted for the
// implementation.
inline constexpr double kLongCopySetUp = 15;

}  // namespace reshape::conformance
