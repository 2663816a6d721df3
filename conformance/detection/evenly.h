#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace reshape::conformance {

// At most so many of them, spread over all.
template <typename One>
std::vector<One> evenly(const std::vector<One>& all, std::size_t most) {
  std::vector<One> some;
  const std::size_t count = std::min(most, all.size());
  for (std::size_t at = 0; at < count; ++at) some.push_back(all[at * all.size() / count]);
  return some;
}

}  // namespace reshape::conformance
