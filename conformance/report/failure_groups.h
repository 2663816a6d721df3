#pragma once

#include <string>
#include <vector>

#include "conformance/run/result.h"

namespace reshape::conformance {

// Failures that are alike: the same plane, the same clause or duty, caught by the same watch, expected
// and answered in the same words once numbers are left out; on the bytes plane also of the same
// element type, unless elements of every type that was compared are wrong so, and do not hold something else in some
// types than in others.
struct FailureGroup {
  std::vector<const CaseResult*> cases;  // the plainest, and the others in the order of the run
};

// The failures of a run that its baseline does not know, in groups: the largest first, and of equal
// size the one that comes first in the run.
std::vector<FailureGroup> failure_groups(const RunResult& run);

// Of a few failures all, in the order of the run; of more than `most` the first of each group, up to so many, so
// that a kind with many cases hides no other.
std::vector<const CaseResult*> printed_failures(const RunResult& run, int most);

// "213 more like this, in u8, f32 and 4 types more: one-id, another-id and 211 more", or empty for a
// group of one.
std::string others_of(const FailureGroup& group);

}  // namespace reshape::conformance
