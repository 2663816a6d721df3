#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "conformance/model/clause.h"
#include "conformance/spec/fields.h"
#include "conformance/spec/yaml_tree.h"

namespace reshape::conformance {

// A file of cases. Ids get `prefix` ("openvino-reshape-1/"); a case with `over` becomes one case
// for each combination of its values, with the values at the end of its id. `dialect` is the
// folder's; where it is empty, each request says its own. Cases that could not be read are left
// out.
std::vector<Case> read_cases(const YamlNode& root, const std::string& prefix,
                             std::string_view dialect, Problems& problems);

}  // namespace reshape::conformance
