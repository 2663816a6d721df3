#pragma once

#include <optional>
#include <string>

#include "conformance/models/model.h"
#include "reference/tensor/result.h"

namespace reshape::conformance {

// Reads an OpenVINO IR (a file that begins like XML or is named .xml) or an ONNX model (any other).
// `weights` is the file of an IR's constants; for an ONNX model it is an error. Other errors are
// those of the format's reader.
Result<Model> read_model(const std::string& path, const std::optional<std::string>& weights = {});

}  // namespace reshape::conformance
