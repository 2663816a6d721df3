#include "fuzz/input/askable.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>

#include "conformance/oracle/ruling_of.h"
#include "reference/tensor/declared_dialects.h"

namespace reshape::fuzz {
namespace {

using conformance::Request;

// A larger step than any tensor of kMostBytes takes; sums of these over all axes stay in 63 bits.
constexpr std::int64_t kFarthestStep = std::int64_t{1} << 40;
constexpr std::int64_t kMostOffset = 4095;

PatternValue within(ElementType type, PatternValue value) {
  // A pattern of a type that is no integer still is written in integers.
  constexpr PatternValue kLow = std::numeric_limits<std::int64_t>::min();
  constexpr PatternValue kHigh = std::numeric_limits<std::uint64_t>::max();
  const bool integer = is_integer(type);
  const PatternValue low = integer ? lowest(type) : kLow;
  const PatternValue high = integer ? highest(type) : kHigh;
  if (value >= low && value <= high) return value;
  // Wraps around, as a narrowing conversion would, so that near numbers stay near.
  const PatternValue span = high - low + 1;
  PatternValue shifted = (value - low) % span;
  if (shifted < 0) shifted += span;
  return low + shifted;
}

// Bytes of a dense tensor, or nothing where it is too large to be laid out. The strides of an empty
// tensor count its sizes of 0 as 1.
bool fits_dense(ElementType type, const Shape& shape) {
  std::int64_t reach = 1;
  for (const std::int64_t size : shape) {
    if (__builtin_mul_overflow(reach, std::max<std::int64_t>(size, 1), &reach)) return false;
  }
  return is_empty(shape) || reach <= kMostBytes * 8 / bits(type);
}

struct Reach {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

// What the elements take, relative to the first one; nothing when it is too much.
std::optional<Reach> reach_of(ElementType type, const Shape& shape, const Strides& strides) {
  for (const std::int64_t stride : strides) {
    if (stride > kFarthestStep || stride < -kFarthestStep) return std::nullopt;
  }
  if (is_empty(shape)) return Reach{};
  Reach reach;
  for (std::size_t axis = 0; axis < strides.size(); ++axis) {
    const __int128 far = static_cast<__int128>(shape[axis] - 1) * strides[axis];
    if (far > kFarthestStep || far < -kFarthestStep) return std::nullopt;
    (far < 0 ? reach.first : reach.last) += static_cast<std::int64_t>(far);
  }
  if (reach.last - reach.first >= kMostBytes * 8 / bits(type)) return std::nullopt;
  return reach;
}

// The offset nearest to the one asked that keeps everything behind the base, and not far behind it.
std::int64_t near_offset(ElementType type, const Reach& reach, std::int64_t offset) {
  const __int128 first = static_cast<__int128>(offset) + reach.first;
  const std::int64_t gap =
      first >= 0 && first <= kMostOffset
          ? static_cast<std::int64_t>(first)
          : static_cast<std::int64_t>(static_cast<std::uint64_t>(offset) & kMostOffset);
  std::int64_t near = gap - reach.first;
  // 4-bit elements start a whole byte.
  if (bits(type) == 4 && near % 2 != 0) near += gap < kMostOffset ? 1 : -1;
  return near;
}

// False when some two elements may lie in one place. Strict: axes have to be nested in each other.
bool nested(const Shape& shape, const Strides& strides) {
  struct Step {
    std::int64_t step;
    std::int64_t count;
  };
  std::array<Step, kMostAxes> steps;
  std::size_t count = 0;
  for (std::size_t axis = 0; axis < strides.size(); ++axis) {
    if (shape[axis] == 1) continue;
    steps[count++] = {strides[axis] < 0 ? -strides[axis] : strides[axis], shape[axis]};
  }
  std::sort(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(count),
            [](const Step& a, const Step& b) { return a.step < b.step; });
  std::int64_t span = 1;
  for (std::size_t i = 0; i < count; ++i) {
    if (steps[i].step < span) return false;
    span = steps[i].step * (steps[i].count - 1) + span;
  }
  return true;
}

void dense_data(Request& request) {
  request.strides.reset();
  request.offset = 0;
}

void dense_output(Request& request) {
  request.out_strides.reset();
  request.out_offset = 0;
}

void shape_alone(Request& request) {
  dense_data(request);
  dense_output(request);
  request.payload.reset();
  request.elements.reset();
  request.in_place = false;
}

// What is drawn may have an axis more than what is packed can say.
void settle_rank(Request& request) {
  if (request.data.rank() <= kMostAxes) return;
  std::vector<std::int64_t> sizes(request.data.begin(), request.data.end());
  sizes.resize(kMostAxes);
  request.data = Shape(std::move(sizes));
  request.strides.reset();
}

void settle_pattern(const Dialect& dialect, Request& request) {
  ShapePattern& pattern = request.pattern;
  if (pattern.values.size() > kMostAxes) pattern.values.resize(kMostAxes);
  for (PatternValue& value : pattern.values) value = within(pattern.type, value);
  if (!pattern.tensor_shape) return;
  const bool holds =
      element_count(*pattern.tensor_shape) == static_cast<std::int64_t>(pattern.values.size());
  if (dialect.pattern_given_as == PatternSource::attribute || !holds) pattern.tensor_shape.reset();
}

void settle_data_layout(Request& request) {
  if (request.strides) {
    std::optional<Reach> reach;
    if (request.strides->size() == request.data.rank()) {
      reach = reach_of(request.data_type, request.data, *request.strides);
    }
    if (!reach) return dense_data(request);
    request.offset = near_offset(request.data_type, *reach, request.offset);
  } else if (request.offset != 0) {
    request.offset = near_offset(request.data_type, {}, request.offset);
  }
}

void settle_output_layout(const Dialect& dialect, Request& request) {
  if (!request.out_strides) {
    if (request.out_offset != 0) {
      request.out_offset = near_offset(request.data_type, {}, request.out_offset);
    }
    return;
  }
  const Ruling ruling = conformance::ruling_of(dialect, request);
  std::optional<Reach> reach;
  if (ruling.kind == Ruling::Kind::produces && ruling.shape.rank() == request.out_strides->size()) {
    reach = reach_of(request.data_type, ruling.shape, *request.out_strides);
  }
  if (!reach || (!is_empty(ruling.shape) && !nested(ruling.shape, *request.out_strides))) {
    return dense_output(request);
  }
  request.out_offset = near_offset(request.data_type, *reach, request.out_offset);
}

void settle_elements(Request& request) {
  if (!request.elements) return;
  const auto count = static_cast<std::int64_t>(request.elements->size());
  if (request.elements->size() > kMostElements || element_count(request.data) != count) {
    request.elements.reset();
    return;
  }
  request.payload.reset();
  const int width = bits(request.data_type);
  const std::uint64_t mask = request.data_type == ElementType::boolean ? 1
                             : width == 64                             ? ~std::uint64_t{0}
                                           : (std::uint64_t{1} << width) - 1;
  for (std::uint64_t& element : *request.elements) element &= mask;
}

}  // namespace

void make_askable(Request& request) {
  const Dialect& dialect = *declared_dialect(request.dialect);
  if (dialect.zero != ZeroRule::by_flag) request.special_zero.reset();
  settle_rank(request);
  settle_pattern(dialect, request);
  if (!fits_dense(request.data_type, request.data)) request.shape_only = true;
  if (request.shape_only) return shape_alone(request);
  if (request.in_place) {
    dense_data(request);
    dense_output(request);
    return settle_elements(request);
  }
  settle_data_layout(request);
  settle_output_layout(dialect, request);
  settle_elements(request);
}

}  // namespace reshape::fuzz
