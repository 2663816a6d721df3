// Mistakes about data that is not row-major: its strides, its axes, and kernels for certain
// layouts.
#include <algorithm>
#include <numeric>

#include "conformance/self/displace.h"
#include "reference/tensor/tensor_view.h"

namespace reshape::conformance::self {
namespace {

using Index = std::vector<std::int64_t>;

// The data's elements in the order in which they lie in memory.
std::vector<std::int64_t> in_memory_order(const Walk& data) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(data.count()));
  std::iota(order.begin(), order.end(), 0);
  std::vector<std::int64_t> positions;
  for (std::int64_t at = 0; at < data.count(); ++at) positions.push_back(data.position(at));
  std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
    return positions[static_cast<std::size_t>(a)] < positions[static_cast<std::size_t>(b)];
  });
  return order;
}

Steps reads_in_memory_order(Where wrong) {
  return spoils(std::move(wrong), [=](const Copy& c) {
    const std::vector<std::uint64_t> from = collect(*c.request.data);
    std::vector<std::uint64_t> to;
    for (const std::int64_t at : in_memory_order(c.data)) {
      to.push_back(from[static_cast<std::size_t>(at)]);
    }
    put(c.output, to);
  });
}

// Reads the data with other strides. What would lie outside of the data is read from its ends.
Steps reads_with_other_strides(Where wrong, std::function<void(Strides&, const Shape&)> change) {
  return spoils(std::move(wrong), [=](const Copy& c) {
    Layout layout = c.data.layout();
    change(layout.strides, layout.shape);
    const ElementRange range = touched(c.data.layout());
    std::vector<std::uint64_t> to;
    for (std::int64_t at = 0; at < c.data.count(); ++at) {
      const std::int64_t position = position_of(layout, c.data.index(at));
      to.push_back(load_element(c.data.type(), start_of(*c.request.data),
                                std::clamp(position, range.first, range.last)));
    }
    put(c.output, to);
  });
}

void make_dense(Strides& strides, const Shape& shape) { strides = *row_major_strides(shape); }

// Indices of the axes [0, count) that walk backwards are counted from the other end.
void turn_round(const Walk& data, Index& index, std::size_t count) {
  for (std::size_t axis = 0; axis < count; ++axis) {
    if (data.stride(axis) < 0) index[axis] = data.size(axis) - 1 - index[axis];
  }
}

// Truncates strides to `bits` bits.
Steps strides_in(int bits, const When& where) {
  const std::int64_t most = (std::int64_t{1} << bits) - 1;
  return reads_with_other_strides(
      where && of_data([=](const Walk& data) { return data.any_stride(above(most)); }),
      [=](Strides& strides, const Shape&) {
        for (std::int64_t& stride : strides) stride = stride > 0 ? stride & most : stride;
      });
}

// Of the data, in bytes.
When reaching(int bits) {
  return {said("data that reaches 2^", bits, " bytes or more"), [=](const Copy& c) {
            return touched(c.data.layout()).last >= (std::int64_t{8} << bits) / c.data.width();
          }};
}
Effect read_no_further(int bits) {
  return {said("elements behind 2^", bits, " bytes are read at the first"), [=](Where where) {
            return takes_another(std::move(where), [=](const Copy& c, std::int64_t at) {
              return c.data.position(at) >= (std::int64_t{8} << bits) / c.data.width() ? 0 : at;
            });
          }};
}

Effect axes_walked(std::int64_t most) {
  return {said("of more than ", most, " axes the outer ones are not walked"), [=](Where where) {
            return reads_at_another_index(std::move(where), [=](const Walk&, Index& index) {
              if (std::ssize(index) > most) std::fill(index.begin(), index.end() - most, 0);
            });
          }};
}

// The same, counting only axes larger than 1.
Effect stepped_axes_walked(std::int64_t most) {
  return {said("of more than ", most, " axes larger than 1 the outer ones are not walked"),
          [=](Where where) {
            return reads_at_another_index(std::move(where), [=](const Walk& walk, Index& index) {
              std::int64_t left = most;
              for (std::size_t axis = index.size(); axis-- > 0;) {
                if (walk.size(axis) > 1 && left-- <= 0) index[axis] = 0;
              }
            });
          }};
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
  return {said("rows go in blocks of ", block, " elements, and the tails are read one early"),
          [=](Where where) {
            return reads_at_another_index(std::move(where), [=](const Walk& data, Index& index) {
              const std::int64_t row = data.last_size(0);
              if (row > block && index.back() >= row / block * block) --index.back();
            });
          }};
}

Effect tails_lost(std::int64_t block) {
  return {said("rows go in blocks of ", block, " elements, and the tails are not written"),
          [=](Where where) { return loses_tails_of_rows(std::move(where), block); }};
}

// The span from the first to the last element equals their number: rows in order, or windows whose
// overlaps make up for their gaps.
const Trait kSpansItsCount{"", [](const Walk& walk) {
                             const ElementRange range = touched(walk.layout());
                             return !walk.backwards() && !walk.permuted() &&
                                    walk.last_stride(0) == 1 &&
                                    range.last - range.first + 1 == walk.count();
                           }};

// Axes between the first and the last that walk backwards are counted from the other end.
void turn_round_between(const Walk& walk, Index& index) {
  for (std::size_t axis = 1; axis + 1 < index.size(); ++axis) {
    if (walk.stride(axis) < 0) index[axis] = walk.size(axis) - 1 - index[axis];
  }
}

std::vector<Row> strides_and_axes() {
  return {
      {"column-major", "3-by-11-to-11-by-3.f64", "data is read with its first axis varying fastest",
       takes_another(of_data(rank_is(above(1))),
                     [](const Copy& c, std::int64_t at) {
                       Index index(c.data.rank());
                       for (std::size_t axis = 0; axis < c.data.rank(); at /= c.data.size(axis++)) {
                         index[axis] = at % c.data.size(axis);
                       }
                       return c.data.number(index);
                     }),
       like("pytorch/pytorch#194051")},
      {"strides-of-data-ignored", "large-channels-last", "data is read as if it were dense",
       reads_with_other_strides(of_data(kForwards), make_dense)},
      {"physical-order-kept", "large-channels-last",
       "permuted data is handed on in the order in which it lies in memory",
       reads_in_memory_order(of_data(kPermuted)), like("uxlfoundation/oneDNN@707dc0ff8f")},
      {"physical-order-kept-without-gaps", "large-channels-last",
       "permuted data is copied in one piece where it has no gaps",
       reads_in_memory_order(of_data(kPermuted && kGapless))},
      {"backwards-read-forwards", "both-backwards-rows.bf16", "negative strides lose their sign",
       reads_at_another_index(
           of_data(kBackwards),
           [](const Walk& data, Index& index) { turn_round(data, index, index.size()); })},
      {"backwards-innermost-only", "both-backwards-rows.bf16",
       "a negative stride is minded on the innermost axis and nowhere else",
       reads_at_another_index(
           of_data(kBackwards),
           [](const Walk& data, Index& index) { turn_round(data, index, index.size() - 1); })},
      {"output-backwards-between", "out-backwards-in-the-middle.f32",
       "a negative stride of an output is taken for positive between the first axis and the last",
       takes_another(of_output(kBackwards),
                     [](const Copy& c, std::int64_t at) {
                       Index index = c.out.index(at);
                       turn_round_between(c.out, index);
                       return c.out.number(index);
                     })},
      {"density-by-the-span", "windows-in-batches.f32",
       "data that spans as many positions as it has elements is read in one piece",
       reads_with_other_strides(of_data(kSpansItsCount), make_dense)},
      {"broadcast-read-on", "repeated-rows.u8",
       "a stride of 0 is taken for one that was not set, and computed",
       reads_with_other_strides(of_data(kRepeated),
                                [](Strides& strides, const Shape& shape) {
                                  const Strides dense = *row_major_strides(shape);
                                  for (std::size_t axis = 0; axis < strides.size(); ++axis) {
                                    if (strides[axis] == 0) strides[axis] = dense[axis];
                                  }
                                })},
      {"broadcast-read-once", "both-repeated-column-into-transposed.f64",
       "where the innermost stride is 0, the first row's element fills all rows",
       reads_at_another_index(of_data(last_size_is(above(1)) && last_stride_is(0)),
                              [](const Walk&, Index& index) {
                                if (index.size() > 1) index[index.size() - 2] = 0;
                              })},
      {"unit-stride-means-dense", "packed-both-odd-rows.i4",
       "data whose innermost stride is 1 is read in one piece",
       reads_with_other_strides(of_data(last_stride_is(1) && kForwards), make_dense)},
      {"folded-across-gaps", "packed-both-odd-rows.i4",
       "two inner axes are folded into one although a gap lies between their rows",
       reads_with_other_strides(of_data(rank_is(above(1)) && last_stride_is(above(0)) &&
                                        [](const Walk& data) {
                                          return data.last_stride(1) >
                                                 data.last_stride(0) * data.last_size(0);
                                        }),
                                [](Strides& strides, const Shape& shape) {
                                  const std::size_t last = strides.size() - 1;
                                  strides[last - 1] = strides[last] * shape[last];
                                })},
      {"outermost-gap-skipped", "packed-both-odd-rows.i4",
       "the outermost stride is computed from the inner sizes",
       reads_with_other_strides(of_data(rank_is(above(1)) && stride_is(0, above(1))),
                                [](Strides& strides, const Shape& shape) {
                                  strides[0] = (*row_major_strides(shape))[0];
                                })},
      {"ones-with-strides-not-folded", "both-ones-wild.u8",
       "an axis of size 1 with a stride of its own is taken for the step between rows",
       reads_with_other_strides(
           of_data(rank_is(above(1)) && last_size_is(1) && last_stride_is(above(0)) &&
                   [](const Walk& data) { return data.last_size(1) > 1; }),
           [](Strides& strides, const Shape&) { strides[strides.size() - 2] = strides.back(); })},
      {"strides-in-8-bits", "large-channels-last",
       "strides are kept in 8 bits, so that one of 260 steps by 4",
       strides_in(8, of_data(kStrided))},
      {"strides-in-16-bits", "far-apart.f64",
       "strides are kept in 16 bits, so that one of 65536 does not step at all",
       strides_in(16, kEveryCopy)},
      {"byte-offsets-in-31-bits", "data-2-to-32-bytes-apart.f32", read_no_further(31), reaching(31),
       like("numpy/numpy#7455")},
      {"byte-offsets-in-32-bits", "data-2-to-32-bytes-apart.f32", read_no_further(32),
       reaching(32)},
      {"bytes-gathered-in-pairs", "written-transposed-f8e4m3",
       "strided data of one byte is gathered two at a time, the second from beside the first",
       takes_another(of_data(width_is(8) && last_stride_is(above(1)) && last_size_is(above(1))),
                     [](const Copy&, std::int64_t at) { return at & ~std::int64_t{1}; })},
      {"every-second-tail", "both-every-second.u8",
       "a stride of 2 is unzipped in vectors of 8, and the tail is read without the stride",
       takes_another(of_data(rank_is(1) && stride_is(0, 2)),
                     [](const Copy& c, std::int64_t at) {
                       const std::int64_t tail = c.data.count() / 8 * 8;
                       return at < tail ? at : tail + (at - tail) / 2;
                     })},
      {"counter-carries-once", "large-channels-last",
       "the counter over three axes or more carries into the next axis and not further",
       // What never carried: the axes from the third on stay where they began.
       reads_at_another_index(
           of_data(rank_is(at_least(3)) && kStrided),
           [](const Walk&, Index& index) { std::fill(index.begin(), index.end() - 2, 0); })},
      {"five-axes-walked", "both-six-axes.u8", axes_walked(5), of_data(kStrided)},
      {"eight-axes-walked", "rank-17-reversed.u8", axes_walked(8), of_data(kStrided)},
      {"sixteen-axes-walked", "rank-17-reversed.u8", axes_walked(16), of_data(kStrided)},
      {"twelve-stepped-axes-walked", "seventeen-axes-reversed.u8", stepped_axes_walked(12),
       of_data(kStrided)},
      {"rows-counted-in-8-bits", "large-channels-last",
       "rows of strided data are counted in 8 bits, and begin again behind 256",
       takes_another(
           of_data(kStrided) &&
               [](const Copy& c) { return c.data.count() / c.data.last_size(0) > 256; },
           [](const Copy& c, std::int64_t at) { return at % (256 * c.data.last_size(0)); })},
      {"both-sides-backwards", "both-backwards-rows.bf16", kFirstLost, of_both(kBackwards)},
      {"broadcast-into-gaps", "both-repeated-into-gaps.f64", kLastLost,
       of_data(kRepeated) && of_output(kGapped)},
  };
}

std::vector<Row> tails_of_rows() {
  const Trait bytes = width_is(8), doubles = width_is(64);
  return {
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
       tails_early(256).steps(
           of_data(bytes && kTurned && [](const Walk& data) { return data.last_size(1) > 255; }))},
      {"output-backwards-tail", "packed-out-backwards.i4", tails_lost(4),
       of_output(last_stride_is(-1))},
      {"output-turned-tail", "both-channels-last.f64", tails_lost(8), of_output(kTurned)},
      {"output-turned-bytes-tail", "out-tile-65-by-33.u8", tails_lost(16),
       of_output(bytes && kTurned)},
      {"output-stride-of-two-tail", "both-every-second.u8", tails_lost(8),
       of_output(last_stride_is(2))},
  };
}

}  // namespace

Mutants families::bytes_layout() {
  return family(Kind::bytes, {"bytes", "bytes"},
                joined({breaking("content.kept", strides_and_axes()),
                        breaking("content.kept", tails_of_rows())}));
}

}  // namespace reshape::conformance::self
