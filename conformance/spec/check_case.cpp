#include "conformance/spec/check_case.h"

#include <optional>
#include <set>
#include <utility>

namespace reshape::conformance {
namespace {

// Counts from the base pointer, so that a large offset counts too. Few elements may lie far apart,
// since the memory between them is mapped but never touched.
bool too_large(ElementType type, const Layout& layout) {
  if (is_empty(layout.shape)) return false;
  const bool few = element_count(layout.shape).value_or(kMostFarApart + 1) <= kMostFarApart;
  const __int128 most = few ? kMostSpan : kMostBytes;
  return reach_of(layout).last >= most * 8 / bits(type);
}

// The output shapes that the expectation fixes completely.
std::vector<Shape> definite_shapes(const Ruling& expect) {
  if (expect.kind == Ruling::Kind::produces) return {expect.shape};
  std::vector<Shape> shapes;
  for (const PermittedShape& permitted : expect.permitted) {
    Shape shape;
    for (const std::optional<std::int64_t>& size : permitted.sizes) {
      if (size) shape.append(*size);
    }
    if (shape.rank() == permitted.sizes.size()) shapes.push_back(std::move(shape));
  }
  return shapes;
}

void check_clauses(const Case& one, const Document& document, std::vector<std::string>& problems) {
  if (one.clauses.empty()) problems.push_back("a case names at least one clause");
  std::set<std::string> named;
  for (const std::string& id : one.clauses) {
    if (!named.insert(id).second) problems.push_back("the clause " + id + " is named twice");
    if (document.clause(id) == nullptr)
      problems.push_back(document.dialect.name + " has no clause " + id);
  }
  if (one.expect.kind != Ruling::Kind::produces && !named.contains(one.expect.clause)) {
    problems.push_back("the clause of the answer, " + one.expect.clause +
                       ", is not among the case's clauses");
  }
}

void check_output(const Case& one, std::vector<std::string>& problems) {
  const Request& request = one.request;
  for (const Shape& shape : definite_shapes(one.expect)) {
    Layout layout{shape, {}, request.out_offset};
    if (request.out_strides) {
      layout.strides = *request.out_strides;
      if (layout.strides.size() != shape.rank()) {
        problems.push_back("out_strides do not fit the output " + text(shape));
        continue;
      }
    } else if (const std::optional<Strides> dense = row_major_strides(shape)) {
      layout.strides = *dense;
    } else {
      continue;  // beyond int64: the data is, too
    }
    if (too_large(request.data_type, layout)) {
      problems.push_back("the output takes more than 160 MiB: such a case is shape_only=true");
    } else if (!is_empty(shape) && reach_of(layout).first < 0) {
      problems.push_back("out_strides reach elements before the start of the buffer");
    } else if (output_overlaps(request, shape)) {
      problems.push_back("out_strides let elements of the output " + text(shape) + " overlap");
    }
  }
}

void check_elements(const Case& one, std::vector<std::string>& problems) {
  if (!one.expect_elements) return;
  if (!one.request.elements) {
    problems.push_back("elements are expected where the request has none (elements=[..])");
  } else if (one.expect.kind == Ruling::Kind::rejects) {
    problems.push_back("elements are expected of a request that is refused");
  } else if (one.expect_elements->size() != one.request.elements->size()) {
    problems.push_back(std::to_string(one.expect_elements->size()) + " elements are expected of " +
                       std::to_string(one.request.elements->size()));
  }
}

}  // namespace

std::vector<std::string> problems_of(const Case& one, const Document& document) {
  std::vector<std::string> problems;
  const Request& request = one.request;
  check_clauses(one, document, problems);
  if (request.pattern.tensor_shape &&
      document.dialect.pattern_given_as == PatternSource::attribute) {
    problems.push_back(
        "pattern_shape is for patterns that are tensors, and this document's is an "
        "attribute");
  }
  if (request.shape_only) {
    if (request.elements || request.payload || request.in_place) {
      problems.push_back("shape_only=true asks for no bytes: no elements, payload or in_place");
    }
  } else {
    const bool addressable = request.strides || row_major_strides(request.data);
    if (!addressable || too_large(request.data_type, data_layout(request))) {
      problems.push_back("the data takes more than 160 MiB: such a case is shape_only=true");
    } else {
      check_output(one, problems);
    }
  }
  check_elements(one, problems);
  return problems;
}

}  // namespace reshape::conformance
