#include "optimized/seam_copy.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

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

template <typename Element>
void copy_runs(const CopyPlan& plan, std::int64_t begin, std::int64_t end, const std::byte* read,
               std::byte* write) {
  constexpr auto size = static_cast<std::int64_t>(sizeof(Element));
  read += plan.nest.read_offset * size;
  write += plan.nest.write_offset * size;
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

}  // namespace

bool copied_run_by_run(const CopyPlan& plan, const std::byte* read_base, std::byte* write_base,
                       ThreadPool* pool) {
  if (plan.seams.empty() || !plan.nest.loops.empty() || plan.nest.bits < 8) return false;
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
  const std::int64_t bytes = positions * plan.nest.bits / 8;
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
