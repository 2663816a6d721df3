#include "conformance/adapter/examine/other_outputs.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <utility>

#include "conformance/model/another_shape.h"
#include "reference/tensor/layout.h"

namespace reshape::conformance {
namespace {

using Sizes = std::vector<std::int64_t>;

Sizes without_ones(const Sizes& sizes) {
  Sizes rest;
  std::ranges::copy_if(sizes, std::back_inserter(rest), [](auto size) { return size != 1; });
  return rest;
}

// How many of some outputs were asked, and taken.
struct Count {
  int asked = 0, taken = 0;

  void add(bool takes) {
    ++asked;
    taken += takes;
  }
  std::string text() const { return std::to_string(taken) + " of " + std::to_string(asked); }
};

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
  const Shape another = another_shape(inferred);
  add(Sizes(another.begin(), another.end()));
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
  Count in_ones, in_sizes, of_the_rank, of_another_rank;
  const auto count = [&](const std::vector<Shape>& shapes, Count& kind) {
    for (const Shape& one : shapes) {
      const bool taken = takes(one);
      kind.add(taken);
      (one.rank() == inferred.rank() ? of_the_rank : of_another_rank).add(taken);
    }
  };
  count(others.in_ones, in_ones);
  count(others.in_sizes, in_sizes);
  std::string says;
  if (in_ones.asked > 0) {
    says = "of outputs that differ in axes of size 1 alone it takes " + in_ones.text();
  }
  if (in_sizes.asked > 0) {
    says += (says.empty() ? "of outputs that differ in other sizes it takes "
                          : ", of those that differ in other sizes ") +
            in_sizes.text();
  }
  if (of_the_rank.asked > 0 && of_another_rank.asked > 0) {
    says += "; of those of its rank " + of_the_rank.text() + ", of those of another rank " +
            of_another_rank.text();
  }
  return says;
}

}  // namespace reshape::conformance
