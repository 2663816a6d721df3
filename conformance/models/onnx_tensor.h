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

// TensorProto.DataType as a document calls it; nothing for what none names (strings, complex numbers).
std::optional<ElementType> type_of_onnx(std::int32_t data_type);

// The same the other way round.
std::optional<std::int32_t> onnx_type(ElementType type);

// The sizes of a tensor; throws where one is negative or they are too many.
std::vector<std::int64_t> sizes_of(const ::onnx::TensorProto& tensor, const std::string& where);

// The pattern that a tensor holds, or why there is none. What lies outside of the model is read from
// `folder`, the model's own, and nowhere else; `files` gets its path. Throws an Error at `where` where
// type, sizes and bytes contradict each other.
std::variant<ShapePattern, Unstated> pattern_of_tensor(const ::onnx::TensorProto& tensor,
                                                       const std::string& folder,
                                                       const std::string& where,
                                                       std::vector<std::string>& files);

}  // namespace reshape::conformance
