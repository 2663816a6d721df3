#include "conformance/model/another_shape.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace reshape::conformance {

Shape another_shape(const Shape& shape) {
  const auto sizes = shape.sizes();
  // Without elements any size may change. The last one, since a plug-in may compare only the first.
  if (sizes.size() > 1 && std::ranges::count(sizes.first(sizes.size() - 1), 0) != 0 &&
      sizes.back() != std::numeric_limits<std::int64_t>::max()) {
    std::vector<std::int64_t> other(sizes.begin(), sizes.end());
    ++other.back();
    return Shape(std::move(other));
  }
  const Shape backwards(std::vector<std::int64_t>(sizes.rbegin(), sizes.rend()));
  if (backwards != shape) return backwards;
  const std::int64_t count = *element_count(shape);
  return shape.rank() == 1 ? Shape{count, 1} : Shape{count};
}

}  // namespace reshape::conformance
