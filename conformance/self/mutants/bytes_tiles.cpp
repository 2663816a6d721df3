// Transposes and channels: sizes at which tiles do not come out even, in one direction and in both.
#include "conformance/self/few.h"
#include "conformance/self/mutant.h"

namespace reshape::conformance::self {
namespace {

constexpr Caught kBytes{"bytes", "bytes"};
constexpr Breaks kContent{"content.kept"};

// Data that lies transposed: where when(rows, columns, width) says so, the last element is another.
template <typename When>
void spoils_turned(reshape_plugin& table, When) {
  moves(
      table,
      [](const Walk& data, const Walk&) {
        return lies_turned(data) && data.count() > 2 &&
               When{}(data.size(0), data.size(1), data.width());
      },
      [](const Walk& data, const Walk&) { return Moves{{data.count() - 1, data.count() - 2}}; });
}

template <typename When>
void spoils_turned_output(reshape_plugin& table, When) {
  loses(
      table,
      [](const Walk&, const Walk& out) {
        return lies_turned(out) && When{}(out.size(0), out.size(1), out.width());
      },
      [](const Walk&, const Walk& out) { return the_last(out); });
}

// Three axes: a stack of `size(0)` transposes, one behind the other.
bool stack(const Walk& walk) {
  return walk.rank() == 3 && walk.stride(1) == 1 && walk.stride(2) == walk.size(1) &&
         walk.size(2) > 1 && walk.stride(0) >= walk.size(1) * walk.size(2);
}

template <typename When>
void spoils(reshape_plugin& table, When) {
  moves(table, When{},
        [](const Walk& data, const Walk&) { return Moves{{data.count() - 1, data.count() - 2}}; });
}

}  // namespace

MUTANT("turned-half-tile-of-columns", kContent, kBytes, On("openvino-reshape-1/turned-8-by-12.*"),
       Says("a transpose of whole tiles of rows takes four columns behind them for a tile")) {
  spoils_turned(table, [](std::int64_t rows, std::int64_t columns, std::int64_t) {
    return rows % 8 == 0 && columns > 8 && columns % 8 == 4;
  });
}
MUTANT("turned-half-tile-of-rows", kContent, kBytes, On("openvino-reshape-1/turned-12-by-8.*"),
       Says("a transpose of whole tiles of columns takes four rows behind them for a tile")) {
  spoils_turned(table, [](std::int64_t rows, std::int64_t columns, std::int64_t) {
    return columns % 8 == 0 && rows > 8 && rows % 8 == 4;
  });
}
MUTANT("turned-corner-of-four", kContent, kBytes, On("openvino-reshape-1/turned-12-by-12.*"),
       Says("a corner of 4 by 4 behind tiles of 8 by 8 is done as a tile of doubles")) {
  spoils_turned(table, [](std::int64_t rows, std::int64_t columns, std::int64_t) {
    return rows > 8 && columns > 8 && rows % 8 == 4 && columns % 8 == 4;
  });
}
MUTANT("turned-corner-of-two-by-six", kContent, kBytes, On("openvino-reshape-1/turned-10-by-14.*"),
       Says("a corner of 2 by 6 behind tiles of 8 by 8 is cut off at 2 by 4")) {
  spoils_turned(table, [](std::int64_t rows, std::int64_t columns, std::int64_t) {
    return rows % 8 == 2 && columns % 8 == 6;
  });
}
MUTANT("turned-bytes-of-half-a-tile", kContent, kBytes, On("openvino-reshape-1/turned-24-by-16.u8"),
       Says("bytes are turned in tiles of 16, and 8 rows behind them in a tile that is half old")) {
  spoils_turned(table, [](std::int64_t rows, std::int64_t columns, std::int64_t width) {
    return width == 8 && rows > 16 && rows % 16 == 8 && columns >= 16;
  });
}
MUTANT(
    "turned-halves-of-whole-and-half", kContent, kBytes,
    On("openvino-reshape-1/turned-32-by-40.bf16"),
    Says("16-bit elements are turned in tiles of 16 by 16, and 8 columns behind them come early")) {
  spoils_turned(table, [](std::int64_t rows, std::int64_t columns, std::int64_t width) {
    return width == 16 && rows % 16 == 0 && columns > 16 && columns % 16 == 8;
  });
}
MUTANT("turned-tall-of-whole-tiles", kContent, kBytes, On("openvino-reshape-1/turned-64-by-5.*"),
       Says("five columns beside whole tiles of rows are taken for four and one from before")) {
  spoils_turned(table, [](std::int64_t rows, std::int64_t columns, std::int64_t) {
    return rows % 64 == 0 && columns == 5;
  });
}
MUTANT("turned-strips-of-64", kContent, kBytes, On("openvino-reshape-1/turned-64-by-72.*"),
       Says("transposes go in strips of 64 columns, and 8 behind them come from the strip")) {
  spoils_turned(table, [](std::int64_t rows, std::int64_t columns, std::int64_t) {
    return rows >= 64 && columns > 64 && columns % 64 == 8;
  });
}
MUTANT("turned-apart-by-a-power-of-two", kContent, kBytes,
       On("openvino-reshape-1/turned-9-by-20-256-apart.*"),
       Says("transposes with a power of two from 256 on between rows go by a way of their own")) {
  spoils(table, [](const Walk& data, const Walk&) {
    const std::int64_t apart = data.last_stride(0);
    return lies_turned(data) && apart >= 256 && (apart & (apart - 1)) == 0 &&
           data.size(1) % 8 == 4 && data.width() > 4;
  });
}
MUTANT(
    "turned-output-half-tiles", kContent, kBytes, On("openvino-reshape-1/out-turned-8-by-*"),
    Says("outputs that lie transposed with whole tiles of rows lose the last column but a tile")) {
  spoils_turned_output(table, [](std::int64_t rows, std::int64_t columns, std::int64_t) {
    return rows == 8 && columns % 8 != 0;
  });
}
MUTANT(
    "turned-output-apart", kContent, kBytes,
    On("openvino-reshape-1/out-turned-24-by-10-128-apart.*"),
    Says("transposed outputs whose columns are longer than needed are written without the last")) {
  spoils_turned_output(table, [](std::int64_t rows, std::int64_t columns, std::int64_t) {
    return rows == 24 && columns == 10;
  });
}
MUTANT("turned-steps", kContent, kBytes, On("openvino-reshape-1/turned-with-steps-*"),
       Says("a transpose with a step of 2 down its columns is read as if the step were 1")) {
  spoils(table, [](const Walk& data, const Walk&) {
    return data.rank() == 2 && data.stride(0) == 2 && data.stride(1) > 2 * data.size(0);
  });
}
MUTANT(
    "turned-backwards-with-tails", kContent, kBytes,
    On("openvino-reshape-1/turned-backwards-16-by-10.*"),
    Says("transposes whose rows walk backwards come in tiles of 8, and the tail is not turned")) {
  spoils(table, [](const Walk& data, const Walk&) {
    return data.rank() == 2 && data.stride(0) == -1 && data.stride(1) > 1 && data.size(1) > 8;
  });
}
MUTANT("turned-columns-backwards", kContent, kBytes,
       On("openvino-reshape-1/turned-columns-backwards-*"),
       Says("transposes whose columns walk backwards take the last column twice")) {
  spoils(table, [](const Walk& data, const Walk&) {
    return data.rank() == 2 && data.stride(0) == 1 && data.stride(1) < -1;
  });
}
MUTANT("turned-into-gaps", kContent, kBytes, On("openvino-reshape-1/turned-into-gaps-17-by-19.*"),
       Says("a transpose into rows with gaps is done in tiles of 16, the corner without the gap")) {
  spoils(table, [](const Walk& data, const Walk& out) {
    return lies_turned(data) && rows_with_gaps(out) && data.size(0) > 16 && data.size(1) > 16;
  });
}
MUTANT("turned-into-steps", kContent, kBytes, On("openvino-reshape-1/turned-into-steps-16-by-10.*"),
       Says("a transpose into every second place fills whole tiles only")) {
  spoils(table, [](const Walk& data, const Walk& out) {
    return lies_turned(data) && out.last_stride(0) == 2 && out.last_size(0) > 8;
  });
}
MUTANT("rows-into-turned", kContent, kBytes, On("openvino-reshape-1/rows-into-turned-17-by-19.*"),
       Says("rows with gaps into columns with gaps are done in tiles of 16, the corner twice")) {
  spoils(table, [](const Walk& data, const Walk& out) {
    return rows_with_gaps(data) && lies_turned(out) && out.stride(1) > out.size(0) &&
           out.size(0) > 16;
  });
}
MUTANT(
    "stacks-of-whole-and-half-tiles", kContent, kBytes, On("openvino-reshape-1/2-turned-8-by-12.*"),
    Says("in a stack of transposes of 8 rows four columns behind tiles of 8 come from the last")) {
  spoils(table, [](const Walk& data, const Walk&) {
    return stack(data) && data.size(1) == 8 && data.size(2) % 8 == 4;
  });
}
MUTANT(
    "stacks-of-seven-as-eight", kContent, kBytes, On("openvino-reshape-1/7-turned-3-by-2.*"),
    Says("stacks of small transposes go eight at a time, and the seventh of seven is the sixth")) {
  moves(
      table, [](const Walk& data, const Walk&) { return stack(data) && data.size(0) == 7; },
      [](const Walk& data, const Walk&) {
        const std::int64_t plane = data.size(1) * data.size(2);
        Moves wrong;
        for (std::int64_t at : from_to_end(6 * plane, 7 * plane))
          wrong.emplace_back(at, at - plane);
        return wrong;
      });
}
MUTANT("stacks-into-gaps", kContent, kBytes, On("openvino-reshape-1/3-turned-12-by-10-into-gaps.*"),
       Says("a stack of transposes into planes with gaps takes the gap of a plane for a row's")) {
  spoils(table, [](const Walk& data, const Walk& out) {
    return stack(data) && out.gaps() && out.rank() == 3 && data.size(1) > 8;
  });
}
MUTANT(
    "stacks-lying-innermost", kContent, kBytes, On("openvino-reshape-1/5-turned-across-4-by-6.*"),
    Says("where the stack itself lies innermost, four at a time are turned and the fifth is not")) {
  spoils(table, [](const Walk& data, const Walk&) {
    return data.rank() == 3 && data.stride(0) == 1 && data.size(0) == 5;
  });
}
MUTANT("stacked-outputs-short", kContent, kBytes, On("openvino-reshape-1/out-3-turned-17-by-18.*"),
       Says("of stacks of transposed outputs above a tile of 16 the last column is not written")) {
  loses(
      table, [](const Walk&, const Walk& out) { return stack(out) && out.size(1) == 17; },
      [](const Walk&, const Walk& out) { return the_last(out); });
}
MUTANT("three-channels-of-whole-vectors", kContent, kBytes,
       On("openvino-reshape-1/3-channels-last-16.*"),
       Says("three channels of exactly n vectors of 16 have no tail, and the last pixel slips")) {
  spoils_turned(table, [](std::int64_t rows, std::int64_t columns, std::int64_t) {
    return columns == 3 && rows % 16 == 0;
  });
}
MUTANT("four-channels-two-behind", kContent, kBytes, On("openvino-reshape-1/4-channels-last-18.*"),
       Says("four channels are woven in vectors of 16, and two pixels behind them as one")) {
  spoils_turned(table, [](std::int64_t rows, std::int64_t columns, std::int64_t) {
    return columns == 4 && rows > 16 && rows % 16 == 2;
  });
}
MUTANT("three-channels-apart-of-whole-vectors", kContent, kBytes,
       On("openvino-reshape-1/3-channels-first-64.*"),
       Says("three channels of exactly 32 pixels each are taken apart with the last one early")) {
  spoils_turned(table, [](std::int64_t rows, std::int64_t columns, std::int64_t) {
    return rows == 3 && columns % 32 == 0;
  });
}
MUTANT("seven-channels-as-eight", kContent, kBytes, On("openvino-reshape-1/7-channels-*"),
       Says("seven channels are done as eight, and the last of the last pixel is the one before")) {
  spoils_turned(table, [](std::int64_t rows, std::int64_t columns, std::int64_t) {
    return rows == 7 && columns > 15;
  });
}

}  // namespace reshape::conformance::self
