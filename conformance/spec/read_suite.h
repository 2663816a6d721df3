#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "conformance/model/clause.h"
#include "conformance/spec/case_sweep.h"
#include "conformance/spec/spec_file.h"
#include "reference/tensor/result.h"

namespace reshape::conformance {

// The documents of a folder like specs/, before a case is read.
struct DocumentsReading {
  Suite suite;  // no document has cases yet
  KnownNames known;
  std::vector<Error> problems;
};
DocumentsReading read_documents(std::span<const SpecFile> files, const std::string& folder);

// The written cases of every file of cases/ and regressions/. Those for a single document are in
// the words of its dialect.
std::vector<WrittenCase> read_written_cases(std::span<const SpecFile> files,
                                            const std::string& folder, const KnownNames& known,
                                            std::span<const Dialect> dialects,
                                            std::vector<Error>& problems);

// All that could be read, and all that is wrong with it: `where` is file and line.
struct SuiteReading {
  Suite suite;
  std::vector<WrittenCase> written;
  std::vector<Error> problems;
};

// Reads the files of a folder like specs/. `folder` is its name as shown: the prefix of every
// `where`.
SuiteReading read_suite(std::span<const SpecFile> files, const std::string& folder);

}  // namespace reshape::conformance
