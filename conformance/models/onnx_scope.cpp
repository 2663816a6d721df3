#include "conformance/models/onnx_scope.h"

#include <utility>

#include "conformance/models/model.h"

namespace reshape::conformance {
namespace {

// The value of a Constant node: one attribute, whose name says its form.
OnnxValue constant_of(const ::onnx::NodeProto& node) {
  OnnxValue value;
  for (const ::onnx::AttributeProto& attribute : node.attribute()) {
    if (!attribute.ref_attr_name().empty()) continue;
    if (attribute.name() == "value" && attribute.has_t()) {
      value.tensor = &attribute.t();
    } else if (attribute.name() == "value_int" || attribute.name() == "value_ints") {
      value.list = &attribute;
    } else {
      value.other_constant = true;
    }
  }
  return value;
}

// Whether a size is known. A declared -1 is an unknown one, as exporters write it.
bool is_known(const ::onnx::TensorShapeProto_Dimension& size) {
  return size.has_dim_value() && size.dim_value() != -1;
}

// Whether two types of tensors cannot both be true: what one leaves open, the other may say.
bool contradict(const ::onnx::TypeProto& one, const ::onnx::TypeProto& other) {
  if (!one.has_tensor_type() || !other.has_tensor_type()) return false;
  const auto& a = one.tensor_type();
  const auto& b = other.tensor_type();
  if (a.elem_type() != 0 && b.elem_type() != 0 && a.elem_type() != b.elem_type()) return true;
  if (!a.has_shape() || !b.has_shape()) return false;
  if (a.shape().dim_size() != b.shape().dim_size()) return true;
  for (int axis = 0; axis < a.shape().dim_size(); ++axis) {
    const auto& size = a.shape().dim(axis);
    const auto& also = b.shape().dim(axis);
    if (is_known(size) && is_known(also) && size.dim_value() != also.dim_value()) return true;
  }
  return false;
}

// The same of a tensor, whose sizes leave nothing open.
bool contradict(const ::onnx::TypeProto& declared, const ::onnx::TensorProto& tensor) {
  if (!declared.has_tensor_type()) return false;
  const auto& type = declared.tensor_type();
  const bool typed = type.elem_type() != 0 && tensor.data_type() != 0;
  if (typed && type.elem_type() != tensor.data_type()) return true;
  if (!type.has_shape()) return false;
  if (type.shape().dim_size() != tensor.dims_size()) return true;
  for (int axis = 0; axis < tensor.dims_size(); ++axis) {
    const auto& size = type.shape().dim(axis);
    if (is_known(size) && size.dim_value() != tensor.dims(axis)) return true;
  }
  return false;
}

[[noreturn]] void refuse_second(const std::string& name, const std::string& where) {
  refuse_at(where, "two values are named " + in_quotes(name));
}

}  // namespace

bool of_onnx(const std::string& domain) { return domain.empty() || domain == "ai.onnx"; }

void refuse_at(const std::string& where, std::string message) {
  throw Error{std::move(message), where};
}

OnnxScope::OnnxScope(const ::onnx::GraphProto& graph, const OnnxScope* outer,
                     std::int64_t ir_version, const std::string& where)
    : outer_(outer) {
  for (const ::onnx::TensorProto& tensor : graph.initializer()) {
    produce(tensor.name(), {.tensor = &tensor}, where);
  }
  for (const ::onnx::SparseTensorProto& sparse : graph.sparse_initializer()) {
    produce(sparse.values().name(), {.other_constant = true}, where);
  }
  for (const ::onnx::NodeProto& node : graph.node()) produce(node, where);
  for (const ::onnx::ValueInfoProto& input : graph.input()) {
    type(input, where);
    OnnxValue& value = values_[input.name()];
    if (value.produced && value.tensor == nullptr && !value.other_constant) {
      refuse_second(input.name(), where);
    }
    value.produced = true;
    // Up to IR version 3 every initializer has to be an input as well. Since then one that is an
    // input is what the caller may leave out, and no constant.
    if (ir_version > 3) value = {.type = value.type, .produced = true};
  }
  for (const ::onnx::ValueInfoProto& info : graph.value_info()) type(info, where);
  for (const ::onnx::ValueInfoProto& output : graph.output()) type(output, where);
}

OnnxScope::OnnxScope(const ::onnx::FunctionProto& function, const std::string& where) {
  for (const std::string& input : function.input()) produce(input, {}, where);
  for (const ::onnx::NodeProto& node : function.node()) produce(node, where);
}

const OnnxValue* OnnxScope::find(std::string_view name) const {
  for (const OnnxScope* scope = this; scope != nullptr; scope = scope->outer_) {
    const auto found = scope->values_.find(name);
    if (found != scope->values_.end() && found->second.produced) return &found->second;
  }
  return nullptr;
}

void OnnxScope::produce(const std::string& name, const OnnxValue& value, const std::string& where) {
  if (name.empty()) return;  // an unused output
  const auto [at, first] = values_.emplace(name, value);
  at->second.produced = true;
  if (!first) refuse_second(name, where);
}

void OnnxScope::produce(const ::onnx::NodeProto& node, const std::string& where) {
  const bool constant = node.op_type() == "Constant" && of_onnx(node.domain());
  for (const std::string& output : node.output()) {
    produce(output, constant ? constant_of(node) : OnnxValue{}, where);
  }
}

void OnnxScope::type(const ::onnx::ValueInfoProto& info, const std::string& where) {
  if (!info.has_type()) return;
  OnnxValue& value = values_[info.name()];
  const bool second = value.type != nullptr && contradict(*value.type, info.type());
  if (value.type == nullptr) value.type = &info.type();
  if (second || (value.tensor != nullptr && contradict(info.type(), *value.tensor))) {
    refuse_at(where, "the value " + in_quotes(info.name()) + " has two types");
  }
}

}  // namespace reshape::conformance
