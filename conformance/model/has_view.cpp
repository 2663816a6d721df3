#include "conformance/model/has_view.h"

#include <cstdint>

namespace reshape::conformance {

bool has_view(const Layout& layout, const Shape& shape) {
  if (is_empty(layout.shape)) return true;
  std::size_t unread = shape.rank();  // output axes that no axes of the data were found for
  for (std::size_t axis = layout.shape.rank(); axis > 0;) {
    // The axis, with those before it that go on where it ends.
    std::int64_t size = layout.shape[--axis];
    const std::int64_t stride = layout.strides[axis];
    if (size == 1) continue;
    for (; axis > 0; --axis) {
      const bool goes_on =
          layout.shape[axis - 1] == 1 ||
          static_cast<__int128>(layout.strides[axis - 1]) == static_cast<__int128>(stride) * size;
      if (!goes_on) break;
      size *= layout.shape[axis - 1];
    }
    std::int64_t found = 1;
    while (found < size) {
      if (unread == 0) return false;
      found *= shape[--unread];
      if (size % found != 0) return false;
    }
  }
  return true;
}

}  // namespace reshape::conformance
