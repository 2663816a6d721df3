#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "optimized/kernels/nest.h"
#include "optimized/kernels/work.h"
#include "optimized/target.h"

namespace reshape::optimized {

// How a kernel would walk a nest: `outer` loops (outermost first) around calls that each do all
// `inner` ones (innermost first). `cut` names an inner loop that may be shared between threads, in
// multiples of `granule` steps; -1 for none.
struct Arrangement {
  Steps outer;
  Steps inner;
  std::int64_t run = 0;
  int cut = -1;
  std::int64_t granule = 1;
  std::size_t along_write = 0;  // of permute and shuffle, as in Work
  std::size_t along_read = 0;
  std::int64_t stream_from = 0;  // bytes moved from which this walk wants to write around the
                                 //   caches; 0: from where a plain copy would
};

// What besides the nest decides which kernel pays.
struct Situation {
  Target target;
  bool tables_are_kept = false;  // tables are reused for further copies with the same loops
};

// A row of the table. `bytes` is the width of what it moves at each position, 0 for any. `when`
// says how it would walk the nest, or nothing where it does not apply. `run` holds the function for
// each target, by slot. `pays` may be null; it says whether the kernel is faster than the rows
// below (its result is right in any case). `tables` may be null; it builds the tables for such
// work.
struct Kernel {
  std::string_view name;
  std::int64_t bytes;
  std::optional<Arrangement> (*when)(const UnitNest& nest);
  const Run* run;
  bool (*pays)(const UnitNest& nest, const Situation& situation) = nullptr;
  const MakeTables* tables = nullptr;
};

}  // namespace reshape::optimized
