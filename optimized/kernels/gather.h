#pragma once

#include <cstdint>
#include <span>

#include "optimized/kernels/work.h"

// What a gather does at a time, which the table has to know to choose it.

namespace reshape::optimized {

// The longest runs that are gathered; longer ones fill a vector by themselves.
inline constexpr std::int64_t kLongestGathered = 16;

// The shortest block, and the least range of bytes of the input that it is gathered from: a window of the widest
// vectors.
inline constexpr std::int64_t kLeastGathered = 64;

// The most vectors that are gathered at a time.
inline constexpr std::int64_t kGatheredVectors = 8;

// Loops that write one run of bytes without a gap, from the first on: `whole` of them with all their steps, and
// `steps` steps of the next one, whose last block begins early enough to end with it.
struct GatherBlock {
  std::size_t whole = 0;
  std::int64_t steps = 1;
  std::int64_t units = 0;  // of one block: bytes, or half bytes
  // The first and the last unit of the input that it reads, from where it begins.
  std::int64_t first = 0, last = 0;

  // Where the bytes of the input lie that are read, in bytes, if the block begins with the upper half of one.
  std::int64_t first_byte(bool halves, std::int64_t half) const {
    return halves ? (first + half) >> 1 : first;
  }
  std::int64_t last_byte(bool halves, std::int64_t half) const {
    return halves ? (last + half) >> 1 : last;
  }
};

// The block of up to `most` bytes that fills vectors of `vector` bytes best, or one of no units where too few
// bytes are written one after the other, or are read from too short a range, or where a block would begin with
// the upper half of a byte. `loops` as in Work.
GatherBlock gather_block(std::int64_t run, std::span<const Step> loops, bool halves,
                         std::int64_t most, std::int64_t vector);

// Where unit `unit` of a block is read.
std::int64_t gathered_from(const GatherBlock& block, std::int64_t run, std::span<const Step> loops,
                           std::int64_t unit);

// The windows of `window` bytes in which the bytes at `places` lie, none past what the block reads: each begins
// with the first byte that is in none before it. How many, or `most` + 1 where there are more than `most`; `begin` has
// room for one for each place.
int windows_of(std::span<const std::int64_t> places, std::int64_t window, std::int64_t first_byte,
               std::int64_t last_byte, int most, std::int64_t* begin);

// How many windows of `window` bytes a vector of as many bytes is gathered from, on average over the first two.
// Where it is more than `most` it may be told as HUGE_VAL: counting many takes as long as a short copy.
double windows_each(const GatherBlock& block, std::int64_t run, std::span<const Step> loops,
                    bool halves, std::int64_t window, double most);

}  // namespace reshape::optimized
