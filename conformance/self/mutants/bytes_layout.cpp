// Data that does not lie row by row: its strides, its axes, and the kernels for one way of lying in memory.
#include <algorithm>
#include <numeric>

#include "conformance/self/displace.h"
#include "conformance/self/families.h"
#include "reference/tensor/tensor_view.h"

namespace reshape::conformance::self {
namespace {

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

Steps reads_in_memory_order(WhereData wrong) {
  return after_execute([=](const reshape_request& request, DLTensor& out) {
    const Walk data(*request.data);
    if (data.count() == 0 || !wrong(data)) return;
    const std::vector<std::uint64_t> from = collect(*request.data);
    std::vector<std::uint64_t> to;
    for (const std::int64_t at : in_memory_order(data)) {
      to.push_back(from[static_cast<std::size_t>(at)]);
    }
    put(out, to);
  });
}

// Reads the data with other strides. What would lie outside of the data is read from its ends.
Steps reads_with_other_strides(WhereData wrong,
                               std::function<void(Strides&, const Shape&)> change) {
  return after_execute([=](const reshape_request& request, DLTensor& out) {
    const Walk data(*request.data);
    if (data.count() == 0 || !wrong(data)) return;
    Layout layout = data.layout();
    change(layout.strides, layout.shape);
    const ElementRange range = touched(data.layout());
    std::vector<std::uint64_t> to;
    for (std::int64_t at = 0; at < data.count(); ++at) {
      const std::int64_t position = position_of(layout, data.index(at));
      to.push_back(load_element(data.type(), start_of(*request.data),
                                std::clamp(position, range.first, range.last)));
    }
    put(out, to);
  });
}

void make_dense(Strides& strides, const Shape& shape) { strides = *row_major_strides(shape); }

// Indices of the axes [0, count) that walk backwards are counted from the other end.
void turn_round(const Walk& data, std::vector<std::int64_t>& index, std::size_t count) {
  for (std::size_t axis = 0; axis < count; ++axis) {
    if (data.stride(axis) < 0) index[axis] = data.size(axis) - 1 - index[axis];
  }
}

// Strides of `bits` bits.
Steps strides_in(int bits, bool dense_too) {
  const std::int64_t most = (std::int64_t{1} << bits) - 1;
  return reads_with_other_strides(
      [=](const Walk& data) {
        return data.any_stride([=](std::int64_t stride) { return stride > most; }) &&
               (dense_too || !data.dense());
      },
      [=](Strides& strides, const Shape&) {
        for (std::int64_t& stride : strides) stride = stride > 0 ? stride & most : stride;
      });
}

// Elements that lie `bytes` bytes or more behind the first are read at the first.
Steps reads_no_further_than(std::int64_t bytes) {
  return takes_another(
      [=](const Copy& c) { return touched(c.data.layout()).last >= bytes * 8 / c.data.width(); },
      [=](const Copy& c, std::int64_t at) {
        return c.data.position(at) >= bytes * 8 / c.data.width() ? 0 : at;
      });
}

// Of strided data of more than Most axes the outer ones are not walked.
Steps axes_walked(std::size_t most) {
  return reads_at_another_index(
      [=](const Walk& data) { return !data.dense() && data.rank() > most; },
      [=](const Walk&, std::vector<std::int64_t>& index) {
        std::fill(index.begin(), index.end() - static_cast<std::ptrdiff_t>(most), 0);
      });
}

bool of_bytes(const Walk& walk) { return walk.width() == 8; }
bool of_doubles(const Walk& walk) { return walk.width() == 64; }
bool gapped_rows(const Walk& walk) { return walk.last_stride(0) == 1 && walk.gaps(); }
bool repeated_rows(const Walk& walk) {
  return walk.rank() > 1 && walk.last_stride(1) == 0 && walk.last_size(1) > 1;
}
bool regrouped(const Walk& walk) {
  return walk.rank() > 2 && walk.last_stride(0) == 1 && walk.permuted();
}

// The elements of a row behind its last full block are read one place too early.
Steps row_tails(std::int64_t block, WhereData wrong) {
  return reads_at_another_index(
      [=](const Walk& data) { return data.last_size(0) > block && wrong(data); },
      [=](const Walk& data, std::vector<std::int64_t>& index) {
        if (index.back() >= data.last_size(0) / block * block) --index.back();
      });
}

// The same for outputs: what belongs there is not written.
Steps output_row_tails(std::int64_t block, WhereData wrong) {
  return leaves([=](const Copy& c) { return c.out.last_size(0) > block && wrong(c.out); },
                [=](const Copy& c, std::int64_t at) {
                  return at % c.out.last_size(0) >= c.out.last_size(0) / block * block;
                });
}

}  // namespace

Mutants families::bytes_layout() {
  Mutants table = {
      {"column-major", "content.kept", "3-by-11-to-11-by-3.f64",
       "data is read with its first axis varying fastest",
       takes_another([](const Copy& c) { return c.data.rank() > 1; },
                     [](const Copy& c, std::int64_t at) {
                       std::vector<std::int64_t> index(c.data.rank());
                       for (std::size_t axis = 0; axis < c.data.rank(); at /= c.data.size(axis++)) {
                         index[axis] = at % c.data.size(axis);
                       }
                       return c.data.number(index);
                     }),
       like("pytorch/pytorch#194051")},
      {"strides-of-data-ignored", "content.kept", "large-channels-last",
       "data is read as if it were dense",
       reads_with_other_strides([](const Walk& data) { return !data.backwards(); }, make_dense)},
      {"physical-order-kept", "content.kept", "large-channels-last",
       "permuted data is handed on in the order in which it lies in memory",
       reads_in_memory_order(&Walk::permuted), like("uxlfoundation/oneDNN@707dc0ff8f")},
      {"physical-order-kept-without-gaps", "content.kept", "large-channels-last",
       "permuted data is copied in one piece where it has no gaps",
       reads_in_memory_order([](const Walk& data) { return data.permuted() && !data.gaps(); })},
      {"backwards-read-forwards", "content.kept", "both-backwards-rows.bf16",
       "negative strides lose their sign",
       reads_at_another_index(&Walk::backwards,
                              [](const Walk& data, std::vector<std::int64_t>& index) {
                                turn_round(data, index, index.size());
                              })},
      {"backwards-innermost-only", "content.kept", "both-backwards-rows.bf16",
       "a negative stride is minded on the innermost axis and nowhere else",
       reads_at_another_index(&Walk::backwards,
                              [](const Walk& data, std::vector<std::int64_t>& index) {
                                turn_round(data, index, index.size() - 1);
                              })},
      {"broadcast-read-on", "content.kept", "repeated-rows.u8",
       "a stride of 0 is taken for one that was not set, and computed",
       reads_with_other_strides(&Walk::repeats,
                                [](Strides& strides, const Shape& shape) {
                                  const Strides dense = *row_major_strides(shape);
                                  for (std::size_t axis = 0; axis < strides.size(); ++axis) {
                                    if (strides[axis] == 0) strides[axis] = dense[axis];
                                  }
                                })},
      {"broadcast-read-once", "content.kept", "both-repeated-column-into-transposed.f64",
       "where the innermost stride is 0, the first row's element fills all rows",
       reads_at_another_index(
           [](const Walk& data) { return data.last_size(0) > 1 && data.last_stride(0) == 0; },
           [](const Walk&, std::vector<std::int64_t>& index) {
             if (index.size() > 1) index[index.size() - 2] = 0;
           })},
      {"unit-stride-means-dense", "content.kept", "packed-both-odd-rows.i4",
       "data whose innermost stride is 1 is read in one piece",
       reads_with_other_strides(
           [](const Walk& data) { return data.last_stride(0) == 1 && !data.backwards(); },
           make_dense)},
      {"folded-across-gaps", "content.kept", "packed-both-odd-rows.i4",
       "two inner axes are folded into one although a gap lies between their rows",
       reads_with_other_strides(
           [](const Walk& data) {
             return data.rank() > 1 &&
                    data.last_stride(1) > data.last_stride(0) * data.last_size(0) &&
                    data.last_stride(0) > 0;
           },
           [](Strides& strides, const Shape& shape) {
             const std::size_t last = strides.size() - 1;
             strides[last - 1] = strides[last] * shape[last];
           })},
      {"outermost-gap-skipped", "content.kept", "packed-both-odd-rows.i4",
       "the outermost stride is computed from the inner sizes",
       reads_with_other_strides(
           [](const Walk& data) { return data.rank() >= 2 && data.stride(0) > 1; },
           [](Strides& strides, const Shape& shape) {
             strides[0] = (*row_major_strides(shape))[0];
           })},
      {"ones-with-strides-not-folded", "content.kept", "both-ones-wild.u8",
       "an axis of size 1 with a stride of its own is taken for the step between rows",
       reads_with_other_strides(
           [](const Walk& data) {
             return data.rank() > 1 && data.last_size(0) == 1 && data.last_size(1) > 1 &&
                    data.last_stride(0) > 0;
           },
           [](Strides& strides, const Shape&) {
             strides[strides.size() - 2] = strides[strides.size() - 1];
           })},
      {"strides-in-8-bits", "content.kept", "large-channels-last",
       "strides are kept in 8 bits, so that one of 260 steps by 4", strides_in(8, false)},
      {"strides-in-16-bits", "content.kept", "far-apart.f64",
       "strides are kept in 16 bits, so that one of 65536 does not step at all",
       strides_in(16, true)},
      {"byte-offsets-in-31-bits", "content.kept", "data-2-to-32-bytes-apart.f32",
       "elements 2^31 bytes or more behind the first are read at the first",
       reads_no_further_than(std::int64_t{1} << 31), like("numpy/numpy#7455")},
      {"byte-offsets-in-32-bits", "content.kept", "data-2-to-32-bytes-apart.f32",
       "elements 2^32 bytes or more behind the first are read at the first",
       reads_no_further_than(std::int64_t{1} << 32)},
      {"bytes-gathered-in-pairs", "content.kept", "written-transposed-f8e4m3",
       "strided data of one byte is gathered two at a time, the second from beside the first",
       takes_another(
           [](const Copy& c) {
             return c.data.width() == 8 && c.data.last_stride(0) > 1 && c.data.last_size(0) > 1;
           },
           [](const Copy&, std::int64_t at) { return at & ~std::int64_t{1}; })},
      {"every-second-tail", "content.kept", "both-every-second.u8",
       "a stride of 2 is unzipped in vectors of 8, and the tail is read without the stride",
       takes_another([](const Copy& c) { return c.data.rank() == 1 && c.data.stride(0) == 2; },
                     [](const Copy& c, std::int64_t at) {
                       const std::int64_t tail = c.data.count() / 8 * 8;
                       return at < tail ? at : tail + (at - tail) / 2;
                     })},
      {"counter-carries-once", "content.kept", "large-channels-last",
       "the counter over three axes or more carries into the next axis and not further",
       reads_at_another_index([](const Walk& data) { return !data.dense() && data.rank() >= 3; },
                              [](const Walk& data, std::vector<std::int64_t>& index) {
                                const std::size_t outer = index.size() - 3;
                                // What never carried: the axes from the third on stay where they began.
                                for (std::size_t axis = 0; axis <= outer; ++axis) {
                                  index[axis] = data.size(axis) > 1 ? 0 : index[axis];
                                }
                              })},
      {"five-axes-walked", "content.kept", "both-six-axes.u8",
       "of strided data of more than 5 axes the outer ones are not walked", axes_walked(5)},
      {"eight-axes-walked", "content.kept", "rank-17-reversed.u8",
       "of strided data of more than 8 axes the outer ones are not walked", axes_walked(8)},
      {"sixteen-axes-walked", "content.kept", "rank-17-reversed.u8",
       "of strided data of more than 16 axes the outer ones are not walked", axes_walked(16)},
      {"rows-counted-in-8-bits", "content.kept", "large-channels-last",
       "rows of strided data are counted in 8 bits, and begin again behind 256",
       takes_another(
           [](const Copy& c) {
             return !c.data.dense() && c.data.count() / c.data.last_size(0) > 256;
           },
           [](const Copy& c, std::int64_t at) {
             const std::int64_t row = at / c.data.last_size(0);
             return (row & 0xff) * c.data.last_size(0) + at % c.data.last_size(0);
           })},
      {"backwards-tail", "content.kept", "backwards-long.f64",
       "rows walked backwards are turned in vectors of 8, and their tails come one early",
       row_tails(8, [](const Walk& data) { return data.last_stride(0) == -1; })},
      {"broadcast-rows-tail", "content.kept", "repeated-long-row.bf16",
       "rows that repeat are filled in from the one before in blocks of 4, their tails wrongly",
       row_tails(4, repeated_rows)},
      {"stride-of-three-tail", "content.kept", "large-channels-last",
       "a stride of 3 is gathered in blocks of 4, and the tail comes one early",
       row_tails(4, [](const Walk& data) { return data.last_stride(0) == 3; })},
      {"wide-stride-tail", "content.kept", "large-transpose",
       "a stride above 8 is gathered in blocks of 4, and the tail comes one early",
       row_tails(4, [](const Walk& data) { return data.last_stride(0) > 8; })},
      {"gapped-rows-tail-of-bytes", "content.kept", "both-padded-reshaped.u8",
       "rows of bytes with gaps are copied in words of 4, and their tails come one early",
       row_tails(4, [](const Walk& data) { return of_bytes(data) && gapped_rows(data); })},
      {"gapped-rows-tail-of-doubles", "content.kept", "both-padded-reshaped.f64",
       "rows of 64 bits with gaps are copied in pairs of pairs, and their tails come one early",
       row_tails(4, [](const Walk& data) { return of_doubles(data) && gapped_rows(data); })},
      {"transposed-bytes-tail", "content.kept", "large-transposed-wide",
       "transposes of bytes go in tiles of 16, and the columns behind them come one early",
       row_tails(16, [](const Walk& data) { return of_bytes(data) && turned(data); })},
      {"transposed-doubles-tail", "content.kept", "large-transpose",
       "transposes of 64 bits go in tiles of 4, and the columns behind them come one early",
       row_tails(4, [](const Walk& data) { return of_doubles(data) && turned(data); })},
      {"transposed-half-bytes-tail", "content.kept", "large-transposed.u4",
       "transposes of 4 bits go in tiles of 8, and the columns behind them come one early",
       row_tails(8, [](const Walk& data) { return data.width() == 4 && turned(data); })},
      {"transposed-stack-tail", "content.kept", "both-permuted-three-axes.f64",
       "in a stack of transposes the columns behind tiles of 4 come one early",
       row_tails(4, [](const Walk& data) { return data.rank() > 2 && turned(data); })},
      {"inner-rows-change-places-tail", "content.kept", "permuted-102-regrouped.u8",
       "where the middle axes change places, tails of the inner rows behind 4 come one early",
       row_tails(4, regrouped)},
      {"large-transposes-of-bytes", "content.kept", "large-transpose-in-blocks.u8",
       "transposes of bytes with both sizes above 255 come one column early from 256 on",
       row_tails(256,
                 [](const Walk& data) {
                   return of_bytes(data) && turned(data) && data.last_size(1) > 255;
                 })},
      {"output-backwards-tail", "content.kept", "packed-out-backwards.i4",
       "rows written backwards are turned in vectors of 4, and their tails are not written",
       output_row_tails(4, [](const Walk& out) { return out.last_stride(0) == -1; })},
      {"output-turned-tail", "content.kept", "both-channels-last.f64",
       "outputs that lie transposed are written in tiles of 8, and their tails are not",
       output_row_tails(8, turned)},
      {"output-turned-bytes-tail", "content.kept", "out-tile-65-by-33.u8",
       "transposed outputs of bytes are written in tiles of 16, and their tails are not",
       output_row_tails(16, [](const Walk& out) { return of_bytes(out) && turned(out); })},
      {"output-stride-of-two-tail", "content.kept", "both-every-second.u8",
       "a stride of 2 is written in vectors of 8, and the tail is not",
       output_row_tails(8, [](const Walk& out) { return out.last_stride(0) == 2; })},
      {"both-sides-backwards", "content.kept", "both-backwards-rows.bf16",
       "where data and output both walk backwards, the first element is not written",
       leaves([](const Copy& c) { return c.data.backwards() && c.out.backwards(); },
              [](const Copy&, std::int64_t at) { return at == 0; })},
      {"broadcast-into-gaps", "content.kept", "both-repeated-into-gaps.f64",
       "data that repeats is written into an output with gaps up to the last element but one",
       loses_the_last([](const Copy& c) { return c.data.repeats() && c.out.gaps(); })},
  };
  return family(Kind::bytes, {"bytes", "bytes"}, std::move(table));
}

}  // namespace reshape::conformance::self
