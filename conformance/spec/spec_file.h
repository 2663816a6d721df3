#pragma once

#include <string>
#include <vector>

#include "reference/tensor/result.h"

namespace reshape::conformance {

// One file of a folder like specs/, wherever it came from.
struct SpecFile {
  std::string path;  // relative to the folder: "dialects/openvino-reshape-1.yaml"
  std::string text;
};

// The .yaml files of `folder` and its sub-folders, ordered by path. Refuses names that look like
// theirs (.yml, .YAML, .json) and would never be asked. Skips hidden files and folders, and the
// folder schema/.
Result<std::vector<SpecFile>> read_spec_files(const std::string& folder);

}  // namespace reshape::conformance
