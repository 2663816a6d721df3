#pragma once

#include <string>
#include <string_view>

#include "conformance/report/performance.h"
#include "reference/tensor/result.h"

namespace reshape::conformance {

// Reads the time ratios from the output of `compare --json` or `bench --json`; `where` names the
// file in errors. `compare`: candidate / baseline, with the verdicts in the file. `bench`: library
// / best plain copy, / product loop and / each peer; estimate() gives each a verdict, from its
// repetitions. An error (one sentence) where this is another file, has no ratio, or does not say
// which library was measured.
Result<Performance> read_ratios(std::string_view json, const std::string& where);

}  // namespace reshape::conformance
