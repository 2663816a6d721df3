#pragma once

#include <optional>
#include <string>

#include "conformance/models/model.h"
#include "reference/tensor/result.h"

namespace reshape::conformance {

// Reads every Reshape of an OpenVINO IR of version 10 or 11, including those in the bodies of If,
// Loop and TensorIterator. Data type and sizes come from the first input port, the pattern from the
// Const layer that feeds the second one, special_zero from the attributes. A layer without
// special_zero gives a request without it.
//
// `weights` is the file of constants; by default the .bin file beside the XML, which may be
// missing. An error where a file cannot be read, is no IR of these versions or contradicts itself
// (a constant outside of its file, a size that is no number, an edge from an unknown layer); its
// place is "path:line".
Result<Model> read_openvino_ir(const std::string& path,
                               const std::optional<std::string>& weights = {});

}  // namespace reshape::conformance
