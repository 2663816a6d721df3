#include "conformance/translation/port_world.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace reshape::conformance {
namespace {

constexpr std::size_t kMostShapes = 60'000;

using Sizes = std::vector<std::int64_t>;

// The positive values of a pattern, and their product where that is a possible size.
std::set<std::int64_t> sizes_asked(const ShapePattern& pattern) {
  std::set<std::int64_t> asked;
  PatternValue product = 1;
  for (const PatternValue value : pattern.values) {
    if (value < 1 || value > INT64_MAX) continue;
    asked.insert(static_cast<std::int64_t>(value));
    if (product <= INT64_MAX) product *= value;
  }
  if (product <= INT64_MAX) asked.insert(static_cast<std::int64_t>(product));
  return asked;
}

std::set<std::int64_t> with_divisors(const std::set<std::int64_t>& sizes) {
  constexpr std::int64_t kLargest = 1 << 16;
  std::set<std::int64_t> all = sizes;
  for (const std::int64_t size : sizes) {
    for (std::int64_t at = 2; size <= kLargest && at < size; ++at) {
      if (size % at == 0) all.insert(at);
    }
  }
  return all;
}

// The number of shapes with `sizes` possible sizes at each of `places` unknown places.
double count(std::size_t places, std::size_t sizes) { return std::pow(sizes, places); }

void add_shapes(const PartialShape& form, const Sizes& sizes, std::vector<Shape>& shapes) {
  std::vector<std::size_t> at(form.size(), 0);
  for (;;) {
    Sizes one(form.size());
    for (std::size_t axis = 0; axis < form.size(); ++axis) {
      one[axis] = form[axis] ? *form[axis] : sizes[at[axis]];
    }
    shapes.emplace_back(std::move(one));
    std::size_t axis = form.size();
    while (axis > 0 && (form[axis - 1] || ++at[axis - 1] == sizes.size())) at[--axis] = 0;
    if (axis == 0) return;
  }
}

std::size_t unknown_places(const PartialShape& form) {
  return static_cast<std::size_t>(std::count(form.begin(), form.end(), std::nullopt));
}

// Shapes in which all unknown places but two hold 1.
void add_pairs(const PartialShape& form, const Sizes& sizes, std::vector<Shape>& shapes) {
  for (std::size_t one = 0; one < form.size(); ++one) {
    for (std::size_t other = one + 1; other < form.size(); ++other) {
      if (form[one] || form[other]) continue;
      PartialShape pair = form;
      for (std::optional<std::int64_t>& size : pair) size = size.value_or(1);
      pair[one] = pair[other] = std::nullopt;
      add_shapes(pair, sizes, shapes);
    }
  }
}

}  // namespace

PortWorld port_world(const ShapePattern& pattern, const std::optional<PartialShape>& form) {
  const std::size_t most = std::max<std::size_t>(3, pattern.values.size() + 1);
  std::vector<PartialShape> forms;
  for (std::size_t rank = 0; !form && rank <= most; ++rank) forms.emplace_back(rank);
  if (form) forms = {*form};
  const std::size_t places = unknown_places(forms.back());

  const std::set<std::int64_t> few = {0, 1, 2, 3};
  std::set<std::int64_t> all = sizes_asked(pattern);
  all.insert(few.begin(), few.end());
  const std::set<std::int64_t> divisors = with_divisors(all);
  if (count(2, divisors.size()) * count(2, places) / 2 <= kMostShapes) all = divisors;
  // Where all of these make too many shapes, all places take the smallest sizes, and two the others.
  std::set<std::int64_t> sizes = all;
  while (sizes.size() > 2 && count(places, sizes.size()) > kMostShapes) {
    sizes.erase(std::prev(sizes.end()));
  }

  const Sizes list(sizes.begin(), sizes.end());
  PortWorld world;
  std::size_t highest = 0;
  const Sizes all_list(all.begin(), all.end());
  for (const PartialShape& one : forms) {
    const std::size_t unknown = unknown_places(one);
    if (count(unknown, list.size()) > kMostShapes) break;
    add_shapes(one, unknown <= 2 ? all_list : list, world.shapes);
    if (sizes.size() < all.size()) add_pairs(one, all_list, world.shapes);
    highest = one.size();
  }
  const auto sum = [](const Shape& shape) {
    return std::accumulate(shape.begin(), shape.end(), 0.0);
  };
  std::ranges::sort(world.shapes, [&](const Shape& a, const Shape& b) {
    if (a.rank() != b.rank()) return a.rank() < b.rank();
    if (sum(a) != sum(b)) return sum(a) < sum(b);
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
  });
  world.shapes.erase(std::unique(world.shapes.begin(), world.shapes.end()), world.shapes.end());
  std::string says = form ? "of that form" : "of rank 0.." + std::to_string(highest);
  if (places > 0) says += " with sizes " + text(Shape(list));
  if (sizes.size() < all.size()) {
    says += ", or of 1 but for two axes that also have those the pattern names, their product";
    says += all == divisors ? " and its divisors" : "";
  }
  world.says = std::move(says);
  return world;
}

}  // namespace reshape::conformance
