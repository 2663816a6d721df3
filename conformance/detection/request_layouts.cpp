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

std::optional<Layout> laid_out(const Shape& shape, const std::optional<Strides>& written) {
  const std::optional<Strides> strides = written ? written : row_major_strides(shape);
  if (!strides || strides->size() != shape.rank()) return std::nullopt;
  return Layout{shape, *strides, 0};
}

struct Axis {
  std::int64_t size = 1, stride = 0;
};

// A layout where axes that lie as one are one, without those of one element; the innermost first.
struct Collapsed {
  std::vector<Axis> axes;

  // How many elements follow each other in even steps.
  std::int64_t inner_run() const { return axes.empty() ? 1 : axes.front().size; }
};

Collapsed collapse(const Layout& layout) {
  Collapsed left;
  __int128 outer = 0;  // the stride of the next axis outwards that lies as one with what follows
  for (std::size_t axis = layout.shape.rank(); axis-- > 0;) {
    const std::int64_t size = layout.shape[axis], stride = layout.strides[axis];
    if (size == 1) continue;
    if (left.axes.empty() || stride != outer) {
      left.axes.push_back({size, stride});
    } else {
      left.axes.back().size *= size;
    }
    outer = static_cast<__int128>(stride) * size;
  }
  return left;
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

std::optional<Layout> input_layout(const Request& request) {
  if (is_empty(request.data) || request.shape_only) return std::nullopt;
  return laid_out(request.data, request.strides);
}

std::optional<Layout> output_layout(const Request& request) {
  const std::optional<Shape> shape = output_shape(request);
  if (!shape || request.shape_only) return std::nullopt;
  return laid_out(*shape, request.out_strides);
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
  const Collapsed left = collapse(*layout);
  const bool apart = !left.axes.empty() && left.axes.front().stride != 1;
  return apart ? 1 : left.inner_run();
}

std::optional<std::int64_t> run_in_bytes(const std::optional<Layout>& layout, ElementType type) {
  const std::optional<std::int64_t> run = run_in_elements(layout);
  return run ? whole_bytes_of(*run, type) : std::nullopt;
}

std::optional<std::int64_t> longest_stride_in_bytes(const std::optional<Layout>& layout,
                                                    ElementType type) {
  if (!layout) return std::nullopt;
  __int128 longest = 0;
  for (const Axis& axis : collapse(*layout).axes) {
    longest = std::max<__int128>(longest, distance(axis.stride));
  }
  return whole_bytes_of(longest, type);
}

std::optional<std::int64_t> collapsed(const std::optional<Layout>& layout) {
  if (!layout) return std::nullopt;
  return std::ssize(collapse(*layout).axes);
}

std::optional<std::int64_t> rows_of(const std::optional<Layout>& layout) {
  if (!layout) return std::nullopt;
  const Collapsed left = collapse(*layout);
  const std::optional<std::int64_t> count = element_count(layout->shape);
  if (left.axes.size() < 2 || !count) return std::nullopt;
  return *count / left.inner_run();
}

std::optional<bool> odd_rows(const std::optional<Layout>& layout) {
  if (!layout) return std::nullopt;
  const std::vector<Axis> axes = collapse(*layout).axes;
  if (axes.size() < 2) return std::nullopt;
  return std::any_of(axes.begin() + 1, axes.end(),
                     [](const Axis& axis) { return axis.stride % 2 != 0; });
}

std::optional<std::vector<LoopAxis>> loop_axes(const Request& request) {
  const std::optional<Layout> in = input_layout(request), out = output_layout(request);
  if (!in || !out) return std::nullopt;
  std::vector<Axis> data = collapse(*in).axes, output = collapse(*out).axes;
  std::vector<LoopAxis> loops;
  // Takes the shorter axis of the two off the longer one, from the innermost on.
  for (std::size_t from = 0, to = 0; from < data.size() && to < output.size();) {
    Axis& one = data[from];
    Axis& other = output[to];
    const std::int64_t size = std::min(one.size, other.size);
    if (std::max(one.size, other.size) % size != 0) return std::nullopt;
    loops.push_back({size, one.stride, other.stride});
    for (Axis* axis : {&one, &other}) {
      axis->size /= size;
      if (axis->size > 1 && __builtin_mul_overflow(axis->stride, size, &axis->stride)) {
        return std::nullopt;
      }
    }
    from += one.size == 1;
    to += other.size == 1;
  }
  return loops;
}

std::optional<std::int64_t> count_of_loops(const Request& request) {
  const std::optional<std::vector<LoopAxis>> loops = loop_axes(request);
  return loops ? std::optional<std::int64_t>(std::ssize(*loops)) : std::nullopt;
}

std::optional<Transposed> transposed(const std::optional<std::vector<LoopAxis>>& loops) {
  if (!loops || loops->size() < 2) return std::nullopt;
  const auto closest = [&](std::int64_t LoopAxis::* stride) {
    // A stride of 0 repeats one element, and tells no order.
    return std::ranges::min_element(
        *loops, {}, [=](const LoopAxis& axis) { return distance(axis.*stride) - 1; });
  };
  const auto row = closest(&LoopAxis::of_data), column = closest(&LoopAxis::of_output);
  if (row == column || column->of_data == 0) return std::nullopt;
  return Transposed{row->size, column->size};
}

std::optional<std::int64_t> inner_runs(const Request& request) {
  const std::optional<Layout> in = input_layout(request), out = output_layout(request);
  if (!in || !out) return std::nullopt;
  return std::gcd(collapse(*in).inner_run(), collapse(*out).inner_run());
}

std::optional<std::int64_t> inner_runs_in_bytes(const Request& request) {
  const std::optional<std::int64_t> run = inner_runs(request);
  return run ? whole_bytes_of(*run, request.data_type) : std::nullopt;
}

}  // namespace reshape::conformance
