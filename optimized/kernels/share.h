#pragma once

#include <cstddef>
#include <span>

#include "optimized/kernels/kernel.h"

namespace reshape::optimized {

// A kernel's copy, or a thread's share of it: the loops around the calls, and the Work for each
// call.
struct Share {
  std::span<const Step> outer;
  Work work;
  Run run;
  int slot;  // of the target, as in a kernel's row

  // The whole copy. The arrangement must outlive it.
  Share(const Arrangement& arrangement, Run kernel, int target_slot)
      : outer(arrangement.outer), run(kernel), slot(target_slot) {
    work.run = arrangement.run;
    work.loops = arrangement.inner;
    work.along_write = arrangement.along_write;
    work.along_read = arrangement.along_read;
    if (outer.empty()) return;
    work.next_read = outer.back().read;
    work.next_write = outer.back().write;
  }

  // Where the output goes around the caches and several calls together write one short run of it,
  // they write to a stage, which is then sent as a whole. What they read next is prefetched, from
  // the last cache as well.
  void walk(const std::byte* read, std::byte* write) const {
    constexpr std::int64_t kFar = 8 << 20;  // both sides
    if (!outer.empty() && (work.stream || work.whole > kFar)) return walk_in_blocks(read, write);
    walk(0, read, write);
  }

 private:
  struct Block;
  class Asker;
  Block block() const;
  void walk_in_blocks(const std::byte* read, std::byte* write) const;
  // `then` is where the block behind these begins to read.
  void walk_blocks(const Block& block, std::size_t depth, const std::byte* read, std::byte* write,
                   const std::byte* then) const;
  void walk_asking(std::size_t depth, const std::byte* read, std::byte* write, Asker& asker) const;

  void walk(std::size_t depth, const std::byte* read, std::byte* write) const {
    if (depth == outer.size()) return run(work, read, write);
    const Step& loop = outer[depth];
    for (std::int64_t i = 0; i < loop.count; ++i) {
      walk(depth + 1, read + i * loop.read, write + i * loop.write);
    }
  }
};

}  // namespace reshape::optimized
