#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "optimized/kernels/nest.h"
#include "optimized/target.h"

namespace reshape::optimized {

// What a kernel is handed: the loops that it took, innermost first, and how to write.
struct Work {
  std::int64_t run = 0;  // bytes copied at each position; half bytes for half_bytes
  std::span<const Step> loops;
  bool stream = false;          // the output is too large for the caches: write around them
  std::int64_t next_read = 0;   // how far on the next call reads and writes, as a rule: what to
  std::int64_t next_write = 0;  //   ask for ahead; 0 where there is none
  int read_half = 0;            // half_bytes only: 1 where the first element is the upper
  int write_half = 0;           //   half of its byte
};

using Run = void (*)(const Work& work, const std::byte* read, std::byte* write);

// How a kernel would walk a nest: `outer` loops (outermost first) around calls that each do all
// `inner` ones (innermost first). `cut` names an inner loop that may be shared between threads, in
// multiples of `granule` steps; -1 for none.
struct Arrangement {
  std::vector<Step> outer;
  std::vector<Step> inner;
  std::int64_t run = 0;
  int cut = -1;
  std::int64_t granule = 1;
  std::int64_t stream_from = 0;  // bytes moved from which this walk wants to write around the
                                 //   caches; 0: from where a plain copy would
};

// A row of the table. `bytes` is the width of what it moves at each position, 0 for any. `when`
// says how it would walk the nest, or nothing where it does not apply. `run` holds the function
// for each target, by slot; `pays`, where it is given, the targets on which it is to be chosen before
// the rows below, though it is right on all.
struct Kernel {
  std::string_view name;
  std::int64_t bytes;
  std::optional<Arrangement> (*when)(const UnitNest& nest);
  const Run* run;
  bool (*pays)(const UnitNest& nest, const Target& target) = nullptr;
};

// The longest block that is shuffled in vectors.
inline constexpr std::int64_t kMostShuffled = 512;

// The functions of each file, by target slot.
const Run* contiguous_runs();
const Run* fill_runs(std::int64_t bytes);
const Run* row_runs();
const Run* interleave_runs(std::int64_t bytes);
const Run* deinterleave_runs(std::int64_t bytes);
const Run* transpose_runs(std::int64_t bytes);
const Run* every_second_runs(std::int64_t bytes);
const Run* half_byte_runs();
const Run* shuffle_runs();
const Run* strided_runs();

}  // namespace reshape::optimized
