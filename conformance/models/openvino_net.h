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

// A layer of more output ports is an error: each edge looks them through.
inline constexpr std::int64_t kMostOutputPorts = 16384;

// Inside of this room a model that contradicts itself is thrown as an Error, which read_openvino_ir
// catches: every reader of an attribute can find one.
[[noreturn]] void refuse(const XmlFile& file, pugi::xml_node node, std::string message);

// The value of an attribute in quotes, fit for a sentence.
std::string in_quotes(std::string_view text);

// A number that is all of `text`, between `low` and 2^63-1; refused as `what` otherwise.
std::int64_t number(const XmlFile& file, pugi::xml_node node, const char* what,
                    std::string_view text, std::int64_t low);

// "FP32" as ports write it; nothing for what no document names.
std::optional<ElementType> type_of_precision(std::string_view precision);

// The dimensions of a port as they stand there, -1 for a dynamic one.
std::vector<std::int64_t> dimensions(const XmlFile& file, pugi::xml_node port);

// The layers that stand together in a <net> or a body, and the edges between them.
class Net {
 public:
  // Of the element that has <layers> and <edges>.
  Net(const XmlFile& file, pugi::xml_node net);

  const std::vector<pugi::xml_node>& layers() const { return layers_; }

  // An output port of a layer.
  struct Output {
    pugi::xml_node layer;
    pugi::xml_node port;  // null where the layer does not list it
  };
  // What feeds the input port of that layer; nothing where no edge does.
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
  std::map<PortName, Edge> edges_;  // by what they lead to
};

}  // namespace reshape::conformance
