#include "conformance/models/onnx_case.h"

#include <onnx_schema/onnx.pb.h>

#include <cstddef>
#include <utility>

#include "conformance/model/payload.h"
#include "conformance/models/onnx_tensor.h"
#include "reference/tensor/tensor_view.h"

namespace reshape::conformance {
namespace {

// The IR version that was current when the operator set appeared. Older programs refuse later ones.
std::int64_t format_of(std::int64_t operator_set) {
  constexpr std::pair<std::int64_t, std::int64_t> kFormats[] = {
      {25, 13}, {24, 12}, {23, 11}, {21, 10}, {19, 9}, {15, 8}, {12, 7}, {11, 6}, {10, 5}, {9, 4}};
  for (const auto& [set, format] : kFormats) {
    if (operator_set >= set) return format;
  }
  return 3;
}

void describe(::onnx::ValueInfoProto& info, const char* name, ElementType type,
              const Shape& shape) {
  info.set_name(name);
  ::onnx::TypeProto_Tensor& tensor = *info.mutable_type()->mutable_tensor_type();
  tensor.set_elem_type(*onnx_type(type));
  ::onnx::TensorShapeProto& sizes = *tensor.mutable_shape();
  for (const std::int64_t size : shape.sizes()) sizes.add_dim()->set_dim_value(size);
}

std::string tensor_of(const char* name, ElementType type, const Shape& shape, std::string bytes) {
  ::onnx::TensorProto tensor;
  tensor.set_name(name);
  tensor.set_data_type(*onnx_type(type));
  for (const std::int64_t size : shape.sizes()) tensor.add_dims(size);
  tensor.set_raw_data(std::move(bytes));
  return tensor.SerializeAsString();
}

// Elements in the form of raw_data: little-endian, the earlier of two 4-bit ones in the low half.
std::string packed(const std::vector<std::uint64_t>& elements, ElementType type) {
  std::string bytes(static_cast<std::size_t>(bytes_for(type, std::ssize(elements))), '\0');
  for (std::size_t at = 0; at < elements.size(); ++at) {
    store_element(type, reinterpret_cast<std::byte*>(bytes.data()), static_cast<std::int64_t>(at),
                  elements[at]);
  }
  return bytes;
}

std::string bytes_of(const Request& request, Payload payload) {
  if (request.elements) return packed(*request.elements, request.data_type);
  const std::int64_t count = *element_count(request.data);
  std::string bytes(static_cast<std::size_t>(bytes_for(request.data_type, count)), '\0');
  fill_payload(payload, request.data_type, 0, count,
               {reinterpret_cast<std::byte*>(bytes.data()), bytes.size()});
  return bytes;
}

}  // namespace

Result<OnnxTest> onnx_test(const Case& one, const std::string& stamp) {
  const Request& request = one.request;
  const std::int64_t set = std::stoll(request.dialect.substr(std::string("onnx-reshape-").size()));
  const std::int64_t count = std::ssize(request.pattern.values);
  const Shape pattern_shape = request.pattern.tensor_shape.value_or(Shape{count});

  ::onnx::ModelProto model;
  model.set_ir_version(format_of(set));
  model.set_producer_name("reshape-conformance");
  model.set_doc_string(stamp);
  model.add_opset_import()->set_version(set);
  ::onnx::GraphProto& graph = *model.mutable_graph();
  graph.set_name(std::string(one.name()));
  ::onnx::NodeProto& node = *graph.add_node();
  node.set_op_type("Reshape");
  node.add_input("data");
  node.add_output("reshaped");
  describe(*graph.add_input(), "data", request.data_type, request.data);
  describe(*graph.add_output(), "reshaped", request.data_type, one.expect.shape);
  if (set < 5) {
    ::onnx::AttributeProto& shape = *node.add_attribute();
    shape.set_name("shape");
    shape.set_type(::onnx::AttributeProto_AttributeType_INTS);
    for (const PatternValue value : request.pattern.values) {
      shape.add_ints(static_cast<std::int64_t>(value));
    }
  } else {
    node.add_input("shape");
    describe(*graph.add_input(), "shape", request.pattern.type, pattern_shape);
  }
  if (request.special_zero && set >= 14) {
    ::onnx::AttributeProto& flag = *node.add_attribute();
    flag.set_name("allowzero");
    flag.set_type(::onnx::AttributeProto_AttributeType_INT);
    flag.set_i(*request.special_zero ? 0 : 1);
  }

  OnnxTest test;
  test.model = model.SerializeAsString();
  std::vector<Payload> payloads{Payload::distinct, Payload::hard};
  if (request.elements || request.payload) {
    payloads = {request.payload.value_or(Payload::distinct)};
  }
  for (const Payload payload : payloads) {
    const std::string bytes = bytes_of(request, payload);
    OnnxTest::DataSet& made = test.sets.emplace_back();
    made.inputs.push_back(tensor_of("data", request.data_type, request.data, bytes));
    if (set >= 5) {
      std::vector<std::uint64_t> values;
      for (const PatternValue value : request.pattern.values) {
        values.push_back(static_cast<std::uint64_t>(value));
      }
      made.inputs.push_back(tensor_of("shape", request.pattern.type, pattern_shape,
                                      packed(values, request.pattern.type)));
    }
    made.output = tensor_of("reshaped", request.data_type, one.expect.shape, bytes);
  }
  return test;
}

}  // namespace reshape::conformance
