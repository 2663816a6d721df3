#include "conformance/property/neighbours.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "conformance/oracle/ruling_of.h"
#include "conformance/property/patterns.h"
#include "conformance/text/line.h"
#include "reference/tensor/layout.h"

namespace reshape::conformance {
namespace {

// Of more, none are asked that have more than twice as many as the request itself.
constexpr std::int64_t kMostElements = std::int64_t{1} << 16;

// What `layout` is for other sizes: the same order of axes in memory, the same gaps and signs.
// Nothing where axes run into each other, as those of a window that slides do.
std::optional<Placement> carried_over(const Layout& layout, const Shape& sizes) {
  const std::size_t rank = layout.shape.rank();
  if (sizes.rank() != rank || is_empty(layout.shape) || is_empty(sizes)) return std::nullopt;
  std::vector<std::size_t> order(rank);  // the shortest stride first
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t one, std::size_t other) {
    return std::pair(distance(layout.strides[one]), layout.shape[one]) <
           std::pair(distance(layout.strides[other]), layout.shape[other]);
  });
  Placement carried{Strides(rank), layout.offset};
  __int128 before = 0, now = 0;  // where the next axis would begin without a gap
  for (const std::size_t axis : order) {
    const std::int64_t stride = layout.strides[axis];
    const auto apart = static_cast<__int128>(distance(stride));
    const __int128 gap = apart - before;
    const __int128 other = stride == 0 ? 0 : now + gap;
    if ((stride != 0 && gap < 0) || other > INT64_MAX / sizes[axis]) return std::nullopt;
    carried.strides[axis] = static_cast<std::int64_t>(stride < 0 ? -other : other);
    if (stride == 0) continue;
    before = apart * layout.shape[axis];
    now = other * sizes[axis];
    if (stride > 0) continue;
    carried.offset += carried.strides[axis] * (1 - sizes[axis]) - stride * (1 - layout.shape[axis]);
  }
  return carried;
}

class Neighbours {
 public:
  Neighbours(const Dialect& dialect, const Abilities& abilities, const Request& request,
             Choices& choices)
      : dialect_(dialect),
        abilities_(abilities),
        request_(request),
        ruling_(ruling_of(dialect, request)),
        choices_(choices) {}

  void simplified() {
    for (Request& one : simpler(dialect_, request_)) keep(std::move(one), Layouts::as_they_are);
  }
  void types_and_flags();
  void layouts();
  void strides();
  void sizes();
  void axes();
  void values();
  void forms();
  // What was kept since the last call.
  std::vector<Request> take() { return std::exchange(kept_, {}); }

 private:
  enum class Layouts { as_they_are, carried_over, drawn };
  using Values = std::vector<PatternValue>;

  void keep(Request candidate, Layouts layouts);
  void keep_values(Values values) {
    Request other = request_;
    other.pattern.values = std::move(values);
    keep(std::move(other), Layouts::drawn);
  }
  void keep_sizes(std::vector<std::int64_t> sizes, const Values& values, Layouts layouts) {
    Request other = request_;
    other.data = Shape(std::move(sizes));
    other.pattern.values = values;
    keep(std::move(other), layouts);
  }
  void keep_other_size(std::size_t axis, std::int64_t size, Layouts layouts);
  std::vector<std::int64_t> sizes_now() const {
    return {request_.data.begin(), request_.data.end()};
  }
  bool strided() const { return request_.strides || request_.out_strides; }
  bool lay_out_as_before(Request& candidate, const Ruling& ruling) const;
  void draw(Request& candidate, const Ruling& ruling);

  const Dialect& dialect_;
  const Abilities& abilities_;
  const Request& request_;
  const Ruling ruling_;
  Choices& choices_;
  std::vector<Request> kept_;
  std::set<std::string> seen_;
};

void Neighbours::keep(Request candidate, Layouts layouts) {
  if (layouts != Layouts::as_they_are) {
    candidate.make_dense();
    candidate.elements.reset();
  }
  if (is_integer(candidate.pattern.type) && !holds(candidate.pattern.type, candidate.pattern)) {
    return;
  }
  const Ruling ruling = ruling_of(dialect_, candidate);
  if (aim_of(ruling) != aim_of(ruling_)) return;
  const bool produces = ruling.kind == Ruling::Kind::produces;
  const std::size_t rank = std::max(candidate.data.rank(), produces ? ruling.shape.rank() : 0);
  if (abilities_.max_rank != 0 && rank > abilities_.max_rank) return;
  const std::int64_t now = element_count(request_.data).value_or(0);
  const std::int64_t most = std::max(kMostElements, now > INT64_MAX / 2 ? now : 2 * now);
  if (!candidate.shape_only && element_count(candidate.data).value_or(INT64_MAX) > most) return;
  if (strided() && !candidate.shape_only) {
    if (layouts == Layouts::carried_over && !lay_out_as_before(candidate, ruling)) return;
    if (layouts == Layouts::drawn) draw(candidate, ruling);
  }
  if (ruling.kind == Ruling::Kind::produces && !output_fits(candidate, ruling.shape)) return;
  if (candidate == request_ || !seen_.insert(print_line(candidate)).second) return;
  kept_.push_back(std::move(candidate));
}

// In the layouts of the request; false where one of them cannot be that of the new shapes.
bool Neighbours::lay_out_as_before(Request& candidate, const Ruling& ruling) const {
  if (request_.strides) {
    const auto carried =
        carried_over({request_.data, *request_.strides, request_.offset}, candidate.data);
    if (!carried) return false;
    candidate.strides = carried->strides;
    candidate.offset = carried->offset;
  }
  if (request_.out_strides && ruling.kind == Ruling::Kind::produces) {
    const auto carried =
        carried_over({ruling_.shape, *request_.out_strides, request_.out_offset}, ruling.shape);
    if (!carried) return false;
    candidate.out_strides = carried->strides;
    candidate.out_offset = carried->offset;
  }
  const bool whole = bits(candidate.data_type) >= 8 ||
                     (candidate.offset % 2 == 0 && candidate.out_offset % 2 == 0);
  return whole;
}

void Neighbours::draw(Request& candidate, const Ruling& ruling) {
  if (ruling.kind == Ruling::Kind::produces) {
    draw_layout(candidate, ruling.shape, abilities_.layouts, choices_);
  } else {
    draw_data_layout(candidate, abilities_.layouts, choices_);
  }
}

void Neighbours::types_and_flags() {
  Request other = request_;
  other.elements.reset();
  for (const ElementType type : dialect_.data_types & abilities_.data_types) {
    other.data_type = type;
    keep(other, Layouts::as_they_are);
  }
  other = request_;
  for (const ElementType type : dialect_.pattern_types & abilities_.pattern_types) {
    if (is_integer(type)) other.pattern.type = type;
    keep(other, Layouts::as_they_are);
  }
  other = request_;
  if (other.special_zero) {
    other.special_zero = !*other.special_zero;
    keep(other, Layouts::as_they_are);
  }
}

void Neighbours::layouts() {
  constexpr int kDrawn = 6;
  if (request_.shape_only || request_.in_place) return;
  for (int drawn = 0; drawn < kDrawn; ++drawn) {
    Request other = request_;
    other.make_dense();
    draw(other, ruling_);
    keep(std::move(other), Layouts::as_they_are);
  }
}

// One stride of either side, or of both, a little longer or shorter.
void Neighbours::strides() {
  if (request_.shape_only || request_.in_place) return;
  const auto longer = [](std::optional<Strides>& strides, std::size_t axis, std::int64_t by) {
    if (!strides || axis >= strides->size()) return false;
    std::int64_t& stride = (*strides)[axis];
    // Backwards an offset would have to change as well, and 0 repeats.
    if (stride < 1 || stride > INT64_MAX / 4 || stride + by < 1) return false;
    stride += by;
    return true;
  };
  const std::size_t axes = std::max(request_.data.rank(), ruling_.shape.rank());
  for (std::size_t axis = 0; axis < axes; ++axis) {
    for (const std::int64_t by : {1, -1, 2}) {
      Request data = request_, output = request_, both = request_;
      const bool of_data = longer(data.strides, axis, by);
      if (of_data) keep(std::move(data), Layouts::as_they_are);
      const bool of_output = longer(output.out_strides, axis, by);
      if (of_output) keep(std::move(output), Layouts::as_they_are);
      if (!of_data || !of_output) continue;
      longer(both.strides, axis, by);
      longer(both.out_strides, axis, by);
      keep(std::move(both), Layouts::as_they_are);
    }
  }
}

// With an axis of another size: what the pattern asks for changes as well where it has to.
void Neighbours::keep_other_size(std::size_t axis, std::int64_t size, Layouts layouts) {
  const Values& values = request_.pattern.values;
  const std::int64_t now = request_.data[axis];
  std::vector<std::int64_t> other = sizes_now();
  other[axis] = size;
  keep_sizes(other, values, layouts);
  for (std::size_t at = 0; at < values.size(); ++at) {
    Values asked = values;
    if (asked[at] < 1 || asked[at] * size % now != 0) continue;
    asked[at] = asked[at] * size / now;
    keep_sizes(other, asked, layouts);
  }
}

// Larger sizes, and where that is little of all, smaller ones.
void Neighbours::sizes() {
  constexpr std::int64_t kFew = 64;  // simpler() looks at each size below
  std::vector<Layouts> ways = {Layouts::drawn};
  if (strided()) ways.insert(ways.begin(), Layouts::carried_over);
  const std::int64_t most = std::max(kMostElements, element_count(request_.data).value_or(0));
  for (const Layouts layouts : ways) {
    for (std::size_t axis = 0; axis < request_.data.rank(); ++axis) {
      const std::int64_t size = request_.data[axis];
      if (size < 1 || size > most) continue;
      std::vector<std::int64_t> others = {size + 1, size * 2, size * 3};
      if (size > kFew) others.insert(others.begin() + 1, {size - 1, size / 2});
      for (const std::int64_t other : others) keep_other_size(axis, other, layouts);
    }
  }
}

// An axis of one element more, and two that change places.
void Neighbours::axes() {
  const Values& values = request_.pattern.values;
  for (std::size_t axis = 0; axis <= request_.data.rank(); ++axis) {
    std::vector<std::int64_t> more = sizes_now();
    more.insert(more.begin() + static_cast<std::ptrdiff_t>(axis), 1);
    keep_sizes(more, values, Layouts::drawn);
    if (axis == request_.data.rank()) break;
    std::vector<std::int64_t> swapped = sizes_now();
    if (axis + 1 < swapped.size()) std::swap(swapped[axis], swapped[axis + 1]);
    keep_sizes(swapped, values, Layouts::drawn);
  }
}

// The same values in a tensor of another form.
void Neighbours::forms() {
  const auto count = static_cast<std::int64_t>(request_.pattern.values.size());
  std::vector<Shape> forms = {{1, count}, {count, 1}, {1, count, 1}, {1, 1, count}};
  if (count == 0) forms = {{0, 1}, {1, 0}, {0, 2}, {2, 0}, {1, 0, 1}};
  if (count == 1) forms.push_back({});
  if (count > 2 && count % 2 == 0) forms.insert(forms.end(), {{2, count / 2}, {count / 2, 2}});
  for (const Shape& form : forms) {
    Request other = request_;
    other.pattern.tensor_shape = form;
    keep(std::move(other), Layouts::as_they_are);
  }
}

void Neighbours::values() {
  if (!request_.pattern.one_dimensional()) return forms();
  const Values& values = request_.pattern.values;
  const bool produces = ruling_.kind == Ruling::Kind::produces;
  for (std::size_t at = 0; at <= values.size(); ++at) {
    Values other = values;
    other.insert(other.begin() + static_cast<std::ptrdiff_t>(at), 1);
    keep_values(std::move(other));
    if (at == values.size()) break;
    other = values;
    if (at + 1 < values.size()) std::swap(other[at], other[at + 1]);
    keep_values(std::move(other));
    // The same size in other words.
    for (const PatternValue word : {PatternValue{-1}, PatternValue{0}, PatternValue{1}}) {
      other = values;
      other[at] = word;
      keep_values(std::move(other));
    }
    other = values;
    if (produces) other[at] = ruling_.shape[at];
    keep_values(std::move(other));
  }
}

}  // namespace

std::vector<std::vector<Request>> neighbours(const Dialect& dialect, const Abilities& abilities,
                                             const Request& request, Choices& choices) {
  Neighbours all(dialect, abilities, request, choices);
  std::vector<std::vector<Request>> groups;
  for (const auto part :
       {&Neighbours::types_and_flags, &Neighbours::layouts, &Neighbours::strides,
        &Neighbours::simplified, &Neighbours::sizes, &Neighbours::axes, &Neighbours::values}) {
    (all.*part)();
    groups.push_back(all.take());
  }
  std::erase_if(groups, [](const auto& group) { return group.empty(); });
  return groups;
}

}  // namespace reshape::conformance
