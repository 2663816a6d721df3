#pragma once

#include <string>
#include <vector>

#include "conformance/model/clause.h"
#include "reference/tensor/result.h"

namespace reshape::conformance {

// One of `count` parts of a run, numbered from 1. A case belongs to the part that its id hashes to,
// so that the parts of one count are disjoint and complete, and adding a case moves no other.
struct Shard {
  int index = 1;
  int count = 1;

  bool holds(const std::string& id) const;
};
Result<Shard> parse_shard(const std::string& text);  // "2/4"

// Which cases to run. A case must meet at least one condition of each kind that has any.
struct Selection {
  std::vector<std::string> dialects;  // "openvino-reshape-1"
  std::vector<std::string> filters;   // of ids, with * and ?: "*/zero-*"
  std::vector<std::string> clauses;   // "zero.copies"
  std::vector<std::string> types;     // of data: "f32"

  bool any() const {
    return !dialects.empty() || !filters.empty() || !clauses.empty() || !types.empty();
  }
};

// The dialects of a suite by name, for messages: "a, b and c".
std::string known_dialects(const Suite& suite);

// The selected cases in the order of the suite. An error names what no case meets: a dialect, a
// filter, a clause, an element type, or all of them together. Shards are cut later, so an empty
// shard is no error.
Result<std::vector<const Case*>> select(const Suite& suite, const Selection& selection);

// The same without errors: empty where no case meets the conditions.
std::vector<const Case*> cases_that_meet(const Suite& suite, const Selection& selection);

// Keeps only one document's case for each name with Case::once. The name decides which document, so
// that the choice is stable and each document gets a share.
void ask_once(std::vector<const Case*>& cases);

}  // namespace reshape::conformance
