// Copies of 8 MiB and more: what begins where caches end, where pages are huge, where work is
// split once more, and where a float counts no further.
#include <cstddef>
#include <cstdlib>

#include "conformance/self/few.h"
#include "conformance/self/mutant.h"

namespace reshape::conformance::self {
namespace {

constexpr std::int64_t kMiB = std::int64_t{1} << 20;
constexpr std::int64_t k2To24 = std::int64_t{1} << 24;

template <std::int64_t MiB>
bool from(const Walk& out) {
  return out.bytes() >= MiB * kMiB;
}
bool plain(const Walk& data, const Walk& out) { return data.dense() && out.dense(); }

template <std::int64_t MiB>
void loses_the_last_from(reshape_plugin& table) {
  loses(
      table, [](const Walk&, const Walk& out) { return from<MiB>(out); },
      [](const Walk&, const Walk& out) { return the_last(out); });
}

// Keep the compiler from leaving out what nobody uses.
volatile std::uint8_t sink;
void* volatile kept;

constexpr Caught kBytes{"bytes", "bytes"};
constexpr Breaks kContent{"content.kept"};

}  // namespace

MUTANT("last-lost-from-16-MiB", kContent, kBytes, On("openvino-reshape-1/dense-16-mib"),
       Says("from 16 MiB on the last element is not written")) {
  loses_the_last_from<16>(table);
}

MUTANT("last-lost-from-32-MiB", kContent, kBytes, On("openvino-reshape-1/dense-32-mib"),
       Says("from 32 MiB on the last element is not written")) {
  loses_the_last_from<32>(table);
}

MUTANT("last-lost-from-64-MiB", kContent, kBytes, On("openvino-reshape-1/dense-128-mib"),
       Says("from 64 MiB on the last element is not written")) {
  loses_the_last_from<64>(table);
}

MUTANT("last-lost-from-128-MiB", kContent, kBytes, On("openvino-reshape-1/dense-128-mib"),
       Says("from 128 MiB on the last element is not written")) {
  loses_the_last_from<128>(table);
}

MUTANT("elements-numbered-by-floats", kContent, kBytes, On("openvino-reshape-1/dense-128-mib"),
       Says("elements are numbered by floats, which know no odd number above 2^24")) {
  moves(
      table, [](const Walk&, const Walk& out) { return out.count() > k2To24; },
      [](const Walk&, const Walk& out) {
        Moves wrong;
        for (std::int64_t at : from_to_end(k2To24, out.count())) {
          const auto number = static_cast<std::int64_t>(static_cast<float>(at));
          if (number < out.count()) wrong.emplace_back(at, number);
        }
        return wrong;
      });
}

MUTANT("positions-in-24-bits", kContent, kBytes, On("openvino-reshape-1/dense-128-mib"),
       Says("positions share a word with 8 bits of flags, and begin again behind 2^24 elements")) {
  moves(
      table, [](const Walk&, const Walk& out) { return out.count() > k2To24; },
      [](const Walk&, const Walk& out) {
        Moves wrong;
        for (std::int64_t at : from_to_end(k2To24, out.count()))
          wrong.emplace_back(at, at - k2To24);
        return wrong;
      });
}

MUTANT("streaming-tail-of-vectors-lost", kContent, kBytes, On("openvino-reshape-1/dense-16-mib"),
       Says("from 16 MiB on vectors of 16 bytes are streamed, and half a vector is lost")) {
  loses(
      table,
      [](const Walk& data, const Walk& out) {
        return from<16>(out) && plain(data, out) && out.width() == 64;
      },
      [](const Walk&, const Walk& out) { return from_to_end(out.count() / 2 * 2, out.count()); });
}

MUTANT(
    "streaming-from-24-MiB-loses-the-last-line", kContent, kBytes,
    On("openvino-reshape-1/dense-32-mib"),
    Says("from 24 MiB on whole lines are streamed, and what a last line holds besides is lost")) {
  loses(
      table, [](const Walk& data, const Walk& out) { return from<24>(out) && plain(data, out); },
      [](const Walk&, const Walk& out) {
        const std::int64_t line = 64 * 8 / out.width();
        return from_to_end(out.count() / line * line, out.count());
      });
}

MUTANT("remainder-of-sixteen-threads-lost", kContent, kBytes, On("openvino-reshape-1/dense-16-mib"),
       Says("from 16 MiB on work is split over 16 threads, and the remainder is nobody's")) {
  loses(
      table, [](const Walk&, const Walk& out) { return from<16>(out); },
      [](const Walk&, const Walk& out) { return from_to_end(out.count() / 16 * 16, out.count()); });
}

MUTANT("last-piece-from-the-first", kContent, kBytes, On("openvino-reshape-1/dense-128-mib"),
       Says("copies go in pieces of 16 MiB, and the last, smaller one comes from the start")) {
  moves(
      table, [](const Walk& data, const Walk& out) { return from<16>(out) && plain(data, out); },
      [](const Walk&, const Walk& out) {
        const std::int64_t piece = 16 * kMiB * 8 / out.width();
        Moves wrong;
        const std::int64_t begin = out.count() / piece * piece;
        for (std::int64_t at : from_to_end(begin, out.count())) wrong.emplace_back(at, at - begin);
        return wrong;
      });
}

MUTANT("pieces-of-8-MiB-begin-one-early", kContent, kBytes, On("openvino-reshape-1/dense-32-mib"),
       Says("from 16 MiB on copies go in pieces of 8 MiB, and each begins one element early")) {
  moves(
      table, [](const Walk&, const Walk& out) { return from<16>(out); },
      [](const Walk&, const Walk& out) {
        const std::int64_t piece = 8 * kMiB * 8 / out.width();
        Moves wrong;
        for (std::int64_t at = piece; at < out.count(); at += piece) wrong.emplace_back(at, at - 1);
        return wrong;
      });
}

MUTANT(
    "head-before-a-huge-page-lost", kContent, kBytes, On("openvino-reshape-1/dense-32-mib"),
    Says("from 32 MiB on the copy begins at a line of 64 bytes, and the head before it is lost")) {
  table.execute = [](const reshape_request* request, DLTensor* out, reshape_message* why) {
    const Walk output(*out);
    const bool wrong = output.count() > 0 && from<32>(output) && address_of(*out) % 64 != 0;
    const std::uint64_t before = wrong ? element_at(output, *out, 0) : 0;
    const reshape_status status = right().execute(request, out, why);
    if (status == RESHAPE_OK && wrong) set_element(output, *out, 0, before);
    return status;
  };
}

MUTANT("huge-transposes-lose-a-corner", kContent, kBytes, On("openvino-reshape-1/turned-16-mib"),
       Says("transposes from 16 MiB on go in blocks of 512, and the last corner is left out")) {
  loses(
      table, [](const Walk& data, const Walk& out) { return from<16>(out) && lies_turned(data); },
      [](const Walk&, const Walk& out) { return the_last(out); });
}

MUTANT("huge-turned-outputs-short", kContent, kBytes, On("openvino-reshape-1/out-turned-16-mib"),
       Says("outputs that lie transposed lose their last row from 16 MiB on")) {
  loses(
      table, [](const Walk&, const Walk& out) { return from<16>(out) && lies_turned(out); },
      [](const Walk&, const Walk& out) {
        return from_to_end(out.count() - out.last_size(0), out.count());
      });
}

MUTANT("huge-rows-with-gaps-repeated", kContent, kBytes,
       On("openvino-reshape-1/rows-with-gaps-16-mib"),
       Says("from 16 MiB on rows with gaps go in batches of 1024, and each begins with the row "
            "before")) {
  moves(
      table,
      [](const Walk& data, const Walk& out) { return from<16>(out) && rows_with_gaps(data); },
      [](const Walk& data, const Walk&) {
        const std::int64_t row = data.size(1);
        Moves wrong;
        for (std::int64_t at : from_to_end(1024 * row, 1025 * row))
          wrong.emplace_back(at, at - row);
        return wrong;
      });
}

MUTANT("huge-outputs-with-gaps-short", kContent, kBytes,
       On("openvino-reshape-1/out-rows-with-gaps-16-mib"),
       Says("from 16 MiB on the last row of an output with gaps is not written")) {
  loses(
      table, [](const Walk&, const Walk& out) { return from<16>(out) && rows_with_gaps(out); },
      [](const Walk&, const Walk& out) {
        return from_to_end(out.count() - out.last_size(0), out.count());
      });
}

MUTANT("huge-outputs-fill-their-gaps", Breaks("C8"), Caught("memory", "output-gaps"),
       On("openvino-reshape-1/out-rows-with-gaps-16-mib"),
       Says("rows are streamed in whole lines from 16 MiB on, over the first byte of each gap")) {
  table.execute = after_execute([](const reshape_request&, DLTensor& out) {
    const Walk output(out);
    if (output.count() == 0 || !from<16>(output) || !rows_with_gaps(output)) return;
    for (std::int64_t row = 0; row + 1 < output.size(0); ++row) {
      const std::int64_t behind = output.position(row * output.size(1)) + output.size(1);
      store_element(output.type(), start_of(out), behind, 0);
    }
  });
}

MUTANT(
    "huge-steps-end-beside", kContent, kBytes, On("openvino-reshape-1/every-second-of-32-mib"),
    Says(
        "from 16 MiB on every second element is gathered in parts, and the last of each is lost")) {
  moves(
      table,
      [](const Walk& data, const Walk& out) { return from<16>(out) && data.last_stride(0) == 2; },
      [](const Walk&, const Walk& out) {
        return Moves{{out.count() / 2, out.count() / 2 - 1}, {out.count() - 1, out.count() - 2}};
      });
}

MUTANT("huge-backwards-by-halves", kContent, kBytes, On("openvino-reshape-1/backwards-16-mib"),
       Says("from 16 MiB on data is turned round by halves, and the middle element is left out")) {
  loses(
      table, [](const Walk& data, const Walk& out) { return from<16>(out) && data.backwards(); },
      [](const Walk&, const Walk& out) { return Numbers{out.count() / 2}; });
}

MUTANT("huge-repeated-rows-short", kContent, kBytes, On("openvino-reshape-1/repeated-rows-16-mib"),
       Says("from 16 MiB on a row is repeated by doubling, and what is no power of two is lost")) {
  loses(
      table, [](const Walk& data, const Walk& out) { return from<16>(out) && data.repeats(); },
      [](const Walk&, const Walk& out) {
        return from_to_end(out.count() - out.last_size(0), out.count());
      });
}

MUTANT("huge-images-lose-a-pixel", kContent, kBytes, On("openvino-reshape-1/channels-last-16-mib"),
       Says("images of three channels from 16 MiB on lose the last pixel of the last channel")) {
  loses(
      table,
      [](const Walk& data, const Walk& out) {
        return from<16>(out) && data.rank() == 3 && data.stride(0) == 1;
      },
      [](const Walk&, const Walk& out) { return the_last(out); });
}

MUTANT("huge-copies-between-offsets", kContent, kBytes,
       On("openvino-reshape-1/dense-16-mib-at-both-offsets"),
       Says("from 16 MiB on buffers that are aligned differently lose their first element")) {
  table.execute = [](const reshape_request* request, DLTensor* out, reshape_message* why) {
    const Walk output(*out);
    const bool wrong = output.count() > 0 && from<16>(output) &&
                       address_of(*request->data) % 64 != address_of(*out) % 64;
    const std::uint64_t before = wrong ? element_at(output, *out, 0) : 0;
    const reshape_status status = right().execute(request, out, why);
    if (status == RESHAPE_OK && wrong) set_element(output, *out, 0, before);
    return status;
  };
}

MUTANT("huge-in-place-by-halves", Breaks("C13"), kBytes, On("openvino-reshape-1/dense-16-mib"),
       Says("in place, from 16 MiB on, the last two elements change places")) {
  table.execute = after_execute([](const reshape_request& request, DLTensor& out) {
    const Walk output(out);
    if (output.count() < 2 || !from<16>(output) || !in_place(request, out)) return;
    const std::uint64_t last = element_at(output, out, output.count() - 1);
    set_element(output, out, output.count() - 1, element_at(output, out, output.count() - 2));
    set_element(output, out, output.count() - 2, last);
  });
}

MUTANT("huge-copies-write-a-whole-line", Breaks("C7"), Caught("memory", "canaries"),
       On("openvino-reshape-1/dense-16-mib"),
       Says("from 16 MiB on the last line of 64 bytes is written whole")) {
  table.execute = after_execute([](const reshape_request& request, DLTensor& out) {
    const Walk output(out);
    if (output.count() == 0 || !from<16>(output) || !output.dense() || in_place(request, out))
      return;
    volatile std::byte* end = start_of(out) + output.bytes();
    while (reinterpret_cast<std::uintptr_t>(end) % 64 != 0) *end++ = std::byte{0};
  });
}

MUTANT(
    "huge-copies-read-ahead", Breaks("C10"), Caught("memory", "guard-page"), Hostile{},
    On("openvino-reshape-1/dense-16-mib"),
    Says("from 16 MiB on 128 bytes ahead of the copy are read, behind the end of the data too")) {
  table.execute = after_execute([](const reshape_request& request, DLTensor& out) {
    const Walk data(*request.data);
    if (empty(out) || !from<16>(data) || !data.dense()) return;
    const volatile std::byte* end = start_of(*request.data) + data.bytes();
    for (int at = 0; at < 128; ++at) sink = static_cast<std::uint8_t>(end[at]);
  });
}

MUTANT("huge-copies-leak", Breaks("C15"), Caught("memory", "memory-growth"),
       On("openvino-reshape-1/dense-16-mib"),
       Says("from 16 MiB on a list of work is allocated and never freed")) {
  table.execute = after_execute([](const reshape_request&, DLTensor& out) {
    if (!empty(out) && from<16>(Walk(out))) kept = std::calloc(1, 256);
  });
}

}  // namespace reshape::conformance::self
