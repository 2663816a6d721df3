#include "conformance/models/xml_file.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "conformance/files/plain_text.h"
#include "conformance/text/printable.h"

namespace reshape::conformance {
namespace {

// An attribute that an element has twice, which pugixml lets pass: one of both would be ignored.
const char* given_twice(pugi::xml_node node) {
  std::set<std::string_view> names;
  for (const pugi::xml_attribute attribute : node.attributes()) {
    if (!names.insert(attribute.name()).second) return attribute.name();
  }
  return nullptr;
}

}  // namespace

pugi::xml_node next_node(pugi::xml_node node) {
  if (node.first_child()) return node.first_child();
  while (node && !node.next_sibling()) node = node.parent();
  return node.next_sibling();
}

Result<XmlFile> XmlFile::read(const std::string& path) {
  const Result<std::string> text = read_text(path, kMostXmlBytes, Bytes::of_any_encoding);
  if (!text) return Error{text.error().message, printable(text.error().where)};
  XmlFile file(path);
  for (std::size_t at = text->find('\n'); at != std::string::npos; at = text->find('\n', at + 1)) {
    file.line_ends_.push_back(static_cast<std::ptrdiff_t>(at));
  }
  // UTF-8 is forced: pugixml would convert other encodings, and offsets into the converted copy do
  // not give the lines of the file.
  const pugi::xml_parse_result parsed = file.tree_.load_buffer(
      text->data(), text->size(), pugi::parse_default | pugi::parse_doctype | pugi::parse_fragment,
      pugi::encoding_utf8);
  if (!parsed) {
    return Error{std::string("not XML: ") + parsed.description(), file.place_at(parsed.offset)};
  }
  if (!file.root()) return Error{"not XML: it has no element", printable(path)};
  for (const pugi::xml_node node : file.tree_.children()) {
    if (node.type() == pugi::node_doctype) {
      return Error{"has a DOCTYPE, which no model needs and which is not read", file.place(node)};
    }
    if (node != file.root()) {
      return Error{"not XML: more follows or precedes its one element", file.place(node)};
    }
  }
  for (pugi::xml_node node = file.root(); node; node = next_node(node)) {
    if (const char* twice = given_twice(node)) {
      return Error{std::string("not XML: <") + printable(node.name(), 60) + "> has " +
                       printable(twice, 60) + " twice",
                   file.place(node)};
    }
  }
  return file;
}

std::string XmlFile::place(pugi::xml_node node) const { return place_at(node.offset_debug()); }

std::string XmlFile::place_at(std::ptrdiff_t offset) const {
  const auto before = std::lower_bound(line_ends_.begin(), line_ends_.end(), offset);
  return printable(path_) + ':' + std::to_string(before - line_ends_.begin() + 1);
}

}  // namespace reshape::conformance
