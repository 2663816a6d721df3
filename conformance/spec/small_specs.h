#pragma once

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "conformance/spec/embedded_specs.h"
#include "conformance/spec/spec_file.h"

namespace reshape::conformance {

inline constexpr const char* kSmallCases = "cases/small.yaml";
inline constexpr const char* kSmallDocument = "dialects/small-reshape.yaml";

// A folder with one small document, without problems and orphans. Tests spoil one thing of it at a
// time. Its clauses.yaml is that of specs/, without the `needed` keys.
inline std::vector<SpecFile> small_specs() {
  std::string clauses;
  for (const EmbeddedSpec& spec : kEmbeddedSpecs) {
    if (std::string(spec.path) == "clauses.yaml") clauses = spec.text();
  }
  constexpr std::string_view kNeeded = "\n  needed: ";
  for (std::size_t at = clauses.find(kNeeded); at != std::string::npos;
       at = clauses.find(kNeeded)) {
    clauses.erase(at, clauses.find('\n', at + 1) - at);
  }
  return {{kSmallCases,
           R"(? minus-one.once, volume.kept, minus-one.inferred, pattern.attribute, pattern.values,
  zero.past-rank, zero.with-minus-one, special-zero.default, data.scalar, pattern.empty
:
  infers: {ask: "f32[2,3] P[3,-1] special_zero=true", expect: "produces [3,2]"}

minus-one.once:
  two: {ask: "f32[2,3] P[-1,-1] special_zero=true", expect: rejects minus-one.once}
volume.kept:
  other-volume: {ask: "f32[2,3] P[4] special_zero=true", expect: rejects volume.kept,
    source: "https://example.org/1"}
minus-one.beside-copied-zero:
  open: {ask: "f32[0,3] P[0,-1] special_zero=true",
    expect: "unspecified minus-one.beside-copied-zero permits rejects | produces [0,*]"}
pattern.values:
  below: {ask: "f32[6] P[-2,3] special_zero=true", expect: rejects pattern.values}
zero.past-rank:
  past: {ask: "f32[6] P[6,0] special_zero=true", expect: rejects zero.past-rank}
zero.with-minus-one:
  both: {ask: "f32[0,3] P[0,-1] special_zero=false", expect: rejects zero.with-minus-one}
volume.beyond-int64:
  large:
    ask: f32[4294967296,4294967296] P[4294967296,4294967296] special_zero=true shape_only=true
    expect: unspecified volume.beyond-int64 permits rejects | produces [4294967296,4294967296]
)"},
          {"clauses.yaml", clauses},
          {kSmallDocument, R"(dialect: small-reshape
title: Reshape
versioned_name: Reshape-1
publisher: Nobody
version: 1
licence: Apache-2.0
sections: [pattern]
rules:
  pattern_given_as: attribute
  pattern_types: integers
  data_types: [f32, i8]
  scalar_data: produces
  empty_pattern: produces
  minus_one: inferred
  values_below_minus_one: rejects
  zero: by_flag
  flag: {name: plain_zero, copies: no, literal: yes}
  flag_missing: copies
  zero_past_rank: rejects
  literal_zero_with_minus_one: rejects
  minus_one_beside_copied_zero: unspecified
  volume_beyond_int64: unspecified
clauses:
  pattern.attribute: pattern
  minus-one.once: {section: pattern, level: must, says: At most one -1.}
  volume.kept:
    section: pattern
    level: derived
    because: Elements neither appear nor disappear.
  minus-one.beside-copied-zero: pattern
  minus-one.inferred: pattern
  pattern.values: pattern
  zero.past-rank: pattern
  zero.with-minus-one: pattern
  special-zero.default: pattern
  data.scalar: pattern
  pattern.empty: pattern
  volume.beyond-int64: pattern
)"},
          {"suite.yaml", "suite: reshape-conformance\nversion: 1.2.3\nlists: {both: [f32, i8]}\n"}};
}

// small_specs() with the first `from` of the file at `path` replaced by `to`.
inline std::vector<SpecFile> spoiled(const std::string& path, const std::string& from,
                                     const std::string& to) {
  std::vector<SpecFile> files = small_specs();
  for (SpecFile& file : files) {
    const std::size_t at = file.text.find(from);
    if (file.path == path && at != std::string::npos) file.text.replace(at, from.size(), to);
  }
  return files;
}

// A folder of its own with these files, gone at the end of the test.
class TestFolder {
 public:
  explicit TestFolder(const std::vector<SpecFile>& files = {}) {
    std::string pattern = (std::filesystem::temp_directory_path() / "files-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
    for (const SpecFile& file : files) {
      const std::filesystem::path path = path_ / file.path;
      std::filesystem::create_directories(path.parent_path());
      std::ofstream(path, std::ios::binary) << file.text;
    }
  }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;
  ~TestFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace reshape::conformance
