#include "optimized/kernels/share.h"

#include <algorithm>

namespace reshape::optimized {
namespace {

// The stage's size in bytes: it stays in the L2 cache.
constexpr std::int64_t kStage = 32 << 10;
// Shorter blocks are joined up to about this.
constexpr std::int64_t kJoined = 8 << 10;
// Blocks shorter than this would write more lines in parts than whole.
constexpr std::int64_t kShortest = 512;

}  // namespace

// A block that writes steps * bytes consecutive bytes: the outer loops from `depth` on, and `steps`
// steps of the one before them.
struct Share::Block {
  std::size_t depth = 0;  // 0: there is none
  std::int64_t steps = 1;
  std::int64_t bytes = 0;
  // The range that a step reads, from where it begins; empty where most of it is not read.
  std::int64_t read_begin = 0, read_end = 0;
};

Share::Block Share::block() const {
  // A kernel's loops come in any order, and a thread's share of one may be a single step.
  Steps inside;
  for (const Step& loop : work.loops) {
    if (loop.count > 1) inside.push_back(loop);
  }
  sort_few(inside, [](const Step& a, const Step& b) { return a.write < b.write; });

  Block block;
  block.bytes = work.run;
  std::int64_t begin = 0, end = work.run;
  const auto add = [&](const Step& loop) {
    if (loop.write != block.bytes || loop.count > kStage / block.bytes) return false;
    block.bytes *= loop.count;
    (loop.read < 0 ? begin : end) += loop.read * (loop.count - 1);
    return true;
  };
  if (!std::ranges::all_of(inside, add)) return {};
  std::size_t depth = outer.size();
  while (depth > 0 && add(outer[depth - 1])) --depth;
  if (depth == 0) return {};
  const Step& around = outer[depth - 1];
  if (around.write == block.bytes) {
    block.steps = std::clamp<std::int64_t>(kJoined / block.bytes, 1, around.count);
  }
  if (block.steps * block.bytes < kShortest) return {};
  block.depth = depth;
  if (end - begin <= 4 * block.bytes) {
    block.read_begin = begin;
    block.read_end = end;
  }
  return block;
}

void Share::walk_streaming(const std::byte* read, std::byte* write) const {
  const Block staged = block();
  if (staged.depth == 0) return walk(0, read, write);
  Share through = *this;
  through.work.stream = false;
  through.walk_blocks(staged, 0, read, write);
}

void Share::walk_blocks(const Block& block, std::size_t depth, const std::byte* read,
                        std::byte* write) const {
  const Step& loop = outer[depth];
  if (depth + 1 < block.depth) {
    for (std::int64_t i = 0; i < loop.count; ++i) {
      walk_blocks(block, depth + 1, read + i * loop.read, write + i * loop.write);
    }
    return;
  }
  alignas(64) std::byte stage[kStage];
  for (std::int64_t i = 0; i < loop.count; i += block.steps) {
    const std::int64_t steps = std::min(block.steps, loop.count - i);
    for (std::int64_t k = 0; k < steps; ++k) {
      walk(block.depth, read + (i + k) * loop.read, stage + k * block.bytes);
    }
    const std::int64_t range = block.read_end - block.read_begin;
    const std::byte* soon = read + (i + steps) * loop.read + block.read_begin;
    const bool side_by_side = loop.read == range;
    stage_sends()[slot](stage, write + i * loop.write, steps * block.bytes, soon,
                        side_by_side ? steps * range : range);
  }
}

}  // namespace reshape::optimized
