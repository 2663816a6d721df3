// Mistakes with the caller's memory: reads out of bounds, writes beside the elements, changes; and
// invalid views.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "conformance/self/displace.h"
#include "conformance/self/misread.h"
#include "reference/tensor/tensor_view.h"

namespace reshape::conformance::self {
namespace {

// Keeps the compiler from leaving out a read whose value nobody uses.
volatile std::uint8_t sink;

// Writes the first byte of a tensor again, through a pointer to const.
void touch(const DLTensor& tensor) {
  if (tensor.data == nullptr || empty(tensor)) return;
  volatile std::byte* first = start_of(tensor);
  *first = *first ^ std::byte{0xff};
}

// A half-open range.
struct Range {
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

void read_bytes(const void* start, Range range) {
  const auto* bytes = static_cast<const volatile std::uint8_t*>(start);
  for (std::int64_t at = range.begin; at < range.end; ++at) sink = bytes[at];
}

std::int64_t rounded_up(std::int64_t length, std::int64_t block) {
  return (length + block - 1) / block * block;
}

// Infers correctly, and then calls read(request), which reads out of bounds. Not after a refusal.
Steps infers_and(void (*read)(const reshape_request&)) {
  return after_infer([=](const reshape_request& request, reshape_shape&) { read(request); });
}

// Executes correctly, and then reads the range which(length of the data in bytes), relative to the
// start of the data. Only for data without negative strides.
Effect reads_bytes(Range (*which)(std::int64_t)) {
  return spoils([=](const Copy& c) {
    const DLTensor& data = *c.request.data;
    if (!walks_backwards(data)) read_bytes(start_of(data), which(bytes_of(data)));
  });
}

// The same with a range of element positions, and for any strides.
Effect reads_positions(Range (*which)(const Walk&)) {
  return spoils([=](const Copy& c) {
    const auto [begin, end] = which(c.data);
    read_bytes(start_of(*c.request.data), {begin * c.data.width() / 8, end * c.data.width() / 8});
  });
}

// Executes correctly, and then changes bytes of an output without negative strides.
Steps writes_bytes(void (*write)(volatile std::byte*, std::int64_t length)) {
  return after_execute([=](const reshape_request&, DLTensor& out) {
    if (!empty(out) && !walks_backwards(out)) write(start_of(out), bytes_of(out));
  });
}

// Executes correctly, and then sets the element at position(output) to 0, which is in a gap of the
// output.
Effect clears_a_gap(std::int64_t (*position)(const Walk&)) {
  return spoils(
      [=](const Copy& c) { store_element(c.out.type(), start_of(c.output), position(c.out), 0); });
}
const Effect kGapBehindFirstRow = clears_a_gap([](const Walk& out) { return out.size(1); });
Trait odd_rows_of(std::int64_t width) {
  return kRowsWithGaps && width_is(width) && size_is(0, at_least(2)) && size_is(1, tail(2, 1, 16));
}

// Writes before the request is looked at, where there are elements.
Steps writes_early(void (*write)(const reshape_request&, DLTensor&)) {
  return executing([=](const Execution& call) {
    if (call.output.data != nullptr && !empty(call.output)) write(call.request, call.output);
    return call.right();
  });
}

void clear(DLTensor& output) {
  std::memset(start_of(output), 0, static_cast<std::size_t>(bytes_of(output)));
}

// What a view is refused for.
struct Refuses {
  bool what_inference_refuses = true;
  bool other_shapes = true;
};

// Makes correct views of dense data, and of data that `takes` allows; then change(request, view)
// spoils them, or returns the reason for having none.
using Change = std::function<const char*(const reshape_request&, DLTensor&)>;
Steps views(Change change, const Trait& takes = kDense, Refuses refuses = {}) {
  return viewing([=](const Execution& call) {
    const Walk data(call.data());
    const RightAnswer inferred = right_answer(call);
    if (!inferred.produces() && refuses.what_inference_refuses) return inferred.status;
    if (inferred.produces() && refuses.other_shapes && !inferred.is_of(call.output)) {
      return call.answer(RESHAPE_REJECTED, "the view has another shape than the pattern");
    }
    if (!data.dense() && !takes(data)) return call.answer(RESHAPE_UNSUPPORTED, "this needs a copy");
    const Strides dense = *row_major_strides(shape_of(call.output));
    std::copy(dense.begin(), dense.end(), call.output.strides);
    call.output.data = call.data().data;
    call.output.byte_offset = call.data().byte_offset;
    const char* refused = change(call.request, call.output);
    return refused == nullptr ? RESHAPE_OK : call.answer(RESHAPE_UNSUPPORTED, refused);
  });
}
Steps spoils_views(void (*change)(DLTensor&), const Trait& takes = kDense) {
  return views(
      [=](const reshape_request&, DLTensor& view) -> const char* {
        change(view);
        return nullptr;
      },
      takes);
}

const char* unspoiled(const reshape_request&, DLTensor&) { return nullptr; }

}  // namespace

Mutants families::memory() {
  Table table(Kind::memory, {"memory", "guard-page"});
  const Notes by_canary = caught("memory", "shape-canary");
  table.rows(Duty::C11, caught("memory", "arguments-unchanged")) = {
      {"request-flag-normalised", "example-1",
       "special_zero is normalised in the caller's own request",
       inferring([](const Inference& call) {
         const reshape_status status = call.right();
         const_cast<reshape_request&>(call.request).special_zero = RESHAPE_FLAG_TRUE;
         return status;
       })},
      {"offset-folded-into-the-pointer", "count-2.u8",
       "byte_offset is added to the pointer in the caller's own tensor, and set to 0",
       after_execute([](const reshape_request& request, DLTensor&) {
         DLTensor& data = *const_cast<DLTensor*>(request.data);
         if (data.data == nullptr) return;
         data.data = static_cast<char*>(data.data) + data.byte_offset;
         data.byte_offset = 0;
       })},
      {"output-offset-set-to-0", "both-backwards.f32",
       "the output's byte_offset is set to 0 in the caller's own tensor",
       after_execute([](const reshape_request&, DLTensor& out) { out.byte_offset = 0; })},
      {"output-strides-filled-in", "count-2.u8",
       "an output without strides is given an array of them",
       after_execute([](const reshape_request&, DLTensor& out) {
         static std::int64_t strides[256];
         if (out.strides == nullptr) out.strides = strides;
       })},
      {"output-type-rewritten", kExamples,
       "the lanes of the output's type are set to 0 in the caller's own tensor",
       after_execute([](const reshape_request&, DLTensor& out) { out.dtype.lanes = 0; })},
      {"output-squeezed", "example-*",
       "the output's rank is lowered to 1 in the caller's own tensor, as it is copied densely",
       after_execute(
           [](const reshape_request&, DLTensor& out) { out.ndim = std::min(out.ndim, 1); })},
      {"output-device-set", kExamples, "the output's device is set to another number of the CPU",
       after_execute([](const reshape_request&, DLTensor& out) { out.device.device_id = 1; })},
      {"view-of-another-type", "count-17.*",
       "a view is handed out as bytes: its type is 8 bits wide",
       spoils_views([](DLTensor& view) { view.dtype.bits = 8; })},
  };
  table[Duty::C11] = {
      {"changes-the-pattern", "", "the pattern is resolved where it lies",
       after_infer([](const reshape_request& request, reshape_shape& shape) {
         if (request.pattern->ndim != 1 || request.pattern->data == nullptr) return;
         Elements pattern(*request.pattern);
         for (std::int64_t at = 0; at < pattern.count(); ++at) {
           pattern.set(at, static_cast<std::uint64_t>(shape.sizes[at]));
         }
       })},
      {"changes-the-sizes", "", "sizes of 1 are folded away in the caller's own array",
       after_execute([](const reshape_request& request, DLTensor&) {
         std::fill_n(request.data->shape, request.data->ndim, 1);
       })},
      {"strides-of-one-normalised", "packed-1.i4",
       "strides of axes of size 1 are set to 1 in the caller's own array",
       after_execute([](const reshape_request& request, DLTensor&) {
         const DLTensor& data = *request.data;
         for (std::int32_t axis = 0; data.strides != nullptr && axis < data.ndim; ++axis) {
           if (data.shape[axis] == 1) data.strides[axis] = 77;
         }
       })},
  };
  table.rows(Duty::C9, by_canary) = {
      {"shape-written-on-rejection", "", "sizes are written before the request is refused",
       infers_then([](reshape_status status, const Inference& call) {
         if (status == RESHAPE_REJECTED && call.shape.capacity > 0) call.shape.sizes[0] = 0;
         return status;
       })},
      {"rank-written-on-rejection", "empty-to-ones",
       "the rank is set before the request is refused",
       infers_then([](reshape_status status, const Inference& call) {
         if (status == RESHAPE_REJECTED) call.shape.rank = 0;
         return status;
       })},
  };
  table.rows(Duty::C7, by_canary) = {
      {"shape-filled-to-capacity", "",
       "the rest of the array that receives the shape is filled with ones",
       after_infer([](const reshape_request&, reshape_shape& shape) {
         std::fill(shape.sizes + shape.rank, shape.sizes + shape.capacity, 1);
       })},
      {"sizes-terminated-with-minus-one", "count-2.u8",
       "one entry behind the last size is written, a -1 that ends the list",
       after_infer([](const reshape_request&, reshape_shape& shape) {
         if (shape.rank < shape.capacity) shape.sizes[shape.rank] = -1;
       })},
  };
  table.rows(Duty::C10, kHostile) = {
      {"reads-past-the-end", kExamples, "the 16 bytes behind the data are read",
       reads_bytes([](std::int64_t length) { return Range{length, length + 16}; })},
      {"reads-before-the-start", kExamples, "the byte before the data is read",
       reads_bytes([](std::int64_t) { return Range{-1, 0}; })},
      {"reads-pattern-past-the-end", kExamples, "one value behind the pattern is read",
       infers_and([](const reshape_request& request) {
         const DLTensor& pattern = *request.pattern;
         if (pattern.data != nullptr) read_bytes(start_of(pattern) + bytes_of(pattern), {0, 1});
       })},
      {"reads-the-first-of-no-bytes", "infer-zero-first-true",
       "the first byte of dense data is read, though it may be empty",
       after_execute([](const reshape_request& request, DLTensor&) {
         const DLTensor& data = *request.data;
         if (data.data != nullptr && data.strides == nullptr) read_bytes(start_of(data), {0, 1});
       })},
      {"reads-whole-vectors", "four-negative-zeros",
       "the tail is loaded as a whole vector of 32 bytes, past the end of the data",
       reads_bytes([](std::int64_t length) { return Range{length, rounded_up(length, 32)}; })},
      {"reads-8-bytes-at-a-time", "example-3-every-type.f8e4m3",
       "data of one byte is read in words of 8, past the end of the last",
       reads_bytes([](std::int64_t length) { return Range{length, rounded_up(length, 8)}; }),
       of_data(width_is(8))},
      {"pattern-read-to-the-rank", "four-negative-zeros",
       "as many pattern values are read as the data has sizes",
       infers_and([](const reshape_request& request) {
         const DLTensor& pattern = *request.pattern;
         if (pattern.data == nullptr || pattern.ndim != 1 || pattern.dtype.bits < 8) return;
         read_bytes(start_of(pattern), {0, request.data->ndim * pattern.dtype.bits / 8});
       })},
      {"sizes-read-past-the-rank", "four-negative-zeros",
       "one size behind the last of the data is read, to look ahead",
       infers_and([](const reshape_request& request) {
         const volatile std::int64_t* sizes = request.data->shape;
         sink = static_cast<std::uint8_t>(sizes[request.data->ndim]);
       })},
      {"dialect-read-in-a-fixed-length", "four-negative-zeros",
       "the dialect's name is compared over 64 letters",
       infers_and([](const reshape_request& request) { read_bytes(request.dialect, {0, 64}); })},
      {"last-row-read-with-its-gap", "rows-of-1?.u8",
       "rows with gaps are read gap and all, the last one too",
       reads_positions([](const Walk& data) {
         const std::int64_t row = (data.size(0) - 1) * data.stride(0);
         return Range{row, row + data.stride(0)};
       }),
       of_data(kRowsWithGaps)},
      {"last-step-read-as-a-pair", "stride-2-of-1?.u8",
       "every second element is read with its neighbour, behind the last one too",
       reads_positions([](const Walk& data) {
         const std::int64_t last = data.position(data.count() - 1);
         return Range{last, last + 2};
       }),
       of_data(rank_is(1) && stride_is(0, 2))},
      {"backwards-read-before-the-start", "backwards-of-1?.u8",
       "data walked backwards is loaded in vectors of 16 that begin before the first byte",
       reads_positions([](const Walk& data) { return Range{1 - rounded_up(data.count(), 16), 1}; }),
       of_data(rank_is(1) && count_is(at_least(8)) && stride_is(0, -1))},
      {"turned-columns-read-as-tiles", "turned-1?-by-12.u8",
       "the last columns of transposed data are loaded as whole vectors of 8",
       reads_positions([](const Walk& data) {
         const std::int64_t column = (data.size(1) - 1) * data.stride(1);
         return Range{column, column + rounded_up(data.size(0), 8)};
       }),
       of_data(kTransposed)},
      {"half-byte-rows-read-in-words", "dense-67.i4",
       "4-bit data is loaded in words of 4 bytes, past the end of the last",
       reads_positions([](const Walk& data) { return Range{0, rounded_up(data.count(), 8)}; }),
       of_data(width_is(4) && kDense)},
      {"writes-a-vector-and-restores", "example-3",
       "the tail is stored as a whole vector of 32 bytes, and what lay behind is put back",
       writes_bytes([](volatile std::byte* start, std::int64_t bytes) {
         for (std::int64_t at = bytes; at < rounded_up(bytes, 32); ++at) {
           const std::byte kept = start[at];
           start[at] = std::byte{0x77};
           start[at] = kept;
         }
       })},
  };
  const Trait whole_bytes = width_is(at_least(8));
  table.rows(Duty::C8, caught("memory", "output-gaps")) = {
      {"offset-cleared", "output-at-byte-32.*",
       "an output is cleared from its pointer on, the bytes before its offset too",
       spoils([](const Copy& c) {
         if (c.output.byte_offset >= 32) *(start_of(c.output) - 1) = std::byte{0};
       }),
       kApart},
      {"gap-below-a-backward-row-cleared", "out-backwards-of-*",
       "outputs walked backwards have the place below their last element cleared",
       clears_a_gap([](const Walk& out) { return -out.count(); }),
       of_output(last_stride_is(-1) && size_is(0, 1) && whole_bytes && count_is(whole(2)))},
      {"gaps-between-many-rows", "out-33-rows-of-3.*",
       "from 32 rows on rows are written in whole words, over the start of each gap",
       clears_a_gap([](const Walk& out) { return out.stride(0) - 1; }),
       of_output(kRowsWithGaps && size_is(0, at_least(32)) && whole_bytes)},
      {"gaps-beside-turned-columns", "out-turned-31-by-15-32-apart.*",
       "columns of a transposed output are written in whole tiles, where there is room for them",
       clears_a_gap([](const Walk& out) { return out.size(0); }),
       of_output(kTransposed && size_is(0, tail(8, 7)) && size_is(1, at_least(2)) && whole_bytes &&
                 [](const Walk& out) { return out.stride(1) > out.size(0); })},
      {"gaps-of-backward-rows", "out-backwards-rows-with-gaps-of-*",
       "rows written backwards with gaps between them are written as long as they are apart",
       clears_a_gap([](const Walk& out) { return out.stride(0) + out.size(1); }),
       of_output(rank_is(2) && size_is(0, at_least(2)) && whole_bytes &&
                 [](const Walk& out) { return out.stride(0) < -out.size(1); })},
      {"equal-strides-copied-with-the-gaps", "both-padded-same.*",
       "where data and output have the same strides, all is copied in one piece, gaps and all",
       spoils([](const Copy& c) {
         if (c.data.layout() != c.out.layout()) return;
         std::memcpy(start_of(c.output), start_of(*c.request.data),
                     static_cast<std::size_t>(bytes_of(c.output)));
       }),
       of_data(kRowsWithGaps && whole_bytes) && kApart},
      {"repeated-rows-copied-with-the-gap", "row-repeated-into-17-rows-of-33.*",
       "a row that is repeated is copied from the row before, with the gap between them",
       spoils([](const Copy& c) {
         const std::int64_t row = c.out.stride(0) * c.out.width() / 8;
         std::byte* first = start_of(c.output);
         const auto bytes = static_cast<std::size_t>(row);
         if (c.data.stride(0) == 0) std::memcpy(first + row, first, bytes);
       }),
       of_output(kRowsWithGaps && size_is(0, at_least(3)) && whole_bytes) && of_data(kRepeated)},
      {"gaps-of-rows-of-halves", "out-rows-of-21.bf16",
       "16-bit rows with gaps of odd length are written in pairs, over the gap's first element",
       kGapBehindFirstRow, of_output(odd_rows_of(16))},
      {"half-bytes-fill-the-gap", "out-rows-of-21.i4",
       "4-bit rows of odd length end with a whole byte, the other half of it 0", kGapBehindFirstRow,
       of_output(odd_rows_of(4))},
      {"gaps-between-steps-of-eight", "out-stride-8-of-16.*",
       "a stride of 8 is written by vectors with zeros between, but for the last",
       clears_a_gap([](const Walk&) { return std::int64_t{5}; }),
       of_output(last_stride_is(8) && last_size_is(at_least(9)) && whole_bytes)},
      {"writes-half-of-a-shared-byte", "packed-both-odd-rows.i4",
       "strided 4-bit elements are written as whole bytes, the other half with 0",
       // Not behind the last element, whose byte may have no other half in this buffer.
       clears_a_gap([](const Walk& out) { return touched(out.layout()).last + 1; }),
       of_output(width_is(4) && kStrided && kGapped &&
                 [](const Walk& out) { return touched(out.layout()).last % 2 == 0; })},
      {"writes-gaps", "", "everything between the output's first and last element is cleared first",
       executing([](const Execution& call) {
         // Refused requests stay refused with nothing written.
         const reshape_status status = call.right();
         if (status != RESHAPE_OK || empty(call.output) || walks_backwards(call.output))
           return status;
         clear(call.output);
         return call.right();
       })},
      {"writes-one-behind-each-row", "written-into-gaps-i32",
       "behind each row of an output with gaps one element more is written",
       spoils([](const Copy& c) {
         const std::int64_t row = c.out.last_size(0);
         if (c.out.last_stride(1) <= row) return;
         for (std::int64_t at = row - 1; at + 1 < c.out.count(); at += row) {
           store_element(c.out.type(), start_of(c.output), c.out.position(at) + 1, 0);
         }
       }),
       of_output(last_stride_is(1) && whole_bytes && !kPermuted)},
      {"writes-between-the-elements", "both-every-second.u8",
       "an output with a stride of 2 is written as pairs of an element and a 0",
       spoils([](const Copy& c) {
         const std::int64_t row = c.out.last_size(0);
         if (c.out.rank() > 1 && c.out.last_stride(1) < 2 * row) return;
         for (std::int64_t at = 0; at < c.out.count(); ++at) {
           if (at % row == row - 1) continue;
           store_element(c.out.type(), start_of(c.output), c.out.position(at) + 1, 0);
         }
       }),
       of_output(last_stride_is(2))},
  };
  table.rows(Duty::C7, caught("memory", "canaries")) = {
      {"writes-past-the-end", kExamples, "one byte behind the output is written",
       writes_bytes([](volatile std::byte* start, std::int64_t length) {
         start[length] = std::byte{0x77};
       })},
      {"writes-before-the-start", kExamples, "one byte before the output is written",
       writes_bytes([](volatile std::byte* start, std::int64_t) { start[-1] = std::byte{0x77}; })},
  };
  table.rows(Duty::C9, caught("memory", "rejection-writes-nothing")) = {
      {"writes-on-rejection", "", "the output is cleared before the request is looked at",
       writes_early([](const reshape_request&, DLTensor& output) {
         if (output.strides == nullptr) clear(output);
       })},
      {"clears-first-when-strided", "empty-to-ones",
       "an output is cleared before the request is looked at, if explicit strides came with it",
       writes_early([](const reshape_request&, DLTensor& output) {
         if (output.strides != nullptr && !walks_backwards(output))
           *start_of(output) = std::byte{0};
       })},
      {"outputs-with-steps-cleared-first", "alike-pattern-digits-*",
       "an output whose last axis takes steps is cleared before the request is looked at",
       writes_early([](const reshape_request&, DLTensor& output) {
         if (output.strides != nullptr && output.ndim > 0 && output.strides[output.ndim - 1] > 1)
           *start_of(output) = std::byte{0};
       })},
      {"first-element-before-the-check", "full-to-empty",
       "the first element is copied before the volumes are compared",
       writes_early([](const reshape_request& request, DLTensor& output) {
         const DLTensor& data = *request.data;
         if (data.data != nullptr && !empty(data) && data.dtype.bits == output.dtype.bits)
           Elements(output).set(0, Elements(data).get(0));
       })},
  };
  table.rows(Duty::C12, caught("memory", "view")) = {
      {"view-copies", "", "what is called a view is a copy in memory of its own",
       viewing([](const Execution& call) {
         static std::vector<std::byte> copy(std::size_t{1} << 20);
         const Strides dense = row_major(shape_of(call.output)).strides;
         std::copy(dense.begin(), dense.end(), call.output.strides);
         call.output.data = copy.data();
         call.output.byte_offset = 0;
         if (!empty(call.output) &&
             bytes_of(call.output) > static_cast<std::int64_t>(copy.size())) {
           return call.answer(RESHAPE_UNSUPPORTED, "too large");
         }
         return call.right();
       })},
      {"view-of-what-is-permuted", "repeated-rows.u8",
       "permuted data without gaps is handed on as a dense view",
       spoils_views([](DLTensor&) {}, kPermuted && kGapless),
       like("uxlfoundation/oneDNN@707dc0ff8f")},
      {"view-one-element-late", "count-2.u8",
       "a view starts at the second element and ends behind the data",
       spoils_views([](DLTensor& view) {
         view.byte_offset += static_cast<std::uint64_t>((view.dtype.bits + 7) / 8);
       }),
       like("pytorch/pytorch#194051")},
      {"view-only-of-null-strides", "count-257.u8",
       "dense data with its strides written out is said to need a copy",
       views([](const reshape_request& request, DLTensor&) {
         return request.data->strides == nullptr ? nullptr : "strides were given";
       })},
      {"view-only-of-lower-rank", "count-2.u8",
       "a view of a higher rank than the data is said to need a copy",
       views([](const reshape_request& request, DLTensor& view) {
         return view.ndim <= request.data->ndim ? nullptr : "the rank grows";
       })},
  };
  table.rows(Duty::C12, caught("bytes", "bytes")) = {
      {"view-column-major", "3-by-11-to-11-by-3.f64", "the strides of a view are those of Fortran",
       spoils_views([](DLTensor& view) {
         std::int64_t stride = 1;
         for (std::int32_t axis = 0; axis < view.ndim; ++axis) {
           view.strides[axis] = stride;
           stride *= std::max<std::int64_t>(view.shape[axis], 1);
         }
       })},
      {"view-without-the-offset", "count-2.u8",
       "a view starts at the data's pointer, without its byte_offset",
       spoils_views([](DLTensor& view) { view.byte_offset = 0; })},
  };
  table.rows(Duty::C4, caught("shape", "status")) = {
      Mutant{"view-of-what-is-refused", "", "a view relies on inference to have refused",
             views(unspoiled, kDense, {.what_inference_refuses = false})}};
  table.rows(Duty::C20, caught("shape", "status")) = {
      Mutant{"view-in-any-shape", kExamples,
             "a view is made in the shape that it is given, and not held against the pattern's",
             views(unspoiled, kDense, {.other_shapes = false})}};
  table[Duty::C11] = {
      Mutant{"capacity-changed", "count-2.u8",
             "the capacity is lowered to the rank, as if the array had been shortened",
             after_infer(
                 [](const reshape_request&, reshape_shape& shape) { shape.capacity = shape.rank; }),
             caught("memory", "shape-canary")}};
  table.rows(Duty::C7,
             kHostile) = {Mutant{"message-longer-than-its-array", "in-place-two-minus-ones",
                                 "the message of a refusal is filled up to 600 letters",
                                 infers_then([](reshape_status status, const Inference& call) {
                                   volatile char* text = call.why.text;
                                   for (int at = 0; status != RESHAPE_OK && at < 600; ++at)
                                     text[at] = at < 599 ? 'x' : '\0';
                                   return status;
                                 })}};
  table[Duty::C6] = {
      {"changes-the-input", kExamples, "the first byte of the data is inverted after the copy",
       after_execute([](const reshape_request& request, DLTensor& out) {
         // Not in place, where the data is the output.
         if (request.data->data != out.data) touch(*request.data);
       }),
       kHostile},
      {"changes-the-input-behind-the-guard", "",
       "the data's page is made writable for a moment to invert its first byte",
       after_execute([](const reshape_request& request, DLTensor& out) {
         const DLTensor& data = *request.data;
         if (data.data == out.data || data.data == nullptr || empty(data)) return;
         const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
         void* start = reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(start_of(data)) /
                                               page * page);
         if (mprotect(start, page, PROT_READ | PROT_WRITE) != 0) return;
         touch(data);
         mprotect(start, page, PROT_READ);
       }),
       caught("memory", "input-unchanged")},
  };
  return table.mutants();
}

}  // namespace reshape::conformance::self
