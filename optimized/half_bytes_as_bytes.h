#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "optimized/kernels/share.h"
#include "optimized/kernels/table.h"

namespace reshape::optimized {

// Copies 4-bit elements with a byte kernel: each block is unpacked to one byte per element, copied,
// and packed again. Where the writer's neighbours come in pairs, each byte is joined of two runs of
// the input, and the copy writes the output itself; where the reader's do, the copy reads the input
// itself, and each byte is parted into two runs. A value; running it changes nothing in it.
class HalfBytesAsBytes {
 public:
  // Nothing where the half_bytes kernel is faster: for few elements, long runs, large transposes,
  // and where either side has only short runs of neighbours.
  static std::optional<HalfBytesAsBytes> of(const UnitNest& nest, const Target& target);
  // Nothing where the gather kernel, which applies to the nest, is faster.
  static std::optional<HalfBytesAsBytes> of_gathered(const UnitNest& nest, const Target& target);

  // Whether it copies from and to these positions: what moves in pairs begins with a whole byte on
  // the side where they are whole.
  bool fits(std::int64_t read_at, std::int64_t write_at) const {
    return ways_ == Ways::kUnpacked || (ways_ == Ways::kJoined ? write_at : read_at) % 2 == 0;
  }

  // The nest's first element is at position `read_at` from `read` and at `write_at` from `write`,
  // in half bytes. Precondition: it fits.
  void run(const std::byte* read, std::int64_t read_at, std::byte* write,
           std::int64_t write_at) const;

  // How the bytes of a block are copied.
  const Choice& choice() const { return choice_; }
  // What is done besides: "half bytes unpacked to bytes and packed again, between them ".
  std::string_view words() const;

 private:
  enum class Ways : std::uint8_t { kUnpacked, kJoined, kParted };
  // A nest whose loops step by whole bytes on the side of the pairs.
  struct Pairs {
    Ways ways;
    UnitNest nest;
    std::int64_t apart;  // of a pair, in half bytes, on the other side
  };
  // Precondition: a loop of the nest writes, or reads, neighbours. Nothing where there is no pair.
  static std::optional<Pairs> joined(const UnitNest& nest);
  static std::optional<Pairs> parted(const UnitNest& nest);
  static std::optional<HalfBytesAsBytes> in_pairs(const UnitNest& nest, const Target& target);

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

  // Nothing where either side has only short runs.
  static std::optional<HalfBytesAsBytes> in_blocks(const Pairs& pairs, const Target& target);
  void run_blocks(const Share& bytes, std::size_t depth, const std::byte* read,
                  std::int64_t read_at, std::byte* write, std::int64_t write_at) const;
  void run_block(const Share& bytes, const std::byte* read, std::int64_t read_at, std::byte* write,
                 std::int64_t write_at) const;

  Ways ways_ = Ways::kUnpacked;
  std::int64_t apart_ = 0;
  InlineVector<Around, 16> around_;
  Runs in_, out_;
  Choice choice_;
  UnitNest bytes_;  // how they are copied within a block
  int slot_ = 0;
};

}  // namespace reshape::optimized
