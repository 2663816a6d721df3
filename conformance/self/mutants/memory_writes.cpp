// Outputs: written beyond their elements, or although the request is refused.
#include <cstddef>
#include <cstring>

#include "conformance/self/displace.h"
#include "conformance/self/mutant.h"
#include "reference/tensor/tensor_view.h"

namespace reshape::conformance::self {

MUTANT("writes-past-the-end", Breaks("C7"), Caught("memory", "canaries"),
       Says("one byte behind the output is written"), kExamples) {
  table.execute = after_execute([](const reshape_request&, DLTensor& out) {
    if (empty(out) || walks_backwards(out)) return;
    volatile std::byte* end = start_of(out) + bytes_of(out);
    *end = std::byte{0x77};
  });
}

MUTANT("writes-before-the-start", Breaks("C7"), Caught("memory", "canaries"),
       Says("one byte before the output is written"), kExamples) {
  table.execute = after_execute([](const reshape_request&, DLTensor& out) {
    if (empty(out) || walks_backwards(out)) return;
    volatile std::byte* before = start_of(out) - 1;
    *before = std::byte{0x77};
  });
}

MUTANT("writes-gaps", Breaks("C8"), Caught("memory", "output-gaps"),
       Says("everything between the output's first and last element is cleared first")) {
  table.execute = [](const reshape_request* request, DLTensor* output, reshape_message* why) {
    // Refused requests stay refused with nothing written.
    const reshape_status status = right().execute(request, output, why);
    if (status != RESHAPE_OK || empty(*output) || walks_backwards(*output)) return status;
    std::memset(start_of(*output), 0, static_cast<std::size_t>(bytes_of(*output)));
    return right().execute(request, output, why);
  };
}

MUTANT("writes-on-rejection", Breaks("C9"), Caught("memory", "rejection-writes-nothing"),
       Says("the output is cleared before the request is looked at")) {
  table.execute = [](const reshape_request* request, DLTensor* output, reshape_message* why) {
    if (output->data != nullptr && output->strides == nullptr && !empty(*output)) {
      std::memset(start_of(*output), 0, static_cast<std::size_t>(bytes_of(*output)));
    }
    return right().execute(request, output, why);
  };
}

MUTANT("writes-one-behind-each-row", Breaks("C8"), Caught("memory", "output-gaps"),
       On("openvino-reshape-1/written-into-gaps-i32"),
       Says("behind each row of an output with gaps one element more is written")) {
  table.execute = after_execute([](const reshape_request&, DLTensor& out) {
    const Walk output(out);
    const std::int64_t row = output.last_size(0);
    const bool gaps = output.count() > row && output.last_stride(0) == 1 && output.width() >= 8 &&
                      output.last_stride(1) > row && !output.permuted();
    if (!gaps) return;
    for (std::int64_t at = row - 1; at + 1 < output.count(); at += row) {
      store_element(output.type(), start_of(out), output.position(at) + 1, 0);
    }
  });
}

MUTANT("writes-between-the-elements", Breaks("C8"), Caught("memory", "output-gaps"),
       On("openvino-reshape-1/both-every-second.u8"),
       Says("an output with a stride of 2 is written as pairs of an element and a 0")) {
  table.execute = after_execute([](const reshape_request&, DLTensor& out) {
    const Walk output(out);
    if (output.last_stride(0) != 2 || output.last_size(0) < 2) return;
    const std::int64_t row = output.last_size(0);
    if (output.rank() > 1 && output.last_stride(1) < 2 * row) return;
    for (std::int64_t at = 0; at < output.count(); ++at) {
      if (at % row == row - 1) continue;
      store_element(output.type(), start_of(out), output.position(at) + 1, 0);
    }
  });
}

MUTANT("writes-half-of-a-shared-byte", Breaks("C8"), Caught("memory", "output-gaps"),
       On("openvino-reshape-1/packed-both-odd-rows.i4"),
       Says("strided 4-bit elements are written as whole bytes, the other half with 0")) {
  table.execute = after_execute([](const reshape_request&, DLTensor& out) {
    const Walk output(out);
    if (output.width() != 4 || output.dense() || !output.gaps() || output.count() == 0) return;
    const std::int64_t last = touched(output.layout()).last;
    // Behind the very last element there may be no other half in this buffer's last byte to spoil.
    if (last % 2 == 0) store_element(output.type(), start_of(out), last + 1, 0);
  });
}

MUTANT(
    "clears-first-when-strided", Breaks("C9"), Caught("memory", "rejection-writes-nothing"),
    On("openvino-reshape-1/empty-to-ones"),
    Says(
        "an output is cleared before the request is looked at, if explicit strides came with it")) {
  table.execute = [](const reshape_request* request, DLTensor* output, reshape_message* why) {
    const bool any = output->data != nullptr && output->strides != nullptr && !empty(*output);
    if (any && !walks_backwards(*output)) *start_of(*output) = std::byte{0};
    return right().execute(request, output, why);
  };
}

MUTANT("first-element-before-the-check", Breaks("C9"), Caught("memory", "rejection-writes-nothing"),
       On("openvino-reshape-1/full-to-empty"),
       Says("the first element is copied before the volumes are compared")) {
  table.execute = [](const reshape_request* request, DLTensor* output, reshape_message* why) {
    const DLTensor& data = *request->data;
    const bool any = output->data != nullptr && data.data != nullptr && !empty(*output) &&
                     !empty(data) && data.dtype.bits == output->dtype.bits;
    if (any) Elements(*output).set(0, Elements(data).get(0));
    return right().execute(request, output, why);
  };
}

MUTANT("writes-a-vector-and-restores", Breaks("C10"), Caught("memory", "guard-page"),
       On("openvino-reshape-1/example-3"), Hostile{},
       Says("the tail is stored as a whole vector of 32 bytes, and what lay behind is put back")) {
  table.execute = after_execute([](const reshape_request&, DLTensor& out) {
    if (empty(out) || walks_backwards(out)) return;
    const std::int64_t bytes = bytes_of(out);
    volatile std::byte* start = start_of(out);
    for (std::int64_t at = bytes; at < (bytes + 31) / 32 * 32; ++at) {
      const std::byte kept = start[at];
      start[at] = std::byte{0x77};
      start[at] = kept;
    }
  });
}

}  // namespace reshape::conformance::self
