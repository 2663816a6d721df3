// Outputs that do not lie row by row, in-place calls, and places in memory.
#include <algorithm>

#include "conformance/self/displace.h"
#include "conformance/self/mutant.h"

namespace reshape::conformance::self {
namespace {

// Writes what belongs to element n to element target(output, n) where wrong(data, output) says so.
template <typename Wrong, typename Target>
void puts_elsewhere(reshape_plugin& table, Wrong, Target) {
  table.execute = after_execute([](const reshape_request& request, DLTensor& out) {
    const Walk data(*request.data), output(out);
    if (output.count() == 0 || !Wrong{}(data, output)) return;
    const std::vector<std::uint64_t> from = collect(out);
    std::vector<std::uint64_t> to = from;
    for (std::int64_t at = 0; at < output.count(); ++at) {
      to[static_cast<std::size_t>(Target{}(output, at))] = from[static_cast<std::size_t>(at)];
    }
    put(out, to);
  });
}

// Spoils the first element where wrong(request, out, data, output) says so.
template <typename Wrong>
void spoils_first_where(reshape_plugin& table, Wrong wrong) {
  spoils_where(table, wrong, [](Elements& elements) {
    const std::uint64_t flipped = elements.type() == ElementType::boolean ? 1 : ~std::uint64_t{0};
    elements.set(0, elements.get(0) ^ flipped);
  });
}

}  // namespace

MUTANT("strides-promised-in-vain", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/packed-both-odd-rows.i4"),
       Says("outputs with strides are promised, and written as if dense")) {
  table.execute = [](const reshape_request* request, DLTensor* output, reshape_message* why) {
    DLTensor dense = *output;
    for (std::int32_t axis = 0; output->strides && axis < output->ndim; ++axis) {
      // Writing densely stays within the buffer only where strides are positive.
      if (output->strides[axis] <= 0) return right().execute(request, output, why);
    }
    dense.strides = nullptr;
    return right().execute(request, &dense, why);
  };
}

MUTANT("output-backwards-written-forwards", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/packed-out-backwards.i4"),
       Says("negative strides of the output lose their sign")) {
  puts_elsewhere(
      table, [](const Walk&, const Walk& out) { return out.backwards(); },
      [](const Walk& out, std::int64_t at) {
        std::vector<std::int64_t> index = out.index(at);
        for (std::size_t axis = 0; axis < index.size(); ++axis) {
          if (out.stride(axis) < 0) index[axis] = out.size(axis) - 1 - index[axis];
        }
        return out.number(index);
      });
}

MUTANT("permuted-output-written-in-one-piece", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/both-transposed-differently.f32"),
       Says("a permuted output without gaps is filled in the order of its memory")) {
  table.execute = [](const reshape_request* request, DLTensor* output, reshape_message* why) {
    const Walk out(*output);
    const bool wrong = out.count() > 0 && out.permuted() && !out.gaps() && !out.backwards();
    if (!wrong) return right().execute(request, output, why);
    DLTensor dense = *output;
    dense.strides = nullptr;
    return right().execute(request, &dense, why);
  };
}

MUTANT("output-last-row-lost", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/packed-both-odd-rows.i4"),
       Says("of an output with gaps the last row is not written")) {
  leaves(
      table, [](const Walk&, const Walk& out) { return out.rank() > 1 && out.gaps(); },
      [](const Walk&, const Walk& out, std::int64_t at) {
        return at >= out.count() - out.last_size(0);
      });
}

MUTANT("output-gap-tail-lost", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/out-padded-by-one.f32"),
       Says("rows of an output with gaps are written in full blocks of 4, and their tails not")) {
  leaves(
      table,
      [](const Walk&, const Walk& out) {
        return out.rank() > 1 && out.gaps() && out.last_size(0) > 4;
      },
      [](const Walk&, const Walk& out, std::int64_t at) {
        return at % out.last_size(0) >= out.last_size(0) / 4 * 4;
      });
}

MUTANT("output-strided-in-its-last-axis", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/packed-out-backwards.i4"),
       Says("where the output's innermost stride is not 1, every second element is not written")) {
  leaves(
      table,
      [](const Walk&, const Walk& out) { return out.last_size(0) > 1 && out.last_stride(0) != 1; },
      [](const Walk&, const Walk&, std::int64_t at) { return at % 2 != 0; });
}

MUTANT(
    "output-rows-of-five-axes", Breaks("content.kept"), Caught("bytes", "bytes"),
    On("openvino-reshape-1/both-six-axes.u8"),
    Says("of a strided output of more than 5 axes only the first element of axis 0 is written")) {
  leaves(
      table, [](const Walk&, const Walk& out) { return out.rank() > 5 && !out.dense(); },
      [](const Walk&, const Walk& out, std::int64_t at) {
        return at >= out.count() / out.size(0);
      });
}

MUTANT(
    "output-rows-of-eight-axes", Breaks("content.kept"), Caught("bytes", "bytes"),
    On("openvino-reshape-1/out-rank-13-reversed.f64"),
    Says("of a strided output of more than 8 axes only the first element of axis 0 is written")) {
  leaves(
      table, [](const Walk&, const Walk& out) { return out.rank() > 8 && !out.dense(); },
      [](const Walk&, const Walk& out, std::int64_t at) {
        return at >= out.count() / out.size(0);
      });
}

MUTANT("both-sides-strided", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/packed-both-odd-rows.i4"),
       Says("where both sides have strides, the output is walked with the data's rows")) {
  puts_elsewhere(
      table, [](const Walk& data, const Walk& out) { return !data.dense() && !out.dense(); },
      [](const Walk& out, std::int64_t at) {
        return at + 1 < out.count() ? at + 1 : std::int64_t{0};
      });
}

MUTANT("output-offsets-in-31-bits", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/output-2-to-31-bytes-apart.f32"),
       Says("elements 2^31 bytes or more behind the output's first are not written")) {
  leaves(
      table,
      [](const Walk&, const Walk& out) {
        return touched(out.layout()).last >= (std::int64_t{1} << 34) / out.width();
      },
      [](const Walk&, const Walk& out, std::int64_t at) {
        return out.position(at) >= (std::int64_t{1} << 34) / out.width();
      });
}

MUTANT("output-offsets-in-32-bits", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/output-2-to-32-bytes-apart.f64"),
       Says("elements 2^32 bytes or more behind the output's first are not written")) {
  leaves(
      table,
      [](const Walk&, const Walk& out) {
        return touched(out.layout()).last >= (std::int64_t{1} << 35) / out.width();
      },
      [](const Walk&, const Walk& out, std::int64_t at) {
        return out.position(at) >= (std::int64_t{1} << 35) / out.width();
      });
}

MUTANT("zeros-unwritten", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/count-2.u8"),
       Says("an element that is 0 is taken to be there already")) {
  table.execute = [](const reshape_request* request, DLTensor* output, reshape_message* why) {
    const bool wrong = output->data != nullptr && !is_empty(shape_of(*output));
    const auto before = wrong ? collect(*output) : std::vector<std::uint64_t>{};
    const reshape_status status = right().execute(request, output, why);
    if (status != RESHAPE_OK || !wrong) return status;
    std::vector<std::uint64_t> now = collect(*output);
    for (std::size_t at = 0; at < now.size(); ++at) now[at] = now[at] == 0 ? before[at] : now[at];
    put(*output, now);
    return status;
  };
}

MUTANT("adds-to-what-is-there", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/count-2.u8"),
       Says("the output is taken to hold zeros before the call")) {
  table.execute = [](const reshape_request* request, DLTensor* output, reshape_message* why) {
    std::byte first{};
    const bool any = output->data != nullptr && !is_empty(shape_of(*output));
    if (any) first = *start_of(*output);
    const reshape_status status = right().execute(request, output, why);
    // In place the same bytes would be added to themselves, which is right by accident.
    if (status == RESHAPE_OK && any && !in_place(*request, *output)) *start_of(*output) |= first;
    return status;
  };
}

MUTANT("wrong-where-unaligned", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/count-2.u8"),
       Says("buffers that do not start at 16 bytes lose their first element")) {
  spoils_first_where(table, [](const reshape_request&, const DLTensor& out, const Walk&,
                               const Walk&) { return address_of(out) % 16 != 0; });
}

MUTANT("wrong-where-aligned-to-a-line", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/count-17.f32"),
       Says("the way for buffers that both start at 64 bytes loses its first element")) {
  spoils_first_where(table, [](const reshape_request& request, const DLTensor& out,
                               const Walk& data, const Walk&) {
    return address_of(out) % 64 == 0 && address_of(*request.data) % 64 == 0 && data.bytes() >= 64;
  });
}

MUTANT("wrong-where-aligned-differently", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/both-every-third-and-second.u8"),
       Says("where data and output are not aligned alike, the first element is shifted away")) {
  spoils_first_where(table, [](const reshape_request& request, const DLTensor& out,
                               const Walk& data, const Walk&) {
    return address_of(out) % 8 != address_of(*request.data) % 8 && data.bytes() >= 8;
  });
}

MUTANT("wrong-at-odd-addresses", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/count-8.bf16"),
       Says("16-bit data at an odd address is read from the even one below")) {
  spoils_first_where(
      table, [](const reshape_request& request, const DLTensor&, const Walk& data, const Walk&) {
        return data.width() == 16 && address_of(*request.data) % 2 != 0;
      });
}

MUTANT("data-behind-a-byte-offset", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/count-2.u8"),
       Says("where byte_offset of the data is not 0, the first element is not read")) {
  spoils_first_where(table, [](const reshape_request& request, const DLTensor&, const Walk&,
                               const Walk&) { return request.data->byte_offset != 0; });
}

MUTANT("output-behind-a-byte-offset", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/count-2.u8"),
       Says("where the output has a byte_offset, its first element is not written")) {
  spoils_first_where(table, [](const reshape_request&, const DLTensor& out, const Walk&,
                               const Walk&) { return out.byte_offset != 0; });
}

MUTANT("bf16-behind-an-offset", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/both-backwards-rows.bf16"),
       Says("the way of 16-bit floats forgets a byte_offset of 16 or more")) {
  spoils_first_where(
      table, [](const reshape_request& request, const DLTensor&, const Walk& data, const Walk&) {
        return request.data->byte_offset >= 16 &&
               (data.type() == ElementType::bf16 || data.type() == ElementType::f16);
      });
}

MUTANT("in-place-clears", Breaks("C13"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/count-2.u8"),
       Says("the output is cleared before the copy, in place too")) {
  table.execute = after_execute([](const reshape_request& request, DLTensor& out) {
    if (is_empty(shape_of(out)) || !in_place(request, out)) return;
    Elements(out).each([](std::uint64_t) { return 0; });
  });
}

MUTANT("in-place-moves-by-one", Breaks("C13"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/count-2.u8"),
       Says("in place the elements are moved up by one before the copy")) {
  table.execute = after_execute([](const reshape_request& request, DLTensor& out) {
    if (is_empty(shape_of(out)) || !in_place(request, out)) return;
    std::vector<std::uint64_t> elements = collect(out);
    std::rotate(elements.begin(), elements.end() - 1, elements.end());
    put(out, elements);
  });
}

MUTANT("in-place-reverses-large-ones", Breaks("C13"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/count-1024.f64"),
       Says("in place, from 4 KiB on, the two halves change places")) {
  table.execute = after_execute([](const reshape_request& request, DLTensor& out) {
    if (!in_place(request, out) || Walk(out).bytes() < 4096) return;
    std::vector<std::uint64_t> elements = collect(out);
    std::rotate(elements.begin(),
                elements.begin() + static_cast<std::ptrdiff_t>(elements.size() / 2),
                elements.end());
    put(out, elements);
  });
}

MUTANT("in-place-refused", Breaks("C17"), Caught("bytes", "status"),
       On("openvino-reshape-1/count-2.u8"), Says("in-place calls are promised and refused")) {
  table.execute = [](const reshape_request* request, DLTensor* output, reshape_message* why) {
    if (Walk(*output).count() > 0 && in_place(*request, *output)) {
      return answer(RESHAPE_REJECTED, "the output overlaps the data", why);
    }
    return right().execute(request, output, why);
  };
}

}  // namespace reshape::conformance::self
