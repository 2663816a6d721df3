// Mistakes of tiled kernels for transposes and channels, at sizes that are no multiple of the
// tiles.
#include "conformance/self/displace.h"

namespace reshape::conformance::self {
namespace {

using Index = std::vector<std::int64_t>;

// Three axes: a stack of `size(0)` transposes, one behind the other.
const Trait kStack{"that is a stack of transposes", [](const Walk& walk) {
                     return walk.rank() == 3 && walk.stride(1) == 1 &&
                            walk.stride(2) == walk.size(1) && walk.size(2) > 1 &&
                            walk.stride(0) >= walk.size(1) * walk.size(2);
                   }};
const Trait kSquare{"", [](const Walk& walk) { return walk.last_size(0) == walk.last_size(1); }};

Trait turned_in(const Length& rows, const Length& columns) {
  return {said("that is a transpose of ", rows.of("row"), " and ", columns.of("column")),
          kTransposed && size_is(0, rows) && size_is(1, columns)};
}
When transposes(const Length& rows, const Length& columns, const Trait& others = kAny) {
  return of_data(turned_in(rows, columns) && others && unsaid(count_is(above(2))));
}

bool behind_tiles(std::int64_t at, std::int64_t size, std::int64_t tile) {
  return size > tile && at >= size / tile * tile;
}

std::vector<Row> tiles() {
  return {
      {"transposed-tail-rows", "turned-17-by-19.*",
       "a transpose in tiles of 8 by 8 leaves rows behind the last tile as the row before",
       reads_at_another_index(of_data(kTurned),
                              [](const Walk& data, Index& index) {
                                std::int64_t& row = index[index.size() - 2];
                                if (behind_tiles(row, data.last_size(1), 8)) --row;
                              })},
      {"transposed-tail-columns", "turned-17-by-19.*",
       "a transpose in tiles of 16 by 16 reads columns behind the last tile one too early",
       reads_at_another_index(of_data(kTurned),
                              [](const Walk& data, Index& index) {
                                if (behind_tiles(index.back(), data.last_size(0), 16))
                                  --index.back();
                              })},
      {"transposed-corner", "turned-17-by-19.*",
       "a transpose in tiles of 8 by 8 fails where both a row and a column tail are left",
       reads_at_another_index(of_data(kTurned),
                              [](const Walk& data, Index& index) {
                                std::int64_t& row = index[index.size() - 2];
                                if (behind_tiles(row, data.last_size(1), 8) &&
                                    behind_tiles(index.back(), data.last_size(0), 8))
                                  --row;
                              })},
      {"transposed-tiles-change-places", "tile-32-by-32.bf16",
       "in a square transpose of 32 or more two tiles of 8 by 8 of the second row are swapped",
       reads_at_another_index(of_data(kTurned && kSquare && last_size_is(at_least(32))),
                              [](const Walk&, Index& index) {
                                const std::int64_t row = index[index.size() - 2];
                                if (row >= 8 && row < 16 && index.back() < 16) index.back() ^= 8;
                              })},
      {"transposed-lower-half-only", "tile-128-by-128.bf16",
       "square transposes from 64 on are done by halves, and the second half by nobody",
       takes_another(of_data(kTurned && kSquare && last_size_is(at_least(64))),
                     [](const Copy& c, std::int64_t at) {
                       const std::int64_t all = c.data.last_size(0) * c.data.last_size(1);
                       return at % all >= all / 2 ? at - all / 2 : at;
                     })},
      {"batches-of-transposes-share-one", "both-permuted-three-axes.f64",
       "of a stack of transposes each takes its elements from the first",
       reads_at_another_index(of_data(kTurned && rank_is(at_least(3))),
                              [](const Walk&, Index& index) { index[index.size() - 3] = 0; })},
      {"stacks-of-seven-as-eight", "7-turned-3-by-2.*",
       "stacks of small transposes go eight at a time, and the seventh of seven is the sixth",
       moves(of_data(kStack && size_is(0, 7)),
             [](const Copy& c) {
               const std::int64_t plane = c.data.size(1) * c.data.size(2);
               return shifted(6 * plane, 7 * plane, plane);
             })},
  };
}

// Mutants that read the last element as the one before.
std::vector<Row> last_ones_repeated() {
  const Effect& repeats = kLastRepeats;
  return {
      {"turned-half-tile-of-columns", "turned-8-by-12.*", repeats,
       transposes(whole(8), behind(8, 4))},
      {"turned-half-tile-of-rows", "turned-12-by-8.*", repeats, transposes(behind(8, 4), whole(8))},
      {"turned-corner-of-four", "turned-12-by-12.*", repeats,
       transposes(behind(8, 4), behind(8, 4))},
      {"turned-corner-of-two-by-six", "turned-10-by-14.*", repeats,
       transposes(tail(8, 2), tail(8, 6))},
      {"turned-bytes-of-half-a-tile", "turned-24-by-16.u8", repeats,
       transposes(behind(16, 8), at_least(16), width_is(8))},
      {"turned-halves-of-whole-and-half", "turned-32-by-40.bf16", repeats,
       transposes(whole(16), behind(16, 8), width_is(16))},
      {"turned-tall-of-whole-tiles", "turned-64-by-5.*", repeats, transposes(whole(64), 5)},
      {"turned-strips-of-64", "turned-64-by-72.*", repeats,
       transposes(at_least(64), behind(64, 8))},
      {"three-channels-of-whole-vectors", "3-channels-last-16.*", repeats,
       transposes(whole(16), 3)},
      {"four-channels-two-behind", "4-channels-last-18.*", repeats, transposes(behind(16, 2), 4)},
      {"three-channels-apart-of-whole-vectors", "3-channels-first-64.*", repeats,
       transposes(3, whole(32))},
      {"seven-channels-as-eight", "7-channels-*", repeats, transposes(7, at_least(16))},
      {"turned-apart-by-a-power-of-two", "turned-9-by-20-256-apart.*",
       "transposes with a power of two from 256 on between rows go by a way of their own",
       repeats_before_the_last(of_data(kTransposed && size_is(1, tail(8, 4)) &&
                                       width_is(above(4)) &&
                                       [](const Walk& data) {
                                         const std::int64_t apart = data.last_stride(0);
                                         return apart >= 256 && (apart & (apart - 1)) == 0;
                                       }))},
      {"turned-steps", "turned-with-steps-*",
       "a transpose with a step of 2 down its columns is read as if the step were 1",
       repeats_before_the_last(
           of_data(rank_is(2) && stride_is(0, 2) &&
                   [](const Walk& data) { return data.stride(1) > 2 * data.size(0); }))},
      {"turned-backwards-with-tails", "turned-backwards-16-by-10.*", repeats,
       of_data(rank_is(2) && stride_is(0, -1) && stride_is(1, above(1)) && size_is(1, above(8)))},
      {"turned-columns-backwards", "turned-columns-backwards-*", repeats,
       of_data(rank_is(2) && stride_is(0, 1) && stride_is(1, below(-1)))},
      {"turned-into-gaps", "turned-into-gaps-17-by-19.*", repeats,
       of_data(turned_in(above(16), above(16))) && of_output(kRowsWithGaps)},
      {"turned-into-steps", "turned-into-steps-16-by-10.*", repeats,
       of_data(kTransposed) && of_output(last_stride_is(2) && last_size_is(above(8)))},
      {"rows-into-turned", "rows-into-turned-17-by-19.*",
       "rows with gaps into columns with gaps are done in tiles of 16, the corner twice",
       repeats_before_the_last(
           of_data(kRowsWithGaps) &&
           of_output(kTransposed && size_is(0, above(16)) &&
                     [](const Walk& out) { return out.stride(1) > out.size(0); }))},
      {"stacks-of-whole-and-half-tiles", "2-turned-8-by-12.*", repeats,
       of_data(kStack && size_is(1, 8) && size_is(2, tail(8, 4)))},
      {"stacks-into-gaps", "3-turned-12-by-10-into-gaps.*", repeats,
       of_data(kStack && size_is(1, above(8))) && of_output(kGapped && rank_is(3))},
      {"stacks-lying-innermost", "5-turned-across-4-by-6.*", repeats,
       of_data(rank_is(3) && stride_is(0, 1) && size_is(0, 5))},
  };
}

std::vector<Row> last_ones_lost() {
  return {
      {"turned-output-half-tiles", "out-turned-8-by-*",
       "outputs that lie transposed with whole tiles of rows lose the last column but a tile",
       loses_the_last(of_output(kTransposed && size_is(0, 8) && !size_is(1, whole(8))))},
      {"turned-output-apart", "out-turned-24-by-10-128-apart.*", kLastLost,
       of_output(turned_in(24, 10))},
      {"stacked-outputs-short", "out-3-turned-17-by-18.*", kLastLost,
       of_output(kStack && size_is(1, 17))},
  };
}

}  // namespace

Mutants families::bytes_tiles() {
  return family(
      Kind::bytes, {"bytes", "bytes"},
      joined({breaking("content.kept", tiles()), breaking("content.kept", last_ones_repeated()),
              breaking("content.kept", last_ones_lost())}));
}

}  // namespace reshape::conformance::self
