// Rows, steps and offsets: what is read or written beside the elements of layouts with gaps.
#include <cstddef>
#include <cstring>

#include "conformance/self/few.h"
#include "conformance/self/mutant.h"

namespace reshape::conformance::self {
namespace {

volatile std::uint8_t sink;

// Reads the bytes of elements [first, behind) by position.
void read_positions(const Walk& walk, const DLTensor& tensor, std::int64_t first,
                    std::int64_t behind) {
  const volatile std::byte* base = start_of(tensor);
  for (std::int64_t byte = first * walk.width() / 8; byte < behind * walk.width() / 8; ++byte) {
    sink = static_cast<std::uint8_t>(base[byte]);
  }
}

constexpr Caught kGuard{"memory", "guard-page"};
constexpr Caught kGaps{"memory", "output-gaps"};

}  // namespace

MUTANT("last-row-read-with-its-gap", Breaks("C10"), kGuard, Hostile{},
       On("openvino-reshape-1/rows-of-1?.u8"),
       Says("rows with gaps are read gap and all, the last one too")) {
  table.execute = after_execute([](const reshape_request& request, DLTensor&) {
    const Walk data(*request.data);
    if (data.count() == 0 || !rows_with_gaps(data)) return;
    const std::int64_t row = (data.size(0) - 1) * data.stride(0);
    read_positions(data, *request.data, row, row + data.stride(0));
  });
}
MUTANT("last-step-read-as-a-pair", Breaks("C10"), kGuard, Hostile{},
       On("openvino-reshape-1/stride-2-of-1?.u8"),
       Says("every second element is read with its neighbour, behind the last one too")) {
  table.execute = after_execute([](const reshape_request& request, DLTensor&) {
    const Walk data(*request.data);
    if (data.count() == 0 || data.rank() != 1 || data.stride(0) != 2) return;
    const std::int64_t last = data.position(data.count() - 1);
    read_positions(data, *request.data, last, last + 2);
  });
}
MUTANT("backwards-read-before-the-start", Breaks("C10"), kGuard, Hostile{},
       On("openvino-reshape-1/backwards-of-1?.u8"),
       Says("data walked backwards is loaded in vectors of 16 that begin before the first byte")) {
  table.execute = after_execute([](const reshape_request& request, DLTensor&) {
    const Walk data(*request.data);
    if (data.rank() != 1 || data.count() < 8 || data.stride(0) != -1) return;
    const std::int64_t vectors = (data.count() + 15) / 16;
    read_positions(data, *request.data, 1 - 16 * vectors, 1);
  });
}
MUTANT("turned-columns-read-as-tiles", Breaks("C10"), kGuard, Hostile{},
       On("openvino-reshape-1/turned-1?-by-12.u8"),
       Says("the last columns of transposed data are loaded as whole vectors of 8")) {
  table.execute = after_execute([](const reshape_request& request, DLTensor&) {
    const Walk data(*request.data);
    if (data.count() == 0 || !lies_turned(data)) return;
    const std::int64_t column = (data.size(1) - 1) * data.stride(1);
    read_positions(data, *request.data, column, column + (data.size(0) + 7) / 8 * 8);
  });
}
MUTANT("half-byte-rows-read-in-words", Breaks("C10"), kGuard, Hostile{},
       On("openvino-reshape-1/dense-67.i4"),
       Says("4-bit data is loaded in words of 4 bytes, past the end of the last")) {
  table.execute = after_execute([](const reshape_request& request, DLTensor&) {
    const Walk data(*request.data);
    if (data.width() != 4 || data.count() == 0 || !data.dense()) return;
    const volatile std::byte* base = start_of(*request.data);
    const std::int64_t end = ((data.count() + 1) / 2 + 3) / 4 * 4;
    for (std::int64_t at = 0; at < end; ++at) sink = static_cast<std::uint8_t>(base[at]);
  });
}
MUTANT("offset-cleared", Breaks("C8"), kGaps, On("openvino-reshape-1/output-at-byte-32.*"),
       Says("an output is cleared from its pointer on, the bytes before its offset too")) {
  table.execute = after_execute([](const reshape_request& request, DLTensor& out) {
    if (empty(out) || in_place(request, out) || out.byte_offset < 32) return;
    auto* before = start_of(out) - 1;
    *before = std::byte{0};
  });
}
MUTANT("gap-below-a-backward-row-cleared", Breaks("C8"), kGaps,
       On("openvino-reshape-1/out-backwards-of-*"),
       Says("outputs walked backwards have the place below their last element cleared")) {
  table.execute = after_execute([](const reshape_request&, DLTensor& out) {
    const Walk output(out);
    if (output.count() == 0 || output.last_stride(0) != -1 || output.size(0) != 1) return;
    if (output.width() >= 8 && output.count() % 2 == 0) {
      store_element(output.type(), start_of(out), -output.count(), 0);
    }
  });
}
MUTANT("gaps-between-many-rows", Breaks("C8"), kGaps, On("openvino-reshape-1/out-33-rows-of-3.*"),
       Says("from 32 rows on rows are written in whole words, over the start of each gap")) {
  table.execute = after_execute([](const reshape_request&, DLTensor& out) {
    const Walk output(out);
    if (!rows_with_gaps(output) || output.size(0) < 32 || output.width() < 8) return;
    store_element(output.type(), start_of(out), output.position(output.size(1)) - 1, 0);
  });
}
MUTANT("gaps-beside-turned-columns", Breaks("C8"), kGaps,
       On("openvino-reshape-1/out-turned-31-by-15-32-apart.*"),
       Says("columns of a transposed output are written in whole tiles, where there is room for "
            "them")) {
  table.execute = after_execute([](const reshape_request&, DLTensor& out) {
    const Walk output(out);
    const bool wide = lies_turned(output) && output.stride(1) > output.size(0);
    if (!wide || output.width() < 8 || output.size(0) % 8 != 7 || output.size(1) < 2) return;
    store_element(output.type(), start_of(out), output.size(0), 0);
  });
}
MUTANT(
    "gaps-of-backward-rows", Breaks("C8"), kGaps,
    On("openvino-reshape-1/out-backwards-rows-with-gaps-of-*"),
    Says("rows written backwards with gaps between them are written as long as they are apart")) {
  table.execute = after_execute([](const reshape_request&, DLTensor& out) {
    const Walk output(out);
    const bool back = output.rank() == 2 && output.stride(0) < -output.size(1);
    if (!back || output.width() < 8 || output.size(0) < 2) return;
    store_element(output.type(), start_of(out), output.stride(0) + output.size(1), 0);
  });
}
MUTANT(
    "equal-strides-copied-with-the-gaps", Breaks("C8"), kGaps,
    On("openvino-reshape-1/both-padded-same.*"),
    Says("where data and output have the same strides, all is copied in one piece, gaps and all")) {
  table.execute = after_execute([](const reshape_request& request, DLTensor& out) {
    const Walk data(*request.data), output(out);
    if (output.count() == 0 || data.layout() != output.layout() || !rows_with_gaps(data)) return;
    if (in_place(request, out) || data.width() < 8) return;
    std::memcpy(start_of(out), start_of(*request.data), static_cast<std::size_t>(bytes_of(out)));
  });
}
MUTANT(
    "gaps-of-rows-of-halves", Breaks("C8"), kGaps, On("openvino-reshape-1/out-rows-of-21.bf16"),
    Says(
        "16-bit rows with gaps of odd length are written in pairs, over the gap's first element")) {
  table.execute = after_execute([](const reshape_request&, DLTensor& out) {
    const Walk output(out);
    if (!rows_with_gaps(output) || output.width() != 16 || output.size(1) % 2 == 0) return;
    if (output.size(0) < 2 || output.size(1) < 16) return;
    store_element(output.type(), start_of(out), output.size(1), 0);
  });
}
MUTANT("half-bytes-fill-the-gap", Breaks("C8"), kGaps, On("openvino-reshape-1/out-rows-of-21.i4"),
       Says("4-bit rows of odd length end with a whole byte, the other half of it 0")) {
  table.execute = after_execute([](const reshape_request&, DLTensor& out) {
    const Walk output(out);
    if (!rows_with_gaps(output) || output.width() != 4 || output.size(1) % 2 == 0) return;
    if (output.size(0) < 2 || output.size(1) < 16) return;
    store_element(output.type(), start_of(out), output.size(1), 0);
  });
}
MUTANT("gaps-between-steps-of-eight", Breaks("C8"), kGaps,
       On("openvino-reshape-1/out-stride-8-of-16.*"),
       Says("a stride of 8 is written by vectors with zeros between, but for the last")) {
  table.execute = after_execute([](const reshape_request&, DLTensor& out) {
    const Walk output(out);
    if (output.last_stride(0) != 8 || output.last_size(0) < 9 || output.width() < 8) return;
    store_element(output.type(), start_of(out), 5, 0);
  });
}

MUTANT("output-type-rewritten", Breaks("C11"), Caught("memory", "arguments-unchanged"), kExamples,
       Says("the lanes of the output's type are set to 0 in the caller's own tensor")) {
  table.execute = after_execute([](const reshape_request&, DLTensor& out) { out.dtype.lanes = 0; });
}
MUTANT(
    "output-squeezed", Breaks("C11"), Caught("memory", "arguments-unchanged"),
    On("openvino-reshape-1/example-*"),
    Says("the output's rank is lowered to 1 in the caller's own tensor, as it is copied densely")) {
  table.execute = after_execute([](const reshape_request&, DLTensor& out) {
    if (out.ndim > 1) out.ndim = 1;
  });
}
MUTANT("output-device-set", Breaks("C11"), Caught("memory", "arguments-unchanged"), kExamples,
       Says("the output's device is set to another number of the CPU")) {
  table.execute =
      after_execute([](const reshape_request&, DLTensor& out) { out.device.device_id = 1; });
}
MUTANT("view-of-another-type", Breaks("C11"), Caught("memory", "arguments-unchanged"),
       On("openvino-reshape-1/count-17.*"),
       Says("a view is handed out as bytes: its type is 8 bits wide")) {
  table.description.capabilities |= RESHAPE_VIEWS;
  table.view = [](const reshape_request* request, DLTensor* output, reshape_message* why) {
    std::int64_t sizes[256];
    reshape_shape shape{256, 0, sizes};
    const reshape_status status = right().infer_shape(request, &shape, why);
    if (status != RESHAPE_OK) return status;
    if (!Walk(*request->data).dense()) return answer(RESHAPE_UNSUPPORTED, "this needs a copy", why);
    const Strides dense = *row_major_strides(shape_of(*output));
    for (std::int32_t axis = 0; axis < output->ndim; ++axis) {
      output->strides[axis] = dense[static_cast<std::size_t>(axis)];
    }
    output->data = request->data->data;
    output->byte_offset = request->data->byte_offset;
    output->dtype.bits = 8;
    return status;
  };
}

}  // namespace reshape::conformance::self
