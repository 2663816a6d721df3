#pragma once

#include <string>
#include <vector>

#include "conformance/spec/spec_file.h"

namespace reshape::conformance {

// A folder of one small document, for tests: two clauses besides the silent one, three cases, no
// problem, no orphan. Tests spoil one thing of it at a time.
inline std::vector<SpecFile> small_specs() {
  return {{"small-reshape/cases.yaml",
           R"(cases:
  - id: infers
    clauses: [minus-one.once, volume.kept]
    source: {kind: document, section: pattern}
    request: f32[2,3] i64[3,-1] special_zero=true
    expect: produces [3,2]

  - id: two
    clauses: [minus-one.once]
    source: {kind: derived, section: pattern}
    request: f32[2,3] i64[-1,-1] special_zero=true
    expect: rejects minus-one.once
  - id: other-volume
    clauses: [volume.kept]
    source: {kind: public issue, link: 'https://example.org/1'}
    request: f32[2,3] i64[4] special_zero=true
    expect: rejects volume.kept
  - id: open
    clauses: [minus-one.beside-copied-zero]
    source: {kind: derived, section: pattern}
    request: f32[0,3] i64[0,-1] special_zero=true
    expect: unspecified minus-one.beside-copied-zero permits rejects | produces [0,*]
)"},
          {"small-reshape/document.yaml",
           R"(dialect: small-reshape
title: Reshape
versioned_name: Reshape-1
publisher: Nobody
version: 1
licence: Apache-2.0
rules:
  pattern_given_as: tensor
  pattern_types: integers
  pattern_not_one_dimensional: rejects
  data_types: [f32, i8]
  scalar_data: produces
  empty_pattern: produces
  zero: by_flag
  flag_missing: rejects
  zero_past_rank: rejects
  literal_zero_with_minus_one: unspecified_if_empty
  minus_one_beside_copied_zero: unspecified
  volume_beyond_int64: unspecified
clauses:
  - id: minus-one.once
    level: must
    section: pattern
    says: At most one -1.
  - id: volume.kept
    level: derived
    section: pattern
    says: The volumes are equal.
    because: Elements neither appear nor disappear.
  - id: minus-one.beside-copied-zero
    level: silent
    section: pattern
    says: A -1 beside a copied 0 is open.
    because: Every size keeps the count.
    breakable: false
)"},
          {"suite.yaml", "suite: reshape-conformance\nversion: 1.2.3\n"}};
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

}  // namespace reshape::conformance
