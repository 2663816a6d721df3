#pragma once

#include <span>
#include <string>
#include <vector>

#include "conformance/model/clause.h"
#include "conformance/spec/spec_file.h"
#include "reference/tensor/result.h"

namespace reshape::conformance {

struct LintReport {
  std::size_t documents = 0;
  std::size_t cases = 0;
  std::vector<Error> problems;  // `where` is file and line
};

// Everything that loading checks, all of it and not only the first problem, and what the cases
// mean: the reference's rules agree with every expectation, no request stands twice in one dialect,
// and written-out elements come out as they went in.
LintReport lint(std::span<const SpecFile> files, const std::string& folder);

// The same of a suite that was loaded, where only the meaning is left to check. `folder` begins
// every place.
LintReport lint(const Suite& suite, const std::string& folder);

}  // namespace reshape::conformance
