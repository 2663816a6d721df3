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
HWY_INLINE void RowsOf(const Step& row, const Byte* from, Byte* to) {
  const Wide d;
  const std::int64_t w = WideBytes();
  for (std::int64_t i = 0; i < row.count; ++i, from += row.read, to += row.write) {
    for (std::int64_t at = 0; at < kVectors * w; at += kLine) {
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

HWY_INLINE void OneLoop(const Step& row, std::int64_t run, bool stream, const Byte* from,
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
  if (run == w) return RowsOf<1>(row, from, to);
  if (run == 2 * w) return RowsOf<2>(row, from, to);
  if (run == 4 * w) return RowsOf<4>(row, from, to);
  if (run == 8 * w) return RowsOf<8>(row, from, to);
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

void Rows(const Work& work, const std::byte* read, std::byte* write) {
  const Byte* from = reinterpret_cast<const Byte*>(read);
  Byte* to = reinterpret_cast<Byte*>(write);
  const Step row = work.loops[0];
  const Step middle = work.loops.size() > 1 ? work.loops[1] : Step{};
  const Step outer = work.loops.size() > 2 ? work.loops[2] : Step{};
  for (std::int64_t j = 0; j < outer.count; ++j) {
    for (std::int64_t i = 0; i < middle.count; ++i) {
      OneLoop(row, work.run, work.stream, from + j * outer.read + i * middle.read,
              to + j * outer.write + i * middle.write);
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
