#pragma once

#include <onnx_schema/onnx.pb.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace reshape::conformance {

inline constexpr int kOnnxFloat = 1;
inline constexpr int kOnnxInt64 = 7;

inline void add_info(::onnx::ValueInfoProto& info, const std::string& name, int type,
                     const std::vector<std::int64_t>& sizes) {
  info.set_name(name);
  auto& tensor = *info.mutable_type()->mutable_tensor_type();
  tensor.set_elem_type(type);
  auto& shape = *tensor.mutable_shape();
  for (const std::int64_t size : sizes) shape.add_dim()->set_dim_value(size);
}

inline void add_list(::onnx::TensorProto& tensor, const std::string& name,
                     const std::vector<std::int64_t>& values) {
  tensor.set_name(name);
  tensor.set_data_type(kOnnxInt64);
  tensor.add_dims(static_cast<std::int64_t>(values.size()));
  for (const std::int64_t value : values) tensor.add_int64_data(value);
}

// Says that the elements of `tensor` lie in a file, by these entries: location, offset, length.
inline void put_elsewhere(::onnx::TensorProto& tensor,
                          const std::vector<std::pair<std::string, std::string>>& entries) {
  tensor.clear_int64_data();
  tensor.clear_raw_data();
  tensor.clear_external_data();
  tensor.set_data_location(::onnx::TensorProto_DataLocation_EXTERNAL);
  for (const auto& [key, value] : entries) {
    ::onnx::StringStringEntryProto& entry = *tensor.add_external_data();
    entry.set_key(key);
    entry.set_value(value);
  }
}

// `graph` is a graph or a function.
template <typename Graph>
::onnx::NodeProto& add_node(Graph& graph, const std::string& type,
                            const std::vector<std::string>& inputs, const std::string& output) {
  ::onnx::NodeProto& node = *graph.add_node();
  node.set_op_type(type);
  for (const std::string& input : inputs) node.add_input(input);
  node.add_output(output);
  return node;
}

inline ::onnx::AttributeProto& add_attribute(::onnx::NodeProto& node, const std::string& name) {
  ::onnx::AttributeProto& attribute = *node.add_attribute();
  attribute.set_name(name);
  return attribute;
}

inline ::onnx::AttributeProto& add_int(::onnx::NodeProto& node, const std::string& name,
                                       std::int64_t value) {
  ::onnx::AttributeProto& attribute = add_attribute(node, name);
  attribute.set_type(::onnx::AttributeProto_AttributeType_INT);
  attribute.set_i(value);
  return attribute;
}

// A model with one Reshape, named "fold", of an f32 input "data". The pattern is the initializer
// "to" or, before operator set 5, an attribute.
inline ::onnx::ModelProto reshape_model(std::int64_t operator_set,
                                        const std::vector<std::int64_t>& data,
                                        const std::vector<std::int64_t>& pattern,
                                        std::optional<std::int64_t> allowzero = {}) {
  ::onnx::ModelProto model;
  model.set_ir_version(8);
  model.add_opset_import()->set_version(operator_set);
  ::onnx::GraphProto& graph = *model.mutable_graph();
  graph.set_name("made");
  add_info(*graph.add_input(), "data", kOnnxFloat, data);
  ::onnx::NodeProto& node = add_node(graph, "Reshape", {"data"}, "reshaped");
  node.set_name("fold");
  if (operator_set < 5) {
    ::onnx::AttributeProto& shape = add_attribute(node, "shape");
    shape.set_type(::onnx::AttributeProto_AttributeType_INTS);
    for (const std::int64_t value : pattern) shape.add_ints(value);
  } else {
    node.add_input("to");
    add_list(*graph.add_initializer(), "to", pattern);
  }
  if (allowzero) add_int(node, "allowzero", *allowzero);
  return model;
}

// A function with one Reshape of its inputs, the data and, where there are two, the pattern.
inline void add_reshape_function(::onnx::ModelProto& model,
                                 const std::vector<std::string>& inputs) {
  ::onnx::FunctionProto& function = *model.add_functions();
  function.set_name("twice");
  function.add_opset_import()->set_version(14);
  for (const std::string& input : inputs) function.add_input(input);
  add_node(function, "Reshape", {inputs.front(), inputs.back()}, "y");
}

}  // namespace reshape::conformance
