#pragma once

#include "conformance/adapter/contract/plugin_library.h"
#include "conformance/model/outcome.h"
#include "conformance/model/request.h"

namespace reshape::conformance {

// Hardship::long_copy of Adapter::ask_under: a dense request of more bytes than 32 bits count, executed over
// pages that repeat, so that it takes little memory. The data has two axes, and the pattern swaps their sizes. It
// is executed where a part of it shows that it would take less than `milliseconds`, and where the machine could
// hold two of it, should the implementation take a buffer. Unsupported where not.
Outcome examine_long_copy(const PluginLibrary& library, const Request& request, int milliseconds);

// Seconds that all else of it may take on a busy machine, mapping above all. No implementation is to blame for
// them.
inline constexpr double kLongCopySetUp = 15;

}  // namespace reshape::conformance
