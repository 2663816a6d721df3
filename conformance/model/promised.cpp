// What an implementation promised to answer: why_unsupported of judge.h.
#include <algorithm>

#include "conformance/model/judge.h"

namespace reshape::conformance {
namespace {

bool refused_for_its_type(const Ruling& ruling) {
  return ruling.kind == Ruling::Kind::rejects &&
         (ruling.clause == "data.type" || ruling.clause == "pattern.type");
}

// Axes of size 1 are never stepped along, so their stride promises nothing.
bool steps_backwards(const Shape& shape, const Strides& strides) {
  for (std::size_t axis = 0; axis < std::min(shape.rank(), strides.size()); ++axis) {
    if (shape[axis] > 1 && strides[axis] < 0) return true;
  }
  return false;
}

std::string above(const std::string& what, std::int64_t limit) {
  return what + " is above the declared " + std::to_string(limit);
}

template <class Sizes>
bool any_above(const Sizes& sizes, std::int64_t limit) {
  return std::any_of(sizes.begin(), sizes.end(), [&](auto size) { return size > limit; });
}

// Where a document leaves the answer open, any permitted shape counts: the implementation may
// choose it.
bool may_answer_above(const Ruling& ruling, std::int64_t limit) {
  if (ruling.kind == Ruling::Kind::produces) return any_above(ruling.shape.sizes(), limit);
  return std::ranges::any_of(ruling.permitted, [&](const PermittedShape& shape) {
    return std::ranges::any_of(shape.sizes,
                               [&](const auto& size) { return size && *size > limit; });
  });
}

bool dense(const Shape& shape, const Strides& strides) {
  return shape.rank() == strides.size() && is_row_major_dense(Layout{shape, strides, 0});
}

// A child is sent values, without a memory layout.
std::optional<std::string> not_sent(const Request& request, const Capabilities& capabilities) {
  const bool laid_out =
      request.strides || request.out_strides || request.offset != 0 || request.out_offset != 0;
  if (laid_out && !capabilities.in_memory) return "strides and offsets are not sent to a child";
  if (request.shape_only && !capabilities.infers_alone) {
    return "the shape alone, without the data, is not promised";
  }
  const std::optional<std::int64_t> bytes = data_bytes(request);
  if (capabilities.max_bytes == 0 || (bytes && *bytes <= capabilities.max_bytes)) {
    return std::nullopt;
  }
  return "the data is above the declared " + std::to_string(capabilities.max_bytes) + " bytes";
}

std::optional<std::string> layout_unsupported(const Request& request, const Ruling& ruling,
                                              const Capabilities& capabilities) {
  if (request.strides && !dense(request.data, *request.strides)) {
    if (!capabilities.strided_input) return "strided input is not promised";
    if (!capabilities.negative_strides && steps_backwards(request.data, *request.strides)) {
      return "negative strides are not promised";
    }
    if (capabilities.no_overlapping_strides && !is_empty(request.data) &&
        overlaps(data_layout(request))) {
      return "strides that overlap are not promised";
    }
  }
  if (!request.out_strides) return std::nullopt;
  // Strides that equal the dense ones are fine, which only a definite output shape can tell.
  const bool known = ruling.kind == Ruling::Kind::produces;
  if (known && dense(ruling.shape, *request.out_strides)) return std::nullopt;
  if (!capabilities.strided_output) return "strided output is not promised";
  const bool backwards = known
                             ? steps_backwards(ruling.shape, *request.out_strides)
                             : std::any_of(request.out_strides->begin(), request.out_strides->end(),
                                           [](std::int64_t stride) { return stride < 0; });
  if (backwards && !capabilities.negative_strides) return "negative strides are not promised";
  return std::nullopt;
}

// Whether a size of 0 is asked for, whatever the document makes of the pattern's zeros, so that the
// other values count for nothing.
bool asks_for_nothing(const Request& request) {
  const std::vector<PatternValue>& values = request.pattern.values;
  for (std::size_t at = 0; at < values.size(); ++at) {
    const bool copies_nothing = at < request.data.rank() && request.data[at] == 0;
    if (values[at] == 0 && (copies_nothing || request.special_zero == false)) return true;
  }
  return false;
}

}  // namespace

std::optional<std::string> why_too_large(const Request& request, const Capabilities& able) {
  if (able.max_rank > 0) {
    const std::size_t rank = std::max(request.data.rank(), request.pattern.values.size());
    if (rank > static_cast<std::size_t>(able.max_rank)) {
      return above("rank " + std::to_string(rank), able.max_rank);
    }
  }
  if (able.max_size > 0 && (any_above(request.data.sizes(), able.max_size) ||
                            any_above(request.pattern.values, able.max_size))) {
    return above("a size", able.max_size);
  }
  if (able.max_elements > 0) {
    const std::optional<std::int64_t> count = element_count(request.data);
    if (!count || *count > able.max_elements)
      return above("the number of elements", able.max_elements);
    if (asks_for_nothing(request)) return std::nullopt;
    PatternValue asked = 1;
    for (const PatternValue value : request.pattern.values) {
      if (value <= 1) continue;
      if (value > able.max_elements || asked * value > able.max_elements) {
        return above("the number of elements asked for", able.max_elements);
      }
      asked *= value;
    }
  }
  return std::nullopt;
}

std::optional<std::string> why_unsupported(const Request& request, const Expectation& expectation,
                                           const Capabilities& capabilities) {
  if (!capabilities.has_dialect(request.dialect)) {
    return "dialect " + request.dialect + " is not declared";
  }
  if (std::optional<std::string> why = not_sent(request, capabilities)) return why;
  if (std::optional<std::string> large = why_too_large(request, capabilities)) return large;
  // A type that must be refused needs no support.
  if (refused_for_its_type(expectation.ruling)) return std::nullopt;
  if (!capabilities.element_types.contains(request.data_type)) {
    return "element type " + std::string(name(request.data_type)) + " is not declared";
  }
  if (!capabilities.pattern_types.contains(request.pattern.type)) {
    return "pattern type " + std::string(name(request.pattern.type)) + " is not declared";
  }
  if (capabilities.pattern_is_list && !request.pattern.one_dimensional()) {
    return "only patterns that are lists can be given";
  }
  // An inferred size may be larger than all sizes of the request.
  if (capabilities.max_size > 0 && may_answer_above(expectation.ruling, capabilities.max_size)) {
    return above("a size of the answer", capabilities.max_size);
  }
  if (request.in_place && !capabilities.in_place) return "in place is not promised";
  return layout_unsupported(request, expectation.ruling, capabilities);
}

}  // namespace reshape::conformance
