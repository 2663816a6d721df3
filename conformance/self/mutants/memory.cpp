// What belongs to the caller: read beyond its ends, written beside the elements, or changed; and views
// that are none.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "conformance/self/displace.h"
#include "conformance/self/families.h"
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

// From the first that is meant to the one behind the last.
struct Range {
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

void read_bytes(const void* start, Range range) {
  const auto* bytes = static_cast<const volatile std::uint8_t*>(start);
  for (std::int64_t at = range.begin; at < range.end; ++at) sink = bytes[at];
}

// Executes rightly; then reads the bytes which(data, its length) of the data, counted from its start, where
// it does not walk backwards.
Steps reads_bytes(std::function<Range(const DLTensor&, std::int64_t)> which) {
  return after_execute([=](const reshape_request& request, DLTensor&) {
    const DLTensor& data = *request.data;
    if (empty(data) || walks_backwards(data)) return;
    read_bytes(start_of(data), which(data, bytes_of(data)));
  });
}

// The same by the positions of elements, whichever way the data walks.
Steps reads_positions(WhereData where, std::function<Range(const Walk&)> which) {
  return after_execute([=](const reshape_request& request, DLTensor&) {
    const Walk data(*request.data);
    if (data.count() == 0 || !where(data)) return;
    const auto [begin, end] = which(data);
    read_bytes(start_of(*request.data), {begin * data.width() / 8, end * data.width() / 8});
  });
}

// Executes rightly; then the element at position(output) is 0, although no element of the output lies there.
Steps clears_a_gap(WhereData where, std::function<std::int64_t(const Walk&)> position) {
  return after_execute([=](const reshape_request&, DLTensor& out) {
    const Walk output(out);
    if (output.count() == 0 || !where(output)) return;
    store_element(output.type(), start_of(out), position(output), 0);
  });
}

// Executes rightly; then writes the byte at(output), counted from its start.
Steps writes_a_byte_at(std::function<std::int64_t(const DLTensor&)> at) {
  return after_execute([=](const reshape_request&, DLTensor& out) {
    if (empty(out) || walks_backwards(out)) return;
    volatile std::byte* start = start_of(out);
    start[at(out)] = std::byte{0x77};
  });
}

// The place behind the first row is written too, where rows of elements so wide have gaps and are odd.
Steps fills_odd_rows(std::int64_t width) {
  return clears_a_gap(
      [=](const Walk& out) {
        return rows_with_gaps(out) && out.width() == width && out.size(0) >= 2 &&
               out.size(1) >= 16 && out.size(1) % 2 != 0;
      },
      [](const Walk& out) { return out.size(1); });
}

// Makes views rightly of data that is dense, and of what takes(data) says besides; then
// change(request, view, why) spoils them.
using Change = std::function<reshape_status(const reshape_request&, DLTensor&, reshape_message*)>;
Steps views(Change change, WhereData takes = [](const Walk&) { return false; }) {
  return viewing([=](const reshape_request* request, DLTensor* output, reshape_message* why) {
    const Walk data(*request->data);
    std::int64_t sizes[256];
    reshape_shape shape{256, 0, sizes};
    const reshape_status status = right().infer_shape(request, &shape, why);
    if (status != RESHAPE_OK) return status;
    if (!data.dense() && !takes(data)) return answer(RESHAPE_UNSUPPORTED, "this needs a copy", why);
    const Strides dense = *row_major_strides(shape_of(*output));
    std::copy(dense.begin(), dense.end(), output->strides);
    output->data = request->data->data;
    output->byte_offset = request->data->byte_offset;
    return change(*request, *output, why);
  });
}

}  // namespace

Mutants families::memory() {
  Mutants table = {
      {"shape-written-on-rejection", Duty::C9, "",
       "sizes are written before the request is refused",
       infers_then([](reshape_status status, reshape_shape& shape, reshape_message&) {
         if (status == RESHAPE_REJECTED && shape.capacity > 0) shape.sizes[0] = 0;
         return status;
       }),
       caught("memory", "shape-canary")},
      {"shape-filled-to-capacity", Duty::C7, "",
       "the rest of the array that receives the shape is filled with ones",
       after_infer([](const reshape_request&, reshape_shape& shape) {
         for (std::int32_t at = shape.rank; at < shape.capacity; ++at) shape.sizes[at] = 1;
       }),
       caught("memory", "shape-canary")},
      {"changes-the-pattern", Duty::C11, "", "the pattern is resolved where it lies",
       after_infer([](const reshape_request& request, reshape_shape& shape) {
         if (request.pattern->ndim != 1 || request.pattern->data == nullptr) return;
         Elements pattern(*request.pattern);
         for (std::int64_t at = 0; at < pattern.count(); ++at) {
           pattern.set(at, static_cast<std::uint64_t>(shape.sizes[at]));
         }
       }),
       caught("memory", "arguments-unchanged")},
      {"changes-the-sizes", Duty::C11, "", "sizes of 1 are folded away in the caller's own array",
       after_execute([](const reshape_request& request, DLTensor&) {
         for (std::int32_t axis = 0; axis < request.data->ndim; ++axis)
           request.data->shape[axis] = 1;
       }),
       caught("memory", "arguments-unchanged")},
      {"rank-written-on-rejection", Duty::C9, "empty-to-ones",
       "the rank is set before the request is refused",
       infers_then([](reshape_status status, reshape_shape& shape, reshape_message&) {
         if (status == RESHAPE_REJECTED) shape.rank = 0;
         return status;
       }),
       caught("memory", "shape-canary")},
      {"capacity-changed", Duty::C11, "count-2.u8",
       "the capacity is lowered to the rank, as if the array had been shortened",
       after_infer(
           [](const reshape_request&, reshape_shape& shape) { shape.capacity = shape.rank; }),
       caught("memory", "shape-canary")},
      {"sizes-terminated-with-minus-one", Duty::C7, "count-2.u8",
       "one entry behind the last size is written, a -1 that ends the list",
       after_infer([](const reshape_request&, reshape_shape& shape) {
         if (shape.rank < shape.capacity) shape.sizes[shape.rank] = -1;
       }),
       caught("memory", "shape-canary")},
      {"request-flag-normalised", Duty::C11, "example-1",
       "special_zero is normalised in the caller's own request",
       inferring([](const reshape_request* request, reshape_shape* shape, reshape_message* why) {
         const reshape_status status = right().infer_shape(request, shape, why);
         const_cast<reshape_request*>(request)->special_zero = RESHAPE_FLAG_TRUE;
         return status;
       }),
       caught("memory", "arguments-unchanged")},
      {"offset-folded-into-the-pointer", Duty::C11, "count-2.u8",
       "byte_offset is added to the pointer in the caller's own tensor, and set to 0",
       after_execute([](const reshape_request& request, DLTensor&) {
         DLTensor& data = *const_cast<DLTensor*>(request.data);
         if (data.data == nullptr) return;
         data.data = static_cast<char*>(data.data) + data.byte_offset;
         data.byte_offset = 0;
       }),
       caught("memory", "arguments-unchanged")},
      {"output-strides-filled-in", Duty::C11, "count-2.u8",
       "an output without strides is given an array of them",
       after_execute([](const reshape_request&, DLTensor& out) {
         static std::int64_t strides[256];
         if (out.strides == nullptr) out.strides = strides;
       }),
       caught("memory", "arguments-unchanged")},
      {"strides-of-one-normalised", Duty::C11, "packed-1.i4",
       "strides of axes of size 1 are set to 1 in the caller's own array",
       after_execute([](const reshape_request& request, DLTensor&) {
         const DLTensor& data = *request.data;
         for (std::int32_t axis = 0; data.strides != nullptr && axis < data.ndim; ++axis) {
           if (data.shape[axis] == 1) data.strides[axis] = 77;
         }
       }),
       caught("memory", "arguments-unchanged")},
      {"message-longer-than-its-array", Duty::C7, "in-place-two-minus-ones",
       "the message of a refusal is filled up to 600 letters",
       infers_then([](reshape_status status, reshape_shape&, reshape_message& why) {
         volatile char* text = why.text;
         for (int at = 0; status != RESHAPE_OK && at < 600; ++at) text[at] = at < 599 ? 'x' : '\0';
         return status;
       }),
       kHostile},
      {"reads-past-the-end", Duty::C10, kExamples, "the 16 bytes behind the data are read",
       reads_bytes([](const DLTensor&, std::int64_t length) { return Range{length, length + 16}; }),
       kHostile},
      {"reads-before-the-start", Duty::C10, kExamples, "the byte before the data is read",
       reads_bytes([](const DLTensor&, std::int64_t) { return Range{-1, 0}; }), kHostile},
      {"reads-pattern-past-the-end", Duty::C10, kExamples, "one value behind the pattern is read",
       after_infer([](const reshape_request& request, reshape_shape&) {
         const DLTensor& pattern = *request.pattern;
         if (pattern.data != nullptr) read_bytes(start_of(pattern) + bytes_of(pattern), {0, 1});
       }),
       kHostile},
      {"changes-the-input", Duty::C6, kExamples,
       "the first byte of the data is inverted after the copy",
       after_execute([](const reshape_request& request, DLTensor& out) {
         // In place the data is the output, which would be another mistake.
         if (request.data->data != out.data) touch(*request.data);
       }),
       kHostile},
      {"changes-the-input-behind-the-guard", Duty::C6, "",
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
      {"reads-whole-vectors", Duty::C10, "four-negative-zeros",
       "the tail is loaded as a whole vector of 32 bytes, past the end of the data",
       reads_bytes([](const DLTensor&, std::int64_t length) {
         return Range{length, (length + 31) / 32 * 32};
       }),
       kHostile},
      {"reads-8-bytes-at-a-time", Duty::C10, "example-3-every-type.f8e4m3",
       "data of one byte is read in words of 8, past the end of the last",
       reads_bytes([](const DLTensor& data, std::int64_t length) {
         return data.dtype.bits == 8 ? Range{length, (length + 7) / 8 * 8} : Range{};
       }),
       kHostile},
      {"pattern-read-to-the-rank", Duty::C10, "four-negative-zeros",
       "as many pattern values are read as the data has sizes",
       after_infer([](const reshape_request& request, reshape_shape&) {
         const DLTensor& pattern = *request.pattern;
         if (pattern.data == nullptr || pattern.ndim != 1 || pattern.dtype.bits < 8) return;
         read_bytes(start_of(pattern), {0, request.data->ndim * pattern.dtype.bits / 8});
       }),
       kHostile},
      {"sizes-read-past-the-rank", Duty::C10, "four-negative-zeros",
       "one size behind the last of the data is read, to look ahead",
       after_infer([](const reshape_request& request, reshape_shape&) {
         const volatile std::int64_t* sizes = request.data->shape;
         sink = static_cast<std::uint8_t>(sizes[request.data->ndim]);
       }),
       kHostile},
      {"dialect-read-in-a-fixed-length", Duty::C10, "four-negative-zeros",
       "the dialect's name is compared over 64 letters",
       after_infer([](const reshape_request& request, reshape_shape&) {
         read_bytes(request.dialect, {0, 64});
       }),
       kHostile},
      {"last-row-read-with-its-gap", Duty::C10, "rows-of-1?.u8",
       "rows with gaps are read gap and all, the last one too",
       reads_positions(rows_with_gaps,
                       [](const Walk& data) {
                         const std::int64_t row = (data.size(0) - 1) * data.stride(0);
                         return Range{row, row + data.stride(0)};
                       }),
       kHostile},
      {"last-step-read-as-a-pair", Duty::C10, "stride-2-of-1?.u8",
       "every second element is read with its neighbour, behind the last one too",
       reads_positions([](const Walk& data) { return data.rank() == 1 && data.stride(0) == 2; },
                       [](const Walk& data) {
                         const std::int64_t last = data.position(data.count() - 1);
                         return Range{last, last + 2};
                       }),
       kHostile},
      {"backwards-read-before-the-start", Duty::C10, "backwards-of-1?.u8",
       "data walked backwards is loaded in vectors of 16 that begin before the first byte",
       reads_positions(
           [](const Walk& data) {
             return data.rank() == 1 && data.count() >= 8 && data.stride(0) == -1;
           },
           [](const Walk& data) { return Range{1 - (data.count() + 15) / 16 * 16, 1}; }),
       kHostile},
      {"turned-columns-read-as-tiles", Duty::C10, "turned-1?-by-12.u8",
       "the last columns of transposed data are loaded as whole vectors of 8",
       reads_positions(lies_turned,
                       [](const Walk& data) {
                         const std::int64_t column = (data.size(1) - 1) * data.stride(1);
                         return Range{column, column + (data.size(0) + 7) / 8 * 8};
                       }),
       kHostile},
      {"half-byte-rows-read-in-words", Duty::C10, "dense-67.i4",
       "4-bit data is loaded in words of 4 bytes, past the end of the last",
       reads_positions([](const Walk& data) { return data.width() == 4 && data.dense(); },
                       [](const Walk& data) { return Range{0, (data.count() + 7) / 8 * 8}; }),
       kHostile},
      {"offset-cleared", Duty::C8, "output-at-byte-32.*",
       "an output is cleared from its pointer on, the bytes before its offset too",
       after_execute([](const reshape_request& request, DLTensor& out) {
         if (empty(out) || in_place(request, out) || out.byte_offset < 32) return;
         auto* before = start_of(out) - 1;
         *before = std::byte{0};
       }),
       caught("memory", "output-gaps")},
      {"gap-below-a-backward-row-cleared", Duty::C8, "out-backwards-of-*",
       "outputs walked backwards have the place below their last element cleared",
       clears_a_gap(
           [](const Walk& out) {
             return out.last_stride(0) == -1 && out.size(0) == 1 && out.width() >= 8 &&
                    out.count() % 2 == 0;
           },
           [](const Walk& out) { return -out.count(); }),
       caught("memory", "output-gaps")},
      {"gaps-between-many-rows", Duty::C8, "out-33-rows-of-3.*",
       "from 32 rows on rows are written in whole words, over the start of each gap",
       clears_a_gap(
           [](const Walk& out) {
             return rows_with_gaps(out) && out.size(0) >= 32 && out.width() >= 8;
           },
           [](const Walk& out) { return out.stride(0) - 1; }),
       caught("memory", "output-gaps")},
      {"gaps-beside-turned-columns", Duty::C8, "out-turned-31-by-15-32-apart.*",
       "columns of a transposed output are written in whole tiles, where there is room for them",
       clears_a_gap(
           [](const Walk& out) {
             return lies_turned(out) && out.stride(1) > out.size(0) && out.width() >= 8 &&
                    out.size(0) % 8 == 7 && out.size(1) >= 2;
           },
           [](const Walk& out) { return out.size(0); }),
       caught("memory", "output-gaps")},
      {"gaps-of-backward-rows", Duty::C8, "out-backwards-rows-with-gaps-of-*",
       "rows written backwards with gaps between them are written as long as they are apart",
       clears_a_gap(
           [](const Walk& out) {
             return out.rank() == 2 && out.stride(0) < -out.size(1) && out.width() >= 8 &&
                    out.size(0) >= 2;
           },
           [](const Walk& out) { return out.stride(0) + out.size(1); }),
       caught("memory", "output-gaps")},
      {"equal-strides-copied-with-the-gaps", Duty::C8, "both-padded-same.*",
       "where data and output have the same strides, all is copied in one piece, gaps and all",
       after_execute([](const reshape_request& request, DLTensor& out) {
         const Walk data(*request.data), output(out);
         if (output.count() == 0 || data.layout() != output.layout() || !rows_with_gaps(data))
           return;
         if (in_place(request, out) || data.width() < 8) return;
         std::memcpy(start_of(out), start_of(*request.data),
                     static_cast<std::size_t>(bytes_of(out)));
       }),
       caught("memory", "output-gaps")},
      {"gaps-of-rows-of-halves", Duty::C8, "out-rows-of-21.bf16",
       "16-bit rows with gaps of odd length are written in pairs, over the gap's first element",
       fills_odd_rows(16), caught("memory", "output-gaps")},
      {"half-bytes-fill-the-gap", Duty::C8, "out-rows-of-21.i4",
       "4-bit rows of odd length end with a whole byte, the other half of it 0", fills_odd_rows(4),
       caught("memory", "output-gaps")},
      {"gaps-between-steps-of-eight", Duty::C8, "out-stride-8-of-16.*",
       "a stride of 8 is written by vectors with zeros between, but for the last",
       clears_a_gap(
           [](const Walk& out) {
             return out.last_stride(0) == 8 && out.last_size(0) >= 9 && out.width() >= 8;
           },
           [](const Walk&) { return 5; }),
       caught("memory", "output-gaps")},
      {"output-type-rewritten", Duty::C11, kExamples,
       "the lanes of the output's type are set to 0 in the caller's own tensor",
       after_execute([](const reshape_request&, DLTensor& out) { out.dtype.lanes = 0; }),
       caught("memory", "arguments-unchanged")},
      {"output-squeezed", Duty::C11, "example-*",
       "the output's rank is lowered to 1 in the caller's own tensor, as it is copied densely",
       after_execute([](const reshape_request&, DLTensor& out) {
         if (out.ndim > 1) out.ndim = 1;
       }),
       caught("memory", "arguments-unchanged")},
      {"output-device-set", Duty::C11, kExamples,
       "the output's device is set to another number of the CPU",
       after_execute([](const reshape_request&, DLTensor& out) { out.device.device_id = 1; }),
       caught("memory", "arguments-unchanged")},
      {"view-of-another-type", Duty::C11, "count-17.*",
       "a view is handed out as bytes: its type is 8 bits wide",
       views([](const reshape_request&, DLTensor& view, reshape_message*) {
         view.dtype.bits = 8;
         return RESHAPE_OK;
       }),
       caught("memory", "arguments-unchanged")},
      {"writes-past-the-end", Duty::C7, kExamples, "one byte behind the output is written",
       writes_a_byte_at(bytes_of), caught("memory", "canaries")},
      {"writes-before-the-start", Duty::C7, kExamples, "one byte before the output is written",
       writes_a_byte_at([](const DLTensor&) { return std::int64_t{-1}; }),
       caught("memory", "canaries")},
      {"writes-gaps", Duty::C8, "",
       "everything between the output's first and last element is cleared first",
       executing([](const reshape_request* request, DLTensor* output, reshape_message* why) {
         // Refused requests stay refused with nothing written.
         const reshape_status status = right().execute(request, output, why);
         if (status != RESHAPE_OK || empty(*output) || walks_backwards(*output)) return status;
         std::memset(start_of(*output), 0, static_cast<std::size_t>(bytes_of(*output)));
         return right().execute(request, output, why);
       }),
       caught("memory", "output-gaps")},
      {"writes-on-rejection", Duty::C9, "", "the output is cleared before the request is looked at",
       executing([](const reshape_request* request, DLTensor* output, reshape_message* why) {
         if (output->data != nullptr && output->strides == nullptr && !empty(*output)) {
           std::memset(start_of(*output), 0, static_cast<std::size_t>(bytes_of(*output)));
         }
         return right().execute(request, output, why);
       }),
       caught("memory", "rejection-writes-nothing")},
      {"writes-one-behind-each-row", Duty::C8, "written-into-gaps-i32",
       "behind each row of an output with gaps one element more is written",
       after_execute([](const reshape_request&, DLTensor& out) {
         const Walk output(out);
         const std::int64_t row = output.last_size(0);
         const bool gaps = output.count() > row && output.last_stride(0) == 1 &&
                           output.width() >= 8 && output.last_stride(1) > row && !output.permuted();
         if (!gaps) return;
         for (std::int64_t at = row - 1; at + 1 < output.count(); at += row) {
           store_element(output.type(), start_of(out), output.position(at) + 1, 0);
         }
       }),
       caught("memory", "output-gaps")},
      {"writes-between-the-elements", Duty::C8, "both-every-second.u8",
       "an output with a stride of 2 is written as pairs of an element and a 0",
       after_execute([](const reshape_request&, DLTensor& out) {
         const Walk output(out);
         if (output.last_stride(0) != 2 || output.last_size(0) < 2) return;
         const std::int64_t row = output.last_size(0);
         if (output.rank() > 1 && output.last_stride(1) < 2 * row) return;
         for (std::int64_t at = 0; at < output.count(); ++at) {
           if (at % row == row - 1) continue;
           store_element(output.type(), start_of(out), output.position(at) + 1, 0);
         }
       }),
       caught("memory", "output-gaps")},
      {"writes-half-of-a-shared-byte", Duty::C8, "packed-both-odd-rows.i4",
       "strided 4-bit elements are written as whole bytes, the other half with 0",
       clears_a_gap(
           // Behind the very last element there may be no other half in this buffer's last byte to spoil.
           [](const Walk& out) {
             return out.width() == 4 && !out.dense() && out.gaps() &&
                    touched(out.layout()).last % 2 == 0;
           },
           [](const Walk& out) { return touched(out.layout()).last + 1; }),
       caught("memory", "output-gaps")},
      {"clears-first-when-strided", Duty::C9, "empty-to-ones",
       "an output is cleared before the request is looked at, if explicit strides came with it",
       executing([](const reshape_request* request, DLTensor* output, reshape_message* why) {
         const bool any = output->data != nullptr && output->strides != nullptr && !empty(*output);
         if (any && !walks_backwards(*output)) *start_of(*output) = std::byte{0};
         return right().execute(request, output, why);
       }),
       caught("memory", "rejection-writes-nothing")},
      {"first-element-before-the-check", Duty::C9, "full-to-empty",
       "the first element is copied before the volumes are compared",
       executing([](const reshape_request* request, DLTensor* output, reshape_message* why) {
         const DLTensor& data = *request->data;
         const bool any = output->data != nullptr && data.data != nullptr && !empty(*output) &&
                          !empty(data) && data.dtype.bits == output->dtype.bits;
         if (any) Elements(*output).set(0, Elements(data).get(0));
         return right().execute(request, output, why);
       }),
       caught("memory", "rejection-writes-nothing")},
      {"writes-a-vector-and-restores", Duty::C10, "example-3",
       "the tail is stored as a whole vector of 32 bytes, and what lay behind is put back",
       after_execute([](const reshape_request&, DLTensor& out) {
         if (empty(out) || walks_backwards(out)) return;
         const std::int64_t bytes = bytes_of(out);
         volatile std::byte* start = start_of(out);
         for (std::int64_t at = bytes; at < (bytes + 31) / 32 * 32; ++at) {
           const std::byte kept = start[at];
           start[at] = std::byte{0x77};
           start[at] = kept;
         }
       }),
       kHostile},
      {"view-copies", Duty::C12, "", "what is called a view is a copy in memory of its own",
       viewing([](const reshape_request* request, DLTensor* output, reshape_message* why) {
         static std::vector<std::byte> copy(std::size_t{1} << 20);
         const Layout dense = row_major(shape_of(*output));
         for (std::int32_t axis = 0; axis < output->ndim; ++axis) {
           output->strides[axis] = dense.strides[static_cast<std::size_t>(axis)];
         }
         output->data = copy.data();
         output->byte_offset = 0;
         if (!empty(*output) && bytes_of(*output) > static_cast<std::int64_t>(copy.size())) {
           return answer(RESHAPE_UNSUPPORTED, "too large", why);
         }
         return right().execute(request, output, why);
       }),
       caught("memory", "view")},
      {"view-of-what-is-permuted", Duty::C12, "repeated-rows.u8",
       "permuted data without gaps is handed on as a dense view",
       views([](const reshape_request&, DLTensor&, reshape_message*) { return RESHAPE_OK; },
             [](const Walk& data) { return data.permuted() && !data.gaps(); }),
       caught("memory", "view") | like("uxlfoundation/oneDNN@707dc0ff8f")},
      {"view-column-major", Duty::C12, "3-by-11-to-11-by-3.f64",
       "the strides of a view are those of Fortran",
       views([](const reshape_request&, DLTensor& view, reshape_message*) {
         std::int64_t stride = 1;
         for (std::int32_t axis = 0; axis < view.ndim; ++axis) {
           view.strides[axis] = stride;
           stride *= std::max<std::int64_t>(view.shape[axis], 1);
         }
         return RESHAPE_OK;
       }),
       caught("bytes", "bytes")},
      {"view-without-the-offset", Duty::C12, "count-2.u8",
       "a view starts at the data's pointer, without its byte_offset",
       views([](const reshape_request&, DLTensor& view, reshape_message*) {
         view.byte_offset = 0;
         return RESHAPE_OK;
       }),
       caught("bytes", "bytes")},
      {"view-one-element-late", Duty::C12, "count-2.u8",
       "a view starts at the second element and ends behind the data",
       views([](const reshape_request&, DLTensor& view, reshape_message*) {
         view.byte_offset += static_cast<std::uint64_t>((view.dtype.bits + 7) / 8);
         return RESHAPE_OK;
       }),
       caught("memory", "view") | like("pytorch/pytorch#194051")},
      {"view-only-of-null-strides", Duty::C12, "count-257.u8",
       "dense data with its strides written out is said to need a copy",
       views([](const reshape_request& request, DLTensor&, reshape_message* why) {
         return request.data->strides == nullptr
                    ? RESHAPE_OK
                    : answer(RESHAPE_UNSUPPORTED, "strides were given", why);
       }),
       caught("memory", "view")},
      {"view-only-of-lower-rank", Duty::C12, "count-2.u8",
       "a view of a higher rank than the data is said to need a copy",
       views([](const reshape_request& request, DLTensor& view, reshape_message* why) {
         return view.ndim <= request.data->ndim
                    ? RESHAPE_OK
                    : answer(RESHAPE_UNSUPPORTED, "the rank grows", why);
       }),
       caught("memory", "view")},
  };
  return family(Kind::memory, {"memory", "guard-page"}, std::move(table));
}

}  // namespace reshape::conformance::self
