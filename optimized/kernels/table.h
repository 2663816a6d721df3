#pragma once

#include <span>
#include <string_view>

#include "optimized/kernels/kernel.h"

namespace reshape::optimized {

// Every kernel, best first. "half_bytes" applies to every copy in half bytes, and the last row to
// every other copy. The span lives as long as the program.
std::span<const Kernel> kernels();

// Which copies a kernel is for, in a few words.
std::string_view what_for(const Kernel& kernel);

// A kernel and how it walks one nest.
struct Choice {
  const Kernel* kernel = nullptr;
  Arrangement arrangement;
};

// The first kernel of the table that applies and pays there. Precondition: nest.run > 0.
Choice choose(const UnitNest& nest, const Situation& situation);

}  // namespace reshape::optimized
