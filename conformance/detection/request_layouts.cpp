#include "conformance/detection/request_layouts.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "reference/tensor/declared_dialects.h"
#include "reference/tensor/zero_copies.h"

namespace reshape::conformance {
namespace {

std::int64_t at_most_63_bits(__int128 number) {
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  return number > kMost ? kMost : static_cast<std::int64_t>(number);
}

std::int64_t bytes_of(__int128 elements, ElementType type) {
  return at_most_63_bits((elements * bits(type) + 7) / 8);
}

std::optional<std::int64_t> whole_bytes_of(__int128 elements, ElementType type) {
  if (elements * bits(type) % 8 != 0) return std::nullopt;
  return bytes_of(elements, type);
}

// Elements from the lowest to the highest one, those of gaps included.
__int128 elements_reached(const Layout& layout) {
  const WideRange range = reach_of(layout);
  return range.last - range.first + 1;
}

// The size of the innermost collapsed axis: how many elements follow each other in even steps.
std::int64_t inner_run(const Layout& layout) {
  std::int64_t run = 1;
  __int128 outer = 0;
  for (std::size_t axis = layout.shape.rank(); axis-- > 0;) {
    const std::int64_t size = layout.shape.sizes()[axis];
    if (size == 1) continue;
    if (run != 1 && layout.strides[axis] != outer) break;
    run *= size;
    outer = static_cast<__int128>(layout.strides[axis]) * size;
  }
  return run;
}

// The strides of the axes of more than one element that are left where those that lie as one are
// one, the innermost first.
std::vector<std::int64_t> collapsed_strides(const Layout& layout) {
  std::vector<std::int64_t> strides;
  __int128 outer = 0;  // the stride of the next axis outwards that lies as one with what follows
  for (std::size_t axis = layout.shape.rank(); axis-- > 0;) {
    const std::int64_t size = layout.shape.sizes()[axis];
    if (size == 1) continue;
    if (strides.empty() || layout.strides[axis] != outer) strides.push_back(layout.strides[axis]);
    outer = static_cast<__int128>(layout.strides[axis]) * size;
  }
  return strides;
}

}  // namespace

std::optional<std::vector<PatternValue>> values_with_copies(const Request& request) {
  std::vector<PatternValue> values = request.pattern.values;
  const Dialect* dialect = declared_dialect(request.dialect);
  if (dialect == nullptr || !zero_copies(*dialect, request.special_zero)) return values;
  for (std::size_t axis = 0; axis < values.size(); ++axis) {
    if (values[axis] != 0) continue;
    if (axis >= request.data.rank()) return std::nullopt;
    values[axis] = request.data.sizes()[axis];
  }
  return values;
}

std::optional<Shape> output_shape(const Request& request) {
  const std::optional<std::vector<PatternValue>> values = values_with_copies(request);
  if (!values) return std::nullopt;
  std::vector<std::int64_t> sizes;
  std::int64_t known = 1;
  std::optional<std::size_t> inferred;
  for (std::size_t axis = 0; axis < values->size(); ++axis) {
    const PatternValue value = (*values)[axis];
    if (value == -1) inferred = axis;
    sizes.push_back(value == -1 ? 1 : static_cast<std::int64_t>(value));
    if (sizes.back() <= 0 || __builtin_mul_overflow(known, sizes.back(), &known)) {
      return std::nullopt;
    }
  }
  const std::optional<std::int64_t> count = element_count(request.data);
  if (!count || *count == 0 || *count % known != 0) return std::nullopt;
  if (inferred) sizes[*inferred] = *count / known;
  return Shape(std::move(sizes));
}

std::optional<Layout> output_layout(const Request& request) {
  const std::optional<Shape> shape = output_shape(request);
  if (!shape || request.shape_only) return std::nullopt;
  const std::optional<Strides> strides =
      request.out_strides ? request.out_strides : row_major_strides(*shape);
  if (!strides || strides->size() != shape->rank()) return std::nullopt;
  return Layout{*shape, *strides, 0};
}

std::optional<Layout> input_layout(const Request& request) {
  if (is_empty(request.data) || request.shape_only) return std::nullopt;
  const std::optional<Strides> strides =
      request.strides ? request.strides : row_major_strides(request.data);
  if (!strides || strides->size() != request.data.rank()) return std::nullopt;
  return Layout{request.data, *strides, 0};
}

std::optional<std::int64_t> inner_stride(const std::optional<Layout>& layout) {
  if (!layout) return std::nullopt;
  for (std::size_t axis = layout->shape.rank(); axis-- > 0;) {
    if (layout->shape.sizes()[axis] < 2) continue;
    const std::uint64_t apart = distance(layout->strides[axis]);
    return std::in_range<std::int64_t>(apart) ? std::optional<std::int64_t>(apart) : std::nullopt;
  }
  return std::nullopt;
}

std::optional<std::int64_t> reach_in_elements(const std::optional<Layout>& layout) {
  if (!layout) return std::nullopt;
  return at_most_63_bits(elements_reached(*layout));
}

std::optional<std::int64_t> reach_in_bytes(const std::optional<Layout>& layout, ElementType type) {
  if (!layout) return std::nullopt;
  return bytes_of(elements_reached(*layout), type);
}

std::optional<std::int64_t> run_in_elements(const std::optional<Layout>& layout) {
  if (!layout) return std::nullopt;
  const std::vector<std::int64_t> strides = collapsed_strides(*layout);
  const bool apart = !strides.empty() && strides.front() != 1;
  return apart ? 1 : inner_run(*layout);
}

std::optional<std::int64_t> run_in_bytes(const std::optional<Layout>& layout, ElementType type) {
  const std::optional<std::int64_t> run = run_in_elements(layout);
  return run ? whole_bytes_of(*run, type) : std::nullopt;
}

std::optional<std::int64_t> longest_stride_in_bytes(const std::optional<Layout>& layout,
                                                    ElementType type) {
  if (!layout) return std::nullopt;
  __int128 longest = 0;
  for (const __int128 stride : collapsed_strides(*layout)) {
    longest = std::max(longest, stride < 0 ? -stride : stride);
  }
  return whole_bytes_of(longest, type);
}

std::optional<std::int64_t> collapsed(const std::optional<Layout>& layout) {
  if (!layout) return std::nullopt;
  return static_cast<std::int64_t>(collapsed_strides(*layout).size());
}

std::optional<std::int64_t> rows_of(const std::optional<Layout>& layout) {
  if (!layout || collapsed_strides(*layout).size() < 2) return std::nullopt;
  const std::optional<std::int64_t> count = element_count(layout->shape);
  return count ? std::optional(*count / inner_run(*layout)) : std::nullopt;
}

std::optional<bool> odd_rows(const std::optional<Layout>& layout) {
  if (!layout) return std::nullopt;
  const std::vector<std::int64_t> strides = collapsed_strides(*layout);
  if (strides.size() < 2) return std::nullopt;
  return std::any_of(strides.begin() + 1, strides.end(),
                     [](std::int64_t stride) { return stride % 2 != 0; });
}

std::optional<std::int64_t> inner_runs(const Request& request) {
  const std::optional<Layout> in = input_layout(request), out = output_layout(request);
  if (!in || !out) return std::nullopt;
  return std::gcd(inner_run(*in), inner_run(*out));
}

}  // namespace reshape::conformance
