#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "optimized/plan.h"

namespace reshape::optimized {

// One side of a seam: contiguous rows of `length` units, `step` units apart. Units are bytes or
// half bytes.
struct Rows {
  std::int64_t length = 0, step = 0;
};

// A seam between rows of two different lengths, the usual kind, and the loops around it.
struct SeamOfRows {
  std::int64_t length = 0;  // in units, like all that follows
  Rows read, write;
  std::int64_t read_offset = 0, write_offset = 0;
  Loops around;
  std::int64_t times = 1;  // steps of the loops around it

  // Where both sides are at this step of the loops around it.
  std::pair<std::int64_t, std::int64_t> offsets_at(std::int64_t time) const;

  // Nothing for seams of another kind.
  static std::optional<SeamOfRows> of(const CopyPlan& plan);
};

// Calls copy(read, write, count) for each run of units [begin, end) that is contiguous on both
// sides.
template <typename Copy>
void over_runs(const Rows& read, const Rows& write, std::int64_t begin, std::int64_t end,
               Copy copy) {
  std::int64_t from = begin / read.length * read.step, from_past = begin % read.length;
  std::int64_t to = begin / write.length * write.step, to_past = begin % write.length;
  while (begin < end) {
    const std::int64_t count =
        std::min({read.length - from_past, write.length - to_past, end - begin});
    copy(from + from_past, to + to_past, count);
    const auto advance = [count](const Rows& rows, std::int64_t& row, std::int64_t& past) {
      past += count;
      if (past < rows.length) return;
      past = 0;
      row += rows.step;
    };
    advance(read, from, from_past);
    advance(write, to, to_past);
    begin += count;
  }
}

// Calls move(place, at, run, count) for the rows of [begin, end), which are whole but for the first
// and the last: `count` rows of `run` units, the first of them at `place` on this side and `at`
// units behind `begin`.
template <typename Move>
void over_rows(const Rows& rows, std::int64_t begin, std::int64_t end, Move move) {
  for (std::int64_t at = begin; at < end;) {
    const std::int64_t past = at % rows.length;
    const std::int64_t run = std::min(rows.length - past, end - at);
    const std::int64_t count = run == rows.length ? (end - at) / run : 1;
    move(at / rows.length * rows.step + past, at - begin, run, count);
    at += run * count;
  }
}

}  // namespace reshape::optimized
