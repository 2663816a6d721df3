// Two elements in a byte.
#include <algorithm>

#include "conformance/self/displace.h"
#include "conformance/self/mutant.h"

namespace reshape::conformance::self {
namespace {

bool packed(const Walk& data, const Walk&) { return data.width() == 4; }
bool packed_and_odd(const Walk& data, const Walk&) {
  return data.width() == 4 && data.count() % 2 != 0;
}

}  // namespace

MUTANT("half-bytes-swapped", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/count-2.i4"),
       Says("the first of two 4-bit elements is put into the high half")) {
  takes_another(
      table, [](const Walk& data, const Walk& out) { return packed(data, out); },
      [](const Walk& data, const Walk&, std::int64_t at) {
        return (at ^ 1) < data.count() ? at ^ 1 : at;
      });
}

MUTANT("odd-half-byte-lost", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/count-13.i4"),
       Says("bytes are counted as count / 2, which loses the last of an odd number of elements")) {
  leaves(
      table, [](const Walk& data, const Walk& out) { return packed_and_odd(data, out); },
      [](const Walk& data, const Walk&, std::int64_t at) { return at == data.count() - 1; });
}

MUTANT("odd-half-byte-from-the-high-half", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/count-13.i4"),
       Says("the last of an odd number of 4-bit elements is read from its byte's upper half")) {
  takes_another(
      table, [](const Walk& data, const Walk& out) { return packed_and_odd(data, out); },
      [](const Walk& data, const Walk&, std::int64_t at) {
        return at == data.count() - 1 && at > 0 ? at - 1 : at;
      });
}

MUTANT("half-bytes-in-rows-of-whole-bytes", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/packed-both-odd-rows.i4"),
       Says("each row of 4-bit data is taken to start on a whole byte")) {
  takes_another(
      table,
      [](const Walk& data, const Walk&) {
        return data.width() == 4 && data.rank() > 1 && data.last_size(0) % 2 != 0;
      },
      [](const Walk& data, const Walk&, std::int64_t at) {
        const std::int64_t row = at / data.last_size(0);
        return std::min(at + row, data.count() - 1);
      });
}

MUTANT("half-byte-sign-spreads", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/count-2.i4"),
       Says("a negative i4 in the low half is sign-extended over the high half")) {
  table.execute = after_execute([](const reshape_request&, DLTensor& out) {
    if (is_empty(shape_of(out)) || out.strides != nullptr) return;
    Elements elements(out);
    if (elements.type() != ElementType::i4) return;
    for (std::int64_t at = 0; at + 1 < elements.count(); at += 2) {
      if ((elements.get(at) & 8) != 0) elements.set(at + 1, 0xf);
    }
  });
}

MUTANT("half-bytes-added", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/count-2.i4"),
       Says("the high half is or-ed onto what the byte held, which was taken to be 0")) {
  table.execute = [](const reshape_request* request, DLTensor* out, reshape_message* why) {
    const Walk output(*out);
    const bool odd_ones = output.width() == 4 && output.count() > 0 && out->data != nullptr &&
                          address_of(*out) != address_of(*request->data);
    const std::vector<std::uint64_t> before =
        odd_ones ? collect(*out) : std::vector<std::uint64_t>{};
    const reshape_status status = right().execute(request, out, why);
    if (status != RESHAPE_OK || !odd_ones) return status;
    Elements now(*out);
    for (std::int64_t at = 1; at < now.count(); at += 2) {
      now.set(at, now.get(at) | before[static_cast<std::size_t>(at)]);
    }
    return status;
  };
}

MUTANT("half-bytes-strided-by-bytes", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/packed-every-third.u4"),
       Says("of strided 4-bit data only elements in low halves are found")) {
  takes_another(
      table, [](const Walk& data, const Walk&) { return data.width() == 4 && !data.dense(); },
      [](const Walk& data, const Walk&, std::int64_t at) {
        return data.position(at) % 2 != 0 && at > 0 ? at - 1 : at;
      });
}

MUTANT("half-bytes-of-odd-outputs-shifted", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/count-65-every-type.u4"),
       Says("where the output's rows are odd, every second row is read half a byte early")) {
  takes_another(
      table,
      [](const Walk& data, const Walk& out) {
        return data.width() == 4 && out.rank() > 1 && out.last_size(0) % 2 != 0;
      },
      [](const Walk&, const Walk& out, std::int64_t at) {
        return at / out.last_size(0) % 2 != 0 ? at - 1 : at;
      });
}

MUTANT("odd-half-byte-clears-its-neighbour", Breaks("C8"), Caught("memory", "output-gaps"),
       On("openvino-reshape-1/count-13.i4"),
       Says("the unused half of the last byte is written as 0")) {
  table.execute = after_execute([](const reshape_request& request, DLTensor& out) {
    const Walk output(out);
    const bool odd = output.width() == 4 && output.count() % 2 != 0 && output.dense();
    if (!odd || in_place(request, out)) return;
    std::byte* last = start_of(out) + output.count() / 2;
    *last &= std::byte{0x0f};
  });
}

}  // namespace reshape::conformance::self
