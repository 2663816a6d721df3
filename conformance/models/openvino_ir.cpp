#include "conformance/models/openvino_ir.h"

#include <algorithm>
#include <filesystem>
#include <variant>

#include "conformance/models/byte_file.h"
#include "conformance/models/openvino_constant.h"
#include "conformance/models/openvino_net.h"
#include "conformance/models/xml_file.h"

namespace reshape::conformance {
namespace {

namespace fs = std::filesystem;

using Attribute = pugi::xml_attribute;
using Node = pugi::xml_node;

int version_of(const XmlFile& file) {
  const Node net = file.root();
  if (std::string_view(net.name()) != "net") {
    refuse(file, net,
           "no OpenVINO IR: its first element is " + in_quotes(net.name()) + ", and not \"net\"");
  }
  const std::string version = net.attribute("version").value();
  if (version != "10" && version != "11") {
    refuse(file, net, "an IR of version " + in_quotes(version) + "; read are 10 and 11");
  }
  if (!net.child("layers")) refuse(file, net, "no OpenVINO IR: <net> has no <layers>");
  return version == "10" ? 10 : 11;
}

// Opens the file of constants; nothing where none was named and there is none beside the model.
std::optional<ByteFile> weights_of(const std::string& path,
                                   const std::optional<std::string>& named) {
  const std::string beside = fs::path(path).replace_extension(".bin").string();
  std::error_code none;
  if (!named && !fs::exists(fs::symlink_status(beside, none))) return std::nullopt;
  Result<ByteFile> file = ByteFile::open(named.value_or(beside));
  if (!file) throw file.error();
  return std::optional<ByteFile>(std::move(file).value());
}

class Reader {
 public:
  Reader(const XmlFile& file, const ByteFile* weights) : file_(file), weights_(weights) {}

  void read(const Net& net, Model& model) const {
    for (const Node layer : net.layers()) {
      if (std::string_view(layer.attribute("type").value()) != "Reshape") continue;
      const LayerPlace place{layer.attribute("name").value(), layer.attribute("id").value(),
                             file_.place(layer)};
      ModelReshape reshape{{}, place, shape_at(layer.child("output").child("port"))};
      reshape.request.dialect = "openvino-reshape-1";
      if (const std::optional<Unstated> why = read(net, layer, reshape.request)) {
        model.unstated.push_back({*why, place});
      } else {
        model.reshapes.push_back(std::move(reshape));
      }
    }
  }

 private:
  std::optional<Unstated> read(const Net& net, Node layer, Request& request) const {
    const std::string_view set = layer.attribute("version").value();
    if (!set.empty() && set != "opset1") return Unstated::other_operation;
    const Node inputs = layer.child("input");
    const Node data = inputs.child("port");
    const Node pattern = data.next_sibling("port");
    if (pattern.next_sibling("port")) refuse(file_, layer, "a Reshape has more than two inputs");
    request.special_zero = special_zero(layer);
    if (!data) return Unstated::unranked_data;
    if (const auto why = read_data(net, layer, data, request)) return why;
    if (!pattern) return Unstated::computed_pattern;
    return read_pattern(net, layer, pattern, request);
  }

  std::optional<bool> special_zero(Node layer) const {
    const Attribute flag = layer.child("data").attribute("special_zero");
    if (!flag) return std::nullopt;
    std::string word = flag.value();
    std::transform(word.begin(), word.end(), word.begin(), [](char letter) {
      return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
    });
    if (word == "true" || word == "1") return true;
    if (word == "false" || word == "0") return false;
    refuse(file_, layer.child("data"),
           "special_zero is " + in_quotes(flag.value()) + ", and neither true nor false");
  }

  std::optional<Unstated> read_data(const Net& net, Node layer, Node port, Request& request) const {
    const std::optional<Net::Output> producer = net.producer(layer, port);
    std::vector<std::int64_t> sizes = dimensions(file_, port);
    if (sizes.empty() && !(producer && says_scalar(producer->layer))) {
      return Unstated::unranked_data;
    }
    if (producer) check_ends(port, producer->port);
    const std::optional<Shape> data = static_shape(std::move(sizes));
    if (!data) return Unstated::dynamic_data;
    request.data = *data;
    // Input ports have a type since version 11. Before, it is that of the producer's port or of the
    // output, which has the same type.
    const Node outputs[] = {port, producer ? producer->port : Node(),
                            layer.child("output").child("port")};
    for (const Node typed : outputs) {
      const Attribute precision = typed.attribute("precision");
      if (!precision) continue;
      const std::optional<ElementType> type = type_of_precision(precision.value());
      if (!type) return Unstated::data_type;
      request.data_type = *type;
      return std::nullopt;
    }
    return Unstated::data_type;
  }

  // A port without dimensions is a scalar or of unknown rank. For Const and Parameter their
  // attribute `shape` tells which.
  static bool says_scalar(Node layer) {
    const std::string_view type = layer.attribute("type").value();
    const Attribute shape = layer.child("data").attribute("shape");
    return (type == "Const" || type == "Parameter") && shape &&
           std::string_view(shape.value()).empty();
  }

  std::optional<Unstated> read_pattern(const Net& net, Node layer, Node port,
                                       Request& request) const {
    const std::optional<Net::Output> producer = net.producer(layer, port);
    if (!producer) refuse(file_, layer, "no edge leads to the pattern of a Reshape");
    if (std::string_view(producer->layer.attribute("type").value()) != "Const") {
      return Unstated::computed_pattern;
    }
    std::variant<ShapePattern, Unstated> found = pattern_of_constant(file_, *producer, weights_);
    if (const Unstated* why = std::get_if<Unstated>(&found)) return *why;
    request.pattern = std::get<ShapePattern>(std::move(found));
    check_port(port, request.pattern);
    return std::nullopt;
  }

  // Both ends of an edge state shape and type, and have to agree where both do.
  void check_ends(Node port, Node from) const {
    const std::optional<Shape> here = shape_at(port), there = shape_at(from);
    if (here && there && *here != *there) {
      refuse(file_, port,
             "the data is " + text(*here) + " at the Reshape and " + text(*there) +
                 " where it comes from");
    }
    const Attribute type = port.attribute("precision"), of = from.attribute("precision");
    if (type && of && std::string_view(type.value()) != of.value()) {
      refuse(file_, port,
             "the data is " + in_quotes(type.value()) + " at the Reshape and " +
                 in_quotes(of.value()) + " where it comes from");
    }
  }

  void check_port(Node port, const ShapePattern& pattern) const {
    const std::optional<Shape> said = shape_at(port);
    const Shape constant = pattern.tensor_shape.value_or(Shape{std::ssize(pattern.values)});
    if (!said || *said == constant) return;
    refuse(file_, port,
           "the pattern is " + text(*said) + " at the Reshape and " + text(constant) +
               " in its constant");
  }

  // The shape that a port states; nothing where it has no dimensions, or a dynamic one.
  std::optional<Shape> shape_at(Node port) const {
    std::vector<std::int64_t> sizes = dimensions(file_, port);
    return sizes.empty() ? std::nullopt : static_shape(std::move(sizes));
  }

  const XmlFile& file_;
  const ByteFile* weights_;
};

Model read(const XmlFile& file, const std::optional<std::string>& named) {
  Model model;
  model.form = "an OpenVINO IR of version " + std::to_string(version_of(file));
  const std::optional<ByteFile> weights = weights_of(file.path(), named);
  model.files.push_back(file.path());
  if (weights) model.files.push_back(weights->path());
  const Reader reader(file, weights ? &*weights : nullptr);
  for (Node node = file.root(); node; node = next_node(node)) {
    if (node.child("layers")) reader.read(Net(file, node), model);
  }
  return model;
}

}  // namespace

Result<Model> read_openvino_ir(const std::string& path, const std::optional<std::string>& weights) {
  const Result<XmlFile> file = XmlFile::read(path);
  if (!file) return file.error();
  try {
    return read(*file, weights);
  } catch (const Error& error) {
    return error;
  }
}

}  // namespace reshape::conformance
