#pragma once

#include <string_view>

namespace reshape::conformance::performance {

// The text of workloads.yaml; built_in_yaml.cpp.in becomes its source.
extern const std::string_view kBuiltInYaml;

}  // namespace reshape::conformance::performance
