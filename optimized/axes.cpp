#include "optimized/axes.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace reshape::optimized {

namespace {

using Wide = __int128;

// Takes the innermost `count` of the innermost axis off.
void take_inner(std::vector<Axis>& axes, std::int64_t count) {
  Axis& inner = axes.back();
  inner.count /= count;
  if (inner.count == 1) {
    axes.pop_back();
  } else {
    inner.step *= count;
  }
}

// Takes the outermost `count` of the outermost axis off and says by how much they step.
std::int64_t take_outer(std::vector<Axis>& axes, std::int64_t count) {
  Axis& outer = axes.front();
  outer.count /= count;
  const std::int64_t step = outer.count * outer.step;
  if (outer.count == 1) axes.erase(axes.begin());
  return step;
}

// The innermost axes of both sides up to the first boundary that both have. The innermost counts
// are coprime, so that no loop fits between.
Seam take_seam(std::vector<Axis>& read, std::vector<Axis>& write) {
  const auto count_of = [](const std::vector<Axis>& axes, std::size_t taken) {
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
  const auto move_inner = [](std::vector<Axis>& from, std::size_t count) {
    const auto first = from.end() - static_cast<std::ptrdiff_t>(count);
    std::vector<Axis> moved(first, from.end());
    from.erase(first, from.end());
    return moved;
  };
  return {read_length, move_inner(read, reads), move_inner(write, writes)};
}

}  // namespace

std::vector<Axis> collapsed_axes(const Layout& layout) {
  std::vector<Axis> axes;
  for (std::size_t i = 0; i < layout.shape.rank(); ++i) {
    const Axis axis{layout.shape[i], layout.strides[i]};
    if (axis.count == 1) continue;
    if (!axes.empty() && Wide{axes.back().step} == Wide{axis.count} * axis.step) {
      axes.back() = {axes.back().count * axis.count, axis.step};
    } else {
      axes.push_back(axis);
    }
  }
  return axes;
}

CommonAxes common_axes(std::vector<Axis> read, std::vector<Axis> write) {
  CommonAxes common;  // innermost first until the end
  while (!read.empty()) {
    const std::int64_t factor = std::gcd(read.back().count, write.back().count);
    if (factor > 1) {
      common.loops.push_back({factor, read.back().step, write.back().step});
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
      common.loops.push_back({outer, source_stride, destination_stride});
    }
    common.seams.push_back(std::move(seam));
  }
  std::reverse(common.loops.begin(), common.loops.end());
  std::reverse(common.seams.begin(), common.seams.end());
  return common;
}

std::optional<ElementRange> extent(const Layout& layout) {
  if (is_empty(layout.shape)) return ElementRange{};
  constexpr Wide kReach = Wide{1} << 56;  // 2^62 bits of 64-bit elements
  Wide first = layout.offset;
  Wide last = layout.offset;
  for (std::size_t axis = 0; axis < layout.shape.rank(); ++axis) {
    const Wide reach = Wide{layout.shape[axis] - 1} * layout.strides[axis];
    (reach < 0 ? first : last) += reach;
    if (first < -kReach || last > kReach) return std::nullopt;
  }
  if (first < -kReach || last > kReach) return std::nullopt;
  return ElementRange{static_cast<std::int64_t>(first), static_cast<std::int64_t>(last)};
}

namespace {

// Looks for two elements at one position: differences of indices, not all 0, that cancel.
class Collision {
 public:
  explicit Collision(std::vector<Axis> axes) : axes_(std::move(axes)), reach_(axes_.size() + 1) {
    for (Axis& axis : axes_) axis.step = std::abs(axis.step);
    std::sort(axes_.begin(), axes_.end(),
              [](const Axis& left, const Axis& right) { return left.step > right.step; });
    for (std::size_t i = axes_.size(); i-- > 0;) {
      reach_[i] = reach_[i + 1] + (axes_[i].count - 1) * axes_[i].step;
    }
  }

  // True when there is one, or when the search has become too long.
  bool possible() { return cancels(0, 0, false); }

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

  std::vector<Axis> axes_;
  std::vector<std::int64_t> reach_;
  int patience_ = 1 << 18;
};

}  // namespace

bool non_overlapping(const Layout& layout) {
  if (is_empty(layout.shape)) return true;
  return !Collision(collapsed_axes(layout)).possible();
}

}  // namespace reshape::optimized
