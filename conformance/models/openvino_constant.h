#pragma once

#include <variant>

#include "conformance/models/byte_file.h"
#include "conformance/models/openvino_net.h"
#include "reference/tensor/shape_pattern.h"

namespace reshape::conformance {

// The pattern that a Const layer holds, or why there is none. `weights` is null where that file is
// missing. Throws an Error if type, shape, size and file of the constant contradict each other.
std::variant<ShapePattern, Unstated> pattern_of_constant(const XmlFile& file,
                                                         const Net::Output& constant,
                                                         const ByteFile* weights);

}  // namespace reshape::conformance
