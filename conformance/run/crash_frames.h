#pragma once

#include <string>
#include <vector>

#include "conformance/run/result.h"

namespace reshape::conformance {

// Gives the frames of crashes in `cases` their function, file and line, as the debug symbols of `library`
// tell them. addr2line or llvm-symbolizer is asked, whichever is installed, for a bounded time. A frame
// of which no line is known stays as it is: a function alone is often that of a neighbour, where the
// symbols were stripped. Files below the working directory are named from there.
void name_crash_frames(const std::string& library, std::vector<CaseResult>& cases);

}  // namespace reshape::conformance
