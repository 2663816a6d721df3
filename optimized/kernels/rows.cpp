// Rows of consecutive bytes, stepping on both sides: padded to dense and back, head permutes,
// repeated rows.
#include "optimized/kernels/work.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels/rows.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "optimized/kernels/bytes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace reshape::optimized {
namespace HWY_NAMESPACE {

// Rows of kVectors full vectors, known when compiled, so that a row is straight code.
template <int kVectors>
HWY_INLINE void RowsOf(const Step& row, bool ask, const Byte* from, Byte* to) {
  const Wide d;
  const std::int64_t w = WideBytes();
  for (std::int64_t i = 0; i < row.count; ++i, from += row.read, to += row.write) {
    for (std::int64_t at = 0; ask && at < kVectors * w; at += kLine) {
      hwy::Prefetch(from + 2 * row.read + at);
    }
    hn::Vec<Wide> v[kVectors];
#pragma GCC unroll 8
    for (int k = 0; k < kVectors; ++k) v[k] = hn::LoadU(d, from + k * w);
#pragma GCC unroll 8
    for (int k = 0; k < kVectors; ++k) hn::StoreU(v[k], d, to + k * w);
  }
}

template <class Block>
HWY_INLINE void Blocks(const Step& row, const Byte* from, Byte* to) {
  for (std::int64_t i = 0; i < row.count; ++i, from += row.read, to += row.write) {
    CopyAs<Block>(from, to);
  }
}

struct Block16 {
  std::uint64_t low, high;
};

// `ask`: the rows do not stay in the second cache, and are asked for ahead.
HWY_INLINE void OneLoop(const Step& row, std::int64_t run, bool stream, bool ask, const Byte* from,
                        Byte* to) {
  const std::int64_t w = WideBytes();
  const bool whole_lines = ((run | row.write | PastLine(to)) & (kLine - 1)) == 0;
  if (stream && (whole_lines || run >= 4 * kLine)) {
    // The lines that two rows share are written through the caches: a row ahead they are asked for,
    // or every row would wait for them.
    for (std::int64_t i = 0; i < row.count; ++i) {
      const Byte* soon = to + (i + 2) * row.write;
      if (i + 2 < row.count && PastLine(soon) != 0) __builtin_prefetch(soon, 1);
      if (i + 2 < row.count && PastLine(soon + run) != 0) __builtin_prefetch(soon + run - 1, 1);
      StreamRun(from + i * row.read, to + i * row.write, run, 2048);
    }
    return;
  }
  if (run == 8) return Blocks<std::uint64_t>(row, from, to);
  if (run == 16) return Blocks<Block16>(row, from, to);
  if (run == w) return RowsOf<1>(row, ask, from, to);
  if (run == 2 * w) return RowsOf<2>(row, ask, from, to);
  if (run == 4 * w) return RowsOf<4>(row, ask, from, to);
  if (run == 8 * w) return RowsOf<8>(row, ask, from, to);
  if (run < kLine && run < w) {
    for (std::int64_t i = 0; i < row.count; ++i, from += row.read, to += row.write) {
      CopyShort(from, to, run);
    }
    return;
  }
  for (std::int64_t i = 0; i < row.count; ++i, from += row.read, to += row.write) {
    CopyRun(from, to, run);
  }
}

// Rows that follow each other in the output are gathered in a stage, and leave together around the caches.
HWY_NOINLINE void Gathered(const Work& work, const Byte* from, Byte* to) {
  constexpr std::int64_t kStage = 4096;
  alignas(64) Byte stage[kStage];
  const Step row = work.loops[0], middle = work.loops[1];
  const std::int64_t all = row.count * middle.count;
  const std::int64_t most = kStage / work.run;
  std::int64_t i = 0, j = 0;  // of the row and the middle loop
  for (std::int64_t done = 0; done < all;) {
    const std::int64_t rows = HWY_MIN(most, all - done);
    for (std::int64_t k = 0; k < rows; ++k) {
      const Byte* at = from + j * middle.read + i * row.read;
      hwy::Prefetch(at + 2 * middle.read);
      CopyRun(at, stage + k * work.run, work.run);
      if (++i < row.count) continue;
      i = 0;
      ++j;
    }
    StreamRun(stage, to, rows * work.run, 0);
    to += rows * work.run;
    done += rows;
  }
}

bool RowsFollowEachOther(const Work& work) {
  return work.loops.size() == 2 && work.loops[0].write == work.run && work.run < 8 * kLine &&
         work.loops[1].write == work.run * work.loops[0].count;
}

// Rows that the reader has in another order are walked a few at a time, so that both sides stay within a
// few pages and what shares a line is read while the line is in the first cache.
HWY_INLINE std::int64_t RowsAtATime(const Step& row, const Step& middle) {
  constexpr std::int64_t kBlock = 32;
  const bool other_order = middle.read > 0 && row.read > middle.read;
  return other_order ? HWY_MIN(kBlock, row.count) : row.count;
}

void Rows(const Work& work, const std::byte* read, std::byte* write) {
  const Byte* from = reinterpret_cast<const Byte*>(read);
  Byte* to = reinterpret_cast<Byte*>(write);
  if (work.stream && RowsFollowEachOther(work)) return Gathered(work, from, to);
  const Step row = work.loops[0];
  const Step middle = work.loops.size() > 1 ? work.loops[1] : Step{};
  constexpr std::int64_t kNearby = 256 << 10;
  const bool ask = work.run * row.count * middle.count > kNearby;
  const std::int64_t block = RowsAtATime(row, middle);
  for (std::int64_t done = 0; done < row.count; done += block) {
    const Step rows{HWY_MIN(block, row.count - done), row.read, row.write};
    for (std::int64_t i = 0; i < middle.count; ++i) {
      OneLoop(rows, work.run, work.stream, ask, from + done * row.read + i * middle.read,
              to + done * row.write + i * middle.write);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace reshape::optimized
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace reshape::optimized {
HWY_EXPORT(Rows);
const Run* row_runs() { return HWY_DISPATCH_TABLE(Rows); }
}  // namespace reshape::optimized
#endif
