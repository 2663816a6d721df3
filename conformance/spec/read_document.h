#pragma once

#include "conformance/model/clause.h"
#include "conformance/spec/fields.h"
#include "conformance/spec/yaml_tree.h"

namespace reshape::conformance {

// A document.yaml, without its cases. What is wrong goes to `problems`; what could be read is
// given.
Document read_document(const YamlNode& root, Problems& problems);

// The key `rules`: how the document answers the questions of reference/tensor/dialect.h. Every
// question that applies is answered, so that no rule holds by silence.
Dialect read_rules(const YamlNode& rules, Problems& problems);

}  // namespace reshape::conformance
