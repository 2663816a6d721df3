// Rows of consecutive bytes, stepping on both sides: padded to dense and back, head permutes,
// repeated rows.
#include "optimized/kernels/limits.h"
#include "optimized/kernels/work.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels/rows.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "optimized/kernels/row-inl.h"
#include "optimized/kernels/stage-inl.h"

HWY_BEFORE_NAMESPACE();
namespace reshape::optimized {
namespace HWY_NAMESPACE {

// Around the caches, for rows that are contiguous in the output: collected in a stage, and sent
// together.
HWY_NOINLINE void Gathered(const Rectangle& rows, std::int64_t run, const Byte* from, Byte* to) {
  for (std::int64_t j = 0; j < rows.outer.count; ++j) {
    SendTogether(rows.inner, run, from + j * rows.outer.read, to + j * rows.outer.write,
                 [&](const Step& few, const Byte* read, Byte* stage) HWY_ATTR {
                   const Rectangle part{few, Step{}, rows.ahead, rows.cache, rows.in_lines};
                   Through(part, run, read, stage);
                 });
  }
}

// Around the caches, for rows of whole or several lines. A line that two rows share is written
// through the caches: it is prefetched two rows ahead, or every row would wait for it.
HWY_INLINE void Streamed(const Rectangle& rows, std::int64_t run, const Byte* from, Byte* to) {
  const std::int64_t step = rows.inner.write, ahead = rows.ahead > 0 ? rows.ahead : 2048;
  for (std::int64_t j = 0; j < rows.outer.count; ++j) {
    const Byte* read = from + j * rows.outer.read;
    Byte* write = to + j * rows.outer.write;
    for (std::int64_t i = 0; i < rows.inner.count; ++i) {
      const Byte* soon = write + (i + 2) * step;
      if (i + 2 < rows.inner.count && PastLine(soon) != 0) __builtin_prefetch(soon, 1);
      if (i + 2 < rows.inner.count && PastLine(soon + run) != 0) {
        __builtin_prefetch(soon + run - 1, 1);
      }
      hwy::Prefetch(read + i * rows.inner.read + ahead + run - 1);
      StreamRun(read + i * rows.inner.read, write + i * step, run, ahead);
    }
  }
}

void WalkRows(const Rectangle& rows, const Work& work, const Byte* from, Byte* to) {
  const std::int64_t run = work.run;
  if (work.stream && rows.further.count > 1) {
    Rectangle one = rows;
    one.further = Step{};
    for (std::int64_t k = 0; k < rows.further.count; ++k) {
      WalkRows(one, work, from + k * rows.further.read, to + k * rows.further.write);
    }
    return;
  }
  const bool whole_lines = ((run | rows.inner.write | PastLine(to)) & (kLine - 1)) == 0;
  if (work.stream && (whole_lines || run >= 4 * kLine)) return Streamed(rows, run, from, to);
  if (work.stream && rows.inner.write == run && rows.outer.count > 1) {
    return Gathered(rows, run, from, to);
  }
  Through(rows, run, from, to);
}

// The fewest rows that are walked together: of short ones so many that each of the `pieces` of the
// output gets several lines at a time, while all of them stay in the L2 cache. Rows that share a
// set of the L1 cache are fewer.
std::int64_t LeastRows(std::int64_t run, std::int64_t pieces, bool share_a_set) {
  constexpr std::int64_t kFew = 8, kManySharing = 16, kMany = 32, kPiece = 8 * kLine;
  constexpr std::int64_t kKept = 128 << 10;
  if (kPiece * pieces > kKept) return kFew;
  return HWY_MAX(kFew, HWY_MIN(share_a_set ? kManySharing : kMany, kPiece / run));
}

// How many bytes ahead of each row its input is prefetched: whole steps, since what lies between
// two rows is not read. From the memory 24 KiB took .4 to .9 of the time of the hardware prefetcher
// alone on a Zen 5, the less the further the rows are from each other; it follows rows that are
// nearly contiguous, and from the last cache only short rows of whole lines gained.
std::int64_t Ahead(const Work& work, const Step& row, const Step& middle) {
  constexpr std::int64_t kFromMemory = 24 << 10, kFromCache = 16 << 10, kShort = 4 * kLine;
  constexpr std::int64_t kGap = 24;
  if (row.read < work.run + kGap) return 0;
  const bool in_memory = work.stream || work.whole > last_cache_bytes();
  const bool short_lines = work.run <= kShort && work.run >= kLine;
  const std::int64_t bytes = in_memory ? kFromMemory : short_lines ? kFromCache : 0;
  if (bytes == 0) return 0;
  const bool few = row.count * row.read < bytes && middle.read > 0;
  const std::int64_t step = few ? middle.read : row.read;
  return HWY_MAX(1, bytes / step) * step;
}

void Rows(const Work& work, const std::byte* read, std::byte* write) {
  constexpr std::int64_t kMostStreams = 64;
  // Of both sides.
  constexpr std::int64_t kInL1 = 48 << 10, kMuch = 512 << 10;
  const Byte* from = reinterpret_cast<const Byte*>(read);
  Byte* to = reinterpret_cast<Byte*>(write);
  const Step row = work.loops[0];
  const Step middle = work.loops.size() > 1 ? work.loops[1] : Step{};
  const Step further = work.loops.size() > 2 ? work.loops[2] : Step{};
  const std::int64_t bytes = 2 * work.run * row.count * middle.count * further.count;
  const bool much = bytes > kMuch;
  const std::int64_t steps = row.read | row.write | middle.read | middle.write | further.read |
                             further.write | PastLine(from) | PastLine(to);
  const bool in_lines = steps % kLine == 0;
  // Rows gain by stores behind their loads up to half of the L2 cache; whole lines, and whatever an
  // Emerald Rapids copies, up to nearly its size.
  const bool lines = in_lines && work.run % kLine == 0 && work.run < string_moves_from();
  const auto in_l2 = [lines] {
    return second_cache_bytes() / 8 * (lines || follows_many_rows() ? 7 : 4);
  };
  const Cache cache = work.whole <= kInL1     ? Cache::kFirst
                      : work.whole <= in_l2() ? Cache::kSecond
                                              : Cache::kFurther;
  const bool other_order = middle.read > 0 && row.read > middle.read;
  const bool streams = row.read >= kSameSet && row.count <= kMostStreams;
  const auto walk = [&](const Step& inner, const Step& outer, std::int64_t ahead, bool to_many) {
    WalkRows({inner, outer, ahead, cache, in_lines, to_many, further}, work, from, to);
  };
  if (!other_order) {
    return walk(row, middle, cache == Cache::kFurther ? Ahead(work, row, middle) : 0, false);
  }
  // Rows that the reader has in another order are read in that order if they are long, or if there
  // are few and they are written through the caches: the other order reads every other line of all
  // the data, and took twice as long in the last cache of a Zen 5. Others are walked a few at a
  // time, so that both sides stay within a few pages, and rows that share a line are read while it
  // is in the L1 cache. Small rectangles of short rows gained by the reader's order in the L1 cache
  // alone.
  constexpr std::int64_t kLong = 2 * kLine, kShort = kLine / 2, kNoMatterWhere = 2 << 10;
  // Of rows of a line and more that come from the memory, or from the last cache, as many as 32.
  constexpr std::int64_t kFew = 8, kFewShort = 4, kFewPlaces = 32, kBeyondL2 = 2 << 20,
                         kInARow = 1 << 10;
  const bool from_far = work.whole > kBeyondL2 && work.run >= kLine;
  const std::int64_t most = from_far                     ? kFewPlaces
                            : work.run >= kLong          ? kFew
                            : work.run >= kShort && much ? kFewShort
                                                         : 0;
  const bool gains = further.count == 1 || cache == Cache::kFirst || work.run >= 8 * kLine;
  // Fewer bytes in a row gain nothing by the reader's order, and took twice as long from memory.
  const std::int64_t in_a_row = middle.read * middle.count;
  const bool goes_on = in_a_row >= kInARow || in_a_row == row.read || cache == Cache::kFirst;
  // In the caches of an Emerald Rapids rows that share lines took up to 1.3 times as long by it:
  // there it is slow to write to several places at a time.
  constexpr std::int64_t kInCaches = 8 << 20;
  const bool in_caches =
      cache == Cache::kSecond || (follows_many_rows() && work.whole <= kInCaches);
  const bool reads_apart = in_caches && !in_lines;
  const bool few = !work.stream && middle.count <= most && gains && goes_on && !reads_apart;
  if (few || work.run >= kNoMatterWhere) return walk(middle, row, 0, middle.count > kFew);
  const bool share_a_set = row.read % kSameSet == 0 || are_nearly_apart(row.read, kSameSet);
  const bool evicted =
      (evict_each_other(row.count, row.read) || (share_a_set && row.count > kWays)) && !work.stream;
  if (further.count > 1 || (streams && !evicted)) return walk(row, middle, 0, false);
  // The next block is prefetched. Larger copies gain more by many rows of few pages than they lose
  // by what is evicted.
  constexpr std::int64_t kBlock = 64 << 10, kMost = 32, kWorthAsking = 8 << 20, kNearby = 2 << 20;
  const std::int64_t least = LeastRows(work.run, middle.count, share_a_set);
  const std::int64_t block =
      evicted && bytes <= kNearby ? least : HWY_MIN(kMost, HWY_MAX(least, kBlock / row.read));
  const bool asked = bytes > kWorthAsking && row.count >= 4 * block && !share_a_set;
  for (std::int64_t done = 0; done < row.count; done += block) {
    const Step rows{HWY_MIN(block, row.count - done), row.read, row.write};
    WalkRows({rows, middle, asked ? block * row.read : 0, cache, in_lines}, work,
             from + done * row.read, to + done * row.write);
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
