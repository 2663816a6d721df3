#include <algorithm>

#include "optimized/plan.h"

namespace reshape::optimized {

namespace {

// Where position `at` of a seam lies along one side's axes.
std::int64_t offset_along(const Axes& axes, std::int64_t at) {
  std::int64_t offset = 0;
  for (std::size_t i = axes.size(); i-- > 0;) {
    offset += at % axes[i].count * axes[i].step;
    at /= axes[i].count;
  }
  return offset;
}

// Positions from `at` on, up to where the innermost axis ends.
std::int64_t left_on(const Axis& axis, std::int64_t at) { return axis.count - at % axis.count; }

}  // namespace

std::int64_t SeamWalk::positions(const std::vector<Seam>& seams) {
  std::int64_t product = 1;
  for (const Seam& seam : seams) product *= seam.length;
  return product;
}

SeamWalk::SeamWalk(const std::vector<Seam>& seams, std::int64_t begin, std::int64_t end)
    : seams_(seams), at_(begin), end_(end) {
  if (more()) find_run();
}

void SeamWalk::next() {
  at_ += run_.loop.count;
  if (more()) find_run();
}

void SeamWalk::find_run() {
  run_ = {};
  if (seams_.empty()) return;
  std::int64_t at = at_;
  for (std::size_t i = seams_.size(); i-- > 0;) {
    const std::int64_t within = at % seams_[i].length;
    at /= seams_[i].length;
    run_.read_offset += offset_along(seams_[i].read, within);
    run_.write_offset += offset_along(seams_[i].write, within);
  }
  const Axis& read = seams_.back().read.back();
  const Axis& write = seams_.back().write.back();
  // The innermost seam's length is a multiple of both counts, so a run never passes its end.
  Loop& loop = run_.loop;
  loop = {std::min({left_on(read, at_), left_on(write, at_), end_ - at_}), read.step, write.step};
  if (loop.destination_stride < 0) {
    run_.read_offset += (loop.count - 1) * loop.source_stride;
    run_.write_offset += (loop.count - 1) * loop.destination_stride;
    loop.source_stride = -loop.source_stride;
    loop.destination_stride = -loop.destination_stride;
  }
}

}  // namespace reshape::optimized
