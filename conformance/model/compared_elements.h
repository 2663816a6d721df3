#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "conformance/model/outcome.h"
#include "conformance/model/request.h"
#include "conformance/model/wrong_elements.h"
#include "reference/tensor/tensor_view.h"

namespace reshape::conformance {

// The elements of one execution, beside the right ones.
struct ComparedElements {
  const Request& request;
  const Probe& probe;
  const Shape& shape;  // of the output
  std::int64_t count;
  std::span<const std::byte> right, came;  // row-major and packed
  std::vector<std::int64_t> wrong;         // positions, ascending; not empty

  std::uint64_t right_at(std::int64_t position) const {
    return load_element(request.data_type, right.data(), position);
  }
  std::uint64_t came_at(std::int64_t position) const {
    return load_element(request.data_type, came.data(), position);
  }
};

// The facts that wrong_places.cpp, right_values.cpp, wrong_values.cpp and wrong_order.cpp find.
std::vector<ElementFact> facts_about_places(const ComparedElements& elements);
std::vector<ElementFact> facts_about_right_values(const ComparedElements& elements);
std::vector<ElementFact> facts_about_values(const ComparedElements& elements);
std::vector<ElementFact> facts_about_order(const ComparedElements& elements);

}  // namespace reshape::conformance
