#pragma once

#include <span>
#include <vector>

#include "conformance/detection/diagnosis.h"
#include "conformance/detection/known_traits.h"
#include "conformance/run/result.h"

namespace reshape::conformance {

// Begins what is said of failures that hang on a point of the run.
inline constexpr const char* kInTheOrder = "; in the order of the cases, ";

// What the failures of a run are about, by their verdicts alone: grouped by the clause and duty
// that each verdict points at, the largest group first. Each group has a sentence that says what is
// wrong, and conditions that all of its requests meet and few passing ones do.
//
// A verdict points at its first fault, with these exceptions. Changed inputs or arguments (C6, C11)
// go before answers that differ because of them (C17), and out-of-bounds accesses before the death
// that they caused. Failures that occur only after other requests are about C17. For a wrong shape
// the wrong axes decide, also where a size is below 0: sizes that the pattern copies, infers or
// writes as 0 belong to that clause. For valid requests that are refused the document's derivations
// decide: the rule that all of them use and hardly any answered one; else the clause that is not
// enforced elsewhere. A view that is not made is no part of the group of wrong ones.
//
// Groups of wrong answers that are told alike become one finding if all of them have a common
// condition that hardly any passing case meets. Where no group has most failures, groups of one
// duty that together do become one: wrong sizes of several clauses with a common condition, "no
// elements", or missing refusals of any clause. Groups whose failures meet the conditions of the
// largest, which so many would not by coincidence, join it.
std::vector<Diagnosis::Finding> findings_of(const RunResult& result,
                                            std::span<const CaseResult* const> failed,
                                            KnownTraits& known);

// Puts the finding of answers that hang on earlier requests first where mistakes are named that
// know nothing of these: without it they would be read as the whole cause.
void put_history_first(Diagnosis& diagnosis);

// Marks the findings whose failures may have the cause of those of the first: a few besides nearly
// all, of the same duty or plane, and those that all meet its conditions, which few passing cases
// do. None where known mistakes explain failures.
void mark_as_the_first(const RunResult& result, Diagnosis& diagnosis);

// The finding that may be called the cause: it has most of the failures, and at least a few if it
// only says that an answer is wrong. Null where there is none.
const Diagnosis::Finding* main_finding(const Diagnosis& diagnosis);

}  // namespace reshape::conformance
