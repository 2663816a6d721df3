#pragma once

#include <optional>
#include <string>

#include "conformance/models/model.h"
#include "reference/tensor/result.h"

namespace reshape::conformance {

// Reads a model of any format that this room knows: what begins like XML, or is named .xml, is an
// OpenVINO IR, and anything else an ONNX model. `weights` names the constants of an IR, and is an error
// for others. The errors are those of the format's reader.
Result<Model> read_model(const std::string& path, const std::optional<std::string>& weights = {});

}  // namespace reshape::conformance
