// Blocks, tails, and sizes from which another way is taken.
#include <algorithm>

#include "conformance/self/displace.h"
#include "conformance/self/mutant.h"

namespace reshape::conformance::self {
namespace {

// Behind at least one full block of Block elements a tail of exactly Tail elements is not written.
template <std::int64_t Block, std::int64_t Tail>
void loses_tail_of_elements(reshape_plugin& table) {
  leaves(
      table,
      [](const Walk&, const Walk& out) {
        return out.count() > Block && out.count() % Block == Tail;
      },
      [](const Walk&, const Walk& out, std::int64_t at) {
        return at >= out.count() - (Tail == 0 ? 1 : Tail);
      });
}

// The same with a block of Bytes bytes.
template <std::int64_t Bytes>
void loses_single_tail_of_bytes(reshape_plugin& table) {
  leaves(
      table,
      [](const Walk&, const Walk& out) {
        const std::int64_t block = Bytes * 8 / out.width();
        return out.count() > block && out.count() % block == 1;
      },
      [](const Walk&, const Walk& out, std::int64_t at) { return at == out.count() - 1; });
}

// From Bytes bytes on, part `part` of `Parts` equal parts is not written.
template <std::int64_t Bytes, std::int64_t Parts>
void loses_last_part_from(reshape_plugin& table) {
  leaves(
      table, [](const Walk&, const Walk& out) { return out.bytes() >= Bytes; },
      [](const Walk&, const Walk& out, std::int64_t at) {
        return at >= out.count() - out.count() / Parts;
      });
}

}  // namespace

MUTANT("two-elements-swapped", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/count-3.f64"),
       Says("the second and the third element change places")) {
  table.execute = after_execute([](const reshape_request&, DLTensor& out) {
    Elements elements(out);
    if (elements.count() > 2) elements.swap(1, 2);
  });
}

MUTANT("last-two-of-a-block-swapped", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/count-17.f32"),
       Says("in every full block of 16 the last two elements change places")) {
  table.execute = after_execute([](const reshape_request&, DLTensor& out) {
    Elements elements(out);
    for (std::int64_t end = 16; end <= elements.count(); end += 16) elements.swap(end - 2, end - 1);
  });
}

MUTANT("one-element-short", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/count-2.u8"), Says("the last element is not written")) {
  leaves(
      table, [](const Walk&, const Walk&) { return true; },
      [](const Walk&, const Walk& out, std::int64_t at) { return at == out.count() - 1; });
}

MUTANT("tail-unwritten", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/count-2.u8"), Says("only full blocks of 8 elements are written")) {
  leaves(
      table, [](const Walk&, const Walk&) { return true; },
      [](const Walk&, const Walk& out, std::int64_t at) { return at >= out.count() / 8 * 8; });
}

MUTANT("single-element-unwritten", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/packed-1.i4"),
       Says("an output of one element leaves the loop before it is written")) {
  leaves(
      table, [](const Walk&, const Walk& out) { return out.count() == 1; },
      [](const Walk&, const Walk&, std::int64_t) { return true; });
}

MUTANT("scalar-unwritten", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/to-scalar-with-strides.bf16"),
       Says("an output of rank 0 has no loop to be written in")) {
  leaves(
      table, [](const Walk&, const Walk& out) { return out.rank() == 0; },
      [](const Walk&, const Walk&, std::int64_t) { return true; });
}

MUTANT("scalar-data-unread", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/scalar-minus-one-first"),
       Says("data of rank 0 has no loop to be read in, so the output stays as it was")) {
  leaves(
      table, [](const Walk& data, const Walk&) { return data.rank() == 0; },
      [](const Walk&, const Walk&, std::int64_t) { return true; });
}

MUTANT("single-tail-of-4-lost", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/count-13.u8"),
       Says("one element behind full blocks of 4 is not written")) {
  loses_tail_of_elements<4, 1>(table);
}

MUTANT("tail-of-3-lost", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/count-11.bf16"),
       Says("three elements behind full blocks of 4 are not written")) {
  loses_tail_of_elements<4, 3>(table);
}

MUTANT("tail-of-7-lost", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/count-23.f64"),
       Says("seven elements behind full blocks of 8 are not written")) {
  loses_tail_of_elements<8, 7>(table);
}

MUTANT("single-tail-of-16-lost", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/count-17.f32"),
       Says("one element behind full blocks of 16 is not written")) {
  loses_tail_of_elements<16, 1>(table);
}

MUTANT("tail-of-15-lost", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/count-31.f32"),
       Says("fifteen elements behind full blocks of 16 are not written")) {
  loses_tail_of_elements<16, 15>(table);
}

MUTANT("single-tail-of-32-lost", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/count-129.f32"),
       Says("one element behind full blocks of 32 is not written")) {
  loses_tail_of_elements<32, 1>(table);
}

MUTANT("tail-of-31-lost", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/count-127.bf16"),
       Says("thirty-one elements behind full blocks of 32 are not written")) {
  loses_tail_of_elements<32, 31>(table);
}

MUTANT("single-tail-of-64-lost", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/count-129.f32"),
       Says("one element behind full blocks of 64 is not written")) {
  loses_tail_of_elements<64, 1>(table);
}

MUTANT("tail-of-63-lost", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/count-127.bf16"),
       Says("sixty-three elements behind full blocks of 64 are not written")) {
  loses_tail_of_elements<64, 63>(table);
}

MUTANT("full-blocks-of-8-lose-the-last", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/count-64.bf16"),
       Says("where nothing is left behind full blocks of 8, the last element is lost")) {
  loses_tail_of_elements<8, 0>(table);
}

MUTANT("full-blocks-of-64-lose-the-last", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/count-256.f64"),
       Says("where nothing is left behind full blocks of 64, the last element is lost")) {
  loses_tail_of_elements<64, 0>(table);
}

MUTANT("tail-behind-16-bytes-lost", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/count-3.f64"),
       Says("one element behind full vectors of 16 bytes is not written")) {
  loses_single_tail_of_bytes<16>(table);
}

MUTANT("tail-behind-32-bytes-lost", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/count-17.f32"),
       Says("one element behind full vectors of 32 bytes is not written")) {
  loses_single_tail_of_bytes<32>(table);
}

MUTANT("tail-behind-a-cache-line-lost", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/count-17.f32"),
       Says("one element behind full lines of 64 bytes is not written")) {
  loses_single_tail_of_bytes<64>(table);
}

MUTANT("tail-behind-a-page-lost", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/count-4097.u8"),
       Says("one element behind full pages of 4096 bytes is not written")) {
  loses_single_tail_of_bytes<4096>(table);
}

MUTANT("overlapped-tail-one-early", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/count-11.bf16"),
       Says("the last 8 elements are written a second time, from one element too early")) {
  takes_another(
      table, [](const Walk&, const Walk& out) { return out.count() > 8 && out.count() % 8 != 0; },
      [](const Walk&, const Walk& out, std::int64_t at) {
        return at >= out.count() - 8 ? at - 1 : at;
      });
}

MUTANT(
    "unrolled-by-four-repeats-the-third", Breaks("content.kept"), Caught("bytes", "bytes"),
    On("openvino-reshape-1/count-17.f32"),
    Says("in a loop unrolled by 4, from 16 elements on, the fourth copy reads the third element")) {
  takes_another(
      table, [](const Walk&, const Walk& out) { return out.count() >= 16; },
      [](const Walk&, const Walk& out, std::int64_t at) {
        return at % 4 == 3 && at < out.count() / 4 * 4 ? at - 1 : at;
      });
}

MUTANT("last-quarter-lost-from-4-KiB", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/count-1024.f64"),
       Says("from 4 KiB on work is split over four threads, and the fourth never runs")) {
  loses_last_part_from<4096, 4>(table);
}

MUTANT("last-part-lost-from-32-KiB", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/count-4096.f64"),
       Says("from 32 KiB on work is split over twelve threads, and the last part is lost")) {
  loses_last_part_from<32 << 10, 12>(table);
}

MUTANT("last-part-lost-from-256-KiB", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/large-1-mib"),
       Says("from 256 KiB on work is split over seven threads, and the last part is lost")) {
  loses_last_part_from<256 << 10, 7>(table);
}

MUTANT("last-part-lost-from-1-MiB", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/large-1-mib"),
       Says("from 1 MiB on work is split over five threads, and the last part is lost")) {
  loses_last_part_from<1 << 20, 5>(table);
}

MUTANT("remainder-of-three-threads-lost", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/large-64-kib"),
       Says("from 64 KiB on each of 3 threads gets count / 3 elements, and nobody the remainder")) {
  leaves(
      table, [](const Walk&, const Walk& out) { return out.bytes() >= (64 << 10); },
      [](const Walk&, const Walk& out, std::int64_t at) { return at >= out.count() / 3 * 3; });
}

MUTANT("thread-borders-inside-a-line", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/large-64-kib"),
       Says("from 64 KiB on the first element of the second half is written by nobody")) {
  leaves(
      table, [](const Walk&, const Walk& out) { return out.bytes() >= (64 << 10); },
      [](const Walk&, const Walk& out, std::int64_t at) { return at == out.count() / 2; });
}

MUTANT("streaming-leaves-the-last-line", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/large-1-mib-and-a-tail"),
       Says("from 512 KiB on streaming stores end before the last, partly filled line")) {
  leaves(
      table, [](const Walk&, const Walk& out) { return out.bytes() >= (512 << 10); },
      [](const Walk&, const Walk& out, std::int64_t at) {
        const std::int64_t line = 512 / out.width();
        return at >= out.count() / line * line;
      });
}

MUTANT("positions-in-16-bits", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/large-1-mib"),
       Says("positions are counted in 16 bits, and begin again behind 65536 elements")) {
  takes_another(
      table, [](const Walk&, const Walk& out) { return out.count() > 65536; },
      [](const Walk&, const Walk&, std::int64_t at) { return at & 0xffff; });
}

MUTANT("positions-in-8-bits", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/count-257.u8"),
       Says("positions are counted in 8 bits, and begin again behind 256 elements")) {
  takes_another(
      table, [](const Walk&, const Walk& out) { return out.count() > 256; },
      [](const Walk&, const Walk&, std::int64_t at) { return at & 0xff; });
}

MUTANT("byte-counts-in-16-bits", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/large-64-kib-and-one-element"),
       Says("bytes are counted in 16 bits, so that of 65536 + n bytes n are copied")) {
  leaves(
      table, [](const Walk&, const Walk& out) { return out.bytes() > 65536; },
      [](const Walk&, const Walk& out, std::int64_t at) {
        return at * out.width() / 8 >= out.bytes() % 65536;
      });
}

}  // namespace reshape::conformance::self
