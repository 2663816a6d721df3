// A transpose: one loop is contiguous for the reader and another for the writer. Tiles are turned
// in registers and written in whole lines, directly where the output is aligned, else by way of a
// stage in the L1 cache from which each output row leaves line by line; through the caches of some
// processors what is written is prefetched (turn-inl.h).
#include "optimized/kernels/limits.h"
#include "optimized/kernels/work.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels/transpose.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "optimized/kernels/stage-inl.h"
#include "optimized/kernels/tile-inl.h"
#include "optimized/kernels/turn-inl.h"

HWY_BEFORE_NAMESPACE();
namespace reshape::optimized {
namespace HWY_NAMESPACE {

// Up to these distances, in bytes, rows of a side count as neighbours, or as not far apart.
inline constexpr std::int64_t kNear = 512, kMiddle = 2048;

template <class T, bool kStream>
HWY_INLINE void Staged(const Turn<T>& turn, const Byte* read, Byte* write) {
  constexpr std::int64_t kSize = sizeof(T);
  constexpr std::int64_t kMostRows = kStream ? 128 : HWY_MIN(64, 2 * kLine / kSize);
  // A line holds many small elements. If the next rows of the input are near, their lines are soon
  // read again: a smaller stage leaves room for them in the cache.
  const std::int64_t most =
      kSize < 4 && turn.w_read <= kMiddle ? HWY_MIN(64, kMostRows) : kMostRows;
  constexpr std::int64_t kPiece = kStageBytes / kSize;
  // A stage of many rows fills the L1 cache, so prefetches go to the L2 cache.
  constexpr int kCloseness = kStream ? 2 : 3;
  alignas(64) Byte stage[kMostRows * kPitch];
  const bool short_rows = !kStream && turn.w_count * kSize <= 2 * kLine;
  for (std::int64_t r = 0; r < turn.r_count; r += most) {
    const std::int64_t rows = HWY_MIN(most, turn.r_count - r);
    const auto place = [&](std::int64_t j) { return write + (r + j) * turn.r_write; };
    for (std::int64_t w = 0, piece = 0; w < turn.w_count; w += piece) {
      // A last piece shorter than a line would cost as much as a long one: it takes a line from the
      // piece before it.
      const std::int64_t left = turn.w_count - w;
      piece = left > kPiece && left < kPiece + kLine / kSize ? kPiece - kLine / kSize
                                                             : HWY_MIN(kPiece, left);
      const Byte* from = read + w * turn.w_read + r * kSize;
      TurnPiece<T>(from, turn.w_read, stage + kLine, kPitch, piece, rows);
      if (short_rows) {
        for (std::int64_t j = 0; j < rows; ++j) {
          CopyRun(stage + j * kPitch + kLine, place(j), piece * kSize);
        }
        continue;
      }
      // While this piece is written, what the next one reads is prefetched, a few rows at a time.
      const bool last = piece == left;
      const bool alone = w == 0 && last && turn.next_read != 0;
      const Byte* next = alone ? from + turn.next_read : from + piece * turn.w_read;
      const std::int64_t next_rows = alone ? piece : HWY_MIN(kPiece, left - piece);
      std::int64_t asked = 0;
      for (std::int64_t j = 0; j < rows; ++j) {
        for (; asked < (j + 1) * next_rows / rows; ++asked) {
          const Byte* row = next + asked * turn.w_read;
          PrefetchRow<kCloseness>(row, rows * kSize);
        }
        if (alone && !kStream) {
          for (std::int64_t at = 0; at < piece * kSize; at += kLine) {
            __builtin_prefetch(place(j) + turn.next_write + at, 1);
          }
        }
        SendRow<kStream>(stage + j * kPitch, place(j) + w * kSize, piece * kSize, w == 0, last);
      }
    }
  }
}

// The order of tiles: blocks of w x r tiles; inside a block and between blocks, along the output's
// rows first or along the input's. While a block is turned, the lines that the next one reads are
// prefetched, into the L1 cache or, where they would not stay there, the L2 cache.
enum class Ask { kNothing, kFirstCache, kSecondCache };
struct TileOrder {
  std::int64_t w, r;
  bool inside_along_input, between_along_output;
  Ask ask;
};

inline constexpr std::int64_t kAll = std::int64_t{1} << 40;

// Found by measuring on every shape of the benchmark. The distance between the rows of either side
// decides: close rows are best finished together; rows a power of two apart share cache sets, so
// few of them may be in progress at once.
template <class T>
HWY_INLINE TileOrder OrderOf(const Turn<T>& turn, bool stream) {
  if (!stream) return {32, 4, false, false, Ask::kNothing};
  // Read almost sequentially: the hardware prefetcher follows.
  if (turn.w_read <= kLine) return {kAll, 1, false, true, Ask::kNothing};
  // Not for bytes, whose tiles alone fill the L1 cache.
  if (turn.w_read <= kNear && sizeof(T) > 1) return {2, 4, true, false, Ask::kFirstCache};
  if (turn.w_read <= kMiddle || turn.r_write <= kNear) {
    return {2, 8, true, false, Ask::kSecondCache};
  }
  return {2, sizeof(T) < 4 ? 16 : 8, false, true, Ask::kSecondCache};
}

// Some tiles of a transpose: w_begin <= w < w_end, r_begin <= r < r_end.
struct TileBlock {
  std::int64_t w_begin, w_end, r_begin, r_end;
};

class BlockWalk {
 public:
  BlockWalk(const TileOrder& order, std::int64_t w_tiles, std::int64_t r_tiles)
      : order_(order), w_tiles_(w_tiles), r_tiles_(r_tiles) {}
  HWY_INLINE TileBlock block() const {
    return {w_, HWY_MIN(w_ + order_.w, w_tiles_), r_, HWY_MIN(r_ + order_.r, r_tiles_)};
  }
  HWY_INLINE bool next() {
    if (order_.between_along_output) {
      w_ += order_.w;
      if (w_ < w_tiles_) return true;
      w_ = 0;
      r_ += order_.r;
      return r_ < r_tiles_;
    }
    r_ += order_.r;
    if (r_ < r_tiles_) return true;
    r_ = 0;
    w_ += order_.w;
    return w_ < w_tiles_;
  }

 private:
  const TileOrder order_;
  const std::int64_t w_tiles_, r_tiles_;
  std::int64_t w_ = 0, r_ = 0;
};

// The lines that a block of tiles reads, in the order in which they lie in memory.
class AskAhead {
 public:
  HWY_INLINE AskAhead(const Byte* at, std::int64_t rows, std::int64_t row_step, std::int64_t lines,
                      Ask ask)
      : at_(at), rows_(rows), row_step_(row_step), lines_(lines), ask_(ask) {}
  HWY_INLINE void next(std::int64_t few) {
    for (; few > 0 && row_ < rows_; --few) {
      const Byte* line = at_ + line_ * kLine;
      if (ask_ == Ask::kFirstCache) {
        __builtin_prefetch(line, 0, 3);
      } else {
        __builtin_prefetch(line, 0, 2);
      }
      if (++line_ == lines_) {
        line_ = 0;
        ++row_;
        at_ += row_step_;
      }
    }
  }

 private:
  const Byte* at_;
  const std::int64_t rows_, row_step_, lines_;
  const Ask ask_;
  std::int64_t row_ = 0, line_ = 0;
};

template <class T, Store kStore>
HWY_INLINE void Direct(const Turn<T>& turn, const Byte* read, Byte* write) {
  using D = hn::ScalableTag<T>;
  constexpr std::int64_t n = static_cast<std::int64_t>(hn::MaxLanes(D()));
  constexpr std::int64_t kSize = sizeof(T);
  const TileOrder order = OrderOf(turn, kStore == Store::kStream);
  BlockWalk walk(order, turn.w_count / n, turn.r_count / n);
  const auto lines_of = [&](const Byte* from, const TileBlock& block) {
    return AskAhead(from + block.w_begin * n * turn.w_read + block.r_begin * n * kSize,
                    (block.w_end - block.w_begin) * n, turn.w_read, block.r_end - block.r_begin,
                    order.ask);
  };
  const TileBlock first = walk.block();
  for (bool more = true; more;) {
    const TileBlock block = walk.block();
    more = walk.next();
    const std::int64_t w_tiles = block.w_end - block.w_begin, r_tiles = block.r_end - block.r_begin;
    // After the last block comes the first one of the next call.
    const bool known = order.ask != Ask::kNothing && (more || turn.next_read != 0);
    const TileBlock next = more ? walk.block() : first;
    AskAhead ahead = lines_of(more ? read : read + turn.next_read, next);
    const std::int64_t lines = (next.w_end - next.w_begin) * n * (next.r_end - next.r_begin);
    const std::int64_t few = known ? (lines + w_tiles * r_tiles - 1) / (w_tiles * r_tiles) : 0;
    const auto turn_one = [&](std::int64_t w, std::int64_t r) HWY_ATTR {
      ahead.next(few);
      Tile<D, kStore>(D(),
                      Evenly<const Byte*>{read + w * n * turn.w_read + r * n * kSize, turn.w_read},
                      Evenly<Byte*>{write + r * n * turn.r_write + w * n * kSize, turn.r_write});
    };
    if (order.inside_along_input) {
      for (std::int64_t w = block.w_begin; w < block.w_end; ++w) {
        for (std::int64_t r = block.r_begin; r < block.r_end; ++r) turn_one(w, r);
      }
    } else {
      for (std::int64_t r = block.r_begin; r < block.r_end; ++r) {
        for (std::int64_t w = block.w_begin; w < block.w_end; ++w) turn_one(w, r);
      }
    }
  }
}

// The blocks of InPlace, in elements.
template <class T>
inline constexpr std::int64_t kBlockRows = 2 * kLine / sizeof(T);
template <class T>
inline constexpr std::int64_t kBlockColumns = 2 * kBlockRows<T>;

// Writes directly to the output, block by block of `most` or, for the last one, up to twice as many
// of its rows.
template <class T>
HWY_INLINE void InPlace(const Turn<T>& turn, std::int64_t most, const Byte* read, Byte* write) {
  constexpr std::int64_t kSize = sizeof(T), kColumns = kBlockColumns<T>;
  for (std::int64_t r = 0, rn = 0; r < turn.r_count; r += rn) {
    // A last block that is too short for tiles goes with the one before it.
    rn = turn.r_count - r < 2 * most ? turn.r_count - r : most;
    for (std::int64_t w = 0, wn = 0; w < turn.w_count; w += wn) {
      wn = turn.w_count - w < 2 * kColumns ? turn.w_count - w : kColumns;
      TurnPiece<T>(read + w * turn.w_read + r * kSize, turn.w_read,
                   write + r * turn.r_write + w * kSize, turn.r_write, wn, rn);
    }
  }
}

template <class T>
HWY_INLINE void Transpose(const Work& work, const std::byte* read, std::byte* write) {
  const Turn<T> turn(work);
  const Byte* from = reinterpret_cast<const Byte*>(read);
  Byte* to = reinterpret_cast<Byte*>(write);
  constexpr std::int64_t kSize = sizeof(T);
  // Whether the L1 cache keeps what is read for a block of rows beside what is written.
  constexpr std::int64_t kKept = 16 << 10;
  const bool kept = turn.w_read * kBlockColumns<T> <= kKept && !work.stream;
  // How many rows are written together. On a Zen 5 those of nearly a page, or of half of one, took 2
  // to 8 times as long as others.
  const bool nearly_half = are_nearly_apart(turn.r_write, kSameSet / 2);
  const std::int64_t rows = are_nearly_apart(turn.r_write, kSameSet)             ? kWays
                            : nearly_half && (kSize == 2 || (kSize > 2 && kept)) ? 2 * kWays
                                                                                 : kBlockRows<T>;
  // A copy that stays in the caches needs no stage, unless all rows share the same sets of the L1
  // cache.
  constexpr std::int64_t kSmall = 8 << 10, kSamePlaces = 1024;
  const std::int64_t bytes = turn.w_count * turn.r_count * kSize;
  const bool spread = turn.r_write % kSamePlaces != 0 && rows == kBlockRows<T>;
  if (bytes > kSmall && follows_many_rows()) {
    const Asking<T> asking(turn);
    if (asking.gains(work, PastLine(to) == 0)) return asking.run(from, to);
  }
  if (!work.stream && (bytes <= kSmall || spread)) {
    return InPlace(turn, kBlockRows<T>, from, to);
  }
  // The lines of a tile of narrow elements may be so many in one set of the L1 cache that several
  // lines of each row, written one after the other, take less time.
  constexpr std::int64_t kTile = kLine / kSize, kTooMany = 4 * kWays;
  const bool crowded =
      turn.r_count >= kTile && lines_in_a_set(kTile, turn.r_write) >= kTooMany && !work.stream;
  if (crowded) return Staged<T, false>(turn, from, to);
  // No more rows are written together than a set of that cache keeps, where it keeps what is read
  // for them as well.
  if (kept && evict_each_other(turn.r_count, turn.r_write)) return InPlace(turn, kWays, from, to);
  if (kept && rows < kBlockRows<T>) return InPlace(turn, rows, from, to);
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
  constexpr std::int64_t n = kLine / kSize;
  if (PastLine(to) == 0 && turn.r_write % kLine == 0 && turn.w_count >= n && turn.r_count >= n) {
    const std::int64_t w_whole = turn.w_count - turn.w_count % n;
    const std::int64_t r_whole = turn.r_count - turn.r_count % n;
    Turn<T> whole = turn;
    whole.w_count = w_whole;
    whole.r_count = r_whole;
    if (work.stream) {
      Direct<T, Store::kStream>(whole, from, to);
    } else {
      Direct<T, Store::kAligned>(whole, from, to);
    }
    if (w_whole < turn.w_count) {
      Turn<T> below = whole;
      below.w_count = turn.w_count - w_whole;
      Staged<T, false>(below, from + w_whole * turn.w_read, to + w_whole * kSize);
    }
    if (r_whole < turn.r_count) {
      Turn<T> beside = turn;
      beside.r_count = turn.r_count - r_whole;
      Staged<T, false>(beside, from + r_whole * kSize, to + r_whole * turn.r_write);
    }
    return;
  }
#endif
  if (work.stream) {
    Staged<T, true>(turn, from, to);
  } else {
    Staged<T, false>(turn, from, to);
  }
}

void Transpose1(const Work& w, const std::byte* r, std::byte* o) {
  Transpose<std::uint8_t>(w, r, o);
}
void Transpose2(const Work& w, const std::byte* r, std::byte* o) {
  Transpose<std::uint16_t>(w, r, o);
}
void Transpose4(const Work& w, const std::byte* r, std::byte* o) {
  Transpose<std::uint32_t>(w, r, o);
}
void Transpose8(const Work& w, const std::byte* r, std::byte* o) {
  Transpose<std::uint64_t>(w, r, o);
}

}  // namespace HWY_NAMESPACE
}  // namespace reshape::optimized
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace reshape::optimized {
HWY_EXPORT(Transpose1);
HWY_EXPORT(Transpose2);
HWY_EXPORT(Transpose4);
HWY_EXPORT(Transpose8);
const Run* transpose_runs(std::int64_t bytes) {
  switch (bytes) {
    case 1: return HWY_DISPATCH_TABLE(Transpose1);
    case 2: return HWY_DISPATCH_TABLE(Transpose2);
    case 4: return HWY_DISPATCH_TABLE(Transpose4);
    default: return HWY_DISPATCH_TABLE(Transpose8);
  }
}
}  // namespace reshape::optimized
#endif
