// Strides, walks backwards and repetition, over lengths that a loop does not expect.
#include "conformance/self/few.h"
#include "conformance/self/mutant.h"

namespace reshape::conformance::self {
namespace {

constexpr Caught kBytes{"bytes", "bytes"};
constexpr Breaks kContent{"content.kept"};

// One axis with a stride of Stride: where ends(count) says so, the last element is the one before.
template <std::int64_t Stride, typename Ends>
void spoils_steps(reshape_plugin& table, Ends) {
  moves(
      table,
      [](const Walk& data, const Walk&) {
        return data.rank() == 1 && data.stride(0) == Stride && data.count() > 1 &&
               Ends{}(data.count());
      },
      [](const Walk& data, const Walk&) { return Moves{{data.count() - 1, data.count() - 2}}; });
}

template <std::int64_t Stride, typename Ends>
void loses_output_steps(reshape_plugin& table, Ends) {
  loses(
      table,
      [](const Walk&, const Walk& out) {
        return out.last_stride(0) == Stride && out.last_size(0) == out.count() &&
               Ends{}(out.count());
      },
      [](const Walk&, const Walk& out) { return the_last(out); });
}

}  // namespace

MUTANT("every-second-of-whole-blocks", kContent, kBytes, On("openvino-reshape-1/stride-2-of-16.*"),
       Says("a stride of 2 over exactly n blocks of 16 reads its last element twice")) {
  spoils_steps<2>(table, [](std::int64_t count) { return count % 16 == 0; });
}
MUTANT("every-second-tail-of-two", kContent, kBytes, On("openvino-reshape-1/stride-2-of-66.*"),
       Says("a stride of 2 is unzipped in blocks of 64, and a tail of two is done as one")) {
  spoils_steps<2>(table, [](std::int64_t count) { return count > 64 && count % 64 == 2; });
}
MUTANT("every-third-of-whole-blocks", kContent, kBytes, On("openvino-reshape-1/stride-3-of-16.*"),
       Says("a stride of 3 over exactly n blocks of 16 reads its last element twice")) {
  spoils_steps<3>(table, [](std::int64_t count) { return count % 16 == 0; });
}
MUTANT("every-fourth-by-shuffles", kContent, kBytes, On("openvino-reshape-1/stride-4-of-18.*"),
       Says("a stride of 4 is shuffled out of vectors of 16, and a tail of two is done as one")) {
  spoils_steps<4>(table, [](std::int64_t count) { return count % 16 == 2; });
}
MUTANT("every-eighth-by-shuffles", kContent, kBytes, On("openvino-reshape-1/stride-8-of-31.*"),
       Says("a stride of 8 is shuffled out of lines, and 15 behind 16 of them come as 14")) {
  spoils_steps<8>(table, [](std::int64_t count) { return count > 16 && count % 16 == 15; });
}
MUTANT("every-sixteenth-in-pairs", kContent, kBytes, On("openvino-reshape-1/stride-16-of-17.*"),
       Says("a stride of 16 is gathered in pairs, and of an odd number the last comes twice")) {
  spoils_steps<16>(table, [](std::int64_t count) { return count % 2 != 0; });
}
MUTANT("columns-of-256-in-pairs", kContent, kBytes, On("openvino-reshape-1/stride-256-of-9.*"),
       Says("a stride of 256 is gathered in pairs, and of an odd number the last comes twice")) {
  spoils_steps<256>(table, [](std::int64_t count) { return count % 2 != 0; });
}
MUTANT("output-every-third-short", kContent, kBytes, On("openvino-reshape-1/out-stride-3-of-16.*"),
       Says("a stride of 3 is written in blocks of 16, and the last of a full one is lost")) {
  loses_output_steps<3>(table, [](std::int64_t count) { return count % 16 == 0; });
}
MUTANT("output-every-fourth-short", kContent, kBytes, On("openvino-reshape-1/out-stride-4-of-22.*"),
       Says("a stride of 4 is written in blocks of 8, and the last of 6 behind them is lost")) {
  loses_output_steps<4>(table, [](std::int64_t count) { return count > 8 && count % 8 == 6; });
}
MUTANT("output-every-eighth-short", kContent, kBytes, On("openvino-reshape-1/out-stride-8-of-33.*"),
       Says("a stride of 8 is written in blocks of 16, and one behind two of them is lost")) {
  loses_output_steps<8>(table, [](std::int64_t count) { return count > 32 && count % 16 == 1; });
}

MUTANT("backwards-in-whole-vectors", kContent, kBytes, On("openvino-reshape-1/backwards-of-16.*"),
       Says("data walked backwards in exactly n vectors of 16 loses its last to the one before")) {
  spoils_steps<-1>(table, [](std::int64_t count) { return count % 16 == 0; });
}
MUTANT("backwards-tail-of-two", kContent, kBytes, On("openvino-reshape-1/backwards-of-66.*"),
       Says("data walked backwards is turned in vectors of 32, and a tail of two is done as one")) {
  spoils_steps<-1>(table, [](std::int64_t count) { return count > 32 && count % 32 == 2; });
}
MUTANT("output-backwards-in-whole-vectors", kContent, kBytes,
       On("openvino-reshape-1/out-backwards-of-64.*"),
       Says("outputs walked backwards in exactly n vectors of 64 lose their last element")) {
  loses_output_steps<-1>(table, [](std::int64_t count) { return count % 64 == 0; });
}
MUTANT(
    "backwards-rows-with-gaps-as-planes", kContent, kBytes,
    On("openvino-reshape-1/backwards-rows-with-gaps-of-*"),
    Says("rows walked backwards with gaps that are longer than they are lose their last element")) {
  moves(
      table,
      [](const Walk& data, const Walk&) {
        return data.rank() == 2 && data.stride(0) < -2 * data.size(1) && data.stride(1) == 1;
      },
      [](const Walk& data, const Walk&) { return ends_of_rows(data.size(1), data.count()); });
}
MUTANT("both-axes-backwards-with-gaps", kContent, kBytes,
       On("openvino-reshape-1/backwards-both-axes-with-gaps-of-*"),
       Says("where both axes walk backwards and leave gaps, the last element is the one before")) {
  moves(
      table,
      [](const Walk& data, const Walk&) {
        return data.rank() == 2 && data.stride(0) < -data.size(1) && data.stride(1) < -1;
      },
      [](const Walk& data, const Walk&) { return Moves{{data.count() - 1, data.count() - 2}}; });
}

MUTANT(
    "repeated-rows-of-whole-vectors", kContent, kBytes,
    On("openvino-reshape-1/repeated-rows-of-16.*"),
    Says("rows of exactly n vectors of 16 that repeat lose their last element to the one before")) {
  moves(
      table,
      [](const Walk& data, const Walk&) {
        return data.rank() == 2 && data.stride(0) == 0 && data.stride(1) == 1 &&
               data.size(1) % 16 == 0;
      },
      [](const Walk& data, const Walk&) { return ends_of_rows(data.size(1), data.count()); });
}
MUTANT("strided-rows-repeated", kContent, kBytes,
       On("openvino-reshape-1/repeated-strided-rows-of-*"),
       Says("rows that repeat and have a stride themselves are read without it")) {
  moves(
      table,
      [](const Walk& data, const Walk&) {
        return data.rank() == 2 && data.stride(0) == 0 && data.stride(1) > 1;
      },
      [](const Walk& data, const Walk&) { return Moves{{data.count() - 1, data.count() - 2}}; });
}
MUTANT("fill-by-doubling", kContent, kBytes, On("openvino-reshape-1/repeated-33-times.*"),
       Says("an element is repeated by doubling, and one time more than 2^5 it is not")) {
  loses(
      table,
      [](const Walk& data, const Walk& out) {
        return data.rank() == 2 && data.stride(1) == 0 && data.size(1) == 33 && out.dense();
      },
      [](const Walk&, const Walk& out) { return the_last(out); });
}
MUTANT(
    "repeated-into-rows-of-odd-length", kContent, kBytes,
    On("openvino-reshape-1/repeated-into-rows-of-17.*"),
    Says("an element that fills a row with a gap behind it fills all but the last of 16 and one")) {
  loses(
      table,
      [](const Walk& data, const Walk& out) {
        return data.last_stride(0) == 0 && rows_with_gaps(out) && out.size(1) % 16 == 1;
      },
      [](const Walk&, const Walk& out) { return the_last(out); });
}

}  // namespace reshape::conformance::self
