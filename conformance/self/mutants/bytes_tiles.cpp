// Transposes and channels: what kernels do in tiles, at sizes at which tiles do not come out even.
#include "conformance/self/displace.h"
#include "conformance/self/families.h"

namespace reshape::conformance::self {
namespace {

// Of data that lies transposed in so many rows and columns the last element is the one before. Width: in
// bits, 0 for any.
Steps spoils_turned(Length rows, Length columns, std::int64_t width = 0) {
  return repeats_before_the_last([=](const Copy& c) {
    return lies_turned(c.data) && c.data.count() > 2 && rows(c.data.size(0)) &&
           columns(c.data.size(1)) && (width == 0 || c.data.width() == width);
  });
}

Steps spoils_turned_output(Length rows, Length columns) {
  return loses_the_last([=](const Copy& c) {
    return lies_turned(c.out) && rows(c.out.size(0)) && columns(c.out.size(1));
  });
}

// Three axes: a stack of `size(0)` transposes, one behind the other.
bool stack(const Walk& walk) {
  return walk.rank() == 3 && walk.stride(1) == 1 && walk.stride(2) == walk.size(1) &&
         walk.size(2) > 1 && walk.stride(0) >= walk.size(1) * walk.size(2);
}

}  // namespace

Mutants families::bytes_tiles() {
  Mutants table = {
      {"transposed-tail-rows", "content.kept", "turned-17-by-19.*",
       "a transpose in tiles of 8 by 8 leaves rows behind the last tile as the row before",
       reads_at_another_index(turned,
                              [](const Walk& data, std::vector<std::int64_t>& index) {
                                const std::int64_t rows = data.last_size(1);
                                std::int64_t& row = index[index.size() - 2];
                                if (rows > 8 && row >= rows / 8 * 8) --row;
                              })},
      {"transposed-tail-columns", "content.kept", "turned-17-by-19.*",
       "a transpose in tiles of 16 by 16 reads columns behind the last tile one too early",
       reads_at_another_index(turned,
                              [](const Walk& data, std::vector<std::int64_t>& index) {
                                const std::int64_t columns = data.last_size(0);
                                if (columns > 16 && index.back() >= columns / 16 * 16)
                                  --index.back();
                              })},
      {"transposed-corner", "content.kept", "turned-17-by-19.*",
       "a transpose in tiles of 8 by 8 fails where both a row and a column tail are left",
       reads_at_another_index(turned,
                              [](const Walk& data, std::vector<std::int64_t>& index) {
                                const std::int64_t rows = data.last_size(1),
                                                   columns = data.last_size(0);
                                std::int64_t& row = index[index.size() - 2];
                                if (rows > 8 && columns > 8 && row >= rows / 8 * 8 &&
                                    index.back() >= columns / 8 * 8)
                                  --row;
                              })},
      {"transposed-tiles-change-places", "content.kept", "tile-32-by-32.bf16",
       "in a square transpose of 32 or more two tiles of 8 by 8 of the second row are swapped",
       reads_at_another_index(
           [](const Walk& data) {
             return turned(data) && data.last_size(0) == data.last_size(1) &&
                    data.last_size(0) >= 32;
           },
           [](const Walk&, std::vector<std::int64_t>& index) {
             const std::int64_t row = index[index.size() - 2];
             std::int64_t& column = index.back();
             if (row >= 8 && row < 16 && column < 16) column ^= 8;
           })},
      {"transposed-lower-half-only", "content.kept", "tile-128-by-128.bf16",
       "square transposes from 64 on are done by halves, and the second half by nobody",
       takes_another(
           [](const Copy& c) {
             return turned(c.data) && c.data.last_size(0) == c.data.last_size(1) &&
                    c.data.last_size(0) >= 64;
           },
           [](const Copy& c, std::int64_t at) {
             const std::int64_t all = c.data.last_size(0) * c.data.last_size(1);
             return at % all >= all / 2 ? at - all / 2 : at;
           })},
      {"batches-of-transposes-share-one", "content.kept", "both-permuted-three-axes.f64",
       "of a stack of transposes each takes its elements from the first",
       reads_at_another_index(
           [](const Walk& data) { return turned(data) && data.rank() >= 3; },
           [](const Walk&, std::vector<std::int64_t>& index) { index[index.size() - 3] = 0; })},
      {"turned-half-tile-of-columns", "content.kept", "turned-8-by-12.*",
       "a transpose of whole tiles of rows takes four columns behind them for a tile",
       spoils_turned(whole(8), behind(8, 4))},
      {"turned-half-tile-of-rows", "content.kept", "turned-12-by-8.*",
       "a transpose of whole tiles of columns takes four rows behind them for a tile",
       spoils_turned(behind(8, 4), whole(8))},
      {"turned-corner-of-four", "content.kept", "turned-12-by-12.*",
       "a corner of 4 by 4 behind tiles of 8 by 8 is done as a tile of doubles",
       spoils_turned(behind(8, 4), behind(8, 4))},
      {"turned-corner-of-two-by-six", "content.kept", "turned-10-by-14.*",
       "a corner of 2 by 6 behind tiles of 8 by 8 is cut off at 2 by 4",
       spoils_turned(tail(8, 2), tail(8, 6))},
      {"turned-bytes-of-half-a-tile", "content.kept", "turned-24-by-16.u8",
       "bytes are turned in tiles of 16, and 8 rows behind them in a tile that is half old",
       spoils_turned(behind(16, 8), at_least(16), 8)},
      {"turned-halves-of-whole-and-half", "content.kept", "turned-32-by-40.bf16",
       "16-bit elements are turned in tiles of 16 by 16, and 8 columns behind them come early",
       spoils_turned(whole(16), behind(16, 8), 16)},
      {"turned-tall-of-whole-tiles", "content.kept", "turned-64-by-5.*",
       "five columns beside whole tiles of rows are taken for four and one from before",
       spoils_turned(whole(64), exactly(5))},
      {"turned-strips-of-64", "content.kept", "turned-64-by-72.*",
       "transposes go in strips of 64 columns, and 8 behind them come from the strip",
       spoils_turned(at_least(64), behind(64, 8))},
      {"turned-apart-by-a-power-of-two", "content.kept", "turned-9-by-20-256-apart.*",
       "transposes with a power of two from 256 on between rows go by a way of their own",
       repeats_before_the_last([](const Copy& c) {
         const std::int64_t apart = c.data.last_stride(0);
         return lies_turned(c.data) && apart >= 256 && (apart & (apart - 1)) == 0 &&
                c.data.size(1) % 8 == 4 && c.data.width() > 4;
       })},
      {"turned-output-half-tiles", "content.kept", "out-turned-8-by-*",
       "outputs that lie transposed with whole tiles of rows lose the last column but a tile",
       spoils_turned_output(exactly(8), [](std::int64_t columns) { return columns % 8 != 0; })},
      {"turned-output-apart", "content.kept", "out-turned-24-by-10-128-apart.*",
       "transposed outputs whose columns are longer than needed are written without the last",
       spoils_turned_output(exactly(24), exactly(10))},
      {"turned-steps", "content.kept", "turned-with-steps-*",
       "a transpose with a step of 2 down its columns is read as if the step were 1",
       repeats_before_the_last([](const Copy& c) {
         return c.data.rank() == 2 && c.data.stride(0) == 2 &&
                c.data.stride(1) > 2 * c.data.size(0);
       })},
      {"turned-backwards-with-tails", "content.kept", "turned-backwards-16-by-10.*",
       "transposes whose rows walk backwards come in tiles of 8, and the tail is not turned",
       repeats_before_the_last([](const Copy& c) {
         return c.data.rank() == 2 && c.data.stride(0) == -1 && c.data.stride(1) > 1 &&
                c.data.size(1) > 8;
       })},
      {"turned-columns-backwards", "content.kept", "turned-columns-backwards-*",
       "transposes whose columns walk backwards take the last column twice",
       repeats_before_the_last([](const Copy& c) {
         return c.data.rank() == 2 && c.data.stride(0) == 1 && c.data.stride(1) < -1;
       })},
      {"turned-into-gaps", "content.kept", "turned-into-gaps-17-by-19.*",
       "a transpose into rows with gaps is done in tiles of 16, the corner without the gap",
       repeats_before_the_last([](const Copy& c) {
         return lies_turned(c.data) && rows_with_gaps(c.out) && c.data.size(0) > 16 &&
                c.data.size(1) > 16;
       })},
      {"turned-into-steps", "content.kept", "turned-into-steps-16-by-10.*",
       "a transpose into every second place fills whole tiles only",
       repeats_before_the_last([](const Copy& c) {
         return lies_turned(c.data) && c.out.last_stride(0) == 2 && c.out.last_size(0) > 8;
       })},
      {"rows-into-turned", "content.kept", "rows-into-turned-17-by-19.*",
       "rows with gaps into columns with gaps are done in tiles of 16, the corner twice",
       repeats_before_the_last([](const Copy& c) {
         return rows_with_gaps(c.data) && lies_turned(c.out) && c.out.stride(1) > c.out.size(0) &&
                c.out.size(0) > 16;
       })},
      {"stacks-of-whole-and-half-tiles", "content.kept", "2-turned-8-by-12.*",
       "in a stack of transposes of 8 rows four columns behind tiles of 8 come from the last",
       repeats_before_the_last([](const Copy& c) {
         return stack(c.data) && c.data.size(1) == 8 && c.data.size(2) % 8 == 4;
       })},
      {"stacks-of-seven-as-eight", "content.kept", "7-turned-3-by-2.*",
       "stacks of small transposes go eight at a time, and the seventh of seven is the sixth",
       moves([](const Copy& c) { return stack(c.data) && c.data.size(0) == 7; },
             [](const Copy& c) {
               const std::int64_t plane = c.data.size(1) * c.data.size(2);
               return shifted(6 * plane, 7 * plane, plane);
             })},
      {"stacks-into-gaps", "content.kept", "3-turned-12-by-10-into-gaps.*",
       "a stack of transposes into planes with gaps takes the gap of a plane for a row's",
       repeats_before_the_last([](const Copy& c) {
         return stack(c.data) && c.out.gaps() && c.out.rank() == 3 && c.data.size(1) > 8;
       })},
      {"stacks-lying-innermost", "content.kept", "5-turned-across-4-by-6.*",
       "where the stack itself lies innermost, four at a time are turned and the fifth is not",
       repeats_before_the_last([](const Copy& c) {
         return c.data.rank() == 3 && c.data.stride(0) == 1 && c.data.size(0) == 5;
       })},
      {"stacked-outputs-short", "content.kept", "out-3-turned-17-by-18.*",
       "of stacks of transposed outputs above a tile of 16 the last column is not written",
       loses_the_last([](const Copy& c) { return stack(c.out) && c.out.size(1) == 17; })},
      {"three-channels-of-whole-vectors", "content.kept", "3-channels-last-16.*",
       "three channels of exactly n vectors of 16 have no tail, and the last pixel slips",
       spoils_turned(whole(16), exactly(3))},
      {"four-channels-two-behind", "content.kept", "4-channels-last-18.*",
       "four channels are woven in vectors of 16, and two pixels behind them as one",
       spoils_turned(behind(16, 2), exactly(4))},
      {"three-channels-apart-of-whole-vectors", "content.kept", "3-channels-first-64.*",
       "three channels of exactly 32 pixels each are taken apart with the last one early",
       spoils_turned(exactly(3), whole(32))},
      {"seven-channels-as-eight", "content.kept", "7-channels-*",
       "seven channels are done as eight, and the last of the last pixel is the one before",
       spoils_turned(exactly(7), at_least(16))},
  };
  return family(Kind::bytes, {"bytes", "bytes"}, std::move(table));
}

}  // namespace reshape::conformance::self
