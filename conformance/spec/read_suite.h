#pragma once

#include <span>
#include <string>
#include <vector>

#include "conformance/model/clause.h"
#include "conformance/spec/spec_file.h"
#include "reference/tensor/result.h"

namespace reshape::conformance {

// All that could be read, and all that is wrong with it: `where` is file and line.
struct SuiteReading {
  Suite suite;
  std::vector<Error> problems;
};

// The files of a folder like specs/. `folder` is how a person calls that folder: it begins every
// place.
SuiteReading read_suite(std::span<const SpecFile> files, const std::string& folder);

}  // namespace reshape::conformance
