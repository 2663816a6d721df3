#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "conformance/oracle/ruling_of.h"
#include "conformance/property/generator.h"
#include "conformance/property/patterns.h"

namespace reshape::conformance {
namespace {

// Whether a simplified request can still be asked.
bool askable(const Request& request, const Ruling& ruling) {
  const ShapePattern& pattern = request.pattern;
  if (is_integer(pattern.type) && !holds(pattern.type, pattern)) return false;
  if (request.strides && request.strides->size() != request.data.rank()) return false;
  if (!request.out_strides) return true;
  return ruling.kind == Ruling::Kind::produces && output_fits(request, ruling.shape);
}

// Numbers nearer to 0, in the order to try them: 1, the half, the power of two below (where many
// bounds lie), the number less a power of two (which keeps the tail behind a kernel's blocks), and,
// for small numbers only, the next one. Only the highest powers are tried, since each costs a
// trial.
template <typename Number>
std::vector<Number> nearer_to_0(Number value) {
  constexpr Number kFew = 64;
  constexpr int kPowers = 3;
  if (value < 0) return {1, value / 2, value < -kFew ? value / 2 : value + 1};
  std::vector<Number> nearer = {1, value / 2};
  int power = 0;
  while (value >> power > 1) ++power;
  nearer.push_back(Number{1} << power);
  for (int last = std::max(2, power - kPowers + 1); power >= last; --power) {
    nearer.push_back(value - (Number{1} << power));
  }
  if (value <= kFew) nearer.push_back(value - 1);
  return nearer;
}

// The offset at which data of these sizes begins with its first element in memory. Of data without
// elements it is that of the other axes, which stay where the one of size 0 goes.
std::optional<std::int64_t> least_offset(const Shape& shape, const Strides& strides,
                                         ElementType type) {
  __int128 least = 0;
  for (std::size_t axis = 0; axis < std::min(shape.rank(), strides.size()); ++axis) {
    const std::int64_t steps = std::max<std::int64_t>(shape[axis] - 1, 0);
    if (strides[axis] < 0) least -= static_cast<__int128>(steps) * strides[axis];
  }
  if (bits(type) < 8) least += least % 2;  // an offset is in whole bytes
  if (least > std::numeric_limits<std::int64_t>::max()) return std::nullopt;
  return static_cast<std::int64_t>(least);
}

class Candidates {
 public:
  Candidates(const Dialect& dialect, const Request& request)
      : dialect_(dialect),
        request_(request),
        aim_(aim_of(ruling_of(dialect, request))),
        begins_first_(request.strides &&
                      request.offset ==
                          least_offset(request.data, *request.strides, request.data_type)) {}

  void layouts();
  void flags_and_types();
  void axes();
  void sizes();
  void size(std::size_t axis, std::int64_t smaller);
  void value(std::size_t at, PatternValue smaller);
  std::vector<Request> take() { return std::move(kept_); }

 private:
  void keep(Request candidate) {
    // Data that begins its buffer still does: what is read before it is seen only there.
    if (begins_first_ && candidate.strides) {
      const auto least = least_offset(candidate.data, *candidate.strides, candidate.data_type);
      candidate.offset = std::min(candidate.offset, least.value_or(candidate.offset));
    }
    if (candidate == request_) return;
    const Ruling ruling = ruling_of(dialect_, candidate);
    if (aim_of(ruling) == aim_ && askable(candidate, ruling)) {
      kept_.push_back(std::move(candidate));
    }
  }
  // In its layout: layouts() offers the dense request before, and where that passes, the layout
  // matters.
  Request without_elements() const {
    Request plain = request_;
    plain.elements.reset();
    return plain;
  }
  void without_ones(bool half);
  void all_of_one_element();
  void with_as_many_more(Request candidate);

  const Dialect& dialect_;
  const Request& request_;
  Aim aim_;
  bool begins_first_;  // the data's first element in memory begins its buffer
  std::vector<Request> kept_;
};

// Whether values can be taken out of the pattern one by one: it is a list, or a column.
bool has_rows(const ShapePattern& pattern) {
  const std::optional<Shape>& shape = pattern.tensor_shape;
  return pattern.one_dimensional() || (shape->rank() == 2 && (*shape)[1] == 1);
}

// Without an axis, or a value, and its stride. Precondition of the latter: has_rows().
Request without_axis(Request request, std::size_t axis) {
  std::vector<std::int64_t> sizes(request.data.begin(), request.data.end());
  const auto at = static_cast<std::ptrdiff_t>(axis);
  sizes.erase(sizes.begin() + at);
  request.data = Shape(std::move(sizes));
  if (request.strides) request.strides->erase(request.strides->begin() + at);
  return request;
}
Request without_value(Request request, std::size_t index) {
  const auto at = static_cast<std::ptrdiff_t>(index);
  request.pattern.values.erase(request.pattern.values.begin() + at);
  if (request.pattern.tensor_shape) {
    const auto rows = static_cast<std::int64_t>(request.pattern.values.size());
    request.pattern.tensor_shape = request.pattern.one_dimensional() ? Shape{rows} : Shape{rows, 1};
  }
  if (request.out_strides && index < request.out_strides->size()) {
    request.out_strides->erase(request.out_strides->begin() + at);
  }
  return request;
}

void Candidates::layouts() {
  Request dense = without_elements();
  dense.make_dense();
  keep(std::move(dense));
  Request without_input = request_;
  without_input.make_data_dense();
  keep(std::move(without_input));
  Request without_output = request_;
  without_output.make_output_dense();
  keep(std::move(without_output));
  Request nearer = without_elements();
  if (request_.strides) {
    const auto least = least_offset(request_.data, *request_.strides, request_.data_type);
    nearer.offset = std::min(request_.offset, least.value_or(request_.offset));
    keep(nearer);
  }
  const Ruling ruling = ruling_of(dialect_, request_);
  if (request_.out_strides && ruling.kind == Ruling::Kind::produces) {
    const auto least = least_offset(ruling.shape, *request_.out_strides, request_.data_type);
    nearer.offset = request_.offset;
    nearer.out_offset = std::min(request_.out_offset, least.value_or(request_.out_offset));
    keep(std::move(nearer));
  }
}

void Candidates::flags_and_types() {
  Request plain = request_;
  plain.in_place = false;
  plain.payload.reset();
  keep(plain);
  // Only towards the simplest types, so that shrinking ends.
  if (request_.data_type != ElementType::u8) {
    plain.data_type = ElementType::u8;
    keep(plain);
    if (request_.data_type != ElementType::f32) {
      plain.data_type = ElementType::f32;
      keep(plain);
    }
  }
  if (request_.pattern.type != ElementType::i64 && is_integer(request_.pattern.type)) {
    plain = request_;
    plain.pattern.type = ElementType::i64;
    keep(std::move(plain));
  }
}

// Removes all sizes of 1, or every second of them: one at a time takes too long where there are many.
void Candidates::without_ones(bool half) {
  const Request plain = without_elements();
  const auto fewer = [half](Request request, auto is_one, auto without, std::size_t count) {
    std::size_t ones = 0;
    for (std::size_t at = count; at-- > 0;) {
      if (is_one(request, at) && (!half || ++ones % 2 == 0)) request = without(request, at);
    }
    return request;
  };
  const auto axes = [&](const Request& request) {
    return fewer(
        request, [](const Request& one, std::size_t at) { return one.data[at] == 1; }, without_axis,
        request.data.rank());
  };
  const auto values = [&](const Request& request) {
    return fewer(
        request, [](const Request& one, std::size_t at) { return one.pattern.values[at] == 1; },
        without_value, request.pattern.values.size());
  };
  keep(axes(plain));
  if (!has_rows(plain.pattern)) return;
  keep(values(axes(plain)));
  keep(values(plain));
}

// A scalar, with a pattern of ones beside what is no size. One by one axes cannot go that a 0
// copies.
void Candidates::all_of_one_element() {
  Request one = without_elements();
  one.make_data_dense();
  one.data = Shape{};
  for (PatternValue& value : one.pattern.values) {
    if (value >= 0 && value <= std::numeric_limits<std::int64_t>::max()) value = 1;
  }
  keep(std::move(one));
}

void Candidates::axes() {
  all_of_one_element();
  without_ones(false);
  without_ones(true);
  // Removes an axis on one side or on both; candidates of another class are dropped.
  const Request plain = without_elements();
  const bool flat = has_rows(plain.pattern);
  const auto count = static_cast<std::int64_t>(plain.pattern.values.size());
  Request other_rank = plain;
  if (!flat && plain.pattern.tensor_shape->rank() > 0) {
    other_rank.pattern.tensor_shape = Shape{count, 1};
    keep(std::move(other_rank));
  } else if (!plain.pattern.one_dimensional() && flat && count == 1) {
    other_rank.pattern.tensor_shape = Shape{};
    keep(std::move(other_rank));
  }
  for (std::size_t axis = 0; axis < plain.data.rank(); ++axis) {
    keep(without_axis(plain, axis));
    with_as_many_more(without_axis(plain, axis));
    for (std::size_t at = 0; plain.data[axis] > 1 && at < plain.pattern.values.size(); ++at) {
      Request divided = without_axis(plain, axis);
      PatternValue& value = divided.pattern.values[at];
      if (value < 2 || value % plain.data[axis] != 0) continue;
      value /= plain.data[axis];
      keep(std::move(divided));
    }
    for (std::size_t at = 0; flat && at < plain.pattern.values.size(); ++at) {
      keep(without_value(without_axis(plain, axis), at));
    }
  }
  for (std::size_t at = 0; flat && at < plain.pattern.values.size(); ++at) {
    keep(without_value(plain, at));
  }
}

// With smaller data: a value above the number of all elements that is above it by as many as before.
void Candidates::with_as_many_more(Request candidate) {
  const std::optional<std::int64_t> before = element_count(request_.data);
  const std::optional<std::int64_t> now = element_count(candidate.data);
  if (!before || !now) return;
  for (std::size_t at = 0; at < candidate.pattern.values.size(); ++at) {
    const PatternValue value = candidate.pattern.values[at];
    if (value <= *before || *now >= *before) continue;
    candidate.pattern.values[at] = value - (*before - *now);
    keep(candidate);
    candidate.pattern.values[at] = value;
  }
}

void Candidates::size(std::size_t axis, std::int64_t smaller) {
  Request request = without_elements();
  const std::int64_t size = request.data[axis];
  if (smaller < 0 || smaller >= size) return;
  std::vector<std::int64_t> sizes(request.data.begin(), request.data.end());
  sizes[axis] = smaller;
  request.data = Shape(std::move(sizes));
  keep(request);
  // The same change in the pattern keeps the volumes equal.
  for (std::size_t at = 0; at < request.pattern.values.size(); ++at) {
    const PatternValue value = request.pattern.values[at];
    if (value < 2) continue;
    request.pattern.values[at] = value * smaller / size;
    keep(request);
    request.pattern.values[at] = value;
  }
  with_as_many_more(std::move(request));
}

void Candidates::value(std::size_t at, PatternValue smaller) {
  Request request = without_elements();
  request.pattern.values[at] = smaller;
  keep(std::move(request));
}

void Candidates::sizes() {
  for (std::size_t axis = 0; axis < request_.data.rank(); ++axis) {
    for (const std::int64_t smaller : nearer_to_0(request_.data[axis])) size(axis, smaller);
  }
  for (std::size_t at = 0; at < request_.pattern.values.size(); ++at) {
    const PatternValue number = request_.pattern.values[at];
    if (number < 2 && number >= -2) continue;
    for (const PatternValue smaller : nearer_to_0(number)) value(at, smaller);
  }
}

}  // namespace

std::vector<Request> simpler(const Dialect& dialect, const Request& request) {
  Candidates candidates(dialect, request);
  candidates.layouts();
  candidates.flags_and_types();
  candidates.axes();
  candidates.sizes();
  return candidates.take();
}

std::vector<Request> with_number(const Dialect& dialect, const Request& request, std::size_t number,
                                 PatternValue smaller) {
  Candidates candidates(dialect, request);
  const std::size_t rank = request.data.rank();
  if (number < rank) {
    candidates.size(number, static_cast<std::int64_t>(smaller));
  } else {
    candidates.value(number - rank, smaller);
  }
  return candidates.take();
}

}  // namespace reshape::conformance
