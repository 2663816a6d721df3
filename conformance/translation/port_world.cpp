#include "conformance/translation/port_world.h"

#include <algorithm>
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
double count(std::size_t places, std::size_t sizes) {
  double all = 1;
  for (std::size_t at = 0; at < places; ++at) all *= static_cast<double>(sizes);
  return all;
}

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

}  // namespace

PortWorld port_world(const ShapePattern& pattern, const std::optional<PartialShape>& form) {
  const std::size_t highest = std::max<std::size_t>(3, pattern.values.size() + 1);
  const std::size_t places =
      form ? static_cast<std::size_t>(std::count(form->begin(), form->end(), std::nullopt))
           : highest;
  std::set<std::int64_t> sizes = with_divisors(sizes_asked(pattern));
  const std::set<std::int64_t> few = {0, 1, 2, 3};
  sizes.insert(few.begin(), few.end());
  // If these are too many shapes: first without the divisors, then with the smallest sizes only.
  if (count(places, sizes.size()) > kMostShapes) {
    sizes = sizes_asked(pattern);
    sizes.insert(few.begin(), few.end());
  }
  while (sizes.size() > 2 && count(places, sizes.size()) > kMostShapes)
    sizes.erase(std::prev(sizes.end()));
  std::size_t most = places;
  while (!form && count(most, sizes.size()) > kMostShapes) --most;

  const Sizes list(sizes.begin(), sizes.end());
  PortWorld world;
  if (form) {
    add_shapes(*form, list, world.shapes);
  } else {
    for (std::size_t rank = 0; rank <= most; ++rank) {
      add_shapes(PartialShape(rank), list, world.shapes);
    }
  }
  const auto sum = [](const Shape& shape) {
    return std::accumulate(shape.begin(), shape.end(), 0.0);
  };
  std::stable_sort(world.shapes.begin(), world.shapes.end(), [&](const Shape& a, const Shape& b) {
    return a.rank() != b.rank() ? a.rank() < b.rank() : sum(a) < sum(b);
  });
  std::string says = form ? "of that form" : "of rank 0.." + std::to_string(most);
  if (places > 0) says += " with sizes " + text(Shape(list));
  world.says = std::move(says);
  return world;
}

}  // namespace reshape::conformance
