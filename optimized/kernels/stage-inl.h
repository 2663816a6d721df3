// Output rows that leave line by line from a stage in the first cache. Included once per target.
#if defined(RESHAPE_STAGE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef RESHAPE_STAGE_INL_H
#undef RESHAPE_STAGE_INL_H
#else
#define RESHAPE_STAGE_INL_H
#endif

#include "optimized/kernels/bytes-inl.h"
#include "optimized/kernels/machine.h"
#include "optimized/kernels/work.h"

HWY_BEFORE_NAMESPACE();
namespace reshape::optimized {
namespace HWY_NAMESPACE {

// Whether what is written to several places is prefetched: in the caches of Intel's processors a
// store to a line that is not there yet holds up all that follow. On an Emerald Rapids transposes
// and planes beyond the L1 cache took .3 to .9 of the time.
HWY_INLINE bool AsksToWrite(const Work& work) {
  constexpr std::int64_t kInL1 = 48 << 10;
  return !work.stream && !work.staged && work.whole > kInL1 && follows_many_rows();
}

// Prefetches the lines of a few output rows that are written soon; row(i) is where row i is now.
template <std::int64_t kRows, class Row>
HWY_INLINE void AskToWrite(const Row& row) {
  constexpr std::int64_t kSoon = 2 * kLine;
#pragma GCC unroll 16
  for (std::int64_t i = 0; i < kRows; ++i) __builtin_prefetch(row(i) + kSoon, 1);
}

// The stage: a piece of several output rows, each with a line before it for what the last piece
// left over. The pitch is an odd number of lines, so that the rows spread over the cache.
inline constexpr std::int64_t kStageBytes = 256;
inline constexpr std::int64_t kPitch = kStageBytes + kLine;

// Sends the staged part of one output row. `at` is its place in the output; bytes of earlier pieces
// that did not fill a line lie in front of it in the stage.
template <bool kStream>
HWY_INLINE void SendRow(Byte* stage, Byte* at, std::int64_t bytes, bool first, bool last) {
  Byte* from = stage + kLine;
  Byte* const last_line = stage + bytes;
  const std::int64_t past = PastLine(at);
  if (!first) {
    from -= past;
    at -= past;
    bytes += past;
  } else if (past != 0) {
    const std::int64_t head = HWY_MIN(kLine - past, bytes);
    CopyShort(from, at, head);
    from += head;
    at += head;
    bytes -= head;
  }
  for (; bytes >= kLine; bytes -= kLine, from += kLine, at += kLine) CopyLine<kStream>(from, at);
  if (last) {
    CopyShort(from, at, bytes);
  } else {
    CopyLine<false>(last_line, stage);
  }
}

// Rows of up to kTogether bytes that follow each other in the output: as many as a stage holds are
// collected by collect(rows, read, stage), and leave around the caches together.
inline constexpr std::int64_t kTogether = 8192;
template <class Collect>
HWY_INLINE void SendTogether(const Step& rows, std::int64_t run, const Byte* from, Byte* to,
                             Collect collect) {
  alignas(kLine) Byte stage[kTogether];
  const std::int64_t most = kTogether / run;
  for (std::int64_t i = 0; i < rows.count; i += most) {
    const Step few{HWY_MIN(most, rows.count - i), rows.read, run};
    collect(few, from + i * rows.read, stage);
    StreamRun(stage, to + i * run, few.count * run, 0);
  }
}

// Writes what did not fill the last line of a run that was sent and ends at `end`; null: none was.
HWY_INLINE void SendRest(const Byte* stage, Byte* end) {
  if (end == nullptr) return;
  const std::int64_t past = PastLine(end);
  CopyShort(stage + kLine - past, end - past, past);
}

// Sends a staged part of at least a line around the caches but for its last, unfilled line, which a
// part that continues it fills. `end` is where the part before ended, and becomes where this does.
HWY_INLINE void SendOn(Byte* stage, Byte* at, std::int64_t bytes, Byte*& end) {
  const bool first = end != at;
  if (first) SendRest(stage, end);
  SendRow<true>(stage, at, bytes, first, false);
  end = at + bytes;
}

}  // namespace HWY_NAMESPACE
}  // namespace reshape::optimized
HWY_AFTER_NAMESPACE();

#endif
