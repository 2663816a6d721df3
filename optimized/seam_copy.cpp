#include "optimized/seam_copy.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "optimized/kernels/machine.h"
#include "optimized/row_mover.h"
#include "optimized/seam_of_half_bytes.h"
#include "optimized/seam_rows.h"
#include "optimized/seam_stage.h"
#include "optimized/share_out.h"

namespace reshape::optimized {
namespace {

// Runs between the cuts of two row lengths have all lengths, and each costs mispredicted branches.
// So the rows of one side, which have equal lengths, are first gathered in a stage that stays in
// the L1 cache (or in a long row of the other side), and scattered to the rows of the other side
// from there.
class SeamCopy {
 public:
  SeamCopy(const SeamOfRows& seam, bool stream, const Target& target)
      : seam_(seam),
        stream_(stream),
        by_runs_(std::min(seam.read.length, seam.write.length) >= kLong),
        most_(seam.write.length < kStage ? kStage / seam.write.length * seam.write.length : kStage),
        gathers_(seam.read, RowMover::Way::gathers, most_, is_few(seam), false, target),
        deals_(seam.write, RowMover::Way::deals, most_, is_few(seam), stream, target) {}

  // Bytes [begin, end) of all that the loops around the seam go through.
  void copy(std::int64_t begin, std::int64_t end, const std::byte* read, std::byte* write) const {
    read += seam_.read_offset;
    write += seam_.write_offset;
    while (begin < end) {
      const std::int64_t time = begin / seam_.length;
      const std::int64_t start = time * seam_.length, stop = std::min(end, start + seam_.length);
      const auto [from, to] = seam_.offsets_at(time);
      once(begin - start, stop - start, read + from, write + to);
      begin = stop;
    }
    if (stream_) flush_streams();
  }

 private:
  static constexpr std::int64_t kStage = 8 << 10;

  // Rows of this length are copied run by run.
  static constexpr std::int64_t kLong = 512;

  static bool is_few(const SeamOfRows& seam) {
    constexpr std::int64_t kFew = 200;
    const std::int64_t rows = seam.length / seam.read.length + seam.length / seam.write.length;
    return rows * seam.times <= kFew;
  }

  void once(std::int64_t begin, std::int64_t end, const std::byte* read, std::byte* write) const {
    if (by_runs_) {
      return over_runs(seam_.read, seam_.write, begin, end,
                       [&](std::int64_t from, std::int64_t to, std::int64_t count) {
                         copy_run(write + to, read + from, count);
                       });
    }
    const Rows &from = seam_.read, &to = seam_.write;
    if (from.length >= kStage) {
      for (std::int64_t stop = begin; begin < end; begin = stop) {
        stop = std::min(end, (begin / from.length + 1) * from.length);
        deals_.move(begin, stop, read + begin / from.length * from.step + begin % from.length,
                    write);
      }
      return;
    }
    if (to.length >= kStage && !stream_) {
      for (std::int64_t stop = begin; begin < end; begin = stop) {
        stop = std::min(end, (begin / to.length + 1) * to.length);
        gathers_.move(begin, stop, read, write + begin / to.length * to.step + begin % to.length);
      }
      return;
    }
    alignas(64) std::byte stage[kStage];
    for (std::int64_t stop = begin; begin < end; begin = stop) {
      stop = std::min(begin + most_, end);
      gathers_.move(begin, stop, read, stage);
      deals_.move(begin, stop, stage, write);
    }
  }

  const SeamOfRows& seam_;
  bool stream_, by_runs_;
  std::int64_t most_;  // bytes in the stage: whole rows of the output, where they fit
  RowMover gathers_, deals_;
};

// For few elements, without loops around the seams. Out of line: a walk that is compiled into its
// caller takes a seventh longer.
template <typename Element>
[[gnu::noinline]] void copy_elements(const CopyPlan& plan, const std::byte* read,
                                     std::byte* write) {
  constexpr auto size = static_cast<std::int64_t>(sizeof(Element));
  read += plan.nest.read_offset * size;
  write += plan.nest.write_offset * size;
  for (SeamWalk walk(plan.seams); walk.more(); walk.next()) {
    const SeamWalk::Run& run = walk.run();
    const std::byte* from = read + run.read_offset * size;
    std::byte* to = write + run.write_offset * size;
    const Loop& loop = run.loop;
    if (loop.source_stride == 1 && loop.destination_stride == 1) {
      copy_run(to, from, loop.count * size);
      continue;
    }
    for (std::int64_t i = 0; i < loop.count; ++i) {
      move_block<sizeof(Element)>(to + i * loop.destination_stride * size,
                                  from + i * loop.source_stride * size);
    }
  }
}

// Whether the nest's elements lie in long rows: copying these at each position of the seams takes
// no longer than copying them twice, by way of a stage.
bool in_long_rows(const LoopNest& nest) {
  constexpr std::int64_t kLong = 32, kLongOnOneSide = 64;
  return std::ranges::any_of(nest.loops, [&](const Loop& loop) {
    const std::int64_t bytes = loop.count * nest.bits / 8;
    const bool reads_a_row = loop.source_stride == 1, writes_a_row = loop.destination_stride == 1;
    return reads_a_row && writes_a_row ? bytes >= kLong
                                       : (reads_a_row || writes_a_row) && bytes >= kLongOnOneSide;
  });
}

std::int64_t elements_of(const CopyPlan& plan) {
  std::int64_t elements = SeamWalk::positions(plan.seams);
  for (const Loop& loop : plan.nest.loops) elements *= loop.count;
  return elements;
}

enum class Way : std::uint8_t { rows, elements, staged, runs };

// Short seams that are repeated go through the stage together, and tiny ones are walked with the
// loops around them inside. Choosing kernels would take longer than copying few elements.
Way way_of(const CopyPlan& plan, const std::optional<SeamOfRows>& seam) {
  constexpr std::int64_t kTiny = 32, kShortHalfBytes = 256, kMany = 16;
  const std::int64_t tiny = plan.nest.bits < 8 ? kShortHalfBytes : kTiny;
  if (seam && seam->times > kMany && seam->length < tiny) return Way::runs;
  if (plan.nest.bits < 8) return seam ? Way::rows : Way::runs;
  constexpr std::int64_t kShort = 2 << 10, kOften = 8, kFew = 256;
  const std::int64_t elements = elements_of(plan);
  const bool long_rows = in_long_rows(plan.nest);
  if (seam && (seam->times < kOften || seam->length >= kShort || long_rows ||
               elements <= kFew + kFew / 2)) {
    return Way::rows;
  }
  if (elements <= kFew && plan.nest.loops.empty()) return Way::elements;
  return long_rows ? Way::runs : Way::staged;
}

}  // namespace

std::string_view way_of_seams(const CopyPlan& plan) {
  switch (way_of(plan, SeamOfRows::of(plan))) {
    case Way::rows: return "row by row";
    case Way::elements: return "element by element";
    case Way::staged: return "by way of a stage in which they are dense";
    case Way::runs: break;
  }
  return "run by run, each by a kernel for its length";
}

bool copied_run_by_run(const CopyPlan& plan, const std::byte* read, std::byte* write,
                       ThreadPool* pool, const Target& target, std::optional<bool> stream) {
  if (plan.seams.empty()) return false;
  const std::optional<SeamOfRows> seam = SeamOfRows::of(plan);
  const Way way = way_of(plan, seam);
  if (way == Way::runs) return false;
  if (plan.nest.bits < 8) {
    copy_half_bytes(*seam, read, write, target);
    return true;
  }
  const std::int64_t bytes = elements_of(plan) * plan.nest.bits / 8;
  const int threads = pool == nullptr ? 1 : pool->threads();
  const bool streams = stream.value_or(2 * bytes > stream_from(threads));
  if (way == Way::rows) {
    const SeamCopy seams(*seam, streams, target);
    share_out(bytes, seam->write.length, 1, pool,
              [&](std::int64_t begin, std::int64_t end) { seams.copy(begin, end, read, write); });
  } else if (way == Way::staged) {
    copy_through_stage(plan, read, write, pool, target, streams);
  } else {
    switch (plan.nest.bits) {
      case 8: copy_elements<std::uint8_t>(plan, read, write); break;
      case 16: copy_elements<std::uint16_t>(plan, read, write); break;
      case 32: copy_elements<std::uint32_t>(plan, read, write); break;
      default: copy_elements<std::uint64_t>(plan, read, write);
    }
  }
  return true;
}

}  // namespace reshape::optimized
