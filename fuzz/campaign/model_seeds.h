#pragma once

#include <string>
#include <vector>

namespace reshape::fuzz {

// Seed models, as inputs of the targets import_ir and import_onnx. onnx_seeds() is empty in a build
// that cannot read ONNX.
std::vector<std::string> ir_seeds();
std::vector<std::string> onnx_seeds();

}  // namespace reshape::fuzz
