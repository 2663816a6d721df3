// Mistakes about data that is not row-major: its strides, its axes, and kernels for certain
// layouts; of those, tiled ones at sizes that are no multiple of the tiles.
#include <algorithm>
#include <numeric>

#include "conformance/self/displace.h"

namespace reshape::conformance::self {
namespace {

// Reads the data's elements in the order in which they lie in memory.
Effect reads_in_memory_order() {
  return spoils([](const Copy& c) {
    std::vector<std::pair<std::int64_t, std::int64_t>> order;  // positions and numbers
    for (std::int64_t at = 0; at < c.data.count(); ++at) {
      order.emplace_back(c.data.position(at), at);
    }
    std::ranges::sort(order);
    std::vector<std::uint64_t> to;
    for (const auto& [_, at] : order) to.push_back(element_at(c.data, *c.request.data, at));
    put(c.output, to);
  });
}

// Reads the data with other strides.
Effect reads_with_other_strides(std::function<void(Strides&, const Shape&)> change) {
  return spoils([=](const Copy& c) {
    Layout layout = c.data.layout();
    change(layout.strides, layout.shape);
    put(c.output, collect_by(layout.strides, *c.request.data));
  });
}

void make_dense(Strides& strides, const Shape& shape) { strides = *row_major_strides(shape); }

// Indices of the axes [first, end) that walk backwards are counted from the other end.
void turn_round(const Walk& walk, Index& index, std::size_t first, std::size_t end) {
  for (std::size_t axis = first; axis < end; ++axis) {
    if (walk.stride(axis) < 0) index[axis] = walk.size(axis) - 1 - index[axis];
  }
}

// Truncates strides to `bits` bits.
Effect strides_in(int bits) {
  return reads_with_other_strides([=](Strides& strides, const Shape&) {
    for (std::int64_t& stride : strides) {
      if (stride > 0) stride &= (std::int64_t{1} << bits) - 1;
    }
  });
}
When strides_above(int bits) {
  return of_data([=](const Walk& data) { return data.any_stride(above((1 << bits) - 1)); });
}

// As many positions of the data as 2^bits bytes hold.
std::int64_t positions_in(int bits, const Copy& c) {
  return (std::int64_t{8} << bits) / c.data.width();
}
When reaching(int bits) {
  return {said("data that reaches 2^", bits, " bytes or more"),
          [=](const Copy& c) { return touched(c.data.layout()).last >= positions_in(bits, c); }};
}
Effect read_no_further(int bits) {
  return worded(said("elements behind 2^", bits, " bytes are read at the first"),
                takes_another([=](const Copy& c, std::int64_t at) {
                  return c.data.position(at) >= positions_in(bits, c) ? 0 : at;
                }));
}

Effect axes_walked(std::int64_t most) {
  return worded(said("of more than ", most, " axes the outer ones are not walked"),
                reads_at_another_index([=](const Walk&, Index& index) {
                  if (std::ssize(index) > most) std::fill(index.begin(), index.end() - most, 0);
                }));
}

// The same, counting only axes larger than 1.
Effect stepped_axes_walked(std::int64_t most) {
  return worded(said("of more than ", most, " axes larger than 1 the outer ones are not walked"),
                reads_at_another_index([=](const Walk& walk, Index& index) {
                  std::int64_t left = most;
                  for (std::size_t axis = index.size(); axis-- > 0;) {
                    if (walk.size(axis) > 1 && left-- <= 0) index[axis] = 0;
                  }
                }));
}

const Trait kGappedRows{"of rows with gaps",
                        [](const Walk& walk) { return walk.last_stride(0) == 1 && walk.gaps(); }};
const Trait kRepeatedRows{"of rows that repeat", [](const Walk& walk) {
                            return walk.last_stride(1) == 0 && walk.last_size(1) > 1;
                          }};
const Trait kRegrouped{"whose inner rows change places", [](const Walk& walk) {
                         return walk.rank() > 2 && walk.last_stride(0) == 1 && walk.permuted();
                       }};

Effect tails_early(std::int64_t block) {
  return worded(said("rows go in blocks of ", block, " elements, and the tails are read one early"),
                reads_at_another_index([=](const Walk& data, Index& index) {
                  if (behind_blocks(index.back(), data.last_size(0), block)) --index.back();
                }));
}

Effect tails_lost(std::int64_t block) {
  return worded(said("rows go in blocks of ", block, " elements, and the tails are not written"),
                loses_tails_of_rows(block));
}

// The span from the first to the last element equals their number: rows in order, or windows whose
// overlaps make up for their gaps.
const Trait kSpansItsCount{"", [](const Walk& walk) {
                             return !walk.backwards() && !walk.permuted() &&
                                    walk.last_stride(0) == 1 &&
                                    touched(walk.layout()).count() == walk.count();
                           }};

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

}  // namespace

Mutants families::bytes_layout() {
  Table table(Kind::bytes, {"bytes", "bytes"});
  const Trait bytes = width_is(8), doubles = width_is(64);
  table["content.kept"] = {
      {"column-major", "3-by-11-to-11-by-3.f64", "data is read with its first axis varying fastest",
       takes_another([](const Copy& c, std::int64_t at) {
         Index index(c.data.rank());
         for (std::size_t axis = 0; axis < c.data.rank(); at /= c.data.size(axis++)) {
           index[axis] = at % c.data.size(axis);
         }
         return c.data.number(index);
       }),
       of_data(rank_is(above(1))), like("pytorch/pytorch#194051")},
      {"strides-of-data-ignored", "large-channels-last", "data is read as if it were dense",
       reads_with_other_strides(make_dense), of_data(kForwards)},
      {"physical-order-kept", "large-channels-last",
       "permuted data is handed on in the order in which it lies in memory",
       reads_in_memory_order(), of_data(kPermuted), like("uxlfoundation/oneDNN@707dc0ff8f")},
      {"physical-order-kept-without-gaps", "large-channels-last",
       "permuted data is copied in one piece where it has no gaps", reads_in_memory_order(),
       of_data(kPermuted && kGapless)},
      {"backwards-read-forwards", "both-backwards-rows.bf16", "negative strides lose their sign",
       reads_at_another_index(
           [](const Walk& data, Index& index) { turn_round(data, index, 0, index.size()); }),
       of_data(kBackwards)},
      {"backwards-innermost-only", "both-backwards-rows.bf16",
       "a negative stride is minded on the innermost axis and nowhere else",
       reads_at_another_index(
           [](const Walk& data, Index& index) { turn_round(data, index, 0, index.size() - 1); }),
       of_data(kBackwards)},
      {"output-backwards-between", "out-backwards-in-the-middle.f32",
       "a negative stride of an output is taken for positive between the first axis and the last",
       takes_another([](const Copy& c, std::int64_t at) {
         Index index = c.out.index(at);
         if (index.size() > 1) turn_round(c.out, index, 1, index.size() - 1);
         return c.out.number(index);
       }),
       of_output(kBackwards)},
      {"density-by-the-span", "windows-in-batches.f32",
       "data that spans as many positions as it has elements is read in one piece",
       reads_with_other_strides(make_dense), of_data(kSpansItsCount)},
      {"broadcast-read-on", "repeated-rows.u8",
       "a stride of 0 is taken for one that was not set, and computed",
       reads_with_other_strides([](Strides& strides, const Shape& shape) {
         const Strides dense = *row_major_strides(shape);
         for (std::size_t axis = 0; axis < strides.size(); ++axis) {
           if (strides[axis] == 0) strides[axis] = dense[axis];
         }
       }),
       of_data(kRepeated)},
      {"broadcast-read-once", "both-repeated-column-into-transposed.f64",
       "where the innermost stride is 0, the first row's element fills all rows",
       reads_at_another_index([](const Walk&, Index& index) {
         if (index.size() > 1) index[index.size() - 2] = 0;
       }),
       of_data(last_size_is(above(1)) && last_stride_is(0))},
      {"unit-stride-means-dense", "packed-both-odd-rows.i4",
       "data whose innermost stride is 1 is read in one piece",
       reads_with_other_strides(make_dense), of_data(last_stride_is(1) && kForwards)},
      {"folded-across-gaps", "packed-both-odd-rows.i4",
       "two inner axes are folded into one although a gap lies between their rows",
       reads_with_other_strides([](Strides& strides, const Shape& shape) {
         const std::size_t last = strides.size() - 1;
         strides[last - 1] = strides[last] * shape[last];
       }),
       of_data(rank_is(above(1)) && last_stride_is(above(0)) &&
               [](const Walk& data) {
                 return data.last_stride(1) > data.last_stride(0) * data.last_size(0);
               })},
      {"outermost-gap-skipped", "packed-both-odd-rows.i4",
       "the outermost stride is computed from the inner sizes",
       reads_with_other_strides([](Strides& strides, const Shape& shape) {
         strides[0] = (*row_major_strides(shape))[0];
       }),
       of_data(rank_is(above(1)) && stride_is(0, above(1)))},
      {"ones-with-strides-not-folded", "both-ones-wild.u8",
       "an axis of size 1 with a stride of its own is taken for the step between rows",
       reads_with_other_strides(
           [](Strides& strides, const Shape&) { strides[strides.size() - 2] = strides.back(); }),
       of_data(rank_is(above(1)) && last_size_is(1) && last_stride_is(above(0)) &&
               [](const Walk& data) { return data.last_size(1) > 1; })},
      {"strides-in-8-bits", "large-channels-last",
       "strides are kept in 8 bits, so that one of 260 steps by 4", strides_in(8),
       of_data(kStrided) && strides_above(8)},
      {"strides-in-16-bits", "far-apart.f64",
       "strides are kept in 16 bits, so that one of 65536 does not step at all", strides_in(16),
       strides_above(16)},
      {"byte-offsets-in-31-bits", "data-2-to-32-bytes-apart.f32", read_no_further(31), reaching(31),
       like("numpy/numpy#7455")},
      {"byte-offsets-in-32-bits", "data-2-to-32-bytes-apart.f32", read_no_further(32),
       reaching(32)},
      {"bytes-gathered-in-pairs", "written-transposed-f8e4m3",
       "strided data of one byte is gathered two at a time, the second from beside the first",
       takes_another([](const Copy&, std::int64_t at) { return at & ~std::int64_t{1}; }),
       of_data(width_is(8) && last_stride_is(above(1)) && last_size_is(above(1)))},
      {"every-second-tail", "both-every-second.u8",
       "a stride of 2 is unzipped in vectors of 8, and the tail is read without the stride",
       takes_another([](const Copy& c, std::int64_t at) {
         const std::int64_t tail = c.data.count() / 8 * 8;
         return at < tail ? at : tail + (at - tail) / 2;
       }),
       of_data(rank_is(1) && stride_is(0, 2))},
      {"counter-carries-once", "large-channels-last",
       "the counter over three axes or more carries into the next axis and not further",
       // What never carried: the axes from the third on stay where they began.
       reads_at_another_index(
           [](const Walk&, Index& index) { std::fill(index.begin(), index.end() - 2, 0); }),
       of_data(rank_is(at_least(3)) && kStrided)},
      {"five-axes-walked", "both-six-axes.u8", axes_walked(5), of_data(kStrided)},
      {"eight-axes-walked", "rank-17-reversed.u8", axes_walked(8), of_data(kStrided)},
      {"sixteen-axes-walked", "rank-17-reversed.u8", axes_walked(16), of_data(kStrided)},
      {"twelve-stepped-axes-walked", "seventeen-axes-reversed.u8", stepped_axes_walked(12),
       of_data(kStrided)},
      {"rows-counted-in-8-bits", "large-channels-last",
       "rows of strided data are counted in 8 bits, and begin again behind 256",
       takes_another(
           [](const Copy& c, std::int64_t at) { return at % (256 * c.data.last_size(0)); }),
       of_data(kStrided) &&
           [](const Copy& c) { return c.data.count() / c.data.last_size(0) > 256; }},
      {"both-sides-backwards", "both-backwards-rows.bf16", kFirstLost, of_both(kBackwards)},
      {"broadcast-into-gaps", "both-repeated-into-gaps.f64", kLastLost,
       of_data(kRepeated) && of_output(kGapped)},

      // Tails of rows.
      {"backwards-tail", "backwards-long.f64", tails_early(8), of_data(last_stride_is(-1))},
      {"broadcast-rows-tail", "repeated-long-row.bf16", tails_early(4), of_data(kRepeatedRows)},
      {"stride-of-three-tail", "large-channels-last", tails_early(4), of_data(last_stride_is(3))},
      {"wide-stride-tail", "large-transpose", tails_early(4), of_data(last_stride_is(above(8)))},
      {"gapped-rows-tail-of-bytes", "both-padded-reshaped.u8", tails_early(4),
       of_data(bytes && kGappedRows)},
      {"gapped-rows-tail-of-doubles", "both-padded-reshaped.f64", tails_early(4),
       of_data(doubles && kGappedRows)},
      {"transposed-bytes-tail", "large-transposed-wide", tails_early(16),
       of_data(bytes && kTurned)},
      {"transposed-doubles-tail", "large-transpose", tails_early(4), of_data(doubles && kTurned)},
      {"transposed-half-bytes-tail", "large-transposed.u4", tails_early(8),
       of_data(width_is(4) && kTurned)},
      {"transposed-stack-tail", "both-permuted-three-axes.f64", tails_early(4),
       of_data(rank_is(above(2)) && kTurned)},
      {"inner-rows-change-places-tail", "permuted-102-regrouped.u8", tails_early(4),
       of_data(kRegrouped)},
      {"large-transposes-of-bytes", "large-transpose-in-blocks.u8",
       "transposes of bytes with both sizes above 255 come one column early from 256 on",
       tails_early(256),
       of_data(bytes && kTurned && [](const Walk& data) { return data.last_size(1) > 255; })},
      {"output-backwards-tail", "packed-out-backwards.i4", tails_lost(4),
       of_output(last_stride_is(-1))},
      {"output-turned-tail", "both-channels-last.f64", tails_lost(8), of_output(kTurned)},
      {"output-turned-bytes-tail", "out-tile-65-by-33.u8", tails_lost(16),
       of_output(bytes && kTurned)},
      {"output-stride-of-two-tail", "both-every-second.u8", tails_lost(8),
       of_output(last_stride_is(2))},

      // Tiles.
      {"transposed-tail-rows", "turned-17-by-19.*",
       "a transpose in tiles of 8 by 8 leaves rows behind the last tile as the row before",
       reads_at_another_index([](const Walk& data, Index& index) {
         std::int64_t& row = index[index.size() - 2];
         if (behind_blocks(row, data.last_size(1), 8)) --row;
       }),
       of_data(kTurned)},
      {"transposed-tail-columns", "turned-17-by-19.*",
       "a transpose in tiles of 16 by 16 reads columns behind the last tile one too early",
       reads_at_another_index([](const Walk& data, Index& index) {
         if (behind_blocks(index.back(), data.last_size(0), 16)) --index.back();
       }),
       of_data(kTurned)},
      {"transposed-corner", "turned-17-by-19.*",
       "a transpose in tiles of 8 by 8 fails where both a row and a column tail are left",
       reads_at_another_index([](const Walk& data, Index& index) {
         std::int64_t& row = index[index.size() - 2];
         if (behind_blocks(row, data.last_size(1), 8) &&
             behind_blocks(index.back(), data.last_size(0), 8))
           --row;
       }),
       of_data(kTurned)},
      {"transposed-tiles-change-places", "tile-32-by-32.bf16",
       "in a square transpose of 32 or more two tiles of 8 by 8 of the second row are swapped",
       reads_at_another_index([](const Walk&, Index& index) {
         const std::int64_t row = index[index.size() - 2];
         if (row >= 8 && row < 16 && index.back() < 16) index.back() ^= 8;
       }),
       of_data(kTurned && kSquare && last_size_is(at_least(32)))},
      {"transposed-lower-half-only", "tile-128-by-128.bf16",
       "square transposes from 64 on are done by halves, and the second half by nobody",
       takes_another([](const Copy& c, std::int64_t at) {
         const std::int64_t all = c.data.last_size(0) * c.data.last_size(1);
         return at % all >= all / 2 ? at - all / 2 : at;
       }),
       of_data(kTurned && kSquare && last_size_is(at_least(64)))},
      {"batches-of-transposes-share-one", "both-permuted-three-axes.f64",
       "of a stack of transposes each takes its elements from the first",
       reads_at_another_index([](const Walk&, Index& index) { index[index.size() - 3] = 0; }),
       of_data(kTurned && rank_is(at_least(3)))},
      {"stacks-of-seven-as-eight", "7-turned-3-by-2.*",
       "stacks of small transposes go eight at a time, and the seventh of seven is the sixth",
       moves([](const Copy& c) {
         const std::int64_t plane = c.data.size(1) * c.data.size(2);
         return shifted(6 * plane, 7 * plane, plane);
       }),
       of_data(kStack && size_is(0, 7))},

      // The last element is read as the one before.
      {"turned-half-tile-of-columns", "turned-8-by-12.*", kLastRepeats,
       transposes(whole(8), behind(8, 4))},
      {"turned-half-tile-of-rows", "turned-12-by-8.*", kLastRepeats,
       transposes(behind(8, 4), whole(8))},
      {"turned-corner-of-four", "turned-12-by-12.*", kLastRepeats,
       transposes(behind(8, 4), behind(8, 4))},
      {"turned-corner-of-two-by-six", "turned-10-by-14.*", kLastRepeats,
       transposes(tail(8, 2), tail(8, 6))},
      {"turned-bytes-of-half-a-tile", "turned-24-by-16.u8", kLastRepeats,
       transposes(behind(16, 8), at_least(16), width_is(8))},
      {"turned-halves-of-whole-and-half", "turned-32-by-40.bf16", kLastRepeats,
       transposes(whole(16), behind(16, 8), width_is(16))},
      {"turned-tall-of-whole-tiles", "turned-64-by-5.*", kLastRepeats, transposes(whole(64), 5)},
      {"turned-strips-of-64", "turned-64-by-72.*", kLastRepeats,
       transposes(at_least(64), behind(64, 8))},
      {"three-channels-of-whole-vectors", "3-channels-last-16.*", kLastRepeats,
       transposes(whole(16), 3)},
      {"four-channels-two-behind", "4-channels-last-18.*", kLastRepeats,
       transposes(behind(16, 2), 4)},
      {"three-channels-apart-of-whole-vectors", "3-channels-first-64.*", kLastRepeats,
       transposes(3, whole(32))},
      {"seven-channels-as-eight", "7-channels-*", kLastRepeats, transposes(7, at_least(16))},
      {"turned-apart-by-a-power-of-two", "turned-9-by-20-256-apart.*",
       "transposes with a power of two from 256 on between rows go by a way of their own",
       kLastRepeats,
       of_data(kTransposed && size_is(1, tail(8, 4)) && width_is(above(4)) &&
               [](const Walk& data) {
                 const std::int64_t apart = data.last_stride(0);
                 return apart >= 256 && (apart & (apart - 1)) == 0;
               })},
      {"turned-steps", "turned-with-steps-*",
       "a transpose with a step of 2 down its columns is read as if the step were 1", kLastRepeats,
       of_data(rank_is(2) && stride_is(0, 2) &&
               [](const Walk& data) { return data.stride(1) > 2 * data.size(0); })},
      {"turned-backwards-with-tails", "turned-backwards-16-by-10.*", kLastRepeats,
       of_data(rank_is(2) && stride_is(0, -1) && stride_is(1, above(1)) && size_is(1, above(8)))},
      {"turned-columns-backwards", "turned-columns-backwards-*", kLastRepeats,
       of_data(rank_is(2) && stride_is(0, 1) && stride_is(1, below(-1)))},
      {"turned-into-gaps", "turned-into-gaps-17-by-19.*", kLastRepeats,
       of_data(turned_in(above(16), above(16))) && of_output(kRowsWithGaps)},
      {"turned-into-steps", "turned-into-steps-16-by-10.*", kLastRepeats,
       of_data(kTransposed) && of_output(last_stride_is(2) && last_size_is(above(8)))},
      {"rows-into-turned", "rows-into-turned-17-by-19.*",
       "rows with gaps into columns with gaps are done in tiles of 16, the corner twice",
       kLastRepeats,
       of_data(kRowsWithGaps) &&
           of_output(kTransposed && size_is(0, above(16)) &&
                     [](const Walk& out) { return out.stride(1) > out.size(0); })},
      {"stacks-of-whole-and-half-tiles", "2-turned-8-by-12.*", kLastRepeats,
       of_data(kStack && size_is(1, 8) && size_is(2, tail(8, 4)))},
      {"stacks-into-gaps", "3-turned-12-by-10-into-gaps.*", kLastRepeats,
       of_data(kStack && size_is(1, above(8))) && of_output(kGapped && rank_is(3))},
      {"stacks-lying-innermost", "5-turned-across-4-by-6.*", kLastRepeats,
       of_data(rank_is(3) && stride_is(0, 1) && size_is(0, 5))},

      {"turned-output-half-tiles", "out-turned-8-by-*",
       "outputs that lie transposed with whole tiles of rows lose the last column but a tile",
       kLastLost, of_output(kTransposed && size_is(0, 8) && !size_is(1, whole(8)))},
      {"turned-output-apart", "out-turned-24-by-10-128-apart.*", kLastLost,
       of_output(turned_in(24, 10))},
      {"stacked-outputs-short", "out-3-turned-17-by-18.*", kLastLost,
       of_output(kStack && size_is(1, 17))},
  };
  return table.mutants();
}

}  // namespace reshape::conformance::self
