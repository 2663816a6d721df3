#include "optimized/axes.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace reshape::optimized {

namespace {

// a / b where nothing is left over. Half the width divides several times as fast on many
// processors.
std::int64_t exact_quotient(std::int64_t a, std::int64_t b) {
  if (a == b) return 1;
  if (((a | b) >> 32) == 0) return static_cast<std::uint32_t>(a) / static_cast<std::uint32_t>(b);
  return a / b;
}

// Splits the innermost `count` steps off the innermost axis.
void take_inner(Axes& axes, std::int64_t count) {
  Axis& inner = axes.back();
  inner.count = exact_quotient(inner.count, count);
  if (inner.count == 1) {
    axes.pop_back();
  } else {
    inner.step *= count;
  }
}

// Splits the outermost `count` steps off the outermost axis and returns their step.
std::int64_t take_outer(Axes& axes, std::int64_t count) {
  Axis& outer = axes.front();
  outer.count = exact_quotient(outer.count, count);
  const std::int64_t step = outer.count * outer.step;
  if (outer.count == 1) axes.erase(axes.begin());
  return step;
}

// The innermost axes of both sides up to the first boundary that both have. The innermost counts
// are coprime, so that no loop fits between.
Seam take_seam(Axes& read, Axes& write) {
  const auto count_of = [](const Axes& axes, std::size_t taken) {
    return axes[axes.size() - 1 - taken].count;
  };
  std::size_t reads = 1;
  std::size_t writes = 1;
  std::int64_t read_length = count_of(read, 0);
  std::int64_t write_length = count_of(write, 0);
  while (read_length != write_length) {
    if (read_length < write_length) {
      read_length *= count_of(read, reads++);
    } else {
      write_length *= count_of(write, writes++);
    }
  }
  const auto move_inner = [](Axes& from, std::size_t count) {
    const Axes moved(from.end() - count, from.end());
    from.erase(from.end() - count, from.end());
    return moved;
  };
  return {read_length, move_inner(read, reads), move_inner(write, writes)};
}

}  // namespace

bool row_major_strides(std::span<const std::int64_t> sizes, std::span<std::int64_t> strides) {
  std::int64_t step = 1;
  for (std::size_t axis = sizes.size(); axis-- > 0;) {
    strides[axis] = step;
    if (axis > 0 && __builtin_mul_overflow(step, std::max<std::int64_t>(sizes[axis], 1), &step)) {
      return false;
    }
  }
  return true;
}

void collapse(const LayoutView& layout, Axes& axes) {
  for (std::size_t i = 0; i < layout.sizes.size(); ++i) {
    const Axis axis{layout.sizes[i], layout.strides[i]};
    if (axis.count == 1) continue;
    std::int64_t whole = 0;
    if (!axes.empty() && !__builtin_mul_overflow(axis.count, axis.step, &whole) &&
        axes.back().step == whole) {
      axes.back() = {axes.back().count * axis.count, axis.step};
    } else {
      axes.push_back(axis);
    }
  }
}

void find_common_axes(Axes read, Axes write, Loops& loops, std::vector<Seam>& seams) {
  // Innermost first until the end.
  while (!read.empty()) {
    const std::int64_t factor = read.back().count == write.back().count
                                    ? read.back().count
                                    : std::gcd(read.back().count, write.back().count);
    if (factor > 1) {
      loops.push_back({factor, read.back().step, write.back().step});
      take_inner(read, factor);
      take_inner(write, factor);
      continue;
    }
    Seam seam = take_seam(read, write);
    for (std::int64_t outer = 0;
         (outer = std::gcd(seam.read.front().count, seam.write.front().count)) > 1;) {
      seam.length /= outer;
      const std::int64_t source_stride = take_outer(seam.read, outer);
      const std::int64_t destination_stride = take_outer(seam.write, outer);
      loops.push_back({outer, source_stride, destination_stride});
    }
    seams.push_back(std::move(seam));
  }
  std::reverse(loops.begin(), loops.end());
  std::reverse(seams.begin(), seams.end());
}

namespace {

// Looks for two elements at one position: differences of indices, not all 0, that cancel.
class Collision {
 public:
  explicit Collision(const Axes& axes) : axes_(axes) {
    for (Axis& axis : axes_) axis.step = std::abs(axis.step);
    sort_few(axes_, [](const Axis& left, const Axis& right) { return left.step > right.step; });
    reach_.resize(axes_.size() + 1);
    for (std::size_t i = axes_.size(); i-- > 0;) {
      reach_[i] = reach_[i + 1] + (axes_[i].count - 1) * axes_[i].step;
    }
  }

  // True when there is one, or when the search takes too long. The common case needs no search:
  // each axis steps over all that the smaller ones reach, so there is none.
  bool possible() {
    bool nested = true;
    for (std::size_t i = 0; i < axes_.size(); ++i) nested &= axes_[i].step > reach_[i + 1];
    return !nested && cancels(0, 0, false);
  }

 private:
  // Whether axes from `at` on can bring `sum` to 0; the larger steps have been chosen.
  bool cancels(std::size_t at, std::int64_t sum, bool moved) {
    if (at == axes_.size()) return moved && sum == 0;
    const auto [count, step] = axes_[at];
    if (step == 0) return true;
    const std::int64_t rest = reach_[at + 1];
    // |sum + d * step| has to be within reach of the remaining axes. The first d that is not 0
    // may be taken positive, because a collision and its mirror image are the same.
    std::int64_t low = std::max(-(count - 1), -((sum + rest) / step));
    const std::int64_t high = std::min(count - 1, (rest - sum) / step);
    if (!moved) low = std::max<std::int64_t>(low, 0);
    for (std::int64_t d = low; d <= high; ++d) {
      if (--patience_ < 0) return true;
      const std::int64_t next = sum + d * step;
      if (std::abs(next) <= rest && cancels(at + 1, next, moved || d != 0)) return true;
    }
    return false;
  }

  Axes axes_;
  InlineVector<std::int64_t, 9> reach_;  // of the axes from this one on
  int patience_ = 1 << 18;
};

}  // namespace

bool non_overlapping(const Axes& axes) {
  if (axes.empty()) return true;
  if (axes.size() == 1) return axes[0].step != 0;
  return !Collision(axes).possible();
}

}  // namespace reshape::optimized
