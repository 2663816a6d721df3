#include "optimized/seam_rows.h"

namespace reshape::optimized {

std::optional<SeamOfRows> SeamOfRows::of(const CopyPlan& plan) {
  if (plan.seams.size() != 1) return std::nullopt;
  const Seam& seam = plan.seams[0];
  SeamOfRows made;
  made.around = plan.nest.loops;
  std::int64_t neighbours = 1;  // elements at each position of the seam
  if (!made.around.empty() && made.around.back().source_stride == 1 &&
      made.around.back().destination_stride == 1) {
    neighbours = made.around.back().count;
    made.around.pop_back();
  }
  const std::int64_t units = plan.nest.bits < 8 ? 1 : plan.nest.bits / 8;
  const auto is_rows = [&](const Axes& axes, Rows& rows) {
    if (axes.size() != 2 || axes[1].step != neighbours) return false;
    rows = {axes[1].count * neighbours * units, axes[0].step * units};
    return true;
  };
  if (!is_rows(seam.read, made.read) || !is_rows(seam.write, made.write)) return std::nullopt;
  made.length = seam.length * neighbours * units;
  made.read_offset = plan.nest.read_offset * units;
  made.write_offset = plan.nest.write_offset * units;
  for (Loop& loop : made.around) {
    loop.source_stride *= units;
    loop.destination_stride *= units;
    made.times *= loop.count;
  }
  return made;
}

std::pair<std::int64_t, std::int64_t> SeamOfRows::offsets_at(std::int64_t time) const {
  std::int64_t from = 0, to = 0;
  for (std::size_t i = around.size(); i-- > 0;) {
    from += time % around[i].count * around[i].source_stride;
    to += time % around[i].count * around[i].destination_stride;
    time /= around[i].count;
  }
  return {from, to};
}

}  // namespace reshape::optimized
