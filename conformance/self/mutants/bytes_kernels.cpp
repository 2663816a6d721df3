// Kernels for one way of lying in memory, each wrong in its tail or for one width.
#include <algorithm>

#include "conformance/self/displace.h"
#include "conformance/self/mutant.h"

namespace reshape::conformance::self {
namespace {

// The elements of a row behind its last full block of Block are read one place too early.
template <std::int64_t Block, typename Wrong>
void row_tails(reshape_plugin& table, Wrong) {
  reads_at_another_index(
      table, [](const Walk& data) { return data.last_size(0) > Block && Wrong{}(data); },
      [](const Walk& data, std::vector<std::int64_t>& index) {
        if (index.back() >= data.last_size(0) / Block * Block) --index.back();
      });
}

// The same for outputs: what belongs there is not written.
template <std::int64_t Block, typename Wrong>
void output_row_tails(reshape_plugin& table, Wrong) {
  leaves(
      table, [](const Walk&, const Walk& out) { return out.last_size(0) > Block && Wrong{}(out); },
      [](const Walk&, const Walk& out, std::int64_t at) {
        return at % out.last_size(0) >= out.last_size(0) / Block * Block;
      });
}

// The last two axes lie transposed.
bool turned(const Walk& walk) {
  return walk.rank() >= 2 && walk.last_size(0) > 1 && walk.last_size(1) > 1 &&
         walk.last_stride(1) == 1 && walk.last_stride(0) > 1;
}

}  // namespace

MUTANT("backwards-tail", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/backwards-long.f64"),
       Says("rows walked backwards are turned in vectors of 8, and their tails come one early")) {
  row_tails<8>(table, [](const Walk& data) { return data.last_stride(0) == -1; });
}

MUTANT(
    "broadcast-rows-tail", Breaks("content.kept"), Caught("bytes", "bytes"),
    On("openvino-reshape-1/repeated-long-row.bf16"),
    Says(
        "rows that repeat are filled in from the one before in blocks of 4, their tails wrongly")) {
  row_tails<4>(table, [](const Walk& data) {
    return data.rank() > 1 && data.last_stride(1) == 0 && data.last_size(1) > 1;
  });
}

MUTANT("stride-of-three-tail", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/large-channels-last"),
       Says("a stride of 3 is gathered in blocks of 4, and the tail comes one early")) {
  row_tails<4>(table, [](const Walk& data) { return data.last_stride(0) == 3; });
}

MUTANT("wide-stride-tail", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/large-transpose"),
       Says("a stride above 8 is gathered in blocks of 4, and the tail comes one early")) {
  row_tails<4>(table, [](const Walk& data) { return data.last_stride(0) > 8; });
}

MUTANT("gapped-rows-tail-of-bytes", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/both-padded-reshaped.u8"),
       Says("rows of bytes with gaps are copied in words of 4, and their tails come one early")) {
  row_tails<4>(table, [](const Walk& data) {
    return data.width() == 8 && data.last_stride(0) == 1 && data.gaps();
  });
}

MUTANT(
    "gapped-rows-tail-of-doubles", Breaks("content.kept"), Caught("bytes", "bytes"),
    On("openvino-reshape-1/both-padded-reshaped.f64"),
    Says(
        "rows of 64 bits with gaps are copied in pairs of pairs, and their tails come one early")) {
  row_tails<4>(table, [](const Walk& data) {
    return data.width() == 64 && data.last_stride(0) == 1 && data.gaps();
  });
}

MUTANT("transposed-bytes-tail", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/large-transposed-wide"),
       Says("transposes of bytes go in tiles of 16, and the columns behind them come one early")) {
  row_tails<16>(table, [](const Walk& data) { return data.width() == 8 && turned(data); });
}

MUTANT("transposed-doubles-tail", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/large-transpose"),
       Says("transposes of 64 bits go in tiles of 4, and the columns behind them come one early")) {
  row_tails<4>(table, [](const Walk& data) { return data.width() == 64 && turned(data); });
}

MUTANT("transposed-half-bytes-tail", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/large-transposed.u4"),
       Says("transposes of 4 bits go in tiles of 8, and the columns behind them come one early")) {
  row_tails<8>(table, [](const Walk& data) { return data.width() == 4 && turned(data); });
}

MUTANT("transposed-stack-tail", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/both-permuted-three-axes.f64"),
       Says("in a stack of transposes the columns behind tiles of 4 come one early")) {
  row_tails<4>(table, [](const Walk& data) { return data.rank() > 2 && turned(data); });
}

MUTANT(
    "inner-rows-change-places-tail", Breaks("content.kept"), Caught("bytes", "bytes"),
    On("openvino-reshape-1/permuted-102-regrouped.u8"),
    Says("where the middle axes change places, tails of the inner rows behind 4 come one early")) {
  row_tails<4>(table, [](const Walk& data) {
    return data.rank() > 2 && data.last_stride(0) == 1 && data.permuted();
  });
}

MUTANT("large-transposes-of-bytes", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/large-transpose-in-blocks.u8"),
       Says("transposes of bytes with both sizes above 255 come one column early from 256 on")) {
  row_tails<256>(table, [](const Walk& data) {
    return data.width() == 8 && turned(data) && data.last_size(1) > 255;
  });
}

MUTANT("output-backwards-tail", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/packed-out-backwards.i4"),
       Says("rows written backwards are turned in vectors of 4, and their tails are not written")) {
  output_row_tails<4>(table, [](const Walk& out) { return out.last_stride(0) == -1; });
}

MUTANT("output-turned-tail", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/both-channels-last.f64"),
       Says("outputs that lie transposed are written in tiles of 8, and their tails are not")) {
  output_row_tails<8>(table, [](const Walk& out) { return turned(out); });
}

MUTANT("output-turned-bytes-tail", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/out-tile-65-by-33.u8"),
       Says("transposed outputs of bytes are written in tiles of 16, and their tails are not")) {
  output_row_tails<16>(table, [](const Walk& out) { return out.width() == 8 && turned(out); });
}

MUTANT("output-stride-of-two-tail", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/both-every-second.u8"),
       Says("a stride of 2 is written in vectors of 8, and the tail is not")) {
  output_row_tails<8>(table, [](const Walk& out) { return out.last_stride(0) == 2; });
}

MUTANT("both-sides-backwards", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/both-backwards-rows.bf16"),
       Says("where data and output both walk backwards, the first element is not written")) {
  leaves(
      table, [](const Walk& data, const Walk& out) { return data.backwards() && out.backwards(); },
      [](const Walk&, const Walk&, std::int64_t at) { return at == 0; });
}

MUTANT(
    "broadcast-into-gaps", Breaks("content.kept"), Caught("bytes", "bytes"),
    On("openvino-reshape-1/both-repeated-into-gaps.f64"),
    Says("data that repeats is written into an output with gaps up to the last element but one")) {
  leaves(
      table, [](const Walk& data, const Walk& out) { return data.repeats() && out.gaps(); },
      [](const Walk&, const Walk& out, std::int64_t at) { return at == out.count() - 1; });
}

}  // namespace reshape::conformance::self
