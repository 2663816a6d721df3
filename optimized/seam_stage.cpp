#include "optimized/seam_stage.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>

#include "optimized/execute.h"
#include "optimized/share_out.h"
#include "optimized/small_copy.h"

namespace reshape::optimized {
namespace {

constexpr std::int64_t kStage = 64 << 10;  // bytes

// All axes of one side, outermost first: the loops of the nest and the seams' axes.
struct OneSide {
  Axes axes;
  std::int64_t offset = 0;
};

// The loops and the seams in one order for both sides: by how the writer goes along them.
struct Sides {
  OneSide read, write;

  explicit Sides(const CopyPlan& plan) {
    struct Part {
      std::int64_t step;
      const Loop* loop;
      const Seam* seam;
    };
    InlineVector<Part, 16> parts;
    for (const Loop& loop : plan.nest.loops) {
      parts.push_back({loop.destination_stride, &loop, nullptr});
    }
    for (const Seam& seam : plan.seams) {
      std::int64_t least = INT64_MAX;
      for (const Axis& axis : seam.write) least = std::min(least, std::abs(axis.step));
      parts.push_back({least, nullptr, &seam});
    }
    std::ranges::stable_sort(parts, std::ranges::greater(), &Part::step);
    read.offset = plan.nest.read_offset;
    write.offset = plan.nest.write_offset;
    for (const Part& part : parts) {
      if (part.loop != nullptr) {
        read.axes.push_back({part.loop->count, part.loop->source_stride});
        write.axes.push_back({part.loop->count, part.loop->destination_stride});
      } else {
        for (const Axis& axis : part.seam->read) read.axes.push_back(axis);
        for (const Axis& axis : part.seam->write) write.axes.push_back(axis);
      }
    }
  }
};

std::int64_t positions(std::span<const Axis> axes) {
  std::int64_t count = 1;
  for (const Axis& axis : axes) count *= axis.count;
  return count;
}

// Calls visit(offset, at, outer, inner) for boxes that together cover positions [begin, end) of the
// axes' row-major order: `outer` steps of the axis in front of all the `inner` ones, from `offset`
// on, `at` positions behind the first.
template <typename Visit>
void over_boxes(std::span<const Axis> axes, std::int64_t offset, std::int64_t at,
                std::int64_t begin, std::int64_t end, const Visit& visit) {
  const std::span<const Axis> inner = axes.subspan(1);
  const std::int64_t each = positions(inner), step = axes[0].step;
  std::int64_t first = begin / each;
  const auto part = [&](std::int64_t from, std::int64_t to) {
    over_boxes(inner, offset + first * step, at, from, to, visit);
    at += to - from;
    ++first;
  };
  if (begin % each != 0) part(begin % each, std::min(each, end - first * each));
  const std::int64_t whole = end / each - first;
  if (whole > 0) {
    visit(offset + first * step, at, Axis{whole, step}, inner);
    at += whole * each;
    first += whole;
  }
  if (first * each < end) part(0, end - first * each);
}

// The boxes of one side, to the stage or from it.
class Boxes {
 public:
  Boxes(const OneSide& side, bool to_stage, int bits, const Target& target, bool stream)
      : side_(side), to_stage_(to_stage), bits_(bits), target_(target), stream_(stream) {}

  void copy(std::int64_t begin, std::int64_t end, const std::byte* read, std::byte* write) {
    over_boxes(
        {side_.axes.data(), side_.axes.size()}, side_.offset, 0, begin, end,
        [&](std::int64_t offset, std::int64_t at, const Axis& outer, std::span<const Axis> inner) {
          LoopNest nest;
          nest.bits = bits_;
          std::int64_t dense = positions(inner);
          add(nest, outer, dense);
          for (const Axis& axis : inner) add(nest, axis, dense /= axis.count);
          const std::int64_t from = to_stage_ ? offset : at, to = to_stage_ ? at : offset;
          one(nest, read, from, write, to, 2 * outer.count * positions(inner) > end - begin);
        });
  }

 private:
  void add(LoopNest& nest, const Axis& axis, std::int64_t dense) const {
    nest.loops.push_back(
        {axis.count, to_stage_ ? axis.step : dense, to_stage_ ? dense : axis.step});
  }

  // `often`: most of a piece is like this, and so are probably the next ones.
  void one(LoopNest& nest, const std::byte* read, std::int64_t from, std::byte* write,
           std::int64_t to, bool often) {
    if (is_small(nest)) {
      nest.read_offset = from;
      nest.write_offset = to;
      copied_small(nest, read, write);
    } else if (!often) {
      prepared(nest).run(read, from, write, to, nullptr);
    } else {
      if (!known_ || !std::ranges::equal(known_->loops, nest.loops)) {
        known_.emplace(Known{nest.loops, prepared(nest)});
      }
      known_->copy.run(read, from, write, to, nullptr);
    }
  }

  PreparedCopy prepared(const LoopNest& nest) const {
    PreparedCopy copy(nest, target_);
    copy.force_streaming(stream_);
    return copy;
  }

  struct Known {
    Loops loops;
    PreparedCopy copy;
  };

  const OneSide& side_;
  bool to_stage_;
  int bits_;
  const Target& target_;
  bool stream_;
  std::optional<Known> known_;
};

// How many positions go through the stage at a time: as many of the writer's innermost axes as fit,
// and whole steps of the next one.
std::int64_t piece_of(const Axes& axes, std::int64_t most) {
  std::int64_t inside = 1;
  for (std::size_t i = axes.size(); i-- > 0 && inside * axes[i].count <= most;) {
    inside *= axes[i].count;
  }
  return most / inside * inside;
}

}  // namespace

void copy_through_stage(const CopyPlan& plan, const std::byte* read, std::byte* write,
                        ThreadPool* pool, const Target& target, bool stream) {
  const Sides sides(plan);
  const int bits = plan.nest.bits;
  const std::int64_t size = bits / 8;
  const std::int64_t all = positions({sides.write.axes.data(), sides.write.axes.size()});
  const std::int64_t piece = std::min(all, piece_of(sides.write.axes, kStage / size));
  share_out(all, piece, size, pool, [&](std::int64_t begin, std::int64_t end) {
    alignas(64) std::byte stage[kStage];
    Boxes gathers(sides.read, true, bits, target, false);
    Boxes deals(sides.write, false, bits, target, stream);
    for (std::int64_t stop = begin; begin < end; begin = stop) {
      stop = std::min(begin + piece, end);
      gathers.copy(begin, stop, read, stage);
      deals.copy(begin, stop, stage, write);
    }
  });
}

}  // namespace reshape::optimized
