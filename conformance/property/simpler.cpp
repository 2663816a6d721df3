#include <algorithm>
#include <cstdint>
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

// Numbers nearer to 0, in the order to try them: 1, the half, the number less a power of two (which
// keeps the tail behind a kernel's blocks), and, for small numbers only, the next one. Only the
// highest powers are tried, since each costs a trial.
template <typename Number>
std::vector<Number> nearer_to_0(Number value) {
  constexpr Number kFew = 64;
  constexpr int kPowers = 3;
  if (value < 0) return {1, value / 2, value < -kFew ? value / 2 : value + 1};
  std::vector<Number> nearer = {1, value / 2};
  int power = 0;
  while (value >> power > 1) ++power;
  for (int last = std::max(2, power - kPowers + 1); power >= last; --power) {
    nearer.push_back(value - (Number{1} << power));
  }
  if (value <= kFew) nearer.push_back(value - 1);
  return nearer;
}

class Candidates {
 public:
  Candidates(const Dialect& dialect, const Request& request)
      : dialect_(dialect), request_(request), aim_(aim_of(ruling_of(dialect, request))) {}

  void layouts();
  void flags_and_types();
  void axes();
  void sizes();
  std::vector<Request> take() { return std::move(kept_); }

 private:
  void keep(Request candidate) {
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

  const Dialect& dialect_;
  const Request& request_;
  Aim aim_;
  std::vector<Request> kept_;
};

// Without an axis, or a value, and its stride.
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
  if (!plain.pattern.one_dimensional()) return;
  keep(values(axes(plain)));
  keep(values(plain));
}

void Candidates::axes() {
  without_ones(false);
  without_ones(true);
  // Removes an axis on one side or on both; candidates of another class are dropped.
  const Request plain = without_elements();
  const bool flat = plain.pattern.one_dimensional();
  for (std::size_t axis = 0; axis < plain.data.rank(); ++axis) {
    keep(without_axis(plain, axis));
    for (std::size_t at = 0; flat && at < plain.pattern.values.size(); ++at) {
      keep(without_value(without_axis(plain, axis), at));
    }
  }
  for (std::size_t at = 0; flat && at < plain.pattern.values.size(); ++at) {
    keep(without_value(plain, at));
  }
}

void Candidates::sizes() {
  const Request plain = without_elements();
  for (std::size_t axis = 0; axis < plain.data.rank(); ++axis) {
    for (const std::int64_t smaller : nearer_to_0(plain.data[axis])) {
      if (smaller < 0 || smaller >= plain.data[axis]) continue;
      Request request = plain;
      std::vector<std::int64_t> sizes(plain.data.begin(), plain.data.end());
      sizes[axis] = smaller;
      request.data = Shape(std::move(sizes));
      keep(request);
      // The same change in the pattern keeps the volumes equal.
      for (std::size_t at = 0; at < plain.pattern.values.size(); ++at) {
        const PatternValue value = plain.pattern.values[at];
        if (value < 2 || plain.data[axis] == 0) continue;
        request.pattern.values[at] = value * smaller / plain.data[axis];
        keep(request);
        request.pattern.values[at] = value;
      }
    }
  }
  for (std::size_t at = 0; at < plain.pattern.values.size(); ++at) {
    const PatternValue value = plain.pattern.values[at];
    if (value < 2 && value >= -2) continue;
    Request request = plain;
    for (const PatternValue smaller : nearer_to_0(value)) {
      request.pattern.values[at] = smaller;
      keep(request);
    }
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

}  // namespace reshape::conformance
