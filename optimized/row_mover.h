#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "optimized/kernels/work.h"
#include "optimized/seam_rows.h"
#include "optimized/target.h"

namespace reshape::optimized {

template <std::size_t kBytes>
inline void move_block(std::byte* to, const std::byte* from) {
  std::byte block[kBytes];
  std::memcpy(block, from, kBytes);
  std::memcpy(to, block, kBytes);
}

// Copies consecutive bytes, usually few: in blocks of a fixed size, the last of which may overlap
// the one before. That costs less than a call of memcpy.
inline void copy_run(std::byte* to, const std::byte* from, std::int64_t bytes) {
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

// Gathers the rows of one side of a seam into consecutive bytes, or scatters them from there, by a
// row kernel.
class RowMover {
 public:
  enum class Way : std::uint8_t { gathers, deals };

  // `most` bytes are moved at a time. `few`: they are not worth choosing a kernel for.
  RowMover(const Rows& rows, Way way, std::int64_t most, bool few, bool stream,
           const Target& target);

  // Moves bytes [begin, end) of the seam; the consecutive side starts with byte `begin`.
  void move(std::int64_t begin, std::int64_t end, const std::byte* read, std::byte* write) const;

 private:
  void move_whole(std::int64_t count, const std::byte* from, std::byte* to) const;
  void move_one(std::int64_t bytes, const std::byte* from, std::byte* to) const;

  Rows rows_;
  Way way_;
  bool stream_;
  int slot_;
  Step all_;
  Run copy_ = nullptr;  // of whole rows; null where they go one by one
};

}  // namespace reshape::optimized
