#pragma once

#include <string>
#include <vector>

#include "conformance/run/result.h"

namespace reshape::conformance {

// Similar failures: with the same plane, clause or duty, watch, and the same expected and answered
// words without numbers. On the bytes plane also with the same element type, unless all compared
// types are wrong in this way, with the same kind of values, or the same is told of their wrong
// elements. Failures that occur only after a request that is similar to them in the same way are
// similar, whatever else they have.
struct FailureGroup {
  std::vector<const CaseResult*> cases;  // the simplest first, then the others in the run's order
};

// The failures of a run that its baseline does not know, in groups: the largest first, and of equal
// size the one that comes first in the run.
std::vector<FailureGroup> failure_groups(const RunResult& run);

// The failures to look at once more: all of them in the order of the run, or, if there are more
// than `most`, the first of each group up to that number, so that a kind with many cases does not
// hide others.
std::vector<const CaseResult*> printed_failures(const RunResult& run, int most);

// "a, b and 5 more".
std::string some_of(const std::vector<std::string>& words);

// "213 more like this, in u8, f32 and 4 types more: one-id, another-id and 211 more", or empty for
// a group of one.
std::string others_of(const FailureGroup& group);

}  // namespace reshape::conformance
