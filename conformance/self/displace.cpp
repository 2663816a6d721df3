#include "conformance/self/displace.h"

#include <algorithm>

#include "conformance/abi/dlpack_types.h"

namespace reshape::conformance::self {
namespace {

Layout layout_of(const DLTensor& tensor) {
  const Shape shape = shape_of(tensor);
  if (tensor.strides != nullptr) {
    return {shape, Strides(tensor.strides, tensor.strides + tensor.ndim), 0};
  }
  return {shape, row_major_strides(shape).value_or(Strides(shape.rank(), 1)), 0};
}

}  // namespace

Walk::Walk(const DLTensor& tensor)
    : type_(element_type_of(tensor.dtype).value_or(ElementType::u8)),
      layout_(layout_of(tensor)),
      count_(element_count(layout_.shape).value_or(0)) {}

std::int64_t Walk::last_size(std::size_t from_end) const {
  return from_end < rank() ? size(rank() - 1 - from_end) : 1;
}

std::int64_t Walk::last_stride(std::size_t from_end) const {
  return from_end < rank() ? stride(rank() - 1 - from_end) : 0;
}

std::vector<std::int64_t> Walk::index(std::int64_t number) const {
  std::vector<std::int64_t> index(rank());
  for (std::size_t axis = rank(); axis-- > 0; number /= size(axis)) {
    index[axis] = number % size(axis);
  }
  return index;
}

std::int64_t Walk::number(std::vector<std::int64_t> index) const {
  std::int64_t number = 0;
  for (std::size_t axis = 0; axis < rank(); ++axis) {
    number = number * size(axis) + index[axis] % size(axis);
  }
  return number;
}

std::int64_t Walk::position(std::int64_t number) const {
  return position_of(layout_, index(number));
}

bool Walk::any_stride(bool (*is)(std::int64_t)) const {
  for (std::size_t axis = 0; axis < rank(); ++axis) {
    if (size(axis) > 1 && is(stride(axis))) return true;
  }
  return false;
}

bool Walk::backwards() const {
  return any_stride([](std::int64_t stride) { return stride < 0; });
}

bool Walk::repeats() const {
  return any_stride([](std::int64_t stride) { return stride == 0; });
}

bool Walk::permuted() const {
  std::int64_t before = INT64_MAX;
  for (std::size_t axis = 0; axis < rank(); ++axis) {
    if (size(axis) == 1) continue;
    if (stride(axis) > before) return true;
    before = stride(axis);
  }
  return false;
}

bool Walk::gaps() const { return touched(layout_).count() > count_; }

std::uintptr_t address_of(const DLTensor& tensor) {
  return reinterpret_cast<std::uintptr_t>(tensor.data) + tensor.byte_offset;
}

bool in_place(const reshape_request& request, const DLTensor& output) {
  return address_of(*request.data) == address_of(output);
}

std::vector<std::uint64_t> collect(const DLTensor& tensor) {
  const Elements elements(tensor);
  std::vector<std::uint64_t> all;
  all.reserve(static_cast<std::size_t>(elements.count()));
  for (std::int64_t at = 0; at < elements.count(); ++at) all.push_back(elements.get(at));
  return all;
}

void put(DLTensor& tensor, const std::vector<std::uint64_t>& all) {
  Elements elements(tensor);
  for (std::int64_t at = 0; at < elements.count(); ++at) {
    elements.set(at, all[static_cast<std::size_t>(at)]);
  }
}

}  // namespace reshape::conformance::self
