#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/report/performance.h"
#include "reference/tensor/result.h"

namespace reshape::conformance {

// Reads the time ratios from the output of `compare --json` or `bench --json`; `where` names the
// file in errors. `compare`: candidate / baseline, with the verdicts in the file. `bench`: library
// / best plain copy, / product loop and / each peer; estimate() gives each a verdict, from its
// repetitions. An error (one sentence) where this is another file, has no ratio, or does not say
// which library was measured.
Result<Performance> read_ratios(std::string_view json, const std::string& where);

struct PerformanceOf {
  std::size_t library = 0;  // index into `libraries`
  Performance performance;
};

// Reads the ratios of these files and finds the library that each is about: by the digest of the
// shared library, or by the words of the command. An error where a file cannot be read, or is about
// none of `libraries`.
Result<std::vector<PerformanceOf>> read_performance(const std::vector<std::string>& files,
                                                    const std::vector<std::string>& libraries);

}  // namespace reshape::conformance
