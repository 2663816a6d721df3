#pragma once

#include <onnx_schema/onnx.pb.h>

#include <map>
#include <string>
#include <string_view>

#include "reference/tensor/result.h"

namespace reshape::conformance {

// Inside of this room an ONNX model that contradicts itself is thrown as an Error, which read_onnx catches.
[[noreturn]] void refuse_at(const std::string& where, std::string message);

// What the model says of a value that a name stands for. At most one of the constants is there.
struct OnnxValue {
  const ::onnx::TypeProto* type = nullptr;
  const ::onnx::TensorProto* tensor = nullptr;   // an initializer, or the `value` of a Constant
  const ::onnx::AttributeProto* list = nullptr;  // value_int or value_ints of a Constant
  bool other_constant = false;                   // floats, strings, sparse ones
  bool produced = false;                         // otherwise only its type is told
};

// The names of a graph or a function, and of the graphs around it.
class OnnxScope {
 public:
  // Both throw where two values have one name; `where` is the place of the graph.
  OnnxScope(const ::onnx::GraphProto& graph, const OnnxScope* outer, const std::string& where);
  OnnxScope(const ::onnx::FunctionProto& function, const std::string& where);

  // What produces it, in the innermost graph that has it; null where nothing does.
  const OnnxValue* find(std::string_view name) const;

 private:
  void produce(const std::string& name, const OnnxValue& value, const std::string& where);
  void produce(const ::onnx::NodeProto& node, const std::string& where);
  void type(const ::onnx::ValueInfoProto& info);

  const OnnxScope* outer_ = nullptr;
  std::map<std::string_view, OnnxValue> values_;
};

}  // namespace reshape::conformance
