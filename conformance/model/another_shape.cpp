#include "conformance/model/another_shape.h"

#include <cstdint>
#include <vector>

namespace reshape::conformance {

Shape another_shape(const Shape& shape) {
  const auto sizes = shape.sizes();
  const Shape backwards(std::vector<std::int64_t>(sizes.rbegin(), sizes.rend()));
  if (backwards != shape) return backwards;
  const std::int64_t count = *element_count(shape);
  return shape.rank() == 1 ? Shape{count, 1} : Shape{count};
}

}  // namespace reshape::conformance
