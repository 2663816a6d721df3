#pragma once

#include <string>
#include <vector>

#include "conformance/run/result.h"

namespace reshape::conformance {

// Adds function, file and line to the frames of crashes in `cases`, from the debug symbols of
// `library`. Runs addr2line or llvm-symbolizer, whichever is installed, for a bounded time. A frame
// without a known line is left alone: in a stripped library a function without a line is often the
// wrong one. Files below the working directory get relative paths.
void name_crash_frames(const std::string& library, std::vector<CaseResult>& cases);

}  // namespace reshape::conformance
