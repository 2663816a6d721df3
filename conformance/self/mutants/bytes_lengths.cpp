// Lengths that a loop does not expect: tails of every size, whole blocks in rows with gaps.

#include "conformance/self/few.h"
#include "conformance/self/mutant.h"

namespace reshape::conformance::self {
namespace {

constexpr Caught kBytes{"bytes", "bytes"};
constexpr Breaks kContent{"content.kept"};

// Behind full blocks of Block elements, tails of First to Last elements lose their last element.
template <std::int64_t Block, std::int64_t First, std::int64_t Last, int Width = 0>
void loses_tails(reshape_plugin& table) {
  loses(
      table,
      [](const Walk& data, const Walk& out) {
        const std::int64_t tail = out.count() % Block;
        return data.dense() && out.dense() && out.count() > Block && tail >= First &&
               tail <= Last && (Width == 0 || out.width() == Width);
      },
      [](const Walk&, const Walk& out) { return the_last(out); });
}

// Rows of the data with gaps, as long as Long{} says, get their last element from one before it.
template <typename Long>
void spoils_rows(reshape_plugin& table, Long) {
  moves(
      table,
      [](const Walk& data, const Walk&) {
        return rows_with_gaps(data) && Long{}(data.last_size(0), data.width());
      },
      [](const Walk& data, const Walk&) { return ends_of_rows(data.last_size(0), data.count()); });
}

template <typename Long>
void loses_ends_of_output_rows(reshape_plugin& table, Long) {
  loses(
      table,
      [](const Walk&, const Walk& out) {
        return rows_with_gaps(out) && Long{}(out.last_size(0), out.width());
      },
      [](const Walk&, const Walk& out) {
        Numbers lost;
        const std::int64_t row = out.last_size(0);
        for (std::int64_t at = row - 1; at < out.count(); at += row) lost.push_back(at);
        return lost;
      });
}

}  // namespace

MUTANT("tails-of-2-behind-8-lost", kContent, kBytes, On("openvino-reshape-1/dense-66.*"),
       Says("two elements behind full blocks of 8 lose the second")) {
  loses_tails<8, 2, 2>(table);
}
MUTANT("tails-of-4-behind-16-lost", kContent, kBytes, On("openvino-reshape-1/dense-68.*"),
       Says("a quarter of a block of 16 behind full ones loses its last element")) {
  loses_tails<16, 4, 4>(table);
}
MUTANT("tails-of-10-and-11-lost", kContent, kBytes, On("openvino-reshape-1/dense-7?.*"),
       Says("behind blocks of 16 a tail is done as 8 and 2, and as 8 and 3 it is not")) {
  loses_tails<16, 10, 11>(table);
}
MUTANT("half-blocks-of-32-lost", kContent, kBytes, On("openvino-reshape-1/dense-80.*"),
       Says("sixteen elements behind full blocks of 32 are a full vector that nobody writes")) {
  loses_tails<32, 16, 16>(table);
}
MUTANT("half-blocks-of-64-lost", kContent, kBytes, On("openvino-reshape-1/dense-96.*"),
       Says("32 elements behind full blocks of 64 lose their last")) {
  loses_tails<64, 32, 32>(table);
}
MUTANT("tails-above-half-of-64-lost", kContent, kBytes, On("openvino-reshape-1/dense-11?.*"),
       Says("behind blocks of 64, tails of 40 to 55 elements lose their last")) {
  loses_tails<64, 40, 55>(table);
}
MUTANT("tails-of-bytes-behind-a-word-lost", kContent, kBytes, On("openvino-reshape-1/dense-76.u8"),
       Says("of bytes behind full lines, those behind one more word of 8 are not written")) {
  loses_tails<64, 12, 12, 8>(table);
}
MUTANT("tails-of-halves-of-20-lost", kContent, kBytes, On("openvino-reshape-1/dense-84.bf16"),
       Says("16-bit elements lose the last of 20 behind full vectors of 32")) {
  loses_tails<32, 20, 20, 16>(table);
}
MUTANT("quarters-of-256-lost", kContent, kBytes, On("openvino-reshape-1/dense-320.*"),
       Says("in a loop unrolled to 256 elements one vector of 64 behind it is not written")) {
  loses_tails<256, 64, 64>(table);
}
MUTANT("three-quarters-of-1024-lost", kContent, kBytes, On("openvino-reshape-1/dense-1792.*"),
       Says("768 elements behind full blocks of 1024 lose the last")) {
  loses_tails<1024, 768, 768>(table);
}

MUTANT(
    "gapped-rows-of-whole-vectors", kContent, kBytes, On("openvino-reshape-1/rows-of-16.*"),
    Says("rows with gaps of exactly n vectors of 16 have no tail, and their last element slips")) {
  spoils_rows(table, [](std::int64_t row, std::int64_t) { return row % 16 == 0; });
}
MUTANT(
    "gapped-rows-of-one-less", kContent, kBytes, On("openvino-reshape-1/rows-of-31.*"),
    Says("rows with gaps of 31 elements are taken for whole vectors of 32, their last for a gap")) {
  spoils_rows(table, [](std::int64_t row, std::int64_t) { return row % 32 == 31; });
}
MUTANT("gapped-rows-of-a-line-and-one", kContent, kBytes, On("openvino-reshape-1/rows-of-65.u8"),
       Says("rows with gaps of one byte more than a line come without that byte")) {
  spoils_rows(table, [](std::int64_t row, std::int64_t width) {
    return width == 8 && row > 64 && row % 64 == 1;
  });
}
MUTANT("gapped-rows-of-two", kContent, kBytes, On("openvino-reshape-1/rows-of-2.*"),
       Says("rows with gaps of two elements are read as one pair, the first of it twice")) {
  spoils_rows(table, [](std::int64_t row, std::int64_t) { return row == 2; });
}
MUTANT("gapped-rows-of-a-page", kContent, kBytes, On("openvino-reshape-1/rows-of-256.*"),
       Says("rows with gaps of 256 elements have their length in one byte")) {
  spoils_rows(table, [](std::int64_t row, std::int64_t) { return row == 256; });
}
MUTANT("gapped-rows-tail-of-halves", kContent, kBytes, On("openvino-reshape-1/rows-of-22.bf16"),
       Says("16-bit rows with gaps lose the last of 6 elements behind vectors of 8")) {
  spoils_rows(table,
              [](std::int64_t row, std::int64_t width) { return width == 16 && row % 8 == 6; });
}
MUTANT("gapped-rows-of-bytes-in-batches", kContent, kBytes,
       On("openvino-reshape-1/17-rows-of-5.u8"),
       Says("rows of bytes with gaps go in batches of 16, and the next batch begins a row early")) {
  moves(
      table,
      [](const Walk& data, const Walk&) {
        return rows_with_gaps(data) && data.width() == 8 && data.size(0) > 16;
      },
      [](const Walk& data, const Walk&) {
        const std::int64_t row = data.size(1);
        return Moves{{16 * row, 15 * row}};
      });
}
MUTANT("output-rows-of-whole-vectors", kContent, kBytes, On("openvino-reshape-1/out-rows-of-32.*"),
       Says("output rows with gaps of exactly n vectors of 32 lose their last element")) {
  loses_ends_of_output_rows(table, [](std::int64_t row, std::int64_t) { return row % 32 == 0; });
}
MUTANT("output-rows-of-two", kContent, kBytes, On("openvino-reshape-1/out-rows-of-2.*"),
       Says("output rows with gaps of two elements are written as one")) {
  loses_ends_of_output_rows(table, [](std::int64_t row, std::int64_t) { return row == 2; });
}
MUTANT("output-rows-tail-of-six", kContent, kBytes, On("openvino-reshape-1/out-rows-of-14.*"),
       Says("output rows with gaps lose the last of 6 elements behind vectors of 8")) {
  loses_ends_of_output_rows(table,
                            [](std::int64_t row, std::int64_t) { return row > 8 && row % 8 == 6; });
}
MUTANT(
    "output-rows-in-batches", kContent, kBytes, On("openvino-reshape-1/out-17-rows-of-5.u8"),
    Says("output rows of bytes with gaps go in batches of 16, and the row behind them is lost")) {
  loses(
      table,
      [](const Walk&, const Walk& out) {
        return rows_with_gaps(out) && out.width() == 8 && out.size(0) % 16 == 1 && out.size(0) > 16;
      },
      [](const Walk&, const Walk& out) {
        return from_to_end(out.count() - out.size(1), out.count());
      });
}
MUTANT(
    "rows-of-both-sides-in-whole-vectors", kContent, kBytes,
    On("openvino-reshape-1/both-rows-16-24.*"),
    Says("where rows of both sides are multiples of 8, the last vector of the data comes twice")) {
  moves(
      table,
      [](const Walk& data, const Walk& out) {
        return rows_with_gaps(data) && rows_with_gaps(out) && data.size(1) != out.size(1) &&
               data.size(1) % 8 == 0 && out.size(1) % 8 == 0;
      },
      [](const Walk& data, const Walk&) { return Moves{{data.count() - 1, data.count() - 9}}; });
}

}  // namespace reshape::conformance::self
