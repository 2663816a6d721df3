#include "conformance/models/xml_file.h"

#include <algorithm>

#include "conformance/files/plain_text.h"
#include "conformance/text/printable.h"

namespace reshape::conformance {

Result<XmlFile> XmlFile::read(const std::string& path) {
  const Result<std::string> text = read_text(path, kMostXmlBytes);
  if (!text) return Error{text.error().message, printable(text.error().where)};
  XmlFile file(path);
  for (std::size_t at = text->find('\n'); at != std::string::npos; at = text->find('\n', at + 1)) {
    file.line_ends_.push_back(static_cast<std::ptrdiff_t>(at));
  }
  // UTF-8 is forced: pugixml would convert other encodings, and offsets into the converted copy do
  // not give the lines of the file.
  const pugi::xml_parse_result parsed = file.tree_.load_buffer(
      text->data(), text->size(), pugi::parse_default | pugi::parse_doctype, pugi::encoding_utf8);
  if (!parsed) {
    return Error{std::string("not XML: ") + parsed.description(), file.place_at(parsed.offset)};
  }
  for (const pugi::xml_node node : file.tree_.children()) {
    if (node.type() != pugi::node_doctype) continue;
    return Error{"has a DOCTYPE, which no model needs and which is not read", file.place(node)};
  }
  return file;
}

std::string XmlFile::place(pugi::xml_node node) const { return place_at(node.offset_debug()); }

std::string XmlFile::place_at(std::ptrdiff_t offset) const {
  const auto before = std::lower_bound(line_ends_.begin(), line_ends_.end(), offset);
  return printable(path_) + ':' + std::to_string(before - line_ends_.begin() + 1);
}

}  // namespace reshape::conformance
