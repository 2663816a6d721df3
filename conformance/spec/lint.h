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
  // Of the problems: what is no document or no case, whatever the others say.
  std::vector<Error> ill_formed = {};
};

// Reports every problem that loading checks for, not only the first, and checks what the cases
// mean: the reference's rules agree with every expectation, no request occurs twice in one dialect,
// and written-out elements survive printing and parsing.
LintReport lint(std::span<const SpecFile> files, const std::string& folder);

// The same for a loaded suite, where only the meaning is left to check. `folder` is the prefix of
// every `where`.
LintReport lint(const Suite& suite, const std::string& folder);

}  // namespace reshape::conformance
