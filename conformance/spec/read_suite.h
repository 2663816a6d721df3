#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/files/yaml_tree.h"
#include "conformance/model/clause.h"
#include "conformance/spec/case_sweep.h"
#include "conformance/spec/spec_file.h"
#include "reference/tensor/result.h"

namespace reshape::conformance {

// The YAML of a file; nothing, and a problem, where it is none.
std::optional<YamlNode> tree_of(const SpecFile& file, const std::string& folder,
                                std::vector<Error>& problems);

// Whether the file lies in this folder of specs/, itself or below it.
bool is_in(const SpecFile& file, std::string_view folder);

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
  // Of the problems: what well-formed files say together, such as a case that another one asks. The
  // others are files that cannot be read as what they should be.
  std::vector<Error> conflicts = {};
};

// Where a case stands, written or made: "specs/cases/zero.yaml:12".
template <typename AnyCase>
std::string place_of(const AnyCase& one, const std::string& folder) {
  return folder + '/' + one.file + ':' + std::to_string(one.line);
}

// The most cases that a suite may have, each document's counted: every one is kept in memory. The
// suite of specs/ has a fifth of it.
inline constexpr std::size_t kMostCases = 1'000'000;

// Reads the files of a folder like specs/. `folder` is its name as shown: the prefix of every
// `where`. A suite of more than `most_cases` is a problem, and none of its cases is kept.
SuiteReading read_suite(std::span<const SpecFile> files, const std::string& folder,
                        std::size_t most_cases = kMostCases);

}  // namespace reshape::conformance
