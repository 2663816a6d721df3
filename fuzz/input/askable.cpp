#include "fuzz/input/askable.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "conformance/oracle/ruling_of.h"
#include "reference/tensor/declared_dialects.h"

namespace reshape::fuzz {
namespace {

using conformance::Request;

// Larger than any stride in a tensor of kMostBytes; a sum over all axes fits in 63 bits.
constexpr std::int64_t kFarthestStep = std::int64_t{1} << 40;
constexpr std::int64_t kMostOffset = 4095;

PatternValue within(ElementType type, PatternValue value) {
  // The values of a pattern are written as integers, whatever its type is.
  constexpr PatternValue kLow = std::numeric_limits<std::int64_t>::min();
  constexpr PatternValue kHigh = std::numeric_limits<std::uint64_t>::max();
  const bool integer = is_integer(type);
  const PatternValue low = integer ? lowest(type) : kLow;
  const PatternValue high = integer ? highest(type) : kHigh;
  if (value >= low && value <= high) return value;
  // Wraps around, like a narrowing conversion, so that close numbers stay close.
  const PatternValue span = high - low + 1;
  PatternValue shifted = (value - low) % span;
  if (shifted < 0) shifted += span;
  return low + shifted;
}

// Whether a dense tensor fits in kMostBytes and its strides fit in 63 bits. The strides of an empty
// tensor count a size of 0 as 1.
bool fits_dense(ElementType type, const Shape& shape) {
  std::int64_t reach = 1;
  for (const std::int64_t size : shape) {
    if (__builtin_mul_overflow(reach, std::max<std::int64_t>(size, 1), &reach)) return false;
  }
  return is_empty(shape) || reach <= kMostBytes * 8 / bits(type);
}

// The range of positions that the elements take, relative to the first one; nothing where it
// exceeds kMostBytes.
std::optional<ElementRange> near_reach(ElementType type, const Shape& shape,
                                       const Strides& strides) {
  for (const std::int64_t stride : strides) {
    if (stride > kFarthestStep || stride < -kFarthestStep) return std::nullopt;
  }
  if (is_empty(shape)) return ElementRange{0, 0};
  const auto [first, last] = reach_of({shape, strides, 0});
  if (first < -kFarthestStep || last > kFarthestStep ||
      last - first >= kMostBytes * 8 / bits(type)) {
    return std::nullopt;
  }
  return ElementRange{static_cast<std::int64_t>(first), static_cast<std::int64_t>(last)};
}

// The offset closest to `offset` with which all elements lie behind the base, but not far behind.
std::int64_t near_offset(ElementType type, const ElementRange& reach, std::int64_t offset) {
  const __int128 first = static_cast<__int128>(offset) + reach.first;
  const std::int64_t gap =
      first >= 0 && first <= kMostOffset
          ? static_cast<std::int64_t>(first)
          : static_cast<std::int64_t>(static_cast<std::uint64_t>(offset) & kMostOffset);
  std::int64_t near = gap - reach.first;
  // The first 4-bit element starts at a whole byte.
  if (bits(type) == 4 && near % 2 != 0) near += gap < kMostOffset ? 1 : -1;
  return near;
}

void shape_alone(Request& request) {
  request.make_dense();
  request.payload.reset();
  request.elements.reset();
  request.in_place = false;
}

// A generated request may have more axes than the packed form can hold.
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
    std::optional<ElementRange> reach;
    if (request.strides->size() == request.data.rank()) {
      reach = near_reach(request.data_type, request.data, *request.strides);
    }
    if (!reach) return request.make_data_dense();
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
  std::optional<ElementRange> reach;
  if (ruling.kind == Ruling::Kind::produces && ruling.shape.rank() == request.out_strides->size()) {
    reach = near_reach(request.data_type, ruling.shape, *request.out_strides);
  }
  if (!reach ||
      (!is_empty(ruling.shape) && !strides_nest({ruling.shape, *request.out_strides, 0}))) {
    return request.make_output_dense();
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
    request.make_dense();
    return settle_elements(request);
  }
  settle_data_layout(request);
  settle_output_layout(dialect, request);
  settle_elements(request);
}

}  // namespace reshape::fuzz
