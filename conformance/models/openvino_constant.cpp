#include "conformance/models/openvino_constant.h"

#include <utility>

namespace reshape::conformance {
namespace {

// Parses the attribute `shape`, such as "2, 3"; it is empty for a scalar.
std::vector<std::int64_t> sizes_of(const XmlFile& file, pugi::xml_node data) {
  std::string_view list = data.attribute("shape").value();
  std::vector<std::int64_t> sizes;
  if (list.find_first_not_of(" \t\r\n") == std::string_view::npos) return sizes;
  while (true) {
    const std::size_t comma = list.find(',');
    sizes.push_back(number(file, data, "a size of the constant", list.substr(0, comma), 0));
    if (static_cast<std::int64_t>(sizes.size()) > kMostDimensions) {
      refuse(file, data,
             "the constant has more than " + std::to_string(kMostDimensions) + " dimensions");
    }
    if (comma == std::string_view::npos) return sizes;
    list.remove_prefix(comma + 1);
  }
}

// Early IRs of version 10 state type and shape of a constant only at its port.
Shape shape_of(const XmlFile& file, const Net::Output& constant, pugi::xml_node data) {
  if (data.attribute("shape")) return Shape(sizes_of(file, data));
  std::vector<std::int64_t> sizes = dimensions(file, constant.port);
  for (const std::int64_t size : sizes) {
    if (size < 0) refuse(file, constant.port, "the port of a constant has a dynamic dimension");
  }
  return Shape(std::move(sizes));
}

std::optional<ElementType> type_of(const XmlFile& file, const Net::Output& constant,
                                   pugi::xml_node data) {
  const auto of_port = type_of_precision(constant.port.attribute("precision").value());
  const pugi::xml_attribute type = data.attribute("element_type");
  if (!type) return of_port;
  const auto own = element_type_named(type.value());
  if (own && of_port && own != of_port) {
    refuse(file, data,
           "the constant is " + in_quotes(type.value()) + ", and its port " +
               in_quotes(constant.port.attribute("precision").value()));
  }
  return own;
}

}  // namespace

std::variant<ShapePattern, Unstated> pattern_of_constant(const XmlFile& file,
                                                         const Net::Output& constant,
                                                         const ByteFile* weights) {
  const pugi::xml_node data = constant.layer.child("data");
  if (!data) refuse(file, constant.layer, "a Const has no <data>");
  const std::optional<ElementType> type = type_of(file, constant, data);
  if (!type || !is_integer(*type)) return Unstated::pattern_type;
  const Shape shape = shape_of(file, constant, data);
  const std::optional<std::int64_t> count = element_count(shape);
  if (!count || *count > INT64_MAX / 8) return Unstated::long_pattern;
  const std::int64_t offset = number(file, data, "offset", data.attribute("offset").value(), 0);
  const std::int64_t size = number(file, data, "size", data.attribute("size").value(), 0);
  const std::int64_t needed = bytes_for(*type, *count);
  if (size != needed) {
    refuse(file, data,
           "the constant " + std::string(name(*type)) + text(shape) + " takes " +
               std::to_string(needed) + " bytes, and its size is " + std::to_string(size));
  }
  if (*count > kMostPatternValues) return Unstated::long_pattern;
  if (weights == nullptr) return Unstated::no_constants;
  const Result<std::string> bytes = weights->bytes(offset, size);
  if (!bytes) refuse(file, data, bytes.error().message);
  return pattern_of(*type, shape, *bytes);
}

}  // namespace reshape::conformance
