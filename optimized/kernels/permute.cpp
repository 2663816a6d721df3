// A transpose in which each side is contiguous over several loops, so that rows are found by lists
// of offsets. Pieces are turned in registers and written directly, or by way of a stage in the L1
// cache from which each output row leaves line by line, around the caches.
#include "optimized/kernels/limits.h"
#include "optimized/kernels/work.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels/permute.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "optimized/kernels/stage-inl.h"
#include "optimized/kernels/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace reshape::optimized {
namespace HWY_NAMESPACE {

// Byte offsets of consecutive positions of one side: at[i] + base.
struct Offsets {
  std::int64_t base;
  const std::int64_t* at;
};

// Loops, innermost first, seen as one row of positions on the side that kSide names.
template <std::int64_t Step::* kSide>
class Positions {
 public:
  // The most positions for one call of of().
  static constexpr std::int64_t kMostAsked = 256;

  explicit Positions(std::span<const Step> loops) : loops_(loops) {
    first_[0] = 0;
    while (!loops.empty() && inside_ * loops[0].count <= kMostInside) {
      repeat(loops[0].*kSide, loops[0].count);
      inside_ *= loops[0].count;
      loops = loops.subspan(1);
    }
    const std::int64_t next = loops.empty() ? 1 : loops[0].count;
    step_ = loops.empty() ? 0 : loops[0].*kSide;
    repeat(step_, HWY_MIN(next, (inside_ + kMostAsked + inside_ - 1) / inside_));
    pass_ = inside_ * next;
    around_ = loops.empty() ? loops : loops.subspan(1);
    count_ = pass_;
    for (const Step& loop : around_) count_ *= loop.count;
  }
  std::int64_t count() const { return count_; }

  // Offsets of positions begin .. begin + n - 1. Within a pass of the outer loop they are those of
  // the list plus a base; across the end of a pass they are listed anew in `room`.
  HWY_INLINE Offsets of(std::int64_t begin, std::int64_t n, std::int64_t* room) const {
    const std::int64_t in_pass = begin % pass_;
    if (in_pass + n > pass_) {
      list(begin, n, room);
      return {0, room};
    }
    std::int64_t base = in_pass / inside_ * step_, pass = begin / pass_;
    for (const Step& loop : around_) {
      base += pass % loop.count * (loop.*kSide);
      pass /= loop.count;
    }
    return {base, first_ + in_pass % inside_};
  }

 private:
  static constexpr std::size_t kMostLoops = 16;
  static constexpr std::int64_t kMostInside = 512;

  // Repeats the list `times` times, each `step` further on.
  void repeat(std::int64_t step, std::int64_t times) {
    for (std::int64_t i = 1; i < times; ++i) {
      for (std::int64_t k = 0; k < inside_; ++k) first_[i * inside_ + k] = first_[k] + i * step;
    }
  }

  HWY_NOINLINE void list(std::int64_t begin, std::int64_t n, std::int64_t* at) const {
    std::int64_t index[kMostLoops];
    std::int64_t place = 0;
    for (std::size_t i = 0; i < loops_.size(); ++i) {
      index[i] = begin % loops_[i].count;
      begin /= loops_[i].count;
      place += index[i] * (loops_[i].*kSide);
    }
    for (std::int64_t done = 0; done < n; ++done) {
      at[done] = place;
      for (std::size_t i = 0; i < loops_.size(); ++i) {
        place += loops_[i].*kSide;
        if (++index[i] < loops_[i].count) break;
        place -= loops_[i].count * (loops_[i].*kSide);
        index[i] = 0;
      }
    }
  }

  std::span<const Step> loops_, around_;
  std::int64_t count_ = 1;
  std::int64_t inside_ = 1;  // positions of the loops that are listed completely
  std::int64_t step_ = 0;    // step of the loop around them
  std::int64_t pass_ = 1;    // positions in one pass of that loop
  std::int64_t first_[2 * kMostInside + kMostAsked];
};

// The length of pieces of a side: about equal, in whole lines of T, and at most `most` positions.
template <class T>
HWY_INLINE std::int64_t PieceOf(std::int64_t count, std::int64_t most) {
  constexpr std::int64_t line = kLine / static_cast<std::int64_t>(sizeof(T));
  const std::int64_t pieces = (count + most - 1) / most;
  const std::int64_t even = (count + pieces - 1) / pieces;
  return HWY_MIN(most, (even + line - 1) / line * line);
}

template <class T>
class Permutation {
 public:
  explicit Permutation(const Work& work)
      : w_(work.loops.first(work.along_write)),
        r_(work.loops.subspan(work.along_write, work.along_read)),
        outer_(work.loops.subspan(work.along_write + work.along_read)),
        w_piece_(PieceOf<T>(w_.count(), work.stream ? kPiece : MostColumns(r_.count()))),
        joins_(joins(work.loops.subspan(work.along_write, work.along_read))),
        r_piece_(joins_.rows > 1 && joins_.rows * joins_.apart <= kMostRows
                     ? kMostRows / (joins_.rows * joins_.apart) * (joins_.rows * joins_.apart)
                     : PieceOf<T>(r_.count(), kMostRows)),
        stream_(work.stream && joins_.rows * w_.count() * kSize >= kLine) {
    std::int64_t bytes = kSize;
    for (const Step& loop : work.loops) bytes *= loop.count;
    // An Emerald Rapids took up to 1.4 times as long where the rows that it follows were prefetched.
    ask_ = bytes > nearby_bytes() && !follows_many_rows();
    constexpr std::int64_t kInL1 = 24 << 10, kFar = 64 << 10;
    masked_ = masks_short_rows() && bytes > kInL1 && !stream_;
    ask_to_write_ = AsksToWrite(work) && bytes > kFar && joins_.rows == 1;
    if (stream_) lay_out_stage();
    is_one_piece_ = w_.count() <= w_piece_ && r_.count() <= r_piece_ && !stream_;
    if (!is_one_piece_) return;
    read_ = w_.of(0, w_.count(), read_room_[0]);
    write_ = r_.of(0, r_.count(), write_room_);
  }

  HWY_INLINE void run(const Byte* from, Byte* to) {
    run(outer_, from, to, from);
    if (!stream_ || joins_.rows == 1) return;
    for (std::int64_t i = 0; i * run_rows_ < kMostRows; ++i) {
      SendRest(stage_ + i * run_pitch_, ends_[i]);
    }
  }

 private:
  static constexpr std::int64_t kSize = sizeof(T);
  static constexpr std::int64_t kMostRows = HWY_MIN(64, 4 * kLine / kSize);
  static constexpr std::int64_t kPiece = kStageBytes / kSize;
  static constexpr std::int64_t kMostColumns = Positions<&Step::read>::kMostAsked;
  static_assert(kPiece <= kMostColumns && kMostRows <= kPiece);

  // Every piece costs a list: of few rows it is longer.
  static HWY_INLINE std::int64_t MostColumns(std::int64_t rows) {
    constexpr std::int64_t kEnough = (8 << 10) / kSize;
    return HWY_MAX(kPiece, HWY_MIN(kMostColumns, kEnough / rows));
  }

  // Only streamed rows are staged: the lists would cost small copies more than the copy.
  HWY_NOINLINE void lay_out_stage() {
    const std::int64_t row = w_.count() * kSize;
    run_rows_ = HWY_MIN(joins_.rows, r_piece_);
    run_pitch_ = run_rows_ == 1 ? kPitch : kLine + (run_rows_ * row + kLine - 1) / kLine * kLine;
    for (std::int64_t j = 0; j < kMostRows; ++j) {
      const std::int64_t run = j / (joins_.apart * run_rows_) * joins_.apart + j % joins_.apart;
      stage_at_[j] = run * run_pitch_ + j / joins_.apart % run_rows_ * row;
      ends_[j] = nullptr;
    }
  }

  // `then` is where the next turn begins to read.
  void run(std::span<const Step> outer, const Byte* from, Byte* to, const Byte* then) {
    if (outer.empty()) return turn(from, to, then);
    const Step& loop = outer.back();
    if (outer.size() == 1 && is_one_piece_) return turn_each(loop, from, to);
    for (std::int64_t i = 0; i < loop.count; ++i, from += loop.read, to += loop.write) {
      run(outer.first(outer.size() - 1), from, to, from + loop.read);
    }
  }

  // For sides of one piece: the lists are the same for every step of the loop around them.
  void turn_each(Step loop, const Byte* from, Byte* to) const {
    const std::int64_t columns = w_.count(), rows = r_.count();
    Listed<const Byte*> in{from + read_.base, read_.at};
    Listed<Byte*> out{to + write_.base, write_.at};
    for (std::int64_t i = 0; i < loop.count; ++i) {
      if (ask_) {
        for (std::int64_t w = 0; w < columns; ++w) {
          const Byte* row = in.row(w) + loop.read;
          PrefetchRun<3>(row, rows * kSize);
        }
      }
      TurnRows<T>(in, out, columns, rows, masked_);
      in.base += loop.read;
      out.base += loop.write;
    }
  }

  // How many output rows of one piece follow each other without a gap, and how far apart they come:
  // the reader may go to other rows first. More than kMostRows are all of them: the reader's loops
  // fill a line with fewer, and no loop is added behind that.
  struct Joins {
    std::int64_t rows = 1, apart = 1;
  };
  Joins joins(std::span<const Step> along_read) const {
    Joins found;
    const std::int64_t row = w_.count() * kSize;
    if (w_.count() > w_piece_) return found;
    while (!along_read.empty() && along_read[0].write != row) {
      found.apart *= along_read[0].count;
      along_read = along_read.subspan(1);
    }
    for (const Step& loop : along_read) {
      if (loop.write != found.rows * row) break;
      found.rows *= loop.count;
    }
    if (found.rows == 1 || (found.apart > 1 && found.apart * found.rows > kMostRows)) return {};
    return found;
  }

  // A piece: `columns` input rows from w on, `rows` elements of each from r on; `read` lists the
  // rows.
  struct Piece {
    std::int64_t r, w, rows, columns;
    Offsets read;
  };

  // The next piece, along the output's rows first, with its list made. 0 rows: there is none.
  HWY_INLINE Piece after(const Piece& piece) {
    Piece next = piece;
    next.w += piece.columns;
    if (next.w == w_.count()) {
      next.w = 0;
      next.r += piece.rows;
      next.rows = HWY_MIN(r_piece_, r_.count() - next.r);
    }
    next.columns = HWY_MIN(w_piece_, w_.count() - next.w);
    std::int64_t* room = piece.read.at == read_room_[0] ? read_room_[1] : read_room_[0];
    if (next.rows > 0) next.read = w_.of(next.w, next.columns, room);
    return next;
  }

  HWY_INLINE void turn(const Byte* from, Byte* to, const Byte* then) {
    const std::int64_t columns = HWY_MIN(w_piece_, w_.count());
    const Piece first{0, 0, HWY_MIN(r_piece_, r_.count()), columns,
                      w_.of(0, columns, read_room_[0])};
    Piece piece = first;
    Offsets written{};
    while (piece.rows > 0) {
      if (piece.w == 0) written = r_.of(piece.r, piece.rows, write_room_);
      const Piece next = after(piece);
      const bool is_last = next.rows == 0 && w_.count() <= w_piece_;
      const Piece asked = is_last ? first : next;
      const Byte* base = is_last ? then : from;
      const Listed<const Byte*> in{from + piece.r * kSize + piece.read.base, piece.read.at};
      const Listed<Byte*> out{to + piece.w * kSize + written.base, written.at};
      if (stream_) {
        turn_asking(in, Listed<Byte*>{stage_ + kLine, stage_at_}, piece, asked, base);
        send(out, piece);
      } else {
        turn_asking(in, out, piece, asked, base);
      }
      piece = next;
    }
  }

  // Turns a piece line by line of its input rows, and in between prefetches what the next one
  // reads.
  HWY_INLINE void turn_asking(Listed<const Byte*> in, Listed<Byte*> out, const Piece& piece,
                              const Piece& next, const Byte* from) const {
    if (ask_to_write_ && piece.columns * kSize >= 2 * kLine) {
      for (std::int64_t j = 0; j < piece.rows; ++j) {
        PrefetchToWrite(out.row(j), piece.columns * kSize);
      }
    }
    if (!ask_ || next.rows == 0) return TurnRows<T>(in, out, piece.columns, piece.rows, masked_);
    constexpr std::int64_t line = kLine / kSize, kWorthACall = 1 << 10;
    const std::int64_t parts = piece.rows * piece.columns * kSize / kWorthACall;
    const std::int64_t times = HWY_MAX(1, HWY_MIN(parts, piece.rows / line));
    const std::int64_t rows = piece.rows / times / line * line;
    std::int64_t asked = 0;
    for (std::int64_t k = 0; k < times; ++k) {
      for (; asked * times < (k + 1) * next.columns; ++asked) {
        const Byte* row = from + next.r * kSize + next.read.base + next.read.at[asked];
        PrefetchRun<3>(row, next.rows * kSize);
      }
      const std::int64_t r = k * rows;
      TurnRows<T>(in.past(0, r * kSize), out.past(r, 0), piece.columns,
                  k + 1 < times ? rows : piece.rows - r, masked_);
    }
  }

  HWY_INLINE void send(Listed<Byte*> out, const Piece& piece) {
    if (joins_.rows > 1) return send_joined(out, piece);
    for (std::int64_t j = 0; j < piece.rows; ++j) {
      SendRow<true>(stage_ + j * kPitch, out.row(j), piece.columns * kSize, piece.w == 0,
                    piece.w + piece.columns == w_.count());
    }
  }

  // Sends each run of joined rows at once. What of its last line is missing often comes with a
  // later piece, which continues the run.
  HWY_INLINE void send_joined(Listed<Byte*> out, const Piece& piece) {
    const std::int64_t row = w_.count() * kSize;
    std::int64_t run = 0;
    for (std::int64_t j = 0; j < piece.rows; j += joins_.apart * run_rows_) {
      const std::int64_t rows = HWY_MIN(run_rows_, piece.rows - j);
      for (std::int64_t i = 0; i < joins_.apart; ++i, ++run) {
        SendOn(stage_ + run * run_pitch_, out.row(j + i), rows * row, ends_[run]);
      }
    }
  }

  Positions<&Step::read> w_;
  Positions<&Step::write> r_;
  std::span<const Step> outer_;
  std::int64_t w_piece_;
  Joins joins_;
  std::int64_t r_piece_;
  std::int64_t run_rows_;   // of them in one piece
  std::int64_t run_pitch_;  // from the stage of one run of joined rows to that of the next
  bool stream_, ask_ = false, ask_to_write_ = false, masked_ = false;
  bool is_one_piece_ = false;  // on both sides; read_ and write_ are then their lists
  Offsets read_{}, write_{};
  std::int64_t read_room_[2][kMostColumns], write_room_[kMostRows];
  // A list although the rows are evenly apart, to avoid a second instantiation of the tiles.
  std::int64_t stage_at_[kMostRows];
  Byte* ends_[kMostRows];  // where the runs of joined rows that were sent last end
  alignas(64) Byte stage_[kMostRows * kPitch];
};

template <class T>
HWY_INLINE void Permute(const Work& work, const std::byte* read, std::byte* write) {
  Permutation<T>(work).run(reinterpret_cast<const Byte*>(read), reinterpret_cast<Byte*>(write));
}

void Permute1(const Work& w, const std::byte* r, std::byte* o) { Permute<std::uint8_t>(w, r, o); }
void Permute2(const Work& w, const std::byte* r, std::byte* o) { Permute<std::uint16_t>(w, r, o); }
void Permute4(const Work& w, const std::byte* r, std::byte* o) { Permute<std::uint32_t>(w, r, o); }
void Permute8(const Work& w, const std::byte* r, std::byte* o) { Permute<std::uint64_t>(w, r, o); }

}  // namespace HWY_NAMESPACE
}  // namespace reshape::optimized
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace reshape::optimized {
HWY_EXPORT(Permute1);
HWY_EXPORT(Permute2);
HWY_EXPORT(Permute4);
HWY_EXPORT(Permute8);
const Run* permute_runs(std::int64_t bytes) {
  switch (bytes) {
    case 1: return HWY_DISPATCH_TABLE(Permute1);
    case 2: return HWY_DISPATCH_TABLE(Permute2);
    case 4: return HWY_DISPATCH_TABLE(Permute4);
    default: return HWY_DISPATCH_TABLE(Permute8);
  }
}
}  // namespace reshape::optimized
#endif
