#pragma once

#include <cstdint>
#include <span>

#include "optimized/kernels/work.h"

// What part of a copy is gathered at a time. The table needs it to choose the kernel.

namespace reshape::optimized {

// The longest runs that are gathered; longer ones fill a vector by themselves.
inline constexpr std::int64_t kLongestGathered = 16;

// The fewest bytes of a block, and of the range of the input that it is gathered from: a window of
// the widest vectors.
inline constexpr std::int64_t kLeastGathered = 64;

// The most vectors that are gathered at a time.
inline constexpr std::int64_t kGatheredVectors = 8;

// A part of a copy that writes consecutive bytes: the first `whole` loops with all their steps, and
// `steps` steps of the next one. The last block of that loop begins early enough to end with it.
struct GatherBlock {
  std::size_t whole = 0;
  std::int64_t steps = 1;
  std::int64_t units = 0;  // of one block: bytes, or half bytes
  // The first and the last unit of the input that it reads, from where it begins.
  std::int64_t first = 0, last = 0;

  // The same range in bytes; `half` is 1 if the block begins with the upper half of a byte.
  std::int64_t first_byte(bool halves, std::int64_t half) const {
    return halves ? (first + half) >> 1 : first;
  }
  std::int64_t last_byte(bool halves, std::int64_t half) const {
    return halves ? (last + half) >> 1 : last;
  }
};

// The block of up to `most` bytes that fills vectors of `vector` bytes best. It has 0 units where
// too few bytes are consecutive in the output, the range read is too short, or a block would be
// written from the upper half of a byte on. `loops` as in Work.
GatherBlock gather_block(std::int64_t run, std::span<const Step> loops, bool halves,
                         std::int64_t most, std::int64_t vector);

// Where unit `unit` of a block is read.
std::int64_t gathered_from(const GatherBlock& block, std::int64_t run, std::span<const Step> loops,
                           std::int64_t unit);

// Covers the bytes at `places` with windows of `window` bytes, none past what the block reads: each
// begins with the first byte not yet covered. Returns their number, or `most` + 1 where there are
// more than `most`. Precondition: `begin` has room for one entry for each place.
int windows_of(std::span<const std::int64_t> places, std::int64_t window, std::int64_t first_byte,
               std::int64_t last_byte, int most, std::int64_t* begin);

// How many windows of `window` bytes a vector of as many bytes is gathered from: the average of the
// first two vectors. May be HUGE_VAL where it is more than `most`, since counting takes time.
double windows_each(const GatherBlock& block, std::int64_t run, std::span<const Step> loops,
                    bool halves, std::int64_t window, double most);

// Words of 4 bytes that are gathered at once, and the bytes of the output that they make; and the
// longest block that is made of them.
inline constexpr int kWords = 16;
inline constexpr std::int64_t kWordBytes = 64, kMostOfWords = 2048;

// Bytes of the output that are made of kWords words: where each word is read, and which byte of
// them each is.
struct WordGroup {
  std::int32_t at[kWords];
  std::uint8_t index[kWordBytes] = {};
  std::int64_t bytes = 0;
};

// The bytes of a block from byte `done` on: as many as the words reach.
WordGroup words_from(const GatherBlock& block, std::int64_t run, std::span<const Step> loops,
                     std::int64_t done);

}  // namespace reshape::optimized
