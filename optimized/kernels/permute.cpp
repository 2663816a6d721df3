// The reader goes along several loops and the writer along several others: a transpose whose rows are
// found by lists. Pieces are turned in registers; they go straight to their places, or by way of a stage
// in the first cache from which each output row leaves line by line, around the caches.
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

// A walk over some loops, innermost first, as one row of positions.
class Positions {
 public:
  explicit Positions(std::span<const Step> loops) : loops_(loops) {
    for (const Step& loop : loops) count_ *= loop.count;
  }
  std::int64_t count() const { return count_; }

  // Where positions begin .. begin + n - 1 lie on one side, in bytes.
  HWY_INLINE void list(std::int64_t Step::* side, std::int64_t begin, std::int64_t n,
                       std::int64_t* at) const {
    std::int64_t index[kMostLoops];
    std::int64_t place = 0;
    for (std::size_t i = 0; i < loops_.size(); ++i) {
      index[i] = begin % loops_[i].count;
      begin /= loops_[i].count;
      place += index[i] * (loops_[i].*side);
    }
    const std::int64_t step = loops_[0].*side, inner = loops_[0].count;
    for (std::int64_t done = 0; done < n;) {
      const std::int64_t run = HWY_MIN(inner - index[0], n - done);
      for (std::int64_t k = 0; k < run; ++k) at[done + k] = place + k * step;
      done += run;
      place += (run - 1) * step;  // the last one of the run
      index[0] += run - 1;
      for (std::size_t i = 0; i < loops_.size(); ++i) {
        place += loops_[i].*side;
        if (++index[i] < loops_[i].count) break;
        place -= loops_[i].count * (loops_[i].*side);
        index[i] = 0;
      }
    }
  }

 private:
  static constexpr std::size_t kMostLoops = 16;
  std::span<const Step> loops_;
  std::int64_t count_ = 1;
};

// Pieces of a side of `count` positions: of about the same length, whole lines of T, at most `most`.
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
        w_piece_(PieceOf<T>(w_.count(), kPiece)),
        r_piece_(PieceOf<T>(r_.count(), kMostRows)),
        stream_(work.stream) {
    std::int64_t bytes = kSize;
    for (const Step& loop : work.loops) bytes *= loop.count;
    ask_ = bytes > kNearby;
    if (w_.count() <= kListed) w_.list(&Step::read, 0, w_.count(), read_at_);
    for (std::int64_t j = 0; j < kMostRows; ++j) stage_at_[j] = j * kPitch;
    if (r_.count() <= kListed) r_.list(&Step::write, 0, r_.count(), write_at_);
  }

  HWY_INLINE void run(const Byte* from, Byte* to) { run(outer_, from, to); }

 private:
  static constexpr std::int64_t kSize = sizeof(T);
  static constexpr std::int64_t kMostRows = HWY_MIN(64, 4 * kLine / kSize);
  static constexpr std::int64_t kPiece = kStageBytes / kSize;
  // Longer sides are listed piece by piece, each time anew.
  static constexpr std::int64_t kListed = 1024;
  // What stays in the second cache is not asked for ahead.
  static constexpr std::int64_t kNearby = 512 << 10;

  void run(std::span<const Step> outer, const Byte* from, Byte* to) {
    if (outer.empty()) return turn(from, to);
    const Step& loop = outer.back();
    for (std::int64_t i = 0; i < loop.count; ++i) {
      run(outer.first(outer.size() - 1), from + i * loop.read, to + i * loop.write);
    }
  }

  // Some input rows: from which element of each on, where they are listed and how many.
  struct Piece {
    std::int64_t r, w, rows, columns;
    const std::int64_t* read_at;
  };

  // The piece after this one, along the output's rows first, its list made; no rows: there is none.
  HWY_INLINE Piece after(const Piece& piece) {
    Piece next = piece;
    next.w += piece.columns;
    if (next.w == w_.count()) {
      next.w = 0;
      next.r += piece.rows;
      next.rows = HWY_MIN(r_piece_, r_.count() - next.r);
    }
    next.columns = HWY_MIN(w_piece_, w_.count() - next.w);
    if (next.rows > 0) next.read_at = read_list(next.w, next.columns, piece.read_at == read_at_);
    return next;
  }

  // A part of the list of all, or one that is made now, in one of two places.
  HWY_INLINE const std::int64_t* read_list(std::int64_t w, std::int64_t columns, bool second) {
    if (w_.count() <= kListed) return read_at_ + w;
    std::int64_t* made = read_at_ + (second ? kListed / 2 : 0);
    w_.list(&Step::read, w, columns, made);
    return made;
  }
  HWY_INLINE const std::int64_t* write_list(std::int64_t r, std::int64_t rows) {
    if (r_.count() <= kListed) return write_at_ + r;
    r_.list(&Step::write, r, rows, write_at_);
    return write_at_;
  }

  HWY_INLINE void turn(const Byte* from, Byte* to) {
    Piece piece{0, 0, HWY_MIN(r_piece_, r_.count()), HWY_MIN(w_piece_, w_.count()), nullptr};
    piece.read_at = read_list(0, piece.columns, false);
    const std::int64_t* write_at = nullptr;
    while (piece.rows > 0) {
      if (piece.w == 0) write_at = write_list(piece.r, piece.rows);
      const Piece next = after(piece);
      if (ask_ && next.rows > 0) ask_for(next, from);
      const Listed<const Byte*> in{from + piece.r * kSize, piece.read_at};
      const Listed<Byte*> out{to + piece.w * kSize, write_at};
      if (stream_ && w_.count() * kSize >= kLine) {
        turn_staged(in, out, piece);
      } else {
        TurnRows<T>(in, out, piece.columns, piece.rows);
      }
      piece = next;
    }
  }

  HWY_INLINE void ask_for(const Piece& piece, const Byte* from) const {
    for (std::int64_t i = 0; i < piece.columns; ++i) {
      const Byte* row = from + piece.r * kSize + piece.read_at[i];
      for (std::int64_t at = 0; at < piece.rows * kSize; at += kLine) hwy::Prefetch(row + at);
    }
  }

  HWY_INLINE void turn_staged(Listed<const Byte*> in, Listed<Byte*> out, const Piece& piece) {
    TurnRows<T>(in, Listed<Byte*>{stage_ + kLine, stage_at_}, piece.columns, piece.rows);
    for (std::int64_t j = 0; j < piece.rows; ++j) {
      SendRow<true>(stage_ + j * kPitch, out.row(j), piece.columns * kSize, piece.w == 0,
                    piece.w + piece.columns == w_.count());
    }
  }

  Positions w_, r_;
  std::span<const Step> outer_;
  std::int64_t w_piece_, r_piece_;
  bool stream_, ask_ = false;
  std::int64_t read_at_[kListed], write_at_[kListed];
  std::int64_t
      stage_at_[kMostRows];  // a list like the others: tiles for even rows would be compiled too
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
