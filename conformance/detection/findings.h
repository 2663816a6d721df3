#pragma once

#include <span>
#include <vector>

#include "conformance/detection/diagnosis.h"
#include "conformance/detection/known_traits.h"
#include "conformance/run/result.h"

namespace reshape::conformance {

// What the failures of a run are about, by their verdicts alone: grouped by the clause and duty
// that each verdict points at, the largest group first. Each group has a sentence that says what is
// wrong, and conditions that all of its requests meet and few passing ones do.
//
// A verdict points at its first fault, with these exceptions. Changed inputs or arguments (C6, C11)
// go before answers that differ because of them (C17), and out-of-bounds accesses before the death
// that they caused. Failures that occur only after other requests are about C17. For a wrong shape
// the wrong axes decide: sizes that the pattern copies, infers or writes as 0 belong to that
// clause. For valid requests that are refused the document's derivations decide: the rule that all
// of them use and hardly any answered one; else the clause that is not enforced elsewhere. Where no
// group has most failures, groups of one duty that together do become one finding: wrong sizes of
// several clauses with a common condition, "no elements", or missing refusals of any clause.
std::vector<Diagnosis::Finding> findings_of(const RunResult& result,
                                            std::span<const CaseResult* const> failed,
                                            KnownTraits& known);

// The finding that may be called the cause: it has most of the failures, and at least a few if it
// only says that an answer is wrong. Null where there is none.
const Diagnosis::Finding* main_finding(const Diagnosis& diagnosis);

}  // namespace reshape::conformance
