#pragma once

#include <string>
#include <vector>

namespace reshape::fuzz {

// Models that a fuzzer begins with, in the form that its target reads. Those of ONNX are none where the
// build does not read them.
std::vector<std::string> ir_seeds();
std::vector<std::string> onnx_seeds();

}  // namespace reshape::fuzz
