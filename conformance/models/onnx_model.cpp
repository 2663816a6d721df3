#include "conformance/models/onnx_model.h"

#include <filesystem>
#include <iterator>
#include <utility>
#include <variant>

#include "conformance/models/onnx_file.h"
#include "conformance/models/onnx_scope.h"
#include "conformance/models/onnx_tensor.h"
#include "conformance/text/printable.h"

namespace reshape::conformance {
namespace {

namespace fs = std::filesystem;
using Attribute = ::onnx::AttributeProto;
using Node = ::onnx::NodeProto;

constexpr std::size_t kLongestName = 60;  // bytes, of a node in a place

// The operator sets that changed Reshape; each has a document.
constexpr std::int64_t kReshapes[] = {1, 5, 13, 14, 19, 21, 23, 24, 25};

// The operator set that a model or a function imports, by either name of its domain; nothing where
// it imports none.
template <typename Imports>
std::optional<std::int64_t> operator_set(const Imports& imports, const std::string& where) {
  std::optional<std::int64_t> version;
  for (const ::onnx::OperatorSetIdProto& import : imports) {
    if (!of_onnx(import.domain())) continue;
    if (version && *version != import.version()) {
      refuse_at(where, "two operator sets of ONNX are imported");
    }
    if (import.version() < 1) {
      refuse_at(where, "operator set " + std::to_string(import.version()) + " is imported");
    }
    version = import.version();
  }
  return version;
}

// A graph or a function being read: what its nodes share.
struct Body {
  const OnnxScope& scope;
  std::optional<std::int64_t> operator_set;
  std::string path;  // of its nodes: "", or "7/then_branch/"
};

class Reader {
 public:
  Reader(const OnnxFile& file, Model& model)
      : file_(file), folder_(fs::path(file.path()).parent_path().string()), model_(model) {}

  void read() {
    const ::onnx::ModelProto& model = file_.model();
    std::optional<std::int64_t> set = operator_set(model.opset_import(), place());
    // Before IR version 3 a model has no imports.
    if (!set && model.ir_version() < 3) set = 1;
    model_.form = "an ONNX model of operator set " + (set ? std::to_string(*set) : "unknown");
    model_.word = "node";
    model_.files.push_back(file_.path());
    const OnnxScope scope(model.graph(), nullptr, model.ir_version(), place());
    read_nodes(model.graph().node(), {scope, set, ""});
    // What training runs sees the values of the graph that it trains.
    int number = 0;
    for (const ::onnx::TrainingInfoProto& training : model.training_info()) {
      const std::string path = "training_info." + std::to_string(number++) + '/';
      read_graph(training.initialization(), nullptr, set, path + "initialization/");
      read_graph(training.algorithm(), &scope, set, path + "algorithm/");
    }
    for (const ::onnx::FunctionProto& function : model.functions()) {
      const OnnxScope own(function, place());
      const Body body{own, operator_set(function.opset_import(), place()),
                      printable(function.name(), kLongestName) + '/'};
      read_nodes(function.node(), body);
    }
  }

 private:
  std::string place() const { return printable(file_.path()); }

  // Recursive: protobuf limits the depth of messages to a hundred.
  void read_graph(const ::onnx::GraphProto& graph, const OnnxScope* outer,
                  std::optional<std::int64_t> set, const std::string& path) {
    const OnnxScope scope(graph, outer, file_.model().ir_version(), place());
    read_nodes(graph.node(), {scope, set, path});
  }

  template <typename Nodes>
  void read_nodes(const Nodes& nodes, const Body& body) {
    int number = -1;
    for (const Node& node : nodes) {
      ++number;
      if (node.op_type() == "Reshape") read_reshape(node, body, body.path + std::to_string(number));
      for (const Attribute& attribute : node.attribute()) {
        if (!attribute.has_g() && attribute.graphs().empty()) continue;
        // Shortened, because the path of every node below repeats it.
        const std::string inner =
            body.path + std::to_string(number) + '/' + printable(attribute.name(), kLongestName);
        if (attribute.has_g()) {
          read_graph(attribute.g(), &body.scope, body.operator_set, inner + '/');
        }
        int graph = 0;
        for (const ::onnx::GraphProto& one : attribute.graphs()) {
          read_graph(one, &body.scope, body.operator_set,
                     inner + '.' + std::to_string(graph++) + '/');
        }
      }
    }
  }

  void read_reshape(const Node& node, const Body& body, const std::string& id) {
    const std::string name =
        node.name().empty() && node.output_size() > 0 ? node.output(0) : node.name();
    const LayerPlace layer{name, id,
                           place() + ", node " + printable(id, kLongestName) + " (" +
                               printable(name, kLongestName) + ')'};
    if (model_.reshapes.size() + model_.unstated.size() == kMostOnnxReshapes) {
      refuse_at(place(), "more than " + std::to_string(kMostOnnxReshapes) + " nodes are a Reshape");
    }
    ModelReshape reshape{{}, layer, output_of(node, body)};
    if (const std::optional<Unstated> why =
            read_request(node, body, layer.where, reshape.request)) {
      model_.unstated.push_back({*why, layer});
    } else {
      model_.reshapes.push_back(std::move(reshape));
    }
  }

  std::optional<Unstated> read_request(const Node& node, const Body& body, const std::string& where,
                                       Request& request) {
    if (!of_onnx(node.domain())) return Unstated::other_operation;
    if (!body.operator_set) refuse_at(where, "no operator set is imported");
    const std::int64_t set = *body.operator_set;
    const std::int64_t newest = kReshapes[std::size(kReshapes) - 1];
    if (set > newest) return Unstated::other_operation;
    std::int64_t version = 1;
    for (const std::int64_t one : kReshapes) version = one <= set ? one : version;
    request.dialect = "onnx-reshape-" + std::to_string(version);
    const int inputs = version == 1 ? 1 : 2;
    if (node.input_size() != inputs || node.output_size() != 1) {
      refuse_at(where, "a Reshape of operator set " + std::to_string(set) + " has " +
                           std::to_string(node.input_size()) + " inputs and " +
                           std::to_string(node.output_size()) + " outputs");
    }
    for (const std::string& input : node.input()) {
      if (input != node.output(0)) continue;
      refuse_at(where, "its input " + in_quotes(input) + " is its own output");
    }
    if (const auto why = read_data(value(node.input(0), body, where), where, request)) return why;
    if (const auto why = read_flag(node, version, where, request)) return why;
    return version == 1 ? read_attribute(node, where, request)
                        : read_pattern(value(node.input(1), body, where), where, request);
  }

  static const OnnxValue& value(const std::string& name, const Body& body,
                                const std::string& where) {
    const OnnxValue* found = body.scope.find(name);
    if (found == nullptr) {
      refuse_at(where, "its input " + in_quotes(name) + " comes from nowhere");
    }
    return *found;
  }

  static std::optional<Unstated> read_data(const OnnxValue& data, const std::string& where,
                                           Request& request) {
    if (data.tensor != nullptr) {
      return typed(data.tensor->data_type(), sizes_of(*data.tensor, where), request);
    }
    if (data.list != nullptr) {
      const bool scalar = data.list->name() == "value_int";
      request.data_type = ElementType::i64;
      request.data = scalar ? Shape{} : Shape{static_cast<std::int64_t>(data.list->ints_size())};
      return std::nullopt;
    }
    if (data.type == nullptr) return Unstated::untyped_data;
    if (!data.type->has_tensor_type()) return Unstated::data_type;
    const ::onnx::TypeProto_Tensor& tensor = data.type->tensor_type();
    if (!tensor.has_shape()) return Unstated::unranked_data;
    return typed(tensor.elem_type(), sizes(tensor.shape(), where), request);
  }

  static std::optional<Unstated> typed(std::int32_t data_type, std::vector<std::int64_t> sizes,
                                       Request& request) {
    const std::optional<ElementType> type = type_of_onnx(data_type);
    if (!type) return Unstated::data_type;
    const std::optional<Shape> shape = static_shape(std::move(sizes));
    if (!shape) return Unstated::dynamic_data;
    request.data_type = *type;
    request.data = *shape;
    return std::nullopt;
  }

  // -1 stands for an unknown size: a symbolic or a missing one, or a -1 that an exporter wrote.
  static std::vector<std::int64_t> sizes(const ::onnx::TensorShapeProto& shape,
                                         const std::string& where) {
    if (shape.dim_size() > kMostDimensions) {
      refuse_at(where, "a value has more than " + std::to_string(kMostDimensions) + " dimensions");
    }
    std::vector<std::int64_t> sizes;
    for (const ::onnx::TensorShapeProto_Dimension& dimension : shape.dim()) {
      sizes.push_back(dimension.has_dim_value() ? dimension.dim_value() : -1);
      if (sizes.back() >= -1) continue;
      refuse_at(where, "a value has the size " + std::to_string(sizes.back()));
    }
    return sizes;
  }

  static std::optional<Unstated> read_flag(const Node& node, std::int64_t version,
                                           const std::string& where, Request& request) {
    const Attribute* flag =
        attribute_of(node, "allowzero", ::onnx::AttributeProto_AttributeType_INT, where);
    if (flag == nullptr) return std::nullopt;
    if (version < 14) refuse_at(where, "allowzero came with operator set 14");
    // An attribute of a function, whose value the caller gives.
    if (!flag->ref_attr_name().empty()) return Unstated::computed_pattern;
    if (flag->i() != 0 && flag->i() != 1) {
      refuse_at(where, "allowzero is " + std::to_string(flag->i()) + ", and neither 0 nor 1");
    }
    request.special_zero = flag->i() == 0;
    return std::nullopt;
  }

  // Null where the node has none of that name. Early models state no type.
  static const Attribute* attribute_of(const Node& node, const std::string& name,
                                       ::onnx::AttributeProto_AttributeType type,
                                       const std::string& where) {
    const Attribute* found = nullptr;
    for (const Attribute& attribute : node.attribute()) {
      if (attribute.name() != name) continue;
      if (found != nullptr) refuse_at(where, name + " is given twice");
      found = &attribute;
    }
    if (found != nullptr && found->type() != type &&
        found->type() != ::onnx::AttributeProto_AttributeType_UNDEFINED) {
      refuse_at(where, name + " is of another type than Reshape takes");
    }
    return found;
  }

  static std::optional<Unstated> read_attribute(const Node& node, const std::string& where,
                                                Request& request) {
    const Attribute* list =
        attribute_of(node, "shape", ::onnx::AttributeProto_AttributeType_INTS, where);
    if (list == nullptr) return Unstated::no_pattern;
    if (!list->ref_attr_name().empty()) return Unstated::computed_pattern;
    return take(*list, request);
  }

  // Takes the pattern from an attribute that is a list of integers.
  static std::optional<Unstated> take(const Attribute& list, Request& request) {
    if (list.ints_size() > kMostPatternValues) return Unstated::long_pattern;
    request.pattern = {ElementType::i64, {list.ints().begin(), list.ints().end()}};
    return std::nullopt;
  }

  std::optional<Unstated> read_pattern(const OnnxValue& pattern, const std::string& where,
                                       Request& request) {
    if (pattern.list != nullptr) {
      if (pattern.list->name() == "value_ints") return take(*pattern.list, request);
      request.pattern = {ElementType::i64, {pattern.list->i()}, Shape{}};
      return std::nullopt;
    }
    if (pattern.other_constant) return Unstated::pattern_type;
    if (pattern.tensor == nullptr) return Unstated::computed_pattern;
    std::variant<ShapePattern, Unstated> found =
        pattern_of_tensor(*pattern.tensor, folder_, where, model_.files);
    if (const Unstated* why = std::get_if<Unstated>(&found)) return *why;
    request.pattern = std::get<ShapePattern>(std::move(found));
    return std::nullopt;
  }

  // The output shape that the model states for a Reshape, if it is static.
  static std::optional<Shape> output_of(const Node& node, const Body& body) {
    if (node.output_size() == 0) return std::nullopt;
    const OnnxValue* value = body.scope.find(node.output(0));
    if (value == nullptr || value->type == nullptr || !value->type->has_tensor_type() ||
        value->type->tensor_type().shape().dim_size() > kMostDimensions ||
        !value->type->tensor_type().has_shape()) {
      return std::nullopt;
    }
    std::vector<std::int64_t> sizes;
    for (const auto& dimension : value->type->tensor_type().shape().dim()) {
      if (!dimension.has_dim_value() || dimension.dim_value() < 0) return std::nullopt;
      sizes.push_back(dimension.dim_value());
    }
    return Shape(std::move(sizes));
  }

  const OnnxFile& file_;
  std::string folder_;
  Model& model_;
};

}  // namespace

Result<Model> read_onnx(const std::string& path) {
  const Result<OnnxFile> file = OnnxFile::read(path);
  if (!file) return file.error();
  Model model;
  try {
    Reader(*file, model).read();
  } catch (const Error& error) {
    return error;
  }
  return model;
}

}  // namespace reshape::conformance
