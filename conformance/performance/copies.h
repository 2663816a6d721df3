#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace reshape::conformance::performance {

// A way to copy consecutive bytes.
struct PlainCopy {
  std::string name;
  void (*run)(const std::byte* from, std::byte* to, std::size_t bytes);
};

// Those that this processor has: the C library's, the string move, whole vectors through the caches,
// and whole lines around them with reads asked for ahead. The fastest of them is as fast as a copy
// of that size gets, and is what a reshape's time is set against.
std::vector<PlainCopy> plain_copies();

}  // namespace reshape::conformance::performance
