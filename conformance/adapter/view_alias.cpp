#include "conformance/adapter/view_alias.h"

#include <algorithm>

#include "conformance/adapter/tensor_image.h"

namespace reshape::conformance {
namespace {

std::vector<std::byte> no_view(std::string what, std::vector<Observation>& seen) {
  seen.push_back({"view", Plane::memory, "C12", std::move(what)});
  return {};
}

}  // namespace

std::vector<std::byte> view_elements(const DLTensor& view, ElementType type, const Shape& shape,
                                     const GuardedBuffer& data, std::vector<Observation>& seen) {
  if (is_empty(shape)) return {};
  if (view.strides == nullptr) return no_view("the view's strides were set to null", seen);
  const std::vector<std::int64_t> strides(view.strides, view.strides + shape.rank());
  for (std::int64_t stride : strides) {
    if (stride == kUnsetStride) return no_view("the view's strides were not all set", seen);
  }
  // Everything in bits from the start of the buffer; wide, because any numbers may have come.
  const std::span<const std::byte> bytes = data.bytes();
  const int width = bits(type);
  const __int128 start = (static_cast<__int128>(reinterpret_cast<std::uintptr_t>(view.data)) +
                          view.byte_offset - reinterpret_cast<std::uintptr_t>(bytes.data())) *
                         8;
  __int128 first = start;
  __int128 last = start;
  const auto end = static_cast<__int128>(bytes.size()) * 8;
  bool inside = true;
  for (std::size_t axis = 0; axis < shape.rank() && inside; ++axis) {
    const __int128 steps = static_cast<__int128>(shape[axis] - 1) * strides[axis];
    inside = steps > -end && steps < end;
    if (inside) (steps < 0 ? first : last) += steps * width;
  }
  if (!inside || first < 0 || last + width > end) {
    return no_view("elements of the view lie outside of the data", seen);
  }
  // Positions of 4-bit elements count from a whole byte, those of others from the element's own start.
  const auto at = static_cast<std::int64_t>(start / 8);
  const std::int64_t unit = std::max(1, width / 8);
  const std::int64_t base = at % unit;
  const std::int64_t offset = (at - base) * 8 / width;
  return gather(type, Layout{shape, strides, offset}, bytes.data() + base);
}

}  // namespace reshape::conformance
