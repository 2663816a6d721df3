#include "conformance/property/neighbours.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <utility>

#include "conformance/oracle/ruling_of.h"
#include "conformance/property/patterns.h"
#include "conformance/text/line.h"

namespace reshape::conformance {
namespace {

constexpr std::int64_t kMostElements = std::int64_t{1} << 16;

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
  void axes();
  void values();
  void forms();
  // What was kept since the last call.
  std::vector<Request> take() { return std::exchange(kept_, {}); }

 private:
  enum class Layouts { as_they_are, drawn };
  using Values = std::vector<PatternValue>;

  void keep(Request candidate, Layouts layouts);
  void keep_values(Values values) {
    Request other = request_;
    other.pattern.values = std::move(values);
    keep(std::move(other), Layouts::drawn);
  }
  void keep_sizes(std::vector<std::int64_t> sizes, const Values& values) {
    Request other = request_;
    other.data = Shape(std::move(sizes));
    other.pattern.values = values;
    keep(std::move(other), Layouts::drawn);
  }
  std::vector<std::int64_t> sizes() const { return {request_.data.begin(), request_.data.end()}; }

  const Dialect& dialect_;
  const Abilities& abilities_;
  const Request& request_;
  const Ruling ruling_;
  Choices& choices_;
  std::vector<Request> kept_;
  std::set<std::string> seen_;
};

void Neighbours::keep(Request candidate, Layouts layouts) {
  if (layouts == Layouts::drawn) {
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
  if (!candidate.shape_only && element_count(candidate.data).value_or(INT64_MAX) > kMostElements) {
    return;
  }
  const bool strided = request_.strides || request_.out_strides;
  if (layouts == Layouts::drawn && strided && produces && !candidate.shape_only) {
    draw_layout(candidate, ruling.shape, abilities_.layouts, choices_);
  }
  if (candidate == request_ || !seen_.insert(print_line(candidate)).second) return;
  kept_.push_back(std::move(candidate));
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
  if (ruling_.kind != Ruling::Kind::produces || request_.shape_only || request_.in_place) return;
  for (int drawn = 0; drawn < kDrawn; ++drawn) {
    Request other = request_;
    other.make_dense();
    draw_layout(other, ruling_.shape, abilities_.layouts, choices_);
    keep(std::move(other), Layouts::as_they_are);
  }
}

// An axis of one element more, two that change places, and larger sizes: what the pattern asks for
// grows as well where it has to.
void Neighbours::axes() {
  const Values& values = request_.pattern.values;
  for (std::size_t axis = 0; axis <= request_.data.rank(); ++axis) {
    std::vector<std::int64_t> more = sizes();
    more.insert(more.begin() + static_cast<std::ptrdiff_t>(axis), 1);
    keep_sizes(more, values);
    if (axis == request_.data.rank()) break;
    std::vector<std::int64_t> swapped = sizes();
    if (axis + 1 < swapped.size()) std::swap(swapped[axis], swapped[axis + 1]);
    keep_sizes(swapped, values);
    const std::int64_t size = request_.data[axis];
    if (size < 1 || size > kMostElements) continue;
    for (const std::int64_t larger : {size + 1, size * 2, size * 3}) {
      std::vector<std::int64_t> grown = sizes();
      grown[axis] = larger;
      keep_sizes(grown, values);
      for (std::size_t at = 0; at < values.size(); ++at) {
        Values asked = values;
        if (asked[at] < 1 || asked[at] * larger % size != 0) continue;
        asked[at] = asked[at] * larger / size;
        keep_sizes(grown, asked);
      }
    }
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
  for (const auto part : {&Neighbours::types_and_flags, &Neighbours::layouts,
                          &Neighbours::simplified, &Neighbours::axes, &Neighbours::values}) {
    (all.*part)();
    groups.push_back(all.take());
  }
  std::erase_if(groups, [](const auto& group) { return group.empty(); });
  return groups;
}

}  // namespace reshape::conformance
