#pragma once

#include <string_view>
#include <vector>

#include "reference/tensor/result.h"

namespace reshape::optimized {

// An instruction set that the kernels are compiled for. `slot` is its place in a kernel's row of
// functions; names are "scalar", "sse4", "avx2", "avx512", "avx512_vbmi" and "neon".
struct Target {
  std::string_view name;
  int slot = 0;
  friend bool operator==(const Target&, const Target&) = default;
};

// Every target that this program was compiled for, best first; "scalar" is always the last.
const std::vector<Target>& compiled_targets();

// Those of them that this processor can run, best first; "scalar" is always the last.
const std::vector<Target>& runnable_targets();

// The target of that name. An error names the known ones: for a name that was not compiled in, and
// for one that this processor cannot run.
Result<Target> target_named(std::string_view name);

}  // namespace reshape::optimized
