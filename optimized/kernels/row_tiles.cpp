// Short rows that the reader has in another order, in tiles: of each of a few runs of the input a
// piece of several lines, which becomes a part of each of a few rows of the output. A tile that goes
// around the caches is collected in a stage first. Meanwhile what the next one reads is prefetched:
// the hardware prefetcher follows neither so many runs nor such short ones.
#include "optimized/kernels/work.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels/row_tiles.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "optimized/kernels/row-inl.h"

HWY_BEFORE_NAMESPACE();
namespace reshape::optimized {
namespace HWY_NAMESPACE {

void RowTiles(const Work& work, const std::byte* input, std::byte* output) {
  constexpr std::int64_t kStage = 32 << 10, kPiece = 3 << 9, kWhole = 4 << 10, kMostRuns = 128;
  constexpr std::int64_t kRowsAtOnce = 64;
  alignas(64) Byte stage[kStage];
  const Byte* from = reinterpret_cast<const Byte*>(input);
  Byte* to = reinterpret_cast<Byte*>(output);
  const Step row = work.loops[0], middle = work.loops[1];
  const std::int64_t run = work.run;
  const bool is_short = row.count <= kMostRuns && row.count * run <= kWhole;
  const std::int64_t most = is_short ? row.count : HWY_MIN(kMostRuns, kPiece / run);
  const std::int64_t pieces = (row.count + most - 1) / most;
  const std::int64_t across = (row.count + pieces - 1) / pieces;
  const std::int64_t along = HWY_MIN(middle.count, kStage / (across * run));
  const bool whole = across == row.count && middle.write == across * run;
  for (std::int64_t m = 0; m < middle.count; m += along) {
    const std::int64_t rows = HWY_MIN(along, middle.count - m);
    for (std::int64_t r = 0; r < row.count; r += across) {
      const std::int64_t runs = HWY_MIN(across, row.count - r);
      const Byte* read = from + m * middle.read + r * row.read;
      Byte* write = to + m * middle.write + r * row.write;
      const bool ends = r + across >= row.count;
      const Byte* next = ends ? from + (m + along) * middle.read : read + across * row.read;
      const std::int64_t next_runs = ends ? across : HWY_MIN(across, row.count - r - across);
      const std::int64_t next_rows = ends ? HWY_MIN(along, middle.count - m - along) : rows;
      const std::int64_t asked_bytes = (next_rows - 1) * middle.read + run;
      const std::int64_t at_once = HWY_MAX(1, kRowsAtOnce / runs);
      std::int64_t asked = 0;
      for (std::int64_t k = 0; k < rows; k += at_once) {
        const std::int64_t few = HWY_MIN(at_once, rows - k);
        for (; asked * rows < (k + few) * next_runs && next_rows > 0; ++asked) {
          PrefetchRow<2>(next + asked * row.read, asked_bytes);
        }
        const Step down{few, middle.read, work.stream ? runs * run : middle.write};
        Byte* place = work.stream ? stage + k * runs * run : write + k * middle.write;
        Through(Rectangle{{runs, row.read, run}, down, 0, Cache::kFurther, false}, run,
                read + k * middle.read, place);
      }
      if (!work.stream) continue;
      if (whole) {
        StreamRun(stage, write, rows * runs * run, 0);
        continue;
      }
      for (std::int64_t k = 0; k < rows; ++k) {
        StreamRun(stage + k * runs * run, write + k * middle.write, runs * run, 0);
      }
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace reshape::optimized
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace reshape::optimized {
HWY_EXPORT(RowTiles);
const Run* row_tile_runs() { return HWY_DISPATCH_TABLE(RowTiles); }
}  // namespace reshape::optimized
#endif
