#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reference/tensor/result.h"

namespace reshape::conformance {

// A YAML text as plain values that remember their lines. Scalars are text; nothing is converted.
struct YamlNode {
  enum class Kind : unsigned char { null, scalar, list, map };
  struct Entry;

  Kind kind = Kind::null;
  int line = 1;  // counted from 1
  std::string scalar;
  std::vector<YamlNode> items;
  std::vector<Entry> entries;  // in the order of the text; keys are scalars and unique
};

struct YamlNode::Entry {
  std::string key;
  int line = 1;
  YamlNode value;
};

// Parses one YAML document. Anchors, aliases, a second document and repeated keys are errors, so
// that a case can be read on its own. The error's `where` is the line, as text.
Result<YamlNode> parse_yaml(std::string_view text);

}  // namespace reshape::conformance
