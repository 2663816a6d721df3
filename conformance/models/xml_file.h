#pragma once

#include <cstddef>
#include <pugixml.hpp>
#include <string>
#include <vector>

#include "reference/tensor/result.h"

namespace reshape::conformance {

// Files larger than this are not read: a node of the tree takes more room than its text.
inline constexpr std::size_t kMostXmlBytes = std::size_t{64} << 20;

// An XML file, parsed. No entity but the five of XML itself is expanded, nothing else is opened, and a
// file with a DOCTYPE is refused: a model needs none, and what it declares would be silently ignored.
class XmlFile {
 public:
  // The error's place is "path:line".
  static Result<XmlFile> read(const std::string& path);

  pugi::xml_node root() const { return tree_.document_element(); }
  const std::string& path() const { return path_; }
  // "path:line" of an element.
  std::string place(pugi::xml_node node) const;

 private:
  explicit XmlFile(std::string path) : path_(std::move(path)) {}
  std::string place_at(std::ptrdiff_t offset) const;

  std::string path_;
  pugi::xml_document tree_;
  std::vector<std::ptrdiff_t> line_ends_;  // offsets of the line feeds
};

}  // namespace reshape::conformance
