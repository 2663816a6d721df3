#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "optimized/kernels/share.h"
#include "optimized/kernels/table.h"

namespace reshape::optimized {

// A copy of 4-bit elements by what the table has for bytes: block by block they are unpacked, a byte for
// each, copied as bytes are, and packed again. A value; running it changes nothing in it.
class HalfBytesAsBytes {
 public:
  // Nothing where half_bytes is the better kernel: for few elements, long runs, large sides that are
  // turned, and where either side has only a few elements at a time next to each other.
  static std::optional<HalfBytesAsBytes> of(const UnitNest& nest, const Target& target);

  // The nest's first element is at position `read_at` from `read` and at `write_at` from `write`, in
  // half bytes.
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
  // What a side of a block is made of: runs of neighbours in half bytes, and the loops over them, innermost
  // first, that step by half bytes among the elements and by bytes in the room.
  struct Runs {
    std::int64_t length = 1;
    Steps loops;
    std::int64_t bytes = 0;  // of room
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
