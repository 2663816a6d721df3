#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "optimized/kernels/share.h"
#include "optimized/kernels/table.h"

namespace reshape::optimized {

// Copies 4-bit elements with a byte kernel: each block is unpacked to one byte per element, copied,
// and packed again. A value; running it changes nothing in it.
class HalfBytesAsBytes {
 public:
  // Nothing where the half_bytes kernel is faster: for few elements, long runs, large transposes,
  // and where either side has only short runs of neighbours.
  static std::optional<HalfBytesAsBytes> of(const UnitNest& nest, const Target& target);

  // The nest's first element is at position `read_at` from `read` and at `write_at` from `write`,
  // in half bytes.
  void run(const std::byte* read, std::int64_t read_at, std::byte* write,
           std::int64_t write_at) const;

  // How the bytes of a block are copied.
  const Choice& choice() const { return choice_; }

 private:
  // A loop around the blocks. Its last block begins early enough to end with the loop.
  struct Around {
    Step step;
    std::int64_t blocks = 1, size = 1;
  };
  // One side of a block: runs of neighbouring half bytes, and the loops over the runs, innermost
  // first. A loop has a step in half bytes (in the tensor) and one in bytes (in the unpacked
  // block).
  struct Runs {
    std::int64_t length = 1;
    Steps loops;
    std::int64_t bytes = 0;  // of the unpacked block
    std::int64_t first = 0;  // where the first run begins, counted from the block's first element
  };
  class Block;

  void run_blocks(const Share& bytes, std::size_t depth, const std::byte* read,
                  std::int64_t read_at, std::byte* write, std::int64_t write_at) const;
  void run_block(const Share& bytes, const std::byte* read, std::int64_t read_at, std::byte* write,
                 std::int64_t write_at) const;

  InlineVector<Around, 16> around_;
  Runs in_, out_;
  Choice choice_;
  UnitNest bytes_;  // how they are copied within a block
  int slot_ = 0;
};

}  // namespace reshape::optimized
