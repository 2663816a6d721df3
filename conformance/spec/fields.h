#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "conformance/files/yaml_tree.h"
#include "reference/tensor/result.h"

namespace reshape::conformance {

// The sentence of a problem, cut after 1000 bytes: it may quote a file, which has up to 16 MiB.
std::string shortened(std::string sentence);

// Collects the problems of one file.
class Problems {
 public:
  Problems(std::vector<Error>& all, std::string file) : all_(all), file_(std::move(file)) {}

  void add(int line, std::string message) {
    all_.push_back({shortened(std::move(message)), file_ + ':' + std::to_string(line)});
  }

 private:
  std::vector<Error>& all_;
  std::string file_;  // the path to show: "specs/cases/zero.yaml"
};

// Reads the keys of one YAML map by name. Missing required keys, values of the wrong kind and, on
// finish(), keys that were not read are problems.
class Fields {
 public:
  // `what` names the map in messages: "a clause".
  Fields(const YamlNode& map, std::string what, Problems& problems);

  bool is_map() const { return map_.kind == YamlNode::Kind::map; }
  int line_of(std::string_view key) const;  // of the key's value, else of the map
  bool has(std::string_view key) const { return find(key) != nullptr; }

  // Empty (and a problem) where a required key is absent or not text.
  std::string text(std::string_view key);
  std::string optional_text(std::string_view key);
  bool optional_boolean(std::string_view key, bool absent);
  // A list of plain texts.
  std::vector<std::string> optional_texts(std::string_view key);
  std::vector<std::string> texts(std::string_view key);
  // The value itself; null (and a problem) where absent.
  const YamlNode* node(std::string_view key);
  const YamlNode* optional_node(std::string_view key);

  void finish();

 private:
  const YamlNode* find(std::string_view key) const;
  std::string text_of(std::string_view key, const YamlNode& value);

  const YamlNode& map_;
  std::string what_;
  Problems& problems_;
  std::vector<std::string> asked_;
};

// The permitted words of a scalar as a list: "must, should or may".
std::string one_of(const std::vector<std::string>& words);

}  // namespace reshape::conformance
