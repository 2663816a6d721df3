#pragma once

#include <initializer_list>
#include <optional>
#include <span>

#include "optimized/kernels/kernel.h"

// How each kernel would walk a nest, or nothing where it does not apply. The table says which
// widths a kernel moves.

namespace reshape::optimized {

// One run on both sides.
std::optional<Arrangement> one_run(const UnitNest& nest);

// A run of the same element.
std::optional<Arrangement> one_element_repeated(const UnitNest& nest);

// A run read in short steps, or backwards.
std::optional<Arrangement> short_steps(const UnitNest& nest);

// Short runs of any length that are read in short steps, forwards or backwards.
std::optional<Arrangement> short_runs_in_short_steps(const UnitNest& nest);

// Loops that only change the order of a short block, and the loop over such blocks, which follow
// each other on both sides.
std::optional<Arrangement> short_blocks(const UnitNest& nest);

// Short runs from anywhere that are written one after the other: of whole bytes, and of 4-bit
// elements.
std::optional<Arrangement> gathered(const UnitNest& nest);
std::optional<Arrangement> gathered_halves(const UnitNest& nest);

// Short runs from anywhere, as words; the loops around a block in the reader's order.
std::optional<Arrangement> gathered_words(const UnitNest& nest);

// Rows of 8 bytes and more from anywhere that are written one after the other: few and short ones.
std::optional<Arrangement> short_rows_in_a_row(const UnitNest& nest);

// Runs of 8 bytes and more.
std::optional<Arrangement> rows(const UnitNest& nest);

// The same where the next row of the output lies far away in the input, and the next row of the
// input is one of the rows of a further loop; of copies too large for the caches.
std::optional<Arrangement> short_rows_across(const UnitNest& nest);

// Anything of 4-bit elements, and anything of whole bytes.
std::optional<Arrangement> in_half_bytes(const UnitNest& nest);
std::optional<Arrangement> whole_bytes(const UnitNest& nest);

// A few input rows that become one run: out[j * parts + i] = in[i * far + j].
std::optional<Arrangement> few_rows_become_one(const UnitNest& nest);

// One run that becomes a few output rows: out[i * far + j] = in[j * parts + i].
std::optional<Arrangement> one_row_becomes_few(const UnitNest& nest);

// A transpose whose sides go along several loops each.
std::optional<Arrangement> several_loops_differ(const UnitNest& nest);

// A transpose: the writer's unit-step loop and the reader's.
std::optional<Arrangement> reader_and_writer_differ(const UnitNest& nest);

// Whether a target has the lookups that make shuffle and deinterleave fast.
bool looks_up_in_vectors(const UnitNest& nest, const Target& target);
// Whether a shuffle gains more than its tables cost.
bool shuffles_in_vectors(const UnitNest& nest, const Situation& situation);
// Whether a list of the rows is kept, and walking their loops or looking them up would take longer.
bool lists_few_rows(const UnitNest& nest, const Situation& situation);
// Whether the steps kernel is faster than looking the elements up.
bool steps_in_vectors(const UnitNest& nest, const Situation& situation);
// Whether a target packs several such runs at a time.
bool packs_in_windows(const UnitNest& nest, const Situation& situation);
bool deals_in_vectors(const UnitNest& nest, const Situation& situation);
// Whether the rows that are interleaved are as long as a line.
bool interleaves_lines(const UnitNest& nest, const Situation& situation);
// Whether rows become one run, or one run becomes rows, and there are so few that the target has
// instructions for exactly that number.
bool has_instructions_to_deal(const UnitNest& nest);
// Whether gathering whole vectors is faster than copying their elements one by one.
bool gathers_in_few_windows(const UnitNest& nest, const Situation& situation);
bool gathers_halves_in_few_windows(const UnitNest& nest, const Situation& situation);
// The same for output rows shorter than a line, which other kernels turn in narrow tiles.
bool gathers_short_rows(const UnitNest& nest, const Situation& situation);
// The same for what permute would turn.
bool gathers_instead_of_permuting(const UnitNest& nest, const Situation& situation);
// The same for words, where permute would turn small pieces or parts of tiles.
bool gathers_words(const UnitNest& nest, const Situation& situation);

// Loops of `nest` taken by a kernel (indices into nest.loops, innermost first); the others stay
// outside, in their order, but for read_neighbours_soon.
Arrangement taking(const UnitNest& nest, std::span<const std::size_t> taken);
inline Arrangement taking(const UnitNest& nest, std::initializer_list<std::size_t> taken) {
  return taking(nest, std::span(taken.begin(), taken.size()));
}

// The kernel takes the loop around its calls as well, as its last one.
void take_one_more(Arrangement& arrangement);

// Orders the loops around a kernel's calls, outermost first. Where a call reads shorter pieces than
// it writes, the loop that steps the reader to the neighbouring piece becomes the innermost, so
// that a line that is read in part is soon read again, and the hardware prefetcher can follow. Of a
// large copy the loops that stay within a page do, so that it stays in the TLB.
void read_neighbours_soon(Steps& around, std::int64_t run, const Steps& inner);

// Whether single elements of a kernel's width are written one after the other.
bool writes_runs(const UnitNest& nest);

}  // namespace reshape::optimized
