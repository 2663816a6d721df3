#include "conformance/adapter/examine/other_outputs.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <utility>

#include "reference/tensor/layout.h"

namespace reshape::conformance {
namespace {

using Sizes = std::vector<std::int64_t>;

Sizes without_ones(const Sizes& sizes) {
  Sizes rest;
  std::ranges::copy_if(sizes, std::back_inserter(rest), [](auto size) { return size != 1; });
  return rest;
}

std::string count_of(const std::vector<Shape>& shapes,
                     const std::function<bool(const Shape&)>& takes) {
  const auto taken = std::ranges::count_if(shapes, takes);
  return std::to_string(taken) + " of " + std::to_string(shapes.size());
}

}  // namespace

OtherOutputs other_outputs(const Shape& inferred) {
  const Sizes sizes(inferred.sizes().begin(), inferred.sizes().end());
  const Sizes kept = without_ones(sizes);
  OtherOutputs others;
  const auto add = [&](Sizes other) {
    if (other == sizes) return;
    std::vector<Shape>& kind = without_ones(other) == kept ? others.in_ones : others.in_sizes;
    Shape shape(std::move(other));
    // An empty tensor of huge sizes is too large to have strides.
    if (!row_major_strides(shape)) return;
    if (std::ranges::find(kind, shape) == kind.end()) kind.push_back(std::move(shape));
  };
  Sizes in_front = sizes, behind = sizes;
  in_front.insert(in_front.begin(), 1);
  behind.push_back(1);
  add(in_front);
  add(behind);
  add(kept);
  add(Sizes(sizes.rbegin(), sizes.rend()));
  if (std::ranges::count(sizes, 0) != 0) {
    Sizes larger = sizes;
    if (larger.back() < std::numeric_limits<std::int64_t>::max()) ++larger.back();
    if (std::ranges::count(larger, 0) != 0) add(larger);
    return others;
  }
  std::int64_t count = 1;
  for (const std::int64_t size : sizes) count *= size;
  add({count});
  for (const std::int64_t part : {2, 3}) {
    if (count % part == 0) add({part, count / part});
  }
  return others;
}

std::string which_are_taken(const Shape& inferred, const std::function<bool(const Shape&)>& takes) {
  const OtherOutputs others = other_outputs(inferred);
  std::string says;
  if (!others.in_ones.empty()) {
    says = "of outputs that differ in axes of size 1 alone it takes " +
           count_of(others.in_ones, takes);
  }
  if (!others.in_sizes.empty()) {
    says += (says.empty() ? "of outputs that differ in other sizes it takes "
                          : ", of those that differ in other sizes ") +
            count_of(others.in_sizes, takes);
  }
  return says;
}

}  // namespace reshape::conformance
