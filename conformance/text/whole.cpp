#include "conformance/text/whole.h"

#include <limits>

#include "conformance/text/counted.h"

namespace reshape::conformance {
namespace {

// Why a layout cannot be addressed, or nothing: every element lies at or behind the base, at a
// position that 63 bits can express.
const char* out_of_reach(const Shape& data, const Strides& strides, std::int64_t offset) {
  if (is_empty(data)) return nullptr;
  const auto [first, last] = reach_of({data, strides, offset});
  if (first < 0) return "the strides reach elements before the start of the buffer";
  if (last > std::numeric_limits<std::int64_t>::max()) {
    return "the strides reach beyond 2^63-1 elements";
  }
  return nullptr;
}

}  // namespace

std::optional<Contradiction> contradiction(const Request& request) {
  const std::size_t pattern_values = request.pattern.values.size();
  const std::size_t rank = request.data.rank();
  if (request.pattern.tensor_shape &&
      element_count(*request.pattern.tensor_shape) != static_cast<std::int64_t>(pattern_values)) {
    return Contradiction{"pattern_shape", "a pattern tensor of shape " +
                                              text(*request.pattern.tensor_shape) +
                                              " does not hold " + counted(pattern_values, "value")};
  }
  if (request.strides && request.strides->size() != rank) {
    return Contradiction{"strides", counted(request.strides->size(), "stride") +
                                        " for data of rank " + std::to_string(rank)};
  }
  if (request.strides) {
    const char* why = out_of_reach(request.data, *request.strides, request.offset);
    if (why != nullptr) return Contradiction{"strides", why};
  }
  if (request.out_strides && request.out_strides->size() != pattern_values) {
    return Contradiction{"out_strides", counted(request.out_strides->size(), "stride") +
                                            " for an output of rank " +
                                            std::to_string(pattern_values)};
  }
  const bool packed = bits(request.data_type) == 4;
  if (packed && (request.offset % 2 != 0 || request.out_offset % 2 != 0)) {
    return Contradiction{request.offset % 2 != 0 ? "offset" : "out_offset",
                         "an offset of 4-bit elements is even, so that it starts a whole byte"};
  }
  if (request.elements &&
      element_count(request.data) != static_cast<std::int64_t>(request.elements->size())) {
    return Contradiction{"elements", counted(request.elements->size(), "element") +
                                         " for data of shape " + text(request.data)};
  }
  if (request.elements && request.payload) {
    return Contradiction{"payload", "a payload is not given beside written-out elements"};
  }
  if (request.in_place && (request.strides || request.out_strides)) {
    return Contradiction{"in_place",
                         "in place is for dense tensors: strides are not given beside it"};
  }
  return std::nullopt;
}

}  // namespace reshape::conformance
