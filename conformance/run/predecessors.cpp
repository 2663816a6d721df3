#include <algorithm>
#include <utility>

#include "conformance/adapter/examine/request_between.h"
#include "conformance/run/replays.h"
#include "conformance/text/line.h"

namespace reshape::conformance {
namespace {

// The request without its layouts, so that its sizes can change.
Request without_layouts(Request request) {
  request.make_dense();
  request.elements.reset();
  return request;
}

Request with_values(const Request& request, std::vector<PatternValue> values) {
  Request changed = without_layouts(request);
  changed.pattern = ShapePattern{};
  changed.pattern.type = request.pattern.type;
  changed.pattern.values = std::move(values);
  return changed;
}

}  // namespace

std::vector<Request> made_up_before(const Suite& suite, const Request& request,
                                    const Capabilities& capabilities) {
  // The request that each examination infers in between comes before those that an examination is a
  // part of: else a library that it confuses would seem to be confused by another flag.
  std::vector<Request> all = {request, request_between(request)};
  all.back().special_zero = request.special_zero;
  if (const auto refused = refused_between(request)) all.push_back(*refused);
  // Another volume, without a 0 or -1 and with the pattern's own; two -1; a size that nothing has.
  all.push_back(with_values(request, {5, 7, 11}));
  std::vector<PatternValue> values = request.pattern.values;
  values.push_back(7);
  all.push_back(with_values(request, values));
  all.push_back(with_values(request, {-1, -1}));
  all.push_back(with_values(request, {-1, 7919}));
  all.push_back(with_values(request, {0, 0, 0, 0, 0, 0, 0, 0, -1}));
  // Other flags.
  for (const std::optional<bool> flag :
       {std::optional<bool>(), std::optional(true), std::optional(false)}) {
    if (flag == request.special_zero) continue;
    all.push_back(request);
    all.back().special_zero = flag;
  }
  for (const Document& document : suite.documents) {
    const Dialect& dialect = document.dialect;
    if (dialect.name == request.dialect || !capabilities.has_dialect(dialect.name)) continue;
    Request other = without_layouts(request);
    other.dialect = dialect.name;
    all.push_back(other);
    if (dialect.zero != ZeroRule::by_flag || other.special_zero) continue;
    other.special_zero = true;
    all.push_back(std::move(other));
  }
  if (request.strides || request.out_strides) all.push_back(without_layouts(request));
  for (const ElementType type : {ElementType::f32, ElementType::u8}) {
    if (type == request.data_type || !capabilities.element_types.contains(type)) continue;
    for (Request other : {without_layouts(request), request}) {
      other.data_type = type;
      other.elements.reset();
      all.push_back(std::move(other));
    }
  }
  // Requests with the same layout and the same flag: where they cause the failure as well, the flag
  // of those above is not what matters.
  Request other_elements = request;
  other_elements.elements.reset();
  const bool zeros = request.payload == Payload::zeros;
  other_elements.payload = zeros ? Payload::distinct : Payload::zeros;
  all.push_back(std::move(other_elements));
  Request refused = request;
  refused.make_output_dense();
  refused.pattern = with_values(request, {-1, -1}).pattern;
  all.push_back(std::move(refused));
  // Plain ones, of other sizes.
  Request plain = with_values(request, {6});
  plain.data = Shape{2, 3};
  all.push_back(plain);
  plain.pattern.values = {3, -1};
  all.push_back(std::move(plain));
  std::vector<Request> askable;
  for (Request& one : all) {
    const bool can_be_asked = parse_line(print_line(one)).ok();
    if (can_be_asked && std::ranges::find(askable, one) == askable.end()) {
      askable.push_back(std::move(one));
    }
  }
  return askable;
}

}  // namespace reshape::conformance
