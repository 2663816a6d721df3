// Right answers that touch memory they were not given.
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>
#include <vector>

#include "conformance/self/mutant.h"
#include "conformance/self/spoil.h"

namespace reshape::conformance::self {
namespace {

bool empty(const DLTensor& tensor) { return is_empty(shape_of(tensor)); }

bool walks_backwards(const DLTensor& tensor) {
  for (std::int32_t axis = 0; tensor.strides != nullptr && axis < tensor.ndim; ++axis) {
    if (tensor.strides[axis] < 0) return true;
  }
  return false;
}

// Keeps the compiler from leaving out a read whose value nobody uses.
volatile std::uint8_t sink;

// Writes the first byte of a tensor again, through a pointer to const.
void touch(const DLTensor& tensor) {
  if (tensor.data == nullptr || empty(tensor)) return;
  volatile std::byte* first = start_of(tensor);
  *first = *first ^ std::byte{0xff};
}

}  // namespace

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

MUTANT("reads-past-the-end", Breaks("C10"), Caught("memory", "guard-page"),
       Says("the 16 bytes behind the data are read"), kExamples) {
  table.execute = after_execute([](const reshape_request& request, DLTensor&) {
    const DLTensor& data = *request.data;
    if (empty(data) || walks_backwards(data)) return;
    const volatile std::byte* end = start_of(data) + bytes_of(data);
    for (int at = 0; at < 16; ++at) sink = static_cast<std::uint8_t>(end[at]);
  });
}

MUTANT("reads-before-the-start", Breaks("C10"), Caught("memory", "guard-page"),
       Says("the byte before the data is read"), kExamples) {
  table.execute = after_execute([](const reshape_request& request, DLTensor&) {
    const DLTensor& data = *request.data;
    if (empty(data) || walks_backwards(data)) return;
    const volatile std::byte* start = start_of(data);
    sink = static_cast<std::uint8_t>(start[-1]);
  });
}

MUTANT("reads-pattern-past-the-end", Breaks("C10"), Caught("memory", "guard-page"),
       Says("one value behind the pattern is read"), kExamples) {
  table.infer_shape = after_infer([](const reshape_request& request, reshape_shape&) {
    if (request.pattern->data == nullptr) return;
    const volatile std::byte* end = start_of(*request.pattern) + bytes_of(*request.pattern);
    sink = static_cast<std::uint8_t>(*end);
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

MUTANT("shape-written-on-rejection", Breaks("C9"), Caught("memory", "shape-canary"),
       Says("sizes are written before the request is refused")) {
  table.infer_shape = [](const reshape_request* request, reshape_shape* shape,
                         reshape_message* why) {
    const reshape_status status = right().infer_shape(request, shape, why);
    if (status == RESHAPE_REJECTED && shape->capacity > 0) shape->sizes[0] = 0;
    return status;
  };
}

MUTANT("shape-filled-to-capacity", Breaks("C7"), Caught("memory", "shape-canary"),
       Says("the rest of the array that receives the shape is filled with ones")) {
  table.infer_shape = after_infer([](const reshape_request&, reshape_shape& shape) {
    for (std::int32_t at = shape.rank; at < shape.capacity; ++at) shape.sizes[at] = 1;
  });
}

MUTANT("changes-the-input", Breaks("C6"), Caught("memory", "guard-page"),
       Says("the first byte of the data is inverted after the copy"), kExamples) {
  table.execute = after_execute([](const reshape_request& request, DLTensor& out) {
    // In place the data is the output, which would be another mistake.
    if (request.data->data != out.data) touch(*request.data);
  });
}

MUTANT("changes-the-input-behind-the-guard", Breaks("C6"), Caught("memory", "input-unchanged"),
       Says("the data's page is made writable for a moment to invert its first byte")) {
  table.execute = after_execute([](const reshape_request& request, DLTensor& out) {
    const DLTensor& data = *request.data;
    if (data.data == out.data || data.data == nullptr || empty(data)) return;
    const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    void* start =
        reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(start_of(data)) / page * page);
    if (mprotect(start, page, PROT_READ | PROT_WRITE) != 0) return;
    touch(data);
    mprotect(start, page, PROT_READ);
  });
}

MUTANT("changes-the-pattern", Breaks("C11"), Caught("memory", "arguments-unchanged"),
       Says("the pattern is resolved where it lies")) {
  table.infer_shape = after_infer([](const reshape_request& request, reshape_shape& shape) {
    if (request.pattern->ndim != 1 || request.pattern->data == nullptr) return;
    Elements pattern(*request.pattern);
    for (std::int64_t at = 0; at < pattern.count(); ++at) {
      pattern.set(at, static_cast<std::uint64_t>(shape.sizes[at]));
    }
  });
}

MUTANT("changes-the-sizes", Breaks("C11"), Caught("memory", "arguments-unchanged"),
       Says("sizes of 1 are folded away in the caller's own array")) {
  table.execute = after_execute([](const reshape_request& request, DLTensor&) {
    for (std::int32_t axis = 0; axis < request.data->ndim; ++axis) request.data->shape[axis] = 1;
  });
}

MUTANT("view-copies", Breaks("C12"), Caught("memory", "view"),
       Says("what is called a view is a copy in memory of its own")) {
  table.description.capabilities |= RESHAPE_VIEWS;
  table.view = [](const reshape_request* request, DLTensor* output, reshape_message* why) {
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
  };
}

}  // namespace reshape::conformance::self
