#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "optimized/thread_pool.h"

namespace reshape::optimized {

// A way to copy consecutive bytes, shared evenly between the threads of the pool.
struct PlainCopy {
  std::string name;
  void (*run)(const std::byte* from, std::byte* to, std::size_t bytes);
};

// Those that this processor has: the C library's, the string move, whole vectors through the caches,
// and whole lines around them with reads asked for ahead. The fastest of them is as fast as a copy
// of that size gets.
std::vector<PlainCopy> plain_copies();

void run_shared(const PlainCopy& copy, const std::byte* from, std::byte* to, std::size_t bytes,
                ThreadPool& pool);

}  // namespace reshape::optimized
