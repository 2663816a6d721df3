#pragma once

#include <onnx_schema/onnx.pb.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "reference/tensor/result.h"

namespace reshape::conformance {

// Throws an Error about a model that contradicts itself; read_onnx catches it.
[[noreturn]] void refuse_at(const std::string& where, std::string message);

// Whether this is a name of the domain of ONNX's own operators.
bool of_onnx(const std::string& domain);

// What the model says about a named value. At most one of the constants is set.
struct OnnxValue {
  const ::onnx::TypeProto* type = nullptr;
  const ::onnx::TensorProto* tensor = nullptr;   // a constant initializer, or `value` of a Constant
  const ::onnx::AttributeProto* list = nullptr;  // value_int or value_ints of a Constant
  bool other_constant = false;                   // floats, strings, sparse ones
  bool produced = false;                         // false: only its type is known
};

// The names of a graph or a function, and of the graphs around it.
class OnnxScope {
 public:
  // Both throw an Error at `where` if two values have the same name, or one has two types. The
  // graph (or function) and `outer` must outlive this. The IR version of the model says whether an
  // initializer that is an input is a constant.
  OnnxScope(const ::onnx::GraphProto& graph, const OnnxScope* outer, std::int64_t ir_version,
            const std::string& where);
  OnnxScope(const ::onnx::FunctionProto& function, const std::string& where);

  // The value in the innermost graph that has the name; null where none has.
  const OnnxValue* find(std::string_view name) const;

 private:
  void produce(const std::string& name, const OnnxValue& value, const std::string& where);
  void produce(const ::onnx::NodeProto& node, const std::string& where);
  void type(const ::onnx::ValueInfoProto& info, const std::string& where);

  const OnnxScope* outer_ = nullptr;
  std::map<std::string_view, OnnxValue> values_;
};

}  // namespace reshape::conformance
