// The data and the pattern: read beyond their ends, or written.
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>

#include "conformance/self/mutant.h"
#include "conformance/self/spoil.h"

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

}  // namespace

MUTANT("reads-past-the-end", Breaks("C10"), Caught("memory", "guard-page"), Hostile{},
       Says("the 16 bytes behind the data are read"), kExamples) {
  table.execute = after_execute([](const reshape_request& request, DLTensor&) {
    const DLTensor& data = *request.data;
    if (empty(data) || walks_backwards(data)) return;
    const volatile std::byte* end = start_of(data) + bytes_of(data);
    for (int at = 0; at < 16; ++at) sink = static_cast<std::uint8_t>(end[at]);
  });
}

MUTANT("reads-before-the-start", Breaks("C10"), Caught("memory", "guard-page"), Hostile{},
       Says("the byte before the data is read"), kExamples) {
  table.execute = after_execute([](const reshape_request& request, DLTensor&) {
    const DLTensor& data = *request.data;
    if (empty(data) || walks_backwards(data)) return;
    const volatile std::byte* start = start_of(data);
    sink = static_cast<std::uint8_t>(start[-1]);
  });
}

MUTANT("reads-pattern-past-the-end", Breaks("C10"), Caught("memory", "guard-page"), Hostile{},
       Says("one value behind the pattern is read"), kExamples) {
  table.infer_shape = after_infer([](const reshape_request& request, reshape_shape&) {
    if (request.pattern->data == nullptr) return;
    const volatile std::byte* end = start_of(*request.pattern) + bytes_of(*request.pattern);
    sink = static_cast<std::uint8_t>(*end);
  });
}

MUTANT("changes-the-input", Breaks("C6"), Caught("memory", "guard-page"), Hostile{},
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

MUTANT("reads-whole-vectors", Breaks("C10"), Caught("memory", "guard-page"),
       On("openvino-reshape-1/four-negative-zeros"), Hostile{},
       Says("the tail is loaded as a whole vector of 32 bytes, past the end of the data")) {
  table.execute = after_execute([](const reshape_request& request, DLTensor&) {
    const DLTensor& data = *request.data;
    if (empty(data) || walks_backwards(data)) return;
    const std::int64_t bytes = bytes_of(data);
    const volatile std::byte* start = start_of(data);
    for (std::int64_t at = bytes; at < (bytes + 31) / 32 * 32; ++at) {
      sink = static_cast<std::uint8_t>(start[at]);
    }
  });
}

MUTANT("reads-8-bytes-at-a-time", Breaks("C10"), Caught("memory", "guard-page"),
       On("openvino-reshape-1/example-3-every-type.f8e4m3"), Hostile{},
       Says("data of one byte is read in words of 8, past the end of the last")) {
  table.execute = after_execute([](const reshape_request& request, DLTensor&) {
    const DLTensor& data = *request.data;
    if (data.dtype.bits != 8 || empty(data) || walks_backwards(data)) return;
    const std::int64_t bytes = bytes_of(data);
    const volatile std::byte* start = start_of(data);
    for (std::int64_t at = bytes; at < (bytes + 7) / 8 * 8; ++at) {
      sink = static_cast<std::uint8_t>(start[at]);
    }
  });
}

MUTANT("pattern-read-to-the-rank", Breaks("C10"), Caught("memory", "guard-page"),
       On("openvino-reshape-1/four-negative-zeros"), Hostile{},
       Says("as many pattern values are read as the data has sizes")) {
  table.infer_shape = after_infer([](const reshape_request& request, reshape_shape&) {
    const DLTensor& pattern = *request.pattern;
    if (pattern.data == nullptr || pattern.ndim != 1 || pattern.dtype.bits < 8) return;
    const volatile std::byte* start = start_of(pattern);
    for (int at = 0; at < request.data->ndim * pattern.dtype.bits / 8; ++at) {
      sink = static_cast<std::uint8_t>(start[at]);
    }
  });
}

MUTANT("sizes-read-past-the-rank", Breaks("C10"), Caught("memory", "guard-page"),
       On("openvino-reshape-1/four-negative-zeros"), Hostile{},
       Says("one size behind the last of the data is read, to look ahead")) {
  table.infer_shape = after_infer([](const reshape_request& request, reshape_shape&) {
    const volatile std::int64_t* sizes = request.data->shape;
    sink = static_cast<std::uint8_t>(sizes[request.data->ndim]);
  });
}

MUTANT("dialect-read-in-a-fixed-length", Breaks("C10"), Caught("memory", "guard-page"),
       On("openvino-reshape-1/four-negative-zeros"), Hostile{},
       Says("the dialect's name is compared over 64 letters")) {
  table.infer_shape = after_infer([](const reshape_request& request, reshape_shape&) {
    const volatile char* name = request.dialect;
    for (int at = 0; at < 64; ++at) sink = static_cast<std::uint8_t>(name[at]);
  });
}

}  // namespace reshape::conformance::self
