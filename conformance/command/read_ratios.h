#pragma once

#include <string>
#include <string_view>

#include "conformance/report/performance.h"
#include "reference/tensor/result.h"

namespace reshape::conformance {

// The ratios in what `compare --json` or `bench --json` wrote; `where` names it in errors. Those of `compare` are
// the candidate's over the baseline, with the verdicts that it gave. Those of `bench` are over the best plain
// copy, over the product loop, and over each peer; each gets the verdict of estimate(), over the repetitions.
// The error, one sentence: another file, no ratio in it, or no word on which library it is of.
Result<Performance> read_ratios(std::string_view json, const std::string& where);

}  // namespace reshape::conformance
