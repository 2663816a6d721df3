#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

// What the kernels see of a copy. They include nothing else of it, because they take long to
// compile.
//
// Words of the kernels: "around the caches" is by non-temporal stores, "asked for" is prefetched, a
// "lookup" is a shuffle by a vector of indices, to "turn" is to transpose in registers, to "deal"
// is to interleave rows into one run or one run into rows. A "line" is a cache line, a "unit" a
// byte or a half byte, a "place" a position in bytes, and a "stage" a small buffer that stays in
// the L1 cache.

namespace reshape::optimized {

// One loop of a copy: `count` steps, each of `read` and `write` units on the two sides.
struct Step {
  std::int64_t count = 1;
  std::int64_t read = 0;
  std::int64_t write = 0;
  friend bool operator==(const Step&, const Step&) = default;
};

// What a kernel computes once for all copies with the same loops, and the room for it. Tables own
// nothing outside of their room, and no destructor is run.
struct Tables {};
struct alignas(64) TablesRoom {
  std::byte bytes[8192];
};

// What a kernel is handed: the loops that it took, innermost first, and how to write.
struct Work {
  std::int64_t run = 0;  // bytes copied at each position; half bytes for half_bytes
  std::span<const Step> loops;
  std::int64_t whole = 0;       // bytes that the whole copy reads and writes, or a thread's share;
                                //   0 where nobody said so
  bool stream = false;          // the output is too large for the caches: write around them
  bool staged = false;          // what is written is a stage
  std::int64_t next_read = 0;   // distance to where the next call usually reads and writes, for
  std::int64_t next_write = 0;  //   prefetching; 0 where there is none
  std::size_t along_write = 0;  // permute: how many of the loops, from the first, the writer goes
  std::size_t along_read = 0;   //   along, and how many behind them the reader; shuffle: how many
                                //   loops are inside a block; deinterleave: how many behind the
                                //   first go from row to row
  int read_half = 0;            // half_bytes only: 1 where the first element is the upper
  int write_half = 0;           //   half of its byte
  const Tables* tables = nullptr;  // what the kernel computed for such work before; null: nothing
};

using Run = void (*)(const Work& work, const std::byte* read, std::byte* write);
using MakeTables = const Tables* (*)(const Work& work, TablesRoom& room);

// What is read soon: runs of `bytes` bytes each, at these offsets from `base`.
struct Soon {
  const std::byte* base = nullptr;
  std::span<const std::int64_t> offsets;
  std::int64_t bytes = 0;
};

// Moves `bytes` bytes from a stage to `write`, around the caches, and meanwhile prefetches what is
// read soon.
using Send = void (*)(const std::byte* stage, std::byte* write, std::int64_t bytes,
                      const Soon& soon);

// The functions of each file, by target slot.
const Run* contiguous_runs();
const Send* stage_sends();
const Run* fill_runs(std::int64_t bytes);
const Run* row_runs();
const Run* row_tile_runs();
const Run* interleave_runs(std::int64_t bytes);
const Run* deinterleave_runs(std::int64_t bytes);
const Run* permute_runs(std::int64_t bytes);
const Run* transpose_runs(std::int64_t bytes);
const Run* step_runs(std::int64_t bytes);
const Run* packed_runs();
const Run* half_byte_runs();
const Run* shuffle_runs();
const Run* gather_runs();
const Run* gather_half_runs();
const Run* gather_word_runs();
const MakeTables* shuffle_tables();
const MakeTables* gather_tables();
const MakeTables* gather_half_tables();
const MakeTables* gather_word_tables();
const Run* listed_runs();
const MakeTables* listed_tables();
const Run* strided_runs();

}  // namespace reshape::optimized
