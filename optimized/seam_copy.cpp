#include "optimized/seam_copy.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "optimized/kernels/work.h"

namespace reshape::optimized {
namespace {

template <std::size_t kBytes>
void move_block(std::byte* to, const std::byte* from) {
  std::byte block[kBytes];
  std::memcpy(block, from, kBytes);
  std::memcpy(to, block, kBytes);
}

// Consecutive bytes, most often a few: blocks of known size, of which the last may overlap the one before,
// cost less than a call of memcpy.
void copy_run(std::byte* to, const std::byte* from, std::int64_t bytes) {
  constexpr std::int64_t kShort = 256;
  if (bytes > kShort) {
    std::memcpy(to, from, static_cast<std::size_t>(bytes));
  } else if (bytes >= 16) {
    for (std::int64_t at = 0; at < bytes - 16; at += 16) move_block<16>(to + at, from + at);
    move_block<16>(to + bytes - 16, from + bytes - 16);
  } else if (bytes >= 8) {
    move_block<8>(to, from);
    move_block<8>(to + bytes - 8, from + bytes - 8);
  } else {
    for (std::int64_t at = 0; at < bytes; ++at) to[at] = from[at];
  }
}

// How many neighbours each position of the seams stands for: 0 where it is not only those.
std::int64_t neighbours(const LoopNest& nest) {
  if (nest.loops.empty()) return 1;
  const Loop& loop = nest.loops[0];
  const bool dense = loop.source_stride == 1 && loop.destination_stride == 1;
  return nest.loops.size() == 1 && dense ? loop.count : 0;
}

// One axis inside another, the inner one without gaps: how far along it, and where that is.
struct Row {
  std::int64_t length, step, cell, left, start;

  Row(const Axes& axes, std::int64_t at)
      : length(axes[1].count),
        step(axes[0].step),
        cell(axes[1].step),
        left(length - at % length),
        start(at / length * step) {}
  std::int64_t place() const { return start + (length - left) * cell; }
  void advance(std::int64_t count) {
    left -= count;
    if (left > 0) return;
    left = length;
    start += step;
  }
};

// Whether the plan is rows on both sides that are cut differently, as most seams are.
bool of_rows(const CopyPlan& plan) {
  const auto is_row = [cell = neighbours(plan.nest)](const Axes& axes) {
    return axes.size() == 2 && axes[1].step == cell;
  };
  return plan.seams.size() == 1 && is_row(plan.seams[0].read) && is_row(plan.seams[0].write);
}

// Calls copy(read, write, count) for each run of `count` neighbouring elements at positions [begin, end).
template <typename Copy>
void over_rows(const Seam& seam, std::int64_t begin, std::int64_t end, Copy copy) {
  Row read(seam.read, begin), write(seam.write, begin);
  while (begin < end) {
    const std::int64_t count = std::min({read.left, write.left, end - begin});
    copy(read.place(), write.place(), count * read.cell);
    read.advance(count);
    write.advance(count);
    begin += count;
  }
}

template <typename Element>
void copy_runs(const CopyPlan& plan, std::int64_t begin, std::int64_t end, const std::byte* read,
               std::byte* write) {
  constexpr auto size = static_cast<std::int64_t>(sizeof(Element));
  read += plan.nest.read_offset * size;
  write += plan.nest.write_offset * size;
  if (of_rows(plan)) {
    return over_rows(plan.seams[0], begin, end,
                     [&](std::int64_t from, std::int64_t to, std::int64_t count) {
                       copy_run(write + to * size, read + from * size, count * size);
                     });
  }
  for (SeamWalk walk(plan.seams, begin, end); walk.more(); walk.next()) {
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

// Half bytes: two runs may share a byte, so one thread copies them all.
void copy_halves(const CopyPlan& plan, const std::byte* read, std::byte* write,
                 const Target& target) {
  const Run copy = half_byte_runs()[target.slot];
  const auto copy_run_of = [&](std::int64_t from, std::int64_t to, std::int64_t count) {
    from += plan.nest.read_offset;
    to += plan.nest.write_offset;
    Work work;
    work.run = count;
    work.read_half = static_cast<int>(from & 1);
    work.write_half = static_cast<int>(to & 1);
    copy(work, read + (from >> 1), write + (to >> 1));
  };
  over_rows(plan.seams[0], 0, SeamWalk::positions(plan.seams), copy_run_of);
}

}  // namespace

bool copied_run_by_run(const CopyPlan& plan, const std::byte* read_base, std::byte* write_base,
                       ThreadPool* pool, const Target& target) {
  if (plan.seams.empty() || (!plan.nest.loops.empty() && !of_rows(plan))) return false;
  if (plan.nest.bits < 8) {
    if (!of_rows(plan)) return false;
    copy_halves(plan, read_base, write_base, target);
    return true;
  }
  const auto copy = [&](std::int64_t begin, std::int64_t end) {
    switch (plan.nest.bits) {
      case 8: return copy_runs<std::uint8_t>(plan, begin, end, read_base, write_base);
      case 16: return copy_runs<std::uint16_t>(plan, begin, end, read_base, write_base);
      case 32: return copy_runs<std::uint32_t>(plan, begin, end, read_base, write_base);
      default: return copy_runs<std::uint64_t>(plan, begin, end, read_base, write_base);
    }
  };
  // A piece has to be worth fetching.
  constexpr std::int64_t kBytesPerPiece = 256 << 10, kMostPieces = 256;
  const std::int64_t positions = SeamWalk::positions(plan.seams);
  const std::int64_t bytes =
      positions * std::max<std::int64_t>(neighbours(plan.nest), 1) * plan.nest.bits / 8;
  const std::int64_t pieces = std::min(kMostPieces, bytes / kBytesPerPiece);
  if (pool == nullptr || pool->threads() < 2 || pieces < 2) {
    copy(0, positions);
    return true;
  }
  pool->run(static_cast<int>(pieces), [&](int piece) {
    copy(positions / pieces * piece,
         piece + 1 == pieces ? positions : positions / pieces * (piece + 1));
  });
  return true;
}

}  // namespace reshape::optimized
