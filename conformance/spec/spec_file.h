#pragma once

#include <string>
#include <vector>

#include "reference/tensor/result.h"

namespace reshape::conformance {

// One file of a folder like specs/, wherever it came from.
struct SpecFile {
  std::string path;  // below the folder, with /: "openvino-reshape-1/document.yaml"
  std::string text;
};

// The .yaml files of `folder` and its sub-folders, ordered by path. Hidden files and folders, and
// the folder schema/, are passed over.
Result<std::vector<SpecFile>> read_spec_files(const std::string& folder);

}  // namespace reshape::conformance
