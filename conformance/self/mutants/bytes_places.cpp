// Mistakes about outputs that are not row-major, in-place calls, the alignment of buffers,
// distances, and 16-bit counters.
#include <algorithm>

#include "conformance/self/displace.h"

namespace reshape::conformance::self {
namespace {

// Writes what belongs to element n to element target(output, n).
Effect puts_elsewhere(std::function<std::int64_t(const Walk&, std::int64_t)> target) {
  return spoils([=](const Copy& c) {
    const std::vector<std::uint64_t> from = collect(c.output);
    std::vector<std::uint64_t> to = from;
    for (std::int64_t at = 0; at < c.out.count(); ++at) {
      to[static_cast<std::size_t>(target(c.out, at))] = from[static_cast<std::size_t>(at)];
    }
    put(c.output, to);
  });
}

// Writes the output as if it were dense.
Effect writes_densely() {
  return {"", [](Where wrong) {
            return executing([=](const Execution& call) {
              DLTensor written = call.output;
              const Copy copy(call.request, call.output);
              if (copy.out.count() > 0 && wrong(copy)) written.strides = nullptr;
              return call.right(call.request, written);
            });
          }};
}

const Effect kFirstInverted =
    worded("the first element is inverted", spoils_elements([](Elements& elements) {
             const bool boolean = elements.type() == ElementType::boolean;
             elements.set(0, elements.get(0) ^ (boolean ? 1 : ~std::uint64_t{0}));
           }));

Effect changes_order(std::function<void(std::vector<std::uint64_t>&)> change) {
  return spoils([=](const Copy& c) {
    std::vector<std::uint64_t> elements = collect(c.output);
    change(elements);
    put(c.output, elements);
  });
}

Effect output_axes_walked(std::int64_t most) {
  return worded(said("of more than ", most, " axes only the first element of axis 0 is written"),
                leaves([=](const Copy& c, std::int64_t at) {
                  return std::ssize(c.out.layout().strides) > most &&
                         at >= c.out.count() / c.out.size(0);
                }));
}

Effect written_no_further(int bits) {
  return worded(
      said("elements 2^", bits, " bytes or more behind the output's first are not written"),
      leaves([=](const Copy& c, std::int64_t at) {
        return c.out.position(at) >= (std::int64_t{8} << bits) / c.out.width();
      }));
}

// Executes overlapping buffers as step(copy) says.
Steps where_overlapping(std::function<void(const Copy&)> step) {
  return executing([=](const Execution& call) {
    const Copy copy(call.request, call.output);
    if (!overlapping(copy)) return call.right();
    step(copy);
    return RESHAPE_OK;
  });
}

// Moves the elements one by one, the last one first if backwards(copy).
Steps moves_within(Where backwards) {
  return where_overlapping([=](const Copy& copy) {
    const bool last_first = backwards(copy);
    const std::int64_t count = copy.data.count();
    for (std::int64_t step = 0; step < count; ++step) {
      const std::int64_t at = last_first ? count - 1 - step : step;
      set_element(copy.out, copy.output, at, element_at(copy.data, *copy.request.data, at));
    }
  });
}

// Refuses to execute where reaches_too_far(a stride of the tensor, its axis' size).
Steps refuses_strides(const DLTensor& (*of)(const Execution&),
                      bool (*reaches_too_far)(std::int64_t, std::int64_t)) {
  return executing([=](const Execution& call) {
    const DLTensor& tensor = of(call);
    for (std::int32_t axis = 0; tensor.strides != nullptr && axis < tensor.ndim; ++axis) {
      if (reaches_too_far(tensor.strides[axis], tensor.shape[axis])) {
        return call.answer(RESHAPE_REJECTED, "the strides reach too far");
      }
    }
    return call.right();
  });
}

constexpr std::int64_t k16Bits = 65536;

const Effect kRowsBeginAgain =
    worded("axis 0 is counted in 16 bits, and begins again behind 65536", moves([](const Copy& c) {
             if (!size_is(0, above(k16Bits))(c.data)) return Moves{};
             const std::int64_t wrapped = c.data.count() / c.data.size(0) * k16Bits;
             return shifted(wrapped, c.data.count(), wrapped);
           }));
const Effect kRowsEnd =
    worded("rows are counted in 16 bits, and those from 65536 on are not written",
           loses_from([](const Copy& c) {
             return size_is(0, above(k16Bits))(c.out) ? c.out.size(1) * k16Bits : c.out.count();
           }));

// Behind blocks of four, columns from 65536 on are read as those 65536 before.
Moves columns_left_over(const Copy& c) {
  const std::int64_t columns = c.data.size(1);
  Moves all;
  for (std::int64_t row = 0; row < c.data.size(0); ++row) {
    for (std::int64_t at = columns / 4 * 4; at < columns; ++at) {
      all.emplace_back(row * columns + at, row * columns + at - k16Bits);
    }
  }
  return all;
}
// The same of rows.
Moves rows_left_over(const Copy& c) {
  const std::int64_t columns = c.data.size(1);
  return shifted(c.data.size(0) / 4 * 4 * columns, c.data.count(), k16Bits * columns);
}

}  // namespace

Mutants families::bytes_places() {
  Table table(Kind::bytes, {"bytes", "bytes"});
  table["content.kept"] = {
      // Outputs with strides.
      {"strides-promised-in-vain", "packed-both-odd-rows.i4",
       "outputs with strides are promised, and written as if dense",
       // Writing densely stays within the buffer only where strides are positive.
       writes_densely(),
       [](const Copy& c) {
         for (std::size_t axis = 0; axis < c.out.rank(); ++axis) {
           if (c.out.stride(axis) <= 0) return false;
         }
         return true;
       }},
      {"output-backwards-written-forwards", "packed-out-backwards.i4",
       "negative strides of the output lose their sign",
       puts_elsewhere([](const Walk& out, std::int64_t at) {
         std::vector<std::int64_t> index = out.index(at);
         for (std::size_t axis = 0; axis < index.size(); ++axis) {
           if (out.stride(axis) < 0) index[axis] = out.size(axis) - 1 - index[axis];
         }
         return out.number(index);
       }),
       of_output(kBackwards)},
      {"permuted-output-written-in-one-piece", "both-transposed-differently.f32",
       "a permuted output without gaps is filled in the order of its memory", writes_densely(),
       of_output(kPermuted && kGapless && kForwards)},
      {"output-last-row-lost", "packed-both-odd-rows.i4",
       "of an output with gaps the last row is not written", kLastRowLost,
       of_output(rank_is(above(1)) && kGapped)},
      {"output-gap-tail-lost", "out-padded-by-one.f32",
       "rows of an output with gaps are written in full blocks of 4, and their tails not",
       loses_tails_of_rows(4), of_output(rank_is(above(1)) && kGapped)},
      {"output-strided-in-its-last-axis", "packed-out-backwards.i4",
       "where the output's innermost stride is not 1, every second element is not written",
       leaves([](const Copy&, std::int64_t at) { return at % 2 != 0; }),
       of_output(last_size_is(above(1)) && !last_stride_is(1))},
      {"output-rows-of-five-axes", "both-six-axes.u8", output_axes_walked(5), of_output(kStrided)},
      {"output-rows-of-eight-axes", "out-rank-13-reversed.f64", output_axes_walked(8),
       of_output(kStrided)},
      {"both-sides-strided", "packed-both-odd-rows.i4",
       "where both sides have strides, the output is walked with the data's rows",
       puts_elsewhere([](const Walk& out, std::int64_t at) { return (at + 1) % out.count(); }),
       of_both(kStrided)},
      {"output-offsets-in-31-bits", "output-2-to-31-bytes-apart.f32", written_no_further(31)},
      {"output-offsets-in-32-bits", "output-2-to-32-bytes-apart.f64", written_no_further(32)},
      {"zeros-unwritten", "count-2.u8", "an element that is 0 is taken to be there already",
       mixes([](const Copy&, const Element& one) { return one.now == 0 ? one.before : one.now; })},
      {"adds-to-what-is-there", "count-2.u8",
       "the output is taken to hold zeros before the call, and its first element is or-ed to it",
       // In place the bits would be combined with themselves, which is right by accident.
       mixes([](const Copy&, const Element& one) {
         return one.number == 0 ? one.now | one.before : one.now;
       }),
       kApart},

      // Where buffers begin.
      {"wrong-where-unaligned", "count-2.u8",
       "buffers that do not start at 16 bytes lose their first element", kFirstInverted,
       !output_begins(16, 0)},
      {"wrong-where-aligned-to-a-line", "count-17.f32", kFirstInverted,
       output_begins(64, 0) && data_begins(64, 0) && of_data(bytes_are(at_least(64)))},
      {"wrong-where-aligned-differently", "both-every-third-and-second.u8", kFirstInverted,
       aligned_differently(8) && of_data(bytes_are(at_least(8)))},
      {"wrong-at-odd-addresses", "count-8.bf16", kFirstInverted,
       of_data(width_is(16)) && data_begins(2, 1)},
      {"data-behind-a-byte-offset", "count-2.u8",
       "where byte_offset of the data is not 0, the first element is not read", kFirstInverted,
       [](const Copy& c) { return c.request.data->byte_offset != 0; }},
      {"output-behind-a-byte-offset", "count-2.u8",
       "where the output has a byte_offset, its first element is not written", kFirstInverted,
       [](const Copy& c) { return c.output.byte_offset != 0; }},
      {"one-pointer-is-in-place", "count-2.u8",
       "data and output with one pointer are taken for a call in place, whatever their byte_offset",
       executing([](const Execution& call) {
         const Copy copy(call.request, call.output);
         const bool taken = call.output.data == call.data().data && copy.data.dense() &&
                            copy.out.dense() && copy.data.count() > 0;
         return taken ? RESHAPE_OK : call.right();
       })},
      {"bf16-behind-an-offset", "both-backwards-rows.bf16",
       "the way of 16-bit floats forgets a byte_offset of 16 or more", kFirstInverted,
       [](const Copy& c) {
         const ElementType type = c.data.type();
         return c.request.data->byte_offset >= 16 &&
                (type == ElementType::bf16 || type == ElementType::f16);
       }},
      {"data-at-half-a-line", "data-at-byte-32.*", kFirstLost, kApart && data_begins(64, 32)},
      {"output-at-a-quarter-of-a-line", "output-at-byte-16.*", kFirstLost,
       kApart && output_begins(64, 16)},
      {"output-in-the-last-word-of-a-line", "output-at-byte-60.*", kFirstLost,
       kApart && output_begins(64, 60)},
      {"half-a-line-between-data-and-output", "data-at-64-output-at-32.*", kFirstLost,
       kApart && data_begins(64, 0) && output_begins(64, 32)},
      {"both-at-half-a-vector", "data-at-48-output-at-48.*", kFirstLost,
       kApart && data_begins(64, 48) && output_begins(64, 48)},
      {"data-in-the-last-line-of-a-page", "data-across-a-page-at-4064.*", kFirstLost,
       kApart && data_begins(4096, at_least(4064)) && of_output(bytes_are(above(32)))},
      {"output-in-the-last-line-of-a-page", "output-across-a-page-at-40??.*", kFirstLost,
       kApart && output_begins(4096, at_least(4064)) && of_output(bytes_are(above(32)))},
      {"rows-across-pages-cut", "rows-across-pages.*",
       "rows with gaps that run over the end of a page come without their last element",
       kEndsOfRowsRepeatOthers,
       of_data(kRowsWithGaps && stride_is(0, 4090) && size_is(1, above(6)))},
      {"rows-a-page-apart", "rows-4096-apart.*",
       "rows whose distance is a multiple of 4096 elements are staged, the last one not",
       moves([](const Copy& c) { return Moves{{c.data.count() - 1, c.data.size(1) - 1}}; }),
       of_data(kRowsWithGaps && stride_is(0, whole(4096)) && size_is(0, 5))},
      {"output-rows-a-page-apart", "out-rows-2048-apart.*",
       "output rows a multiple of 2048 elements apart are staged, the last one not", kLastLost,
       of_output(kRowsWithGaps && stride_is(0, whole(2048)) && size_is(0, 5))},
      {"ones-ordered-by-their-stride", "one-with-a-stride-of-all-bits-?.f64",
       "axes are sorted by stride, and one of size 1 with a huge stride hides that rows follow",
       moves([](const Copy& c) { return Moves{{c.data.count() - 1, 0}}; }),
       of_data(count_is(above(1)) &&
               [](const Walk& data) {
                 bool huge = false;
                 for (std::size_t axis = 0; axis < data.rank(); ++axis) {
                   huge = huge ||
                          (data.size(axis) == 1 && data.stride(axis) > (std::int64_t{1} << 40));
                 }
                 return huge;
               })},

      // Counters of 16 bits.
      {"gapped-rows-counted-in-16-bits", "65537-rows.*", kRowsBeginAgain, of_data(kRowsWithGaps)},
      {"turned-rows-counted-in-16-bits", "65539-rows-turned.*", kRowsBeginAgain,
       of_data(kTransposed)},
      {"planes-counted-in-16-bits", "65537-planes-turned.*", kRowsBeginAgain, of_data(rank_is(3))},
      {"steps-counted-in-16-bits", "65537-with-steps.*", kRowsBeginAgain,
       of_data(rank_is(1) && stride_is(0, above(1)))},
      {"backward-steps-counted-in-16-bits", "65537-backwards.*", kRowsBeginAgain,
       of_data(rank_is(1) && kBackwards)},
      {"long-rows-counted-in-16-bits", "rows-of-65537.*",
       "the elements of rows with gaps are counted in 16 bits, and begin again behind 65536",
       moves([](const Copy& c) { return shifted(k16Bits, c.data.size(1), k16Bits); }),
       of_data(kRowsWithGaps && size_is(1, above(k16Bits)))},
      {"long-runs-counted-in-16-bits", "rows-of-65536-on-both.*",
       "where rows have gaps on both sides, runs are counted in 16 bits: of 65536 elements none "
       "are written",
       loses_from([](const Copy& c) { return c.out.size(1) % k16Bits; }),
       of_data(kRowsWithGaps && size_is(1, above(k16Bits - 1))) && of_output(kRowsWithGaps)},
      {"long-output-rows-counted-in-16-bits", "out-rows-of-65537.*",
       "the elements of output rows with gaps are counted in 16 bits, and those from 65536 on are "
       "not written",
       loses_from([](const Copy&) { return k16Bits; }),
       of_output(kRowsWithGaps && size_is(1, above(k16Bits)))},
      {"output-rows-counted-in-16-bits", "out-65537-rows.*", kRowsEnd, of_output(kRowsWithGaps)},
      {"turned-output-counted-in-16-bits", "out-65539-rows-turned.*", kRowsEnd,
       of_output(kTransposed)},
      {"turned-columns-counted-in-16-bits", "65539-columns-turned.*",
       "the columns of a transpose are counted in 16 bits, and begin again behind 65536",
       moves([](const Copy& c) { return shifted(k16Bits, c.data.size(1), k16Bits); }),
       of_data(kTransposed && size_is(1, above(k16Bits)))},
      {"left-over-columns-in-16-bits", "*-rows-of-65541-turned",
       "a transpose counts columns behind blocks of four in 16 bits", moves(columns_left_over),
       of_data(kTransposed && size_is(0, above(8)) && size_is(1, above(k16Bits)))},
      {"left-over-rows-in-16-bits", "65541-rows-of-*-turned",
       "a transpose counts rows behind blocks of four in 16 bits", moves(rows_left_over),
       of_data(kTransposed && size_is(1, above(8)) && size_is(0, above(k16Bits)))},
      {"repetitions-counted-in-16-bits", "65537-times-the-same.*",
       "how often a row repeats is counted in 16 bits: times from 65536 on are not written",
       loses_from([](const Copy& c) { return c.data.size(1) * k16Bits; }),
       of_data(rank_is(2) && stride_is(0, 0) && size_is(0, above(k16Bits))) && of_output(kDense)},
  };
  table[Duty::C13] = {
      {"in-place-clears", "count-2.u8", "the output is cleared before the copy, in place too",
       spoils_elements([](Elements& all) { all.each([](std::uint64_t) { return 0; }); }), kInPlace},
      {"in-place-moves-by-one", "count-2.u8",
       "in place the elements are moved up by one before the copy",
       changes_order([](std::vector<std::uint64_t>& all) {
         std::rotate(all.begin(), all.end() - 1, all.end());
       }),
       kInPlace},
      {"in-place-reverses-large-ones", "count-1024.f64",
       "in place, from 4 KiB on, the two halves change places",
       changes_order([](std::vector<std::uint64_t>& all) {
         const auto half = static_cast<std::ptrdiff_t>(all.size() / 2);
         std::rotate(all.begin(), all.begin() + half, all.end());
       }),
       kInPlace && of_output(from_kib(4))},
  };
  table[Duty::C21] = {
      {"overlap-copied-forwards", "count-2.u8",
       "an output that overlaps the data is written from the first element to the last",
       moves_within(!kEveryCopy)},
      {"overlap-copied-backwards", "count-2.u8",
       "an output that overlaps the data is written from the last element to the first",
       moves_within(kEveryCopy)},
      {"overlap-copied-as-dense", "both-backwards-rows.bf16",
       "which of two overlapping buffers begins first decides the direction, whatever their "
       "strides",
       moves_within(
           [](const Copy& c) { return address_of(c.output) > address_of(*c.request.data); })},
      {"overlap-ends-the-data", "count-2.u8",
       "of data that the output overlaps, the last element is cleared once it was read",
       where_overlapping([](const Copy& c) {
         const std::vector<std::uint64_t> elements = collect(*c.request.data);
         set_element(c.data, *c.request.data, c.data.count() - 1, 0);
         put(c.output, elements);
       }),
       caught("memory", "output-gaps")},
  };
  table.rows(Duty::C17, caught("bytes", "status")) = {
      {"in-place-refused", "count-2.u8", "in-place calls are promised and refused",
       executing([](const Execution& call) {
         const Copy copy(call.request, call.output);
         return copy.out.count() > 0 && in_place(copy)
                    ? call.answer(RESHAPE_REJECTED, "the output overlaps the data")
                    : call.right();
       })},
      {"ones-reach-too-far", "one-with-a-stride-of-all-bits-?.f64",
       "a stride of 2^60 or more is refused, although an axis of size 1 takes no step",
       refuses_strides([](const Execution& call) -> const DLTensor& { return call.data(); },
                       [](std::int64_t stride, std::int64_t) {
                         return stride >= (std::int64_t{1} << 60) ||
                                stride <= -(std::int64_t{1} << 60);
                       })},
      {"output-ones-reach-too-far", "out-one-with-a-stride-of-all-bits-?.f64",
       "output strides beyond 32 bits are refused, although an axis of size 1 takes no step",
       refuses_strides([](const Execution& call) -> const DLTensor& { return call.output; },
                       [](std::int64_t stride, std::int64_t size) {
                         return size == 1 && stride != static_cast<std::int32_t>(stride);
                       })},
  };
  return table.mutants();
}

}  // namespace reshape::conformance::self
