#include "conformance/models/openvino_net.h"

#include <charconv>

namespace reshape::conformance {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::string attribute(const XmlFile& file, pugi::xml_node node, const char* name) {
  const pugi::xml_attribute found = node.attribute(name);
  if (!found) {
    refuse(file, node, std::string("<") + node.name() + "> has no attribute " + name);
  }
  return found.value();
}

}  // namespace

void refuse(const XmlFile& file, pugi::xml_node node, std::string message) {
  throw Error{std::move(message), file.place(node)};
}

std::int64_t number(const XmlFile& file, pugi::xml_node node, const char* what,
                    std::string_view text, std::int64_t low) {
  const std::string_view digits = trimmed(text);
  std::int64_t value = 0;
  const char* end = digits.data() + digits.size();
  const auto [stopped, code] = std::from_chars(digits.data(), end, value);
  if (code != std::errc() || stopped != end || value < low) {
    refuse(file, node,
           std::string(what) + " is " + in_quotes(text) + ", and not a number from " +
               std::to_string(low) + " to 2^63-1");
  }
  return value;
}

std::optional<ElementType> type_of_precision(std::string_view precision) {
  constexpr std::pair<std::string_view, ElementType> kNames[] = {
      {"FP64", ElementType::f64},  {"FP32", ElementType::f32},      {"FP16", ElementType::f16},
      {"BF16", ElementType::bf16}, {"F8E4M3", ElementType::f8e4m3}, {"F8E5M2", ElementType::f8e5m2},
      {"I64", ElementType::i64},   {"I32", ElementType::i32},       {"I16", ElementType::i16},
      {"I8", ElementType::i8},     {"I4", ElementType::i4},         {"U64", ElementType::u64},
      {"U32", ElementType::u32},   {"U16", ElementType::u16},       {"U8", ElementType::u8},
      {"U4", ElementType::u4},     {"BOOL", ElementType::boolean}};
  for (const auto& [name, type] : kNames) {
    if (name == precision) return type;
  }
  return std::nullopt;
}

std::vector<std::int64_t> dimensions(const XmlFile& file, pugi::xml_node port) {
  std::vector<std::int64_t> sizes;
  for (const pugi::xml_node dim : port.children("dim")) {
    sizes.push_back(number(file, dim, "a dimension", dim.text().get(), -1));
    if (static_cast<std::int64_t>(sizes.size()) > kMostDimensions) {
      refuse(file, port, "a port has more than " + std::to_string(kMostDimensions) + " dimensions");
    }
  }
  return sizes;
}

Net::Net(const XmlFile& file, pugi::xml_node net) : file_(file) {
  for (const pugi::xml_node layer : net.child("layers").children("layer")) {
    const std::string id = attribute(file, layer, "id");
    if (!by_id_.emplace(id, layer).second) {
      refuse(file, layer, "a second layer has the id " + in_quotes(id));
    }
    for (const char* part : {"data", "input", "output"}) {
      if (const pugi::xml_node second = layer.child(part).next_sibling(part)) {
        refuse(file, second, "a layer has two <" + std::string(part) + ">");
      }
    }
    layers_.push_back(layer);
  }
  for (const pugi::xml_node edge : net.child("edges").children("edge")) {
    PortName to{attribute(file, edge, "to-layer"), attribute(file, edge, "to-port")};
    PortName from{attribute(file, edge, "from-layer"), attribute(file, edge, "from-port")};
    if (!edges_.emplace(to, Edge{std::move(from), edge}).second) {
      refuse(file, edge,
             "a second edge leads to port " + in_quotes(to.second) + " of layer " +
                 in_quotes(to.first));
    }
  }
}

std::optional<Net::Output> Net::producer(pugi::xml_node layer, pugi::xml_node input) const {
  const auto edge = edges_.find({layer.attribute("id").value(), attribute(file_, input, "id")});
  if (edge == edges_.end()) return std::nullopt;
  const auto& [from_layer, from_port] = edge->second.from;
  const auto from = by_id_.find(from_layer);
  if (from == by_id_.end()) {
    refuse(file_, edge->second.node,
           "an edge comes from layer " + in_quotes(from_layer) + ", which is not there");
  }
  std::int64_t ports = 0;
  for (const pugi::xml_node port : from->second.child("output").children("port")) {
    if (from_port == port.attribute("id").value()) return Output{from->second, port};
    if (++ports > kMostOutputPorts) {
      refuse(file_, from->second,
             "a layer has more than " + std::to_string(kMostOutputPorts) + " output ports");
    }
  }
  // Without ports, it says nothing of them.
  if (ports > 0) {
    refuse(file_, edge->second.node,
           "an edge comes from port " + in_quotes(from_port) + " of layer " +
               in_quotes(from_layer) + ", which is not there");
  }
  return Output{from->second, {}};
}

}  // namespace reshape::conformance
