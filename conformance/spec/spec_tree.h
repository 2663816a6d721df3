#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/files/yaml_tree.h"
#include "conformance/spec/spec_file.h"

namespace reshape::conformance {

// The YAML of a file; nothing, and a problem, where it is none.
std::optional<YamlNode> tree_of(const SpecFile& file, const std::string& folder,
                                std::vector<Error>& problems);

// Whether the file lies in this folder of specs/, itself or below it.
bool is_in(const SpecFile& file, std::string_view folder);

}  // namespace reshape::conformance
