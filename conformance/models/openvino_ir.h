#pragma once

#include <optional>
#include <string>

#include "conformance/models/model.h"
#include "reference/tensor/result.h"

namespace reshape::conformance {

// Reads every Reshape of an OpenVINO IR of version 10 or 11, those in the bodies of If, Loop and
// TensorIterator too: data type and sizes from its first input port, the pattern from the Const layer
// that feeds the second one, special_zero from its attributes. A layer without special_zero is a request
// without it.
//
// The constants are in `weights`; without it, in the file beside the XML that ends in .bin, which may be
// absent. An error is a file that cannot be read, is no IR of these versions or contradicts itself (a
// constant outside of its file, a size that is no number, an edge from nowhere); its place is
// "path:line".
Result<Model> read_openvino_ir(const std::string& path,
                               const std::optional<std::string>& weights = {});

}  // namespace reshape::conformance
