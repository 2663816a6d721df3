#include "conformance/adapter/memory/view_alias.h"

#include <algorithm>

#include "conformance/adapter/memory/tensor_image.h"

namespace reshape::conformance {
namespace {

std::vector<std::byte> no_view(std::string what, std::vector<Observation>& seen) {
  seen.push_back({CaughtBy::view, Plane::memory, Duty::C12, std::move(what)});
  return {};
}

bool lie_within(const std::vector<Part>& read, const GuardedBuffer& data) {
  const std::vector<Part> parts = data.parts();
  return std::ranges::all_of(read, [&](const Part& one) {
    return std::ranges::any_of(
        parts, [&](const Part& part) { return part.begin <= one.begin && one.end <= part.end; });
  });
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
  // In bits from the start of the buffer, with 128 bits, because the implementation may return any
  // numbers.
  const std::span<const std::byte> bytes = data.bytes();
  const int width = bits(type);
  const __int128 start = (static_cast<__int128>(reinterpret_cast<std::uintptr_t>(view.data)) +
                          view.byte_offset - reinterpret_cast<std::uintptr_t>(bytes.data())) *
                         8;
  const __int128 end = static_cast<__int128>(bytes.size()) * 8;
  const auto [lowest, highest] = reach_of({shape, strides, 0});
  if (start < 0 || start >= end) {
    return no_view("the first element of the view lies outside of the data", seen);
  }
  if (start + lowest * width < 0 || start + (highest + 1) * width > end) {
    return no_view("elements of the view lie outside of the data", seen);
  }
  // Positions of 4-bit elements count from a whole byte, those of other types from the element
  // itself.
  const auto at = static_cast<std::int64_t>(start / 8);
  const std::int64_t unit = std::max(1, width / 8);
  const std::int64_t base = at % unit;
  const std::int64_t offset = (at - base) * 8 / width;
  const Layout layout{shape, strides, offset};
  if (data.sparse() &&
      !lie_within(parts_of(type, layout, {static_cast<std::int64_t>(bytes.size()), base}), data)) {
    return no_view("elements of the view lie far from all elements of the data", seen);
  }
  return gather(type, layout, bytes.data() + base);
}

}  // namespace reshape::conformance
