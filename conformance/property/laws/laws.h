#pragma once

#include "conformance/property/law.h"

// What every law checks, by the law's name; laws.cpp has the table of laws.
namespace reshape::conformance::laws {

using Check = Trial(const Request& input, PropertyCheck& property);

// algebra.cpp: what a Reshape of a Reshape is.
Check volume_kept, composition, round_trip, ones_inserted, idempotent, batch_permutation;

// patterns.cpp: ways of asking for the same shape.
Check minus_one_resolves, flag_without_zeros, element_type_free;

// memory.cpp: where the bytes lie.
Check input_layout_free, view_aliases, rejection_writes_nothing, alignment_free;

// sequences.cpp: what was run before.
Check same_again, empty_between, rejected_between, other_buffers_between, other_type_between,
    other_stride_between, other_flag_between, undeclared_between, lookalikes, executions_in_turn,
    many_calls;

// wear.cpp: what is used up.
Check worn_by_use, room_for_many;

// threads.cpp: which threads ask, and at the same time.
Check loaded_here_run_there, two_at_once, odd_threads, different_at_once, unloaded_and_loaded;

// hardship.cpp: what may happen to the calling process.
Check asked_by_a_fork, threads_that_end, without_memory, long_copy, neighbour, first_calls;

// layouts.cpp: very many layouts.
Check layouts_in_turn;

}  // namespace reshape::conformance::laws
