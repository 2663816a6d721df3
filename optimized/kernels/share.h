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
  Send send;

  // All of an arrangement, which has to live as long.
  Share(const Arrangement& arrangement, const Kernel& kernel, std::size_t slot);

  // Where the output is to leave around the caches, and some calls together write one short run of it, they
  // write to a stage in the first cache, which leaves whole.
  void walk(const std::byte* read, std::byte* write) const;

 private:
  struct Block;
  Block block() const;
  void walk(std::size_t depth, const std::byte* read, std::byte* write) const;
  void walk_blocks(const Block& block, std::size_t depth, const std::byte* read,
                   std::byte* write) const;
};

}  // namespace reshape::optimized
