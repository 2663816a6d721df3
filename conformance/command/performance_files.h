#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "conformance/report/performance.h"
#include "reference/tensor/result.h"

namespace reshape::conformance {

struct PerformanceOf {
  std::size_t library = 0;  // its place among those that are asked
  Performance performance;
};

// What the files say, each of one of the libraries: the file of these very bytes, or a command of the same
// words. The error, one sentence: a file that cannot be read, holds no ratios, or is of none of them.
Result<std::vector<PerformanceOf>> read_performance(const std::vector<std::string>& files,
                                                    const std::vector<std::string>& libraries);

}  // namespace reshape::conformance
