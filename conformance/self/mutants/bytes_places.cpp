// Outputs that do not lie row by row, in-place calls, where buffers begin, how far apart things lie, and
// counters of 16 bits.
#include <algorithm>

#include "conformance/self/displace.h"
#include "conformance/self/families.h"

namespace reshape::conformance::self {
namespace {

// Writes what belongs to element n to element target(output, n).
Steps puts_elsewhere(Where wrong, std::function<std::int64_t(const Walk&, std::int64_t)> target) {
  return after_execute([=](const reshape_request& request, DLTensor& out) {
    const Copy copy(request, out);
    if (copy.out.count() == 0 || !wrong(copy)) return;
    const std::vector<std::uint64_t> from = collect(out);
    std::vector<std::uint64_t> to = from;
    for (std::int64_t at = 0; at < copy.out.count(); ++at) {
      to[static_cast<std::size_t>(target(copy.out, at))] = from[static_cast<std::size_t>(at)];
    }
    put(out, to);
  });
}

Steps spoils_first_where(Where wrong) {
  return spoils_where(std::move(wrong), [](Elements& elements) {
    const std::uint64_t flipped = elements.type() == ElementType::boolean ? 1 : ~std::uint64_t{0};
    elements.set(0, elements.get(0) ^ flipped);
  });
}

// Of a strided output of more axes only the first element of axis 0 is written.
Steps output_axes_walked(std::size_t most) {
  return leaves([=](const Copy& c) { return c.out.rank() > most && !c.out.dense(); },
                [](const Copy& c, std::int64_t at) { return at >= c.out.count() / c.out.size(0); });
}

// Elements that lie so many bytes or more behind the output's first are not written.
Steps writes_no_further_than(std::int64_t bytes) {
  return leaves(
      [=](const Copy& c) { return touched(c.out.layout()).last >= bytes * 8 / c.out.width(); },
      [=](const Copy& c, std::int64_t at) {
        return c.out.position(at) >= bytes * 8 / c.out.width();
      });
}

// Where two buffers begin, and how long they are.
struct Places {
  std::uintptr_t data, output;
  std::int64_t bytes;
};

// Where when(places) says so, the first element is not written.
Steps loses_the_first_at(std::function<bool(const Places&)> when) {
  return loses_the_first([=](const Copy& c) {
    const Places places{address_of(*c.request.data), address_of(c.output), c.out.bytes()};
    return places.data != places.output && when(places);
  });
}

// Of overlapping buffers the elements move one by one, the last one first where backwards(copy).
Steps moves_within(Where backwards) {
  return executing([=](const reshape_request* request, DLTensor* output, reshape_message* why) {
    const Copy copy(*request, *output);
    if (!overlapping(copy)) return right().execute(request, output, why);
    const bool last_first = backwards(copy);
    const std::int64_t count = copy.data.count();
    for (std::int64_t step = 0; step < count; ++step) {
      const std::int64_t at = last_first ? count - 1 - step : step;
      set_element(copy.out, *output, at, element_at(copy.data, *request->data, at));
    }
    return RESHAPE_OK;
  });
}

// Rows from 2^16 on are those that the lower 16 bits of their number say.
Steps counts_rows_in_16_bits(WhereData when) {
  return moves(
      [=](const Copy& c) { return c.data.rank() > 0 && c.data.size(0) > 65536 && when(c.data); },
      [](const Copy& c) {
        const std::int64_t wrapped = (c.data.count() / c.data.size(0)) << 16;
        return shifted(wrapped, c.data.count(), wrapped);
      });
}

}  // namespace

Mutants families::bytes_places() {
  Mutants table = {
      {"strides-promised-in-vain", "content.kept", "packed-both-odd-rows.i4",
       "outputs with strides are promised, and written as if dense",
       executing([](const reshape_request* request, DLTensor* output, reshape_message* why) {
         DLTensor dense = *output;
         for (std::int32_t axis = 0; output->strides && axis < output->ndim; ++axis) {
           // Writing densely stays within the buffer only where strides are positive.
           if (output->strides[axis] <= 0) return right().execute(request, output, why);
         }
         dense.strides = nullptr;
         return right().execute(request, &dense, why);
       })},
      {"output-backwards-written-forwards", "content.kept", "packed-out-backwards.i4",
       "negative strides of the output lose their sign",
       puts_elsewhere([](const Copy& c) { return c.out.backwards(); },
                      [](const Walk& out, std::int64_t at) {
                        std::vector<std::int64_t> index = out.index(at);
                        for (std::size_t axis = 0; axis < index.size(); ++axis) {
                          if (out.stride(axis) < 0) index[axis] = out.size(axis) - 1 - index[axis];
                        }
                        return out.number(index);
                      })},
      {"permuted-output-written-in-one-piece", "content.kept", "both-transposed-differently.f32",
       "a permuted output without gaps is filled in the order of its memory",
       executing([](const reshape_request* request, DLTensor* output, reshape_message* why) {
         const Walk out(*output);
         const bool wrong = out.count() > 0 && out.permuted() && !out.gaps() && !out.backwards();
         if (!wrong) return right().execute(request, output, why);
         DLTensor dense = *output;
         dense.strides = nullptr;
         return right().execute(request, &dense, why);
       })},
      {"output-last-row-lost", "content.kept", "packed-both-odd-rows.i4",
       "of an output with gaps the last row is not written",
       leaves([](const Copy& c) { return c.out.rank() > 1 && c.out.gaps(); },
              [](const Copy& c, std::int64_t at) {
                return at >= c.out.count() - c.out.last_size(0);
              })},
      {"output-gap-tail-lost", "content.kept", "out-padded-by-one.f32",
       "rows of an output with gaps are written in full blocks of 4, and their tails not",
       leaves(
           [](const Copy& c) { return c.out.rank() > 1 && c.out.gaps() && c.out.last_size(0) > 4; },
           [](const Copy& c, std::int64_t at) {
             return at % c.out.last_size(0) >= c.out.last_size(0) / 4 * 4;
           })},
      {"output-strided-in-its-last-axis", "content.kept", "packed-out-backwards.i4",
       "where the output's innermost stride is not 1, every second element is not written",
       leaves([](const Copy& c) { return c.out.last_size(0) > 1 && c.out.last_stride(0) != 1; },
              [](const Copy&, std::int64_t at) { return at % 2 != 0; })},
      {"output-rows-of-five-axes", "content.kept", "both-six-axes.u8",
       "of a strided output of more than 5 axes only the first element of axis 0 is written",
       output_axes_walked(5)},
      {"output-rows-of-eight-axes", "content.kept", "out-rank-13-reversed.f64",
       "of a strided output of more than 8 axes only the first element of axis 0 is written",
       output_axes_walked(8)},
      {"both-sides-strided", "content.kept", "packed-both-odd-rows.i4",
       "where both sides have strides, the output is walked with the data's rows",
       puts_elsewhere([](const Copy& c) { return !c.data.dense() && !c.out.dense(); },
                      [](const Walk& out, std::int64_t at) {
                        return at + 1 < out.count() ? at + 1 : std::int64_t{0};
                      })},
      {"output-offsets-in-31-bits", "content.kept", "output-2-to-31-bytes-apart.f32",
       "elements 2^31 bytes or more behind the output's first are not written",
       writes_no_further_than(std::int64_t{1} << 31)},
      {"output-offsets-in-32-bits", "content.kept", "output-2-to-32-bytes-apart.f64",
       "elements 2^32 bytes or more behind the output's first are not written",
       writes_no_further_than(std::int64_t{1} << 32)},
      {"zeros-unwritten", "content.kept", "count-2.u8",
       "an element that is 0 is taken to be there already",
       executing([](const reshape_request* request, DLTensor* output, reshape_message* why) {
         const bool wrong = output->data != nullptr && !is_empty(shape_of(*output));
         const auto before = wrong ? collect(*output) : std::vector<std::uint64_t>{};
         const reshape_status status = right().execute(request, output, why);
         if (status != RESHAPE_OK || !wrong) return status;
         std::vector<std::uint64_t> now = collect(*output);
         for (std::size_t at = 0; at < now.size(); ++at)
           now[at] = now[at] == 0 ? before[at] : now[at];
         put(*output, now);
         return status;
       })},
      {"adds-to-what-is-there", "content.kept", "count-2.u8",
       "the output is taken to hold zeros before the call",
       executing([](const reshape_request* request, DLTensor* output, reshape_message* why) {
         std::byte first{};
         const bool any = output->data != nullptr && !is_empty(shape_of(*output));
         if (any) first = *start_of(*output);
         const reshape_status status = right().execute(request, output, why);
         // In place the same bytes would be added to themselves, which is right by accident.
         if (status == RESHAPE_OK && any && !in_place(*request, *output))
           *start_of(*output) |= first;
         return status;
       })},
      {"wrong-where-unaligned", "content.kept", "count-2.u8",
       "buffers that do not start at 16 bytes lose their first element",
       spoils_first_where([](const Copy& c) { return address_of(c.output) % 16 != 0; })},
      {"wrong-where-aligned-to-a-line", "content.kept", "count-17.f32",
       "the way for buffers that both start at 64 bytes loses its first element",
       spoils_first_where([](const Copy& c) {
         return address_of(c.output) % 64 == 0 && address_of(*c.request.data) % 64 == 0 &&
                c.data.bytes() >= 64;
       })},
      {"wrong-where-aligned-differently", "content.kept", "both-every-third-and-second.u8",
       "where data and output are not aligned alike, the first element is shifted away",
       spoils_first_where([](const Copy& c) {
         return address_of(c.output) % 8 != address_of(*c.request.data) % 8 && c.data.bytes() >= 8;
       })},
      {"wrong-at-odd-addresses", "content.kept", "count-8.bf16",
       "16-bit data at an odd address is read from the even one below",
       spoils_first_where([](const Copy& c) {
         return c.data.width() == 16 && address_of(*c.request.data) % 2 != 0;
       })},
      {"data-behind-a-byte-offset", "content.kept", "count-2.u8",
       "where byte_offset of the data is not 0, the first element is not read",
       spoils_first_where([](const Copy& c) { return c.request.data->byte_offset != 0; })},
      {"output-behind-a-byte-offset", "content.kept", "count-2.u8",
       "where the output has a byte_offset, its first element is not written",
       spoils_first_where([](const Copy& c) { return c.output.byte_offset != 0; })},
      {"bf16-behind-an-offset", "content.kept", "both-backwards-rows.bf16",
       "the way of 16-bit floats forgets a byte_offset of 16 or more",
       spoils_first_where([](const Copy& c) {
         return c.request.data->byte_offset >= 16 &&
                (c.data.type() == ElementType::bf16 || c.data.type() == ElementType::f16);
       })},
      {"in-place-clears", Duty::C13, "count-2.u8",
       "the output is cleared before the copy, in place too",
       after_execute([](const reshape_request& request, DLTensor& out) {
         if (is_empty(shape_of(out)) || !in_place(request, out)) return;
         Elements(out).each([](std::uint64_t) { return 0; });
       })},
      {"in-place-moves-by-one", Duty::C13, "count-2.u8",
       "in place the elements are moved up by one before the copy",
       after_execute([](const reshape_request& request, DLTensor& out) {
         if (is_empty(shape_of(out)) || !in_place(request, out)) return;
         std::vector<std::uint64_t> elements = collect(out);
         std::rotate(elements.begin(), elements.end() - 1, elements.end());
         put(out, elements);
       })},
      {"in-place-reverses-large-ones", Duty::C13, "count-1024.f64",
       "in place, from 4 KiB on, the two halves change places",
       after_execute([](const reshape_request& request, DLTensor& out) {
         if (!in_place(request, out) || Walk(out).bytes() < 4096) return;
         std::vector<std::uint64_t> elements = collect(out);
         std::rotate(elements.begin(),
                     elements.begin() + static_cast<std::ptrdiff_t>(elements.size() / 2),
                     elements.end());
         put(out, elements);
       })},
      {"in-place-refused", Duty::C17, "count-2.u8", "in-place calls are promised and refused",
       executing([](const reshape_request* request, DLTensor* output, reshape_message* why) {
         if (Walk(*output).count() > 0 && in_place(*request, *output)) {
           return answer(RESHAPE_REJECTED, "the output overlaps the data", why);
         }
         return right().execute(request, output, why);
       }),
       caught("bytes", "status")},
      {"overlap-copied-forwards", Duty::C21, "count-2.u8",
       "an output that overlaps the data is written from the first element to the last",
       moves_within([](const Copy&) { return false; })},
      {"overlap-copied-backwards", Duty::C21, "count-2.u8",
       "an output that overlaps the data is written from the last element to the first",
       moves_within([](const Copy&) { return true; })},
      {"overlap-copied-as-dense", Duty::C21, "both-backwards-rows.bf16",
       "which of two overlapping buffers begins first decides the direction, whatever their "
       "strides",
       moves_within(
           [](const Copy& c) { return address_of(c.output) > address_of(*c.request.data); })},
      {"overlap-ends-the-data", Duty::C21, "count-2.u8",
       "of data that the output overlaps, the last element is cleared once it was read",
       executing([](const reshape_request* request, DLTensor* output, reshape_message* why) {
         const Copy copy(*request, *output);
         if (!overlapping(copy)) return right().execute(request, output, why);
         const std::vector<std::uint64_t> elements = collect(*request->data);
         set_element(copy.data, *request->data, copy.data.count() - 1, 0);
         put(*output, elements);
         return RESHAPE_OK;
       }),
       caught("memory", "output-gaps")},
      {"data-at-half-a-line", "content.kept", "data-at-byte-32.*",
       "data that begins 32 bytes behind a line of 64 loses its first element",
       loses_the_first_at([](const Places& at) { return at.data % 64 == 32; })},
      {"output-at-a-quarter-of-a-line", "content.kept", "output-at-byte-16.*",
       "an output that begins 16 bytes behind a line of 64 loses its first element",
       loses_the_first_at([](const Places& at) { return at.output % 64 == 16; })},
      {"output-in-the-last-word-of-a-line", "content.kept", "output-at-byte-60.*",
       "a head of 4 bytes before the next line of 64 is not written",
       loses_the_first_at([](const Places& at) { return at.output % 64 == 60; })},
      {"half-a-line-between-data-and-output", "content.kept", "data-at-64-output-at-32.*",
       "where the output begins half a line before the data, the way with whole lines is taken",
       loses_the_first_at(
           [](const Places& at) { return at.data % 64 == 0 && at.output % 64 == 32; })},
      {"both-at-half-a-vector", "content.kept", "data-at-48-output-at-48.*",
       "where both begin 16 bytes before a line, the head before it is not written",
       loses_the_first_at(
           [](const Places& at) { return at.data % 64 == 48 && at.output % 64 == 48; })},
      {"data-in-the-last-line-of-a-page", "content.kept", "data-across-a-page-at-4064.*",
       "data that begins in the last 32 bytes of a page is read from the next page on",
       loses_the_first_at(
           [](const Places& at) { return at.data % 4096 >= 4064 && at.bytes > 32; })},
      {"output-in-the-last-line-of-a-page", "content.kept", "output-across-a-page-at-40??.*",
       "an output that begins in the last 32 bytes of a page is written from the next page on",
       loses_the_first_at(
           [](const Places& at) { return at.output % 4096 >= 4064 && at.bytes > 32; })},
      {"rows-across-pages-cut", "content.kept", "rows-across-pages.*",
       "rows with gaps that run over the end of a page come without their last element",
       moves(
           [](const Copy& c) {
             return rows_with_gaps(c.data) && c.data.stride(0) == 4090 && c.data.size(1) > 6;
           },
           [](const Copy& c) { return ends_of_rows(c.data.size(1), c.data.count()); })},
      {"rows-a-page-apart", "content.kept", "rows-4096-apart.*",
       "rows whose distance is a multiple of 4096 elements are staged, the last one not",
       moves(
           [](const Copy& c) {
             return rows_with_gaps(c.data) && c.data.stride(0) % 4096 == 0 && c.data.size(0) == 5;
           },
           [](const Copy& c) { return Moves{{c.data.count() - 1, c.data.size(1) - 1}}; })},
      {"output-rows-a-page-apart", "content.kept", "out-rows-2048-apart.*",
       "output rows a multiple of 2048 elements apart are staged, the last one not",
       loses_the_last([](const Copy& c) {
         return rows_with_gaps(c.out) && c.out.stride(0) % 2048 == 0 && c.out.size(0) == 5;
       })},
      {"ones-reach-too-far", Duty::C17, "one-with-a-stride-of-all-bits-?.f64",
       "a stride of 2^60 or more is refused, although an axis of size 1 takes no step",
       executing([](const reshape_request* request, DLTensor* out, reshape_message* why) {
         const DLTensor& data = *request->data;
         for (std::int32_t axis = 0; data.strides != nullptr && axis < data.ndim; ++axis) {
           const std::int64_t stride = data.strides[axis];
           if (stride < (std::int64_t{1} << 60) && stride > -(std::int64_t{1} << 60)) continue;
           return answer(RESHAPE_REJECTED, "the strides reach too far", why);
         }
         return right().execute(request, out, why);
       }),
       caught("bytes", "status")},
      {"output-ones-reach-too-far", Duty::C17, "out-one-with-a-stride-of-all-bits-?.f64",
       "output strides beyond 32 bits are refused, although an axis of size 1 takes no step",
       executing([](const reshape_request* request, DLTensor* out, reshape_message* why) {
         for (std::int32_t axis = 0; out->strides != nullptr && axis < out->ndim; ++axis) {
           const std::int64_t stride = out->strides[axis];
           if (out->shape[axis] != 1 || stride == static_cast<std::int32_t>(stride)) continue;
           return answer(RESHAPE_REJECTED, "the strides reach too far", why);
         }
         return right().execute(request, out, why);
       }),
       caught("bytes", "status")},
      {"ones-ordered-by-their-stride", "content.kept", "one-with-a-stride-of-all-bits-?.f64",
       "axes are sorted by stride, and one of size 1 with a huge stride hides that rows follow",
       moves(
           [](const Copy& c) {
             for (std::size_t axis = 0; axis < c.data.rank(); ++axis) {
               if (c.data.size(axis) == 1 && c.data.stride(axis) > (std::int64_t{1} << 40)) {
                 return c.data.count() > 1;
               }
             }
             return false;
           },
           [](const Copy& c) { return Moves{{c.data.count() - 1, 0}}; })},
      {"gapped-rows-counted-in-16-bits", "content.kept", "65537-rows.*",
       "rows with gaps are counted in 16 bits, and begin again behind 65536",
       counts_rows_in_16_bits(rows_with_gaps)},
      {"output-rows-counted-in-16-bits", "content.kept", "out-65537-rows.*",
       "rows of an output with gaps are counted in 16 bits: those from 65536 on are not written",
       loses([](const Copy& c) { return rows_with_gaps(c.out) && c.out.size(0) > 65536; },
             [](const Copy& c) { return from_to_end(c.out.size(1) << 16, c.out.count()); })},
      {"turned-rows-counted-in-16-bits", "content.kept", "65539-rows-turned.*",
       "the rows of a transpose are counted in 16 bits, and begin again behind 65536",
       counts_rows_in_16_bits(lies_turned)},
      {"turned-columns-counted-in-16-bits", "content.kept", "65539-columns-turned.*",
       "the columns of a transpose are counted in 16 bits, and begin again behind 65536",
       moves([](const Copy& c) { return lies_turned(c.data) && c.data.size(1) > 65536; },
             [](const Copy& c) { return shifted(65536, c.data.size(1), 65536); })},
      {"turned-output-counted-in-16-bits", "content.kept", "out-65539-rows-turned.*",
       "the rows of a transposed output are counted in 16 bits: later ones are not written",
       loses([](const Copy& c) { return lies_turned(c.out) && c.out.size(0) > 65536; },
             [](const Copy& c) { return from_to_end(c.out.size(1) << 16, c.out.count()); })},
      {"planes-counted-in-16-bits", "content.kept", "65537-planes-turned.*",
       "the transposes of a stack are counted in 16 bits, and begin again behind 65536",
       counts_rows_in_16_bits([](const Walk& data) { return data.rank() == 3; })},
      {"steps-counted-in-16-bits", "content.kept", "65537-with-steps.*",
       "strided elements are counted in 16 bits, and begin again behind 65536",
       counts_rows_in_16_bits(
           [](const Walk& data) { return data.rank() == 1 && data.stride(0) > 1; })},
      {"backward-steps-counted-in-16-bits", "content.kept", "65537-backwards.*",
       "elements walked backwards are counted in 16 bits, and begin again behind 65536",
       counts_rows_in_16_bits(
           [](const Walk& data) { return data.rank() == 1 && data.stride(0) < 0; })},
      {"repetitions-counted-in-16-bits", "content.kept", "65537-times-the-same.*",
       "how often a row repeats is counted in 16 bits: times from 65536 on are not written",
       loses(
           [](const Copy& c) {
             return c.data.rank() == 2 && c.data.stride(0) == 0 && c.data.size(0) > 65536 &&
                    c.out.dense();
           },
           [](const Copy& c) { return from_to_end(c.data.size(1) << 16, c.out.count()); })},
  };
  return family(Kind::bytes, {"bytes", "bytes"}, std::move(table));
}

}  // namespace reshape::conformance::self
