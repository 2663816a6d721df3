#pragma once

#include "conformance/property/law.h"

// Every law by name; the files define them, and ../laws.cpp has the table.
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
Law undeclared_between();
Law lookalikes();
Law executions_in_turn();
Law many_calls();

// wear.cpp: what is used up.
Law worn_by_use();
Law room_for_many();

// threads.cpp: which threads ask, and at the same time.
Law loaded_here_run_there();
Law two_at_once();
Law odd_threads();
Law different_at_once();
Law unloaded_and_loaded();

// hardship.cpp: what may happen to the calling process.
Law asked_by_a_fork();
Law threads_that_end();
Law without_memory();
Law long_copy();
Law neighbour();
Law first_calls();

// layouts.cpp: very many layouts.
Law layouts_in_turn();

}  // namespace reshape::conformance::laws
