#include "optimized/kernels/table.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

#include "optimized/kernels/arrangements.h"

namespace reshape::optimized {
namespace {

// Restricts `kWhen` to elements of one width.
template <std::int64_t kWidth, std::optional<Arrangement> (*kWhen)(const UnitNest& nest)>
std::optional<Arrangement> of_width(const UnitNest& nest) {
  if (nest.run != kWidth) return std::nullopt;
  return kWhen(nest);
}

}  // namespace

std::span<const Kernel> kernels() {
  // clang-format off
  static const Kernel kTable[] = {
      // name           bytes  when                                    run
      {"gather",       0,     gathered_halves,                        gather_half_runs(), gathers_halves_in_few_windows, gather_half_tables()},
      {"half_bytes",   0,     in_half_bytes,                          half_byte_runs()},
      {"contiguous",   0,     one_run,                                contiguous_runs()},
      {"fill",         1,     of_width<1, one_element_repeated>,      fill_runs(1)},
      {"fill",         2,     of_width<2, one_element_repeated>,      fill_runs(2)},
      {"fill",         4,     of_width<4, one_element_repeated>,      fill_runs(4)},
      {"fill",         8,     of_width<8, one_element_repeated>,      fill_runs(8)},
      {"shuffle",      0,     short_blocks,                           shuffle_runs(), shuffles_in_vectors, shuffle_tables()},
      {"interleave",   1,     of_width<1, few_rows_become_one>,       interleave_runs(1), interleaves_lines},
      {"interleave",   2,     of_width<2, few_rows_become_one>,       interleave_runs(2), interleaves_lines},
      {"interleave",   4,     of_width<4, few_rows_become_one>,       interleave_runs(4), interleaves_lines},
      {"interleave",   8,     of_width<8, few_rows_become_one>,       interleave_runs(8), interleaves_lines},
      {"gather",       0,     gathered,                               gather_runs(), gathers_short_rows, gather_tables()},
      {"deinterleave", 1,     of_width<1, one_row_becomes_few>,       deinterleave_runs(1), deals_in_vectors},
      {"deinterleave", 2,     of_width<2, one_row_becomes_few>,       deinterleave_runs(2), deals_in_vectors},
      {"deinterleave", 4,     of_width<4, one_row_becomes_few>,       deinterleave_runs(4), deals_in_vectors},
      {"deinterleave", 8,     of_width<8, one_row_becomes_few>,       deinterleave_runs(8), deals_in_vectors},
      {"listed",       0,     short_rows_in_a_row,                    listed_runs(), lists_few_rows, listed_tables()},
      {"gather",       0,     gathered,                               gather_runs(), gathers_instead_of_permuting, gather_tables()},
      {"gather words", 0,     gathered_words,                         gather_word_runs(), gathers_words, gather_word_tables()},
      {"permute",      1,     of_width<1, several_loops_differ>,      permute_runs(1)},
      {"permute",      2,     of_width<2, several_loops_differ>,      permute_runs(2)},
      {"permute",      4,     of_width<4, several_loops_differ>,      permute_runs(4)},
      {"permute",      8,     of_width<8, several_loops_differ>,      permute_runs(8)},
      {"transpose",    1,     of_width<1, reader_and_writer_differ>,  transpose_runs(1)},
      {"transpose",    2,     of_width<2, reader_and_writer_differ>,  transpose_runs(2)},
      {"transpose",    4,     of_width<4, reader_and_writer_differ>,  transpose_runs(4)},
      {"transpose",    8,     of_width<8, reader_and_writer_differ>,  transpose_runs(8)},
      {"steps",        1,     of_width<1, short_steps>,               step_runs(1), steps_in_vectors},
      {"steps",        2,     of_width<2, short_steps>,               step_runs(2), steps_in_vectors},
      {"steps",        4,     of_width<4, short_steps>,               step_runs(4), steps_in_vectors},
      {"steps",        8,     of_width<8, short_steps>,               step_runs(8), steps_in_vectors},
      {"gather",       0,     gathered,                               gather_runs(), gathers_in_few_windows, gather_tables()},
      {"packed",       0,     short_runs_in_short_steps,              packed_runs(), packs_in_windows},
      {"row tiles",    0,     short_rows_across,                      row_tile_runs()},
      {"rows",         0,     rows,                                   row_runs()},
      {"strided",      0,     whole_bytes,                            strided_runs()},
  };
  // clang-format on
  return kTable;
}

namespace {

// The rows of the table for runs of `run` bytes, in the table's order; skips those of another
// width. Never freed: threads may copy while the process ends.
std::span<const Kernel* const> rows_for(std::int64_t run) {
  static constexpr std::int64_t kWidths[] = {1, 2, 4, 8, 0};
  constexpr std::size_t kOther = std::size(kWidths) - 1;
  static const auto& by_width = *new auto([] {
    std::array<std::vector<const Kernel*>, std::size(kWidths)> lists;
    for (std::size_t i = 0; i < lists.size(); ++i) {
      for (const Kernel& kernel : kernels()) {
        if (kernel.bytes == 0 || kernel.bytes == kWidths[i]) lists[i].push_back(&kernel);
      }
    }
    return lists;
  }());
  const auto* width = std::ranges::find(kWidths, run);
  return by_width[std::min(static_cast<std::size_t>(width - std::begin(kWidths)), kOther)];
}

}  // namespace

std::string_view what_for(const Kernel& kernel) {
  struct Purpose {
    std::string_view name, what;
  };
  static constexpr Purpose kPurposes[] = {
      {"half_bytes", "4-bit elements that do not move in whole bytes"},
      {"contiguous", "one run on both sides"},
      {"fill", "one element repeated"},
      {"shuffle", "short blocks whose elements only change places"},
      {"interleave", "a few input rows that become one run"},
      {"deinterleave", "one run that becomes a few output rows"},
      {"permute", "sides that each go along loops of their own, several or short ones"},
      {"transpose", "a reader and a writer that go along different loops"},
      {"steps", "a run that is read in short steps, or backwards"},
      {"packed", "short runs that are read in short steps, and written one after the other"},
      {"gather", "short runs from anywhere that are written one after the other"},
      {"gather words", "short runs that are far from each other, as words of 4 bytes"},
      {"listed", "a few short rows from anywhere that are written one after the other"},
      {"row tiles", "short rows of 8 bytes and more that the reader has in another order"},
      {"rows", "runs of 8 bytes and more"},
      {"strided", "what no other kernel takes"},
  };
  const auto* found = std::ranges::find(kPurposes, kernel.name, &Purpose::name);
  return found == std::end(kPurposes) ? std::string_view() : found->what;
}

Choice choose(const UnitNest& nest, const Situation& situation) {
  for (const Kernel* kernel : rows_for(nest.run)) {
    if (kernel->pays != nullptr && !kernel->pays(nest, situation)) continue;
    if (std::optional<Arrangement> arrangement = kernel->when(nest)) {
      return {kernel, std::move(*arrangement)};
    }
  }
  return {};
}

}  // namespace reshape::optimized
