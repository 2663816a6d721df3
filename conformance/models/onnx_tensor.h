#pragma once

#include <onnx_schema/onnx.pb.h>

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "conformance/models/model.h"
#include "reference/tensor/element_type.h"
#include "reference/tensor/shape_pattern.h"

namespace reshape::conformance {

// The element type of a TensorProto.DataType; nothing for strings, complex numbers and other types
// that no document has.
std::optional<ElementType> type_of_onnx(std::int32_t data_type);

// The TensorProto.DataType of an element type; nothing where ONNX has none.
std::optional<std::int32_t> onnx_type(ElementType type);

// The sizes of a tensor; throws an Error where one is negative or there are too many.
std::vector<std::int64_t> sizes_of(const ::onnx::TensorProto& tensor, const std::string& where);

// The pattern that a tensor holds, or why there is none. External data is read from `folder`, that
// of the model, and from nowhere else; its path is added to `files`. Throws an Error at `where` if
// type, sizes and bytes contradict each other.
std::variant<ShapePattern, Unstated> pattern_of_tensor(const ::onnx::TensorProto& tensor,
                                                       const std::string& folder,
                                                       const std::string& where,
                                                       std::vector<std::string>& files);

}  // namespace reshape::conformance
