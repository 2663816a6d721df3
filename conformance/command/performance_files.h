#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "conformance/report/performance.h"
#include "reference/tensor/result.h"

namespace reshape::conformance {

struct PerformanceOf {
  std::size_t library = 0;  // index into `libraries`
  Performance performance;
};

// Reads files of time ratios and finds the library that each is about: by the digest of the shared
// library, or by the words of the command. An error (one sentence) where a file cannot be read,
// holds no ratios, or is about none of `libraries`.
Result<std::vector<PerformanceOf>> read_performance(const std::vector<std::string>& files,
                                                    const std::vector<std::string>& libraries);

}  // namespace reshape::conformance
