#pragma once

#include <cstddef>
#include <pugixml.hpp>
#include <string>
#include <vector>

#include "reference/tensor/result.h"

namespace reshape::conformance {

// Larger files are an error: a node of the parsed tree takes more memory than its text.
inline constexpr std::size_t kMostXmlBytes = std::size_t{64} << 20;

// A parsed XML file. Only the five predefined entities are expanded, and no other file is opened. A
// DOCTYPE is an error: a model needs none, and its declarations would be silently ignored.
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

// The next node in document order; null behind the last. Not recursive, because the file decides how
// deep it is.
pugi::xml_node next_node(pugi::xml_node node);

}  // namespace reshape::conformance
