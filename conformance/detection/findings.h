#pragma once

#include <span>
#include <vector>

#include "conformance/detection/diagnosis.h"
#include "conformance/detection/known_traits.h"
#include "conformance/run/result.h"

namespace reshape::conformance {

// What the failures of a run are about, told by their verdicts alone: they are grouped by the clause and
// duty that each verdict points at, the largest group first. Of each group: what is wrong in one sentence,
// and what all its requests have that few of the passing ones have.
//
// A verdict points at its first fault, with these exceptions. Inputs or arguments that were changed go
// before answers that then differ (C6, C11 before C17), and a death before what was asked. Failures that show
// only after other requests are about C17. Of a wrong shape the places decide: sizes that the pattern
// copies, infers or writes as 0 are of that clause. And of valid requests that are refused the document's
// derivations decide: the rule that all of them go through, where hardly any answered one does; else the
// clause that is let through elsewhere. Where no group holds most failures, groups of one duty
// that do are one finding: wrong sizes of several clauses that have a condition in common, "no elements", or
// refusals that are missing whatever the clause.
std::vector<Diagnosis::Finding> findings_of(const RunResult& result,
                                            std::span<const CaseResult* const> failed,
                                            KnownTraits& known);

// The finding that may be called the cause: it holds most of the failures, and a few at least where it says
// no more than that an answer is wrong. Null where there is none.
const Diagnosis::Finding* main_finding(const Diagnosis& diagnosis);

}  // namespace reshape::conformance
