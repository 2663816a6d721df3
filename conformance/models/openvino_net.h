#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/models/model.h"
#include "conformance/models/xml_file.h"
#include "reference/tensor/element_type.h"
#include "reference/tensor/shape.h"

namespace reshape::conformance {

// More output ports at a layer are an error: the lookup for each edge is linear in them.
inline constexpr std::int64_t kMostOutputPorts = 16384;

// Throws an Error, at the line of `node`, about a model that contradicts itself; read_openvino_ir
// catches it.
[[noreturn]] void refuse(const XmlFile& file, pugi::xml_node node, std::string message);

// Parses the whole of `text` as a number from `low` to 2^63-1, else throws an Error that names
// `what`.
std::int64_t number(const XmlFile& file, pugi::xml_node node, const char* what,
                    std::string_view text, std::int64_t low);

// The element type of a port's precision, such as "FP32"; nothing for types that no document has.
std::optional<ElementType> type_of_precision(std::string_view precision);

// The dimensions of a port, -1 for a dynamic one.
std::vector<std::int64_t> dimensions(const XmlFile& file, pugi::xml_node port);

// The layers of a <net> or of a body, and the edges between them.
class Net {
 public:
  // `net` is the element with <layers> and <edges>. `file` must outlive this.
  Net(const XmlFile& file, pugi::xml_node net);

  const std::vector<pugi::xml_node>& layers() const { return layers_; }

  // An output port of a layer.
  struct Output {
    pugi::xml_node layer;
    pugi::xml_node port;  // null where the layer does not list it
  };
  // The output port that feeds this input port; nothing where no edge leads to it.
  std::optional<Output> producer(pugi::xml_node layer, pugi::xml_node input) const;

 private:
  using PortName = std::pair<std::string, std::string>;  // ids of layer and port
  struct Edge {
    PortName from;
    pugi::xml_node node;
  };

  const XmlFile& file_;
  std::vector<pugi::xml_node> layers_;
  std::map<std::string, pugi::xml_node> by_id_;
  std::map<PortName, Edge> edges_;  // by the input port that they lead to
};

}  // namespace reshape::conformance
