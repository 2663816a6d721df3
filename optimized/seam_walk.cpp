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

}  // namespace

std::int64_t SeamWalk::positions(const std::vector<Seam>& seams) {
  std::int64_t product = 1;
  for (const Seam& seam : seams) product *= seam.length;
  return product;
}

void SeamWalk::Place::go_to_begin(const Axes& axes) {
  index.clear();
  index.resize(axes.size());
  offset = 0;
}

void SeamWalk::Place::advance(const Axes& axes, std::int64_t count) {
  std::size_t axis = axes.size() - 1;
  index[axis] += count;
  offset += count * axes[axis].step;
  for (; axis > 0 && index[axis] == axes[axis].count; --axis) {
    index[axis] = 0;
    offset -= axes[axis].count * axes[axis].step;
    ++index[axis - 1];
    offset += axes[axis - 1].step;
  }
}

void SeamWalk::next() {
  const std::int64_t count = run_.loop.count;
  at_ += count;
  if (!more()) return;
  if (seams_.empty() || count == left_) return start();
  left_ -= count;
  read_.advance(seams_.back().read, count);
  write_.advance(seams_.back().write, count);
  find_run();
}

// The outer seams stand still until the innermost one has been walked through.
void SeamWalk::start() {
  run_ = {};
  if (seams_.empty()) return;
  std::int64_t at = at_ / seams_.back().length;
  outer_read_ = outer_write_ = 0;
  for (std::size_t i = seams_.size() - 1; i-- > 0;) {
    const std::int64_t within = at % seams_[i].length;
    at /= seams_[i].length;
    outer_read_ += offset_along(seams_[i].read, within);
    outer_write_ += offset_along(seams_[i].write, within);
  }
  left_ = seams_.back().length;
  read_.go_to_begin(seams_.back().read);
  write_.go_to_begin(seams_.back().write);
  find_run();
}

void SeamWalk::find_run() {
  const Axis& read = seams_.back().read.back();
  const Axis& write = seams_.back().write.back();
  run_.read_offset = outer_read_ + read_.offset;
  run_.write_offset = outer_write_ + write_.offset;
  // The innermost seam's length is a multiple of both counts, so a run never passes its end.
  Loop& loop = run_.loop;
  loop = {std::min(read.count - read_.index.back(), write.count - write_.index.back()), read.step,
          write.step};
  if (loop.destination_stride < 0) {
    run_.read_offset += (loop.count - 1) * loop.source_stride;
    run_.write_offset += (loop.count - 1) * loop.destination_stride;
    loop.source_stride = -loop.source_stride;
    loop.destination_stride = -loop.destination_stride;
  }
}

}  // namespace reshape::optimized
