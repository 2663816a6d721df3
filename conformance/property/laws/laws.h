#pragma once

#include <optional>
#include <string>
#include <vector>

#include "conformance/property/law.h"

// Every law by name; each says in its file what it means. The table is in ../laws.cpp.
namespace reshape::conformance::laws {

// algebra.cpp: what a Reshape of a Reshape is.
Law volume_kept();
Law composition();
Law round_trip();
Law ones_inserted();
Law idempotent();
Law batch_permutation();

// patterns.cpp: ways of asking for the same shape.
Law minus_one_resolves();
Law flag_without_zeros();
Law element_type_free();

// memory.cpp: where the bytes lie.
Law input_layout_free();
Law view_aliases();
Law rejection_writes_nothing();
Law alignment_free();

// sequences.cpp: what was run before.
Law same_again();
Law empty_between();
Law rejected_between();
Law other_buffers_between();
Law other_type_between();
Law other_stride_between();
Law other_flag_between();
Law many_calls();

// wear.cpp: what is used up.
Law worn_by_use();
Law room_for_many();

// threads.cpp: who runs it, and at the same time as what.
Law loaded_here_run_there();
Law two_at_once();
Law odd_threads();
Law different_at_once();
Law unloaded_and_loaded();

// --- words in which laws are written -------------------------------------------------------------

// The answer was a shape, and every execution went well.
bool produced(const Outcome& outcome);
// What came of asking together: an adapter that cannot do it says so by answering unsupported.
bool no_threads(const std::vector<Outcome>& outcomes);
// The number of elements is small enough for them to be written into a request.
bool writable(const Request& request);

// The elements as the first execution gave them, one by one; nothing when there was none.
std::optional<std::vector<std::uint64_t>> elements_of(const Outcome& outcome, ElementType type);

// In what the two answers to the same request differ, or nothing: the kind of answer, the shape, the
// status of each execution, the elements.
std::optional<std::string> difference(const Outcome& before, const Outcome& after);

// The values of the pattern: "[3,-1]".
std::string text_of_pattern(const Request& request);

}  // namespace reshape::conformance::laws
