// The two loops of a transpose, and the way through the caches that asks for what is written.
// Included once per target.
#ifndef RESHAPE_TURN_ONCE
#define RESHAPE_TURN_ONCE
#include <numeric>
#include <utility>

#include "optimized/kernels/limits.h"
#include "optimized/kernels/machine.h"
#include "optimized/kernels/work.h"
#endif

#if defined(RESHAPE_TURN_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef RESHAPE_TURN_INL_H
#undef RESHAPE_TURN_INL_H
#else
#define RESHAPE_TURN_INL_H
#endif

#include "optimized/kernels/stage-inl.h"
#include "optimized/kernels/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace reshape::optimized {
namespace HWY_NAMESPACE {

// The two loops of a transpose. Element w of output row q is element q of input row w.
template <class T>
struct Turn {
  std::int64_t w_count, w_read;   // input rows: how many, how far apart
  std::int64_t r_count, r_write;  // output rows
  std::int64_t next_read, next_write;
  explicit Turn(const Work& work)
      : w_count(work.loops[0].count),
        w_read(work.loops[0].read),
        r_count(work.loops[1].count),
        r_write(work.loops[1].write),
        next_read(work.next_read),
        next_write(work.next_write) {}
};

// Turns through the caches of a processor that follows what is read, and asks for what is written:
// from the L2 cache on that took .3 to .9 of the time of tiles.
template <class T>
class Asking {
 public:
  explicit Asking(const Turn<T>& turn) : turn_(turn) {
    // So many input rows can be read side by side, again and again until they are turned.
    kept_ = HWY_MIN(kMostKept, 2 * kWays * (kSameSet / std::gcd(kSameSet, turn.w_read)));
    const std::int64_t most = HWY_MAX(kLanes, kept_);
    const std::int64_t blocks = (turn.w_count + most - 1) / most;
    block_ = ((turn.w_count + blocks - 1) / blocks + kLanes - 1) / kLanes * kLanes;
    constexpr std::int64_t kRows = 64, kMostAcross = 256;
    const bool evicted = evict_each_other(kRows, turn.w_read) && turn.r_count <= kMostAcross;
    reads_whole_rows_ = reads_few_lines() || (evicted && turn.r_count >= kLanes);
  }

  // As measured on an Emerald Rapids, where many rows are followed. `at_line`: the output begins at
  // one.
  bool gains(const Work& work, bool at_line) const {
    constexpr std::int64_t kInL2 = 2 << 20, kMost = 40 << 20;  // both sides
    // Of what goes around a private cache nothing stays in it.
    const bool stays = work.stream ? shares_last_cache() && work.whole <= kMost : AsksToWrite(work);
    if (!stays || !keeps_lines() || are_nearly_apart(turn_.r_write, kSameSet)) return false;
    const bool in_lines = at_line && turn_.r_write % kLine == 0;
    if (work.whole <= kInL2) {
      if (reads_whole_rows_ && !reads_few_lines()) return false;
      const std::int64_t side_by_side = HWY_MIN(turn_.w_count, kMostKept);
      return !in_lines || kSize == 8 ||
             (kSize == 4 && !evict_each_other(side_by_side, turn_.w_read));
    }
    // Beyond that cache a line that is left half full comes back from afar.
    if (!reads_whole_rows_ && kept_ < HWY_MIN(turn_.w_count, kMostKept)) return false;
    if (!in_lines) return true;
    // Rows of whole lines take no longer in tiles, but for short ones, few ones, and a few columns.
    // Around the caches short ones in odd numbers of lines leave as fast.
    constexpr std::int64_t kShort = (kSize == 8 ? 8 : 16) * kLine, kFewTiles = 4;
    const std::int64_t row = turn_.w_count * kSize;
    const bool short_rows = row > kLine && row <= kShort;
    const bool few = turn_.r_count % kLanes != 0 && turn_.r_count < kFewTiles * kLanes;
    if (!work.stream) return short_rows || few;
    return reads_few_lines() || few || (short_rows && turn_.r_write % (2 * kLine) == 0);
  }

  HWY_INLINE void run(const Byte* read, Byte* write) const {
    if (reads_whole_rows_) {
      along_input(read, write);
    } else if (begin_pairs_together()) {
      along_pairs(read, write);
    } else {
      along_output(read, write);
    }
  }

 private:
  using D = hn::ScalableTag<T>;
  static constexpr std::int64_t kSize = sizeof(T);
  static constexpr std::int64_t kLanes = static_cast<std::int64_t>(hn::MaxLanes(D()));
  static constexpr std::int64_t kColumns = 16 / kSize, kTwo = 2 * kColumns;
  static constexpr std::int64_t kInLine = 4 * kColumns;
  static constexpr std::int64_t kMostKept = 256;

  // Whether input rows are a few whole lines, and are dealt to few places.
  bool reads_few_lines() const {
    constexpr std::int64_t kFewLines = 4 * kLine, kFewPlaces = 64;
    const std::int64_t row = turn_.r_count * kSize;
    return row % kLine == 0 && row <= kFewLines && turn_.r_count >= kLanes &&
           turn_.r_count <= kFewPlaces;
  }

  // Whether lines stay in the L1 cache until they are turned and filled.
  bool keeps_lines() const {
    constexpr std::int64_t kLeast = 64;
    if (turn_.w_count < kLanes || turn_.r_count < kColumns) return false;
    if (reads_whole_rows_) {
      return turn_.r_write % kLine == 0 || lines_in_a_set(kLanes, turn_.r_write) <= kWays;
    }
    return lines_in_a_set(kTwo, turn_.r_write) <= kWays && kept_ >= HWY_MIN(turn_.w_count, kLeast);
  }

  Evenly<const Byte*> in(const Byte* read, std::int64_t w, std::int64_t r) const {
    return {read + w * turn_.w_read + r * kSize, turn_.w_read};
  }
  Evenly<Byte*> out(Byte* write, std::int64_t w, std::int64_t r) const {
    return {write + r * turn_.r_write + w * kSize, turn_.r_write};
  }

  // A few output rows side by side, each of them as far as input rows are kept.
  HWY_NOINLINE void along_output(const Byte* read, Byte* write) const {
    for (std::int64_t first = 0; first < turn_.w_count; first += block_) {
      const std::int64_t begin = HWY_MIN(first, turn_.w_count - kLanes);
      const std::int64_t end = HWY_MIN(first + block_, turn_.w_count);
      for (std::int64_t r = 0; r < turn_.r_count;) {
        if (turn_.r_count >= kTwo && turn_.r_count - r > kColumns) {
          strips<2>(read, write, HWY_MIN(r, turn_.r_count - kTwo), begin, end);
          r += kTwo;
        } else {
          strips<1>(read, write, HWY_MIN(r, turn_.r_count - kColumns), begin, end);
          r += kColumns;
        }
      }
    }
  }

  template <int kStrips>
  HWY_INLINE void strips(const Byte* read, Byte* write, std::int64_t r, std::int64_t begin,
                         std::int64_t end) const {
    for (std::int64_t w_at = begin; w_at < end; w_at += kLanes) {
      const std::int64_t w = HWY_MIN(w_at, end - kLanes);
      const auto from = in(read, w, r);
      const auto to = out(write, w, r);
      AskToWrite<kStrips * kColumns>([&](std::int64_t i) HWY_ATTR { return to.row(i); });
#pragma GCC unroll 4
      for (std::int64_t i = 0; i < kStrips; ++i) {
        TurnColumns<T>(D(), from.past(0, i * kColumns * kSize), to.past(i * kColumns, 0));
      }
    }
  }

  // The prefetcher of the L2 cache brings pairs of lines. Input rows that are whole pairs apart
  // begin one at the same element, all of them: half a line of each at a time took up to 1.7 times
  // as long from the last cache as of rows a line more apart. Two tiles of them gain nothing.
  bool begin_pairs_together() const {
    return turn_.w_read % (2 * kLine) == 0 && turn_.w_count > 2 * kLanes &&
           turn_.r_count >= kInLine && lines_in_a_set(kInLine, turn_.r_write) <= kWays;
  }

  // The same with whole lines of such rows, and every second tile a line ahead of the one before
  // it, so that it begins a pair while the other has one. Not where tiles share lines of the output:
  // each would be written twice, some time apart.
  HWY_NOINLINE void along_pairs(const Byte* read, Byte* write) const {
    const bool in_lines = kLanes % kInLine == 0 && (PastLine(write) | turn_.r_write) % kLine == 0;
    const std::int64_t ahead = in_lines ? kInLine : 0;
    for (std::int64_t first = 0; first < turn_.w_count; first += block_) {
      const std::int64_t begin = HWY_MIN(first, turn_.w_count - kLanes);
      const std::int64_t end = HWY_MIN(first + block_, turn_.w_count);
      for (std::int64_t r = -ahead; r < turn_.r_count; r += kInLine) {
        std::int64_t mine = r, next = r + ahead;
        for (std::int64_t w = begin; w < end; w += kLanes, std::swap(mine, next)) {
          if (mine < 0 || mine >= turn_.r_count) continue;
          const std::int64_t w_at = HWY_MIN(w, end - kLanes);
          strips<4>(read, write, HWY_MIN(mine, turn_.r_count - kInLine), w_at, w_at + kLanes);
        }
      }
    }
  }

  HWY_NOINLINE void along_input(const Byte* read, Byte* write) const {
    for (std::int64_t w_at = 0; w_at < turn_.w_count; w_at += kLanes) {
      const std::int64_t w = HWY_MIN(w_at, turn_.w_count - kLanes);
      for (std::int64_t r_at = 0; r_at < turn_.r_count; r_at += kLanes) {
        const std::int64_t r = HWY_MIN(r_at, turn_.r_count - kLanes);
        const auto to = out(write, w, r);
        AskToWrite<kLanes>([&](std::int64_t i) HWY_ATTR { return to.row(i); });
        Tile<D, Store::kUnaligned>(D(), in(read, w, r), to);
      }
    }
  }

  const Turn<T>& turn_;
  std::int64_t kept_, block_;
  bool reads_whole_rows_;  // one after the other, since they are a few lines, or evict each other
};

}  // namespace HWY_NAMESPACE
}  // namespace reshape::optimized
HWY_AFTER_NAMESPACE();

#endif
