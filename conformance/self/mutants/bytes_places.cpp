// Where buffers begin, how far apart things lie, and counters of 16 bits.
#include "conformance/self/few.h"
#include "conformance/self/mutant.h"

namespace reshape::conformance::self {
namespace {

constexpr Caught kBytes{"bytes", "bytes"};
constexpr Breaks kContent{"content.kept"};

// Where when(address of the data, address of the output, output) says so, the first element is not
// written.
template <typename When>
void loses_the_first(reshape_plugin& table, When) {
  table.execute = [](const reshape_request* request, DLTensor* out, reshape_message* why) {
    const Walk output(*out);
    const bool wrong = out->data != nullptr && output.count() > 0 && !in_place(*request, *out) &&
                       When{}(address_of(*request->data), address_of(*out), output);
    const std::uint64_t before = wrong ? element_at(output, *out, 0) : 0;
    const reshape_status status = right().execute(request, out, why);
    if (status == RESHAPE_OK && wrong) set_element(output, *out, 0, before);
    return status;
  };
}

// Rows from 2^16 on are those that the lower 16 bits of their number say; the first 4096 elements of
// them are enough to be seen.
Moves rows_in_16_bits(const Walk& data) {
  const std::int64_t row = data.count() / data.size(0);
  Moves wrong;
  for (std::int64_t at : from_to_end(row << 16, data.count())) {
    wrong.emplace_back(at, at - (row << 16));
  }
  return wrong;
}

template <typename When>
void counts_rows_in_16_bits(reshape_plugin& table, When) {
  moves(
      table,
      [](const Walk& data, const Walk&) {
        return data.rank() > 0 && data.size(0) > 65536 && When{}(data);
      },
      [](const Walk& data, const Walk&) { return rows_in_16_bits(data); });
}

}  // namespace

MUTANT("data-at-half-a-line", kContent, kBytes, On("openvino-reshape-1/data-at-byte-32.*"),
       Says("data that begins 32 bytes behind a line of 64 loses its first element")) {
  loses_the_first(table,
                  [](std::uintptr_t data, std::uintptr_t, const Walk&) { return data % 64 == 32; });
}
MUTANT("output-at-a-quarter-of-a-line", kContent, kBytes,
       On("openvino-reshape-1/output-at-byte-16.*"),
       Says("an output that begins 16 bytes behind a line of 64 loses its first element")) {
  loses_the_first(
      table, [](std::uintptr_t, std::uintptr_t output, const Walk&) { return output % 64 == 16; });
}
MUTANT("output-in-the-last-word-of-a-line", kContent, kBytes,
       On("openvino-reshape-1/output-at-byte-60.*"),
       Says("a head of 4 bytes before the next line of 64 is not written")) {
  loses_the_first(
      table, [](std::uintptr_t, std::uintptr_t output, const Walk&) { return output % 64 == 60; });
}
MUTANT(
    "half-a-line-between-data-and-output", kContent, kBytes,
    On("openvino-reshape-1/data-at-64-output-at-32.*"),
    Says(
        "where the output begins half a line before the data, the way with whole lines is taken")) {
  loses_the_first(table, [](std::uintptr_t data, std::uintptr_t output, const Walk&) {
    return data % 64 == 0 && output % 64 == 32;
  });
}
MUTANT("both-at-half-a-vector", kContent, kBytes, On("openvino-reshape-1/data-at-48-output-at-48.*"),
       Says("where both begin 16 bytes before a line, the head before it is not written")) {
  loses_the_first(table, [](std::uintptr_t data, std::uintptr_t output, const Walk&) {
    return data % 64 == 48 && output % 64 == 48;
  });
}
MUTANT("data-in-the-last-line-of-a-page", kContent, kBytes,
       On("openvino-reshape-1/data-across-a-page-at-4064.*"),
       Says("data that begins in the last 32 bytes of a page is read from the next page on")) {
  loses_the_first(table, [](std::uintptr_t data, std::uintptr_t, const Walk& out) {
    return data % 4096 >= 4064 && out.bytes() > 32;
  });
}
MUTANT(
    "output-in-the-last-line-of-a-page", kContent, kBytes,
    On("openvino-reshape-1/output-across-a-page-at-40??.*"),
    Says("an output that begins in the last 32 bytes of a page is written from the next page on")) {
  loses_the_first(table, [](std::uintptr_t, std::uintptr_t output, const Walk& out) {
    return output % 4096 >= 4064 && out.bytes() > 32;
  });
}
MUTANT("rows-across-pages-cut", kContent, kBytes, On("openvino-reshape-1/rows-across-pages.*"),
       Says("rows with gaps that run over the end of a page come without their last element")) {
  moves(
      table,
      [](const Walk& data, const Walk&) {
        return rows_with_gaps(data) && data.stride(0) == 4090 && data.size(1) > 6;
      },
      [](const Walk& data, const Walk&) { return ends_of_rows(data.size(1), data.count()); });
}
MUTANT("rows-a-page-apart", kContent, kBytes, On("openvino-reshape-1/rows-4096-apart.*"),
       Says("rows whose distance is a multiple of 4096 elements are staged, the last one not")) {
  moves(
      table,
      [](const Walk& data, const Walk&) {
        return rows_with_gaps(data) && data.stride(0) % 4096 == 0 && data.size(0) == 5;
      },
      [](const Walk& data, const Walk&) { return Moves{{data.count() - 1, data.size(1) - 1}}; });
}
MUTANT("output-rows-a-page-apart", kContent, kBytes, On("openvino-reshape-1/out-rows-2048-apart.*"),
       Says("output rows a multiple of 2048 elements apart are staged, the last one not")) {
  loses(
      table,
      [](const Walk&, const Walk& out) {
        return rows_with_gaps(out) && out.stride(0) % 2048 == 0 && out.size(0) == 5;
      },
      [](const Walk&, const Walk& out) { return the_last(out); });
}

MUTANT("ones-reach-too-far", Breaks("C17"), Caught("bytes", "status"),
       On("openvino-reshape-1/one-with-a-stride-of-all-bits-?.f64"),
       Says("a stride of 2^60 or more is refused, although an axis of size 1 takes no step")) {
  table.execute = [](const reshape_request* request, DLTensor* out, reshape_message* why) {
    const DLTensor& data = *request->data;
    for (std::int32_t axis = 0; data.strides != nullptr && axis < data.ndim; ++axis) {
      const std::int64_t stride = data.strides[axis];
      if (stride < (std::int64_t{1} << 60) && stride > -(std::int64_t{1} << 60)) continue;
      return answer(RESHAPE_REJECTED, "the strides reach too far", why);
    }
    return right().execute(request, out, why);
  };
}
MUTANT(
    "output-ones-reach-too-far", Breaks("C17"), Caught("bytes", "status"),
    On("openvino-reshape-1/out-one-with-a-stride-of-all-bits-?.f64"),
    Says("output strides beyond 32 bits are refused, although an axis of size 1 takes no step")) {
  table.execute = [](const reshape_request* request, DLTensor* out, reshape_message* why) {
    for (std::int32_t axis = 0; out->strides != nullptr && axis < out->ndim; ++axis) {
      const std::int64_t stride = out->strides[axis];
      if (out->shape[axis] != 1 || stride == static_cast<std::int32_t>(stride)) continue;
      return answer(RESHAPE_REJECTED, "the strides reach too far", why);
    }
    return right().execute(request, out, why);
  };
}
MUTANT(
    "ones-ordered-by-their-stride", kContent, kBytes,
    On("openvino-reshape-1/one-with-a-stride-of-all-bits-?.f64"),
    Says(
        "axes are sorted by stride, and one of size 1 with a huge stride hides that rows follow")) {
  moves(
      table,
      [](const Walk& data, const Walk&) {
        for (std::size_t axis = 0; axis < data.rank(); ++axis) {
          if (data.size(axis) == 1 && data.stride(axis) > (std::int64_t{1} << 40)) {
            return data.count() > 1;
          }
        }
        return false;
      },
      [](const Walk& data, const Walk&) { return Moves{{data.count() - 1, 0}}; });
}

MUTANT("gapped-rows-counted-in-16-bits", kContent, kBytes, On("openvino-reshape-1/65537-rows.*"),
       Says("rows with gaps are counted in 16 bits, and begin again behind 65536")) {
  counts_rows_in_16_bits(table, [](const Walk& data) { return rows_with_gaps(data); });
}
MUTANT("output-rows-counted-in-16-bits", kContent, kBytes,
       On("openvino-reshape-1/out-65537-rows.*"),
       Says("rows of an output with gaps are counted in 16 bits: those from 65536 on are not "
            "written")) {
  loses(
      table,
      [](const Walk&, const Walk& out) { return rows_with_gaps(out) && out.size(0) > 65536; },
      [](const Walk&, const Walk& out) { return from_to_end(out.size(1) << 16, out.count()); });
}
MUTANT("turned-rows-counted-in-16-bits", kContent, kBytes,
       On("openvino-reshape-1/65539-rows-turned.*"),
       Says("the rows of a transpose are counted in 16 bits, and begin again behind 65536")) {
  counts_rows_in_16_bits(table, [](const Walk& data) { return lies_turned(data); });
}
MUTANT("turned-columns-counted-in-16-bits", kContent, kBytes,
       On("openvino-reshape-1/65539-columns-turned.*"),
       Says("the columns of a transpose are counted in 16 bits, and begin again behind 65536")) {
  moves(
      table,
      [](const Walk& data, const Walk&) { return lies_turned(data) && data.size(1) > 65536; },
      [](const Walk& data, const Walk&) {
        Moves wrong;
        for (std::int64_t at : from_to_end(65536, data.size(1))) {
          wrong.emplace_back(at, at - 65536);
        }
        return wrong;
      });
}
MUTANT("turned-output-counted-in-16-bits", kContent, kBytes,
       On("openvino-reshape-1/out-65539-rows-turned.*"),
       Says("the rows of a transposed output are counted in 16 bits: later ones are not written")) {
  loses(
      table, [](const Walk&, const Walk& out) { return lies_turned(out) && out.size(0) > 65536; },
      [](const Walk&, const Walk& out) { return from_to_end(out.size(1) << 16, out.count()); });
}
MUTANT("planes-counted-in-16-bits", kContent, kBytes, On("openvino-reshape-1/65537-planes-turned.*"),
       Says("the transposes of a stack are counted in 16 bits, and begin again behind 65536")) {
  counts_rows_in_16_bits(table, [](const Walk& data) { return data.rank() == 3; });
}
MUTANT("steps-counted-in-16-bits", kContent, kBytes, On("openvino-reshape-1/65537-with-steps.*"),
       Says("strided elements are counted in 16 bits, and begin again behind 65536")) {
  counts_rows_in_16_bits(table,
                         [](const Walk& data) { return data.rank() == 1 && data.stride(0) > 1; });
}
MUTANT("backward-steps-counted-in-16-bits", kContent, kBytes,
       On("openvino-reshape-1/65537-backwards.*"),
       Says("elements walked backwards are counted in 16 bits, and begin again behind 65536")) {
  counts_rows_in_16_bits(table,
                         [](const Walk& data) { return data.rank() == 1 && data.stride(0) < 0; });
}
MUTANT("repetitions-counted-in-16-bits", kContent, kBytes,
       On("openvino-reshape-1/65537-times-the-same.*"),
       Says("how often a row repeats is counted in 16 bits: times from 65536 on are not written")) {
  loses(
      table,
      [](const Walk& data, const Walk& out) {
        return data.rank() == 2 && data.stride(0) == 0 && data.size(0) > 65536 && out.dense();
      },
      [](const Walk& data, const Walk& out) {
        return from_to_end(data.size(1) << 16, out.count());
      });
}

}  // namespace reshape::conformance::self
