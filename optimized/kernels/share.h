#pragma once

#include <cstddef>
#include <span>

#include "optimized/kernels/kernel.h"

namespace reshape::optimized {

// A kernel's copy, or a thread's share of it: the loops around the calls, and what each call is handed.
struct Share {
  std::span<const Step> outer;
  Work work;
  Run run;

  // All of an arrangement, which has to live as long.
  Share(const Arrangement& arrangement, Run kernel) : outer(arrangement.outer), run(kernel) {
    work.run = arrangement.run;
    work.loops = arrangement.inner;
    work.along_write = arrangement.along_write;
    work.along_read = arrangement.along_read;
    if (outer.empty()) return;
    work.next_read = outer.back().read;
    work.next_write = outer.back().write;
  }

  void walk(const std::byte* read, std::byte* write) const { walk(0, read, write); }

 private:
  void walk(std::size_t depth, const std::byte* read, std::byte* write) const {
    if (depth == outer.size()) return run(work, read, write);
    const Step& loop = outer[depth];
    for (std::int64_t i = 0; i < loop.count; ++i) {
      walk(depth + 1, read + i * loop.read, write + i * loop.write);
    }
  }
};

}  // namespace reshape::optimized
