#include "optimized/row_mover.h"

#include "optimized/kernels/table.h"

namespace reshape::optimized {

RowMover::RowMover(const Rows& rows, Way way, std::int64_t most, bool few, bool stream,
                   const Target& target)
    : rows_(rows), way_(way), stream_(stream), slot_(target.slot) {
  all_.count = most / rows.length;
  all_.read = way == Way::gathers ? rows.step : rows.length;
  all_.write = way == Way::gathers ? rows.length : rows.step;
  if (few || all_.count < 2 || all_.write <= 0) return;
  UnitNest nest;
  nest.run = rows.length;
  nest.loops.push_back(all_);
  const Choice choice = choose(nest, {target});
  if (choice.arrangement.outer.empty()) copy_ = choice.kernel->run[slot_];
}

void RowMover::move(std::int64_t begin, std::int64_t end, const std::byte* read,
                    std::byte* write) const {
  over_rows(rows_, begin, end,
            [&](std::int64_t place, std::int64_t at, std::int64_t run, std::int64_t count) {
              const bool gathers = way_ == Way::gathers;
              const std::byte* from = read + (gathers ? place : at);
              std::byte* to = write + (gathers ? at : place);
              if (copy_ != nullptr && count > 1) return move_whole(count, from, to);
              for (; count > 0; --count, from += all_.read, to += all_.write) {
                move_one(run, from, to);
              }
            });
}

void RowMover::move_whole(std::int64_t count, const std::byte* from, std::byte* to) const {
  const Step rows{count, all_.read, all_.write};
  Work work;
  work.run = rows_.length;
  work.loops = {&rows, 1};
  work.whole = 2 * rows_.length * count;
  work.stream = stream_;
  copy_(work, from, to);
}

// A row, or a part of one.
void RowMover::move_one(std::int64_t bytes, const std::byte* from, std::byte* to) const {
  constexpr std::int64_t kWorthStreaming = 512;
  if (stream_ && bytes >= kWorthStreaming) {
    stage_sends()[slot_](from, to, bytes, Soon{});
  } else {
    copy_run(to, from, bytes);
  }
}

}  // namespace reshape::optimized
