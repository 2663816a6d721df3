// Laws about sequences: an answer does not depend on the requests before it.
#include <algorithm>
#include <optional>
#include <utility>

#include "conformance/property/laws/answers.h"
#include "conformance/property/laws/laws.h"
#include "conformance/property/patterns.h"

namespace reshape::conformance::laws {
namespace {

Request with_one_payload(Request request) {
  if (!request.elements && !request.payload) request.payload = Payload::distinct;
  return request;
}

// Asks each request alone in a freshly loaded library, where reloading is possible; then each after
// itself and each after the other. No answer may differ from the first.
Trial alternate(const Request& input, const Request& between, PropertyCheck& property) {
  const auto fresh = [&](const Request& request) {
    static_cast<void>(property.reload());
    return property.ask(request);
  };
  const Outcome other = fresh(between);
  const Outcome first = fresh(input);
  for (const bool of_input : {true, false, true, false, false}) {
    const Outcome again = property.ask(of_input ? input : between);
    if (const auto differing = difference(of_input ? first : other, again)) {
      return Trial::broken("asked again after another request: " + *differing);
    }
  }
  return Trial::held();
}

Trial check_again(const Request& input, PropertyCheck& property) {
  return alternate(with_one_payload(input), with_one_payload(property.another()), property);
}

Trial check_empty(const Request& input, PropertyCheck& property) {
  const Request empty = property.plain(property.dense(input), Shape{0, 3}, Shape{3, 0});
  if (!property.promised(empty)) return Trial::discarded("rank 2 is not promised");
  return alternate(with_one_payload(input), empty, property);
}

Trial check_rejected(const Request& input, PropertyCheck& property) {
  std::vector<Aim> aims = aims_of(property.dialect());
  std::erase_if(aims, [](const Aim& aim) { return aim.kind != Ruling::Kind::rejects; });
  const Request refused = property.another(property.choices().one_of(aims));
  return alternate(with_one_payload(input), refused, property);
}

Trial check_buffers(const Request& asked, PropertyCheck& property) {
  if (asked.shape_only) return Trial::discarded("no bytes are read");
  Request input = with_one_payload(asked);
  Request other = input;
  other.elements.reset();
  other.payload = property.choices().chance(50) ? Payload::hard : Payload::zeros;
  if (!input.strides && property.capabilities().strided_input) other.offset += 8;
  return alternate(input, other, property);
}

Trial check_other_type(const Request& input, PropertyCheck& property) {
  if (input.elements) return Trial::discarded("its elements are written out");
  const std::optional<ElementType> type =
      draw_type((property.dialect().data_types & property.capabilities().element_types) -
                    ElementTypes{input.data_type},
                property.choices());
  if (!type) return Trial::discarded("no other type is promised");
  Request other = with_one_payload(input);
  other.data_type = *type;
  // Offsets of packed types must be whole bytes.
  other.offset += other.offset % 2;
  other.out_offset += other.out_offset % 2;
  return alternate(with_one_payload(input), other, property);
}

Trial check_other_stride(const Request& input, PropertyCheck& property) {
  const Request dense = with_one_payload(property.dense(input));
  if (dense.shape_only || is_empty(dense.data)) return Trial::discarded("no bytes are read");
  const Outcome outcome = property.ask(dense);
  if (!produced(outcome)) return Trial::discarded("no shape is produced");
  Request other = dense;
  for (int attempt = 0; attempt < 16 && !other.strides; ++attempt) {
    draw_layout(other, outcome.shape, property.abilities().layouts, property.choices());
  }
  if (!other.strides) return Trial::discarded("too large, or of too few axes, for a layout");
  return alternate(dense, other, property);
}

Trial check_other_flag(const Request& input, PropertyCheck& property) {
  if (property.dialect().zero != ZeroRule::by_flag || !input.special_zero) {
    return Trial::discarded("no flag is given");
  }
  Request request = with_one_payload(input);
  request.out_strides.reset();
  request.out_offset = 0;
  Request other = request;
  other.special_zero = !*input.special_zero;
  return alternate(request, other, property);
}

Trial check_many(const Request& input, PropertyCheck& property) {
  constexpr int kCalls = 300;
  std::vector<Request> requests = {with_one_payload(input), with_one_payload(property.another()),
                                   with_one_payload(property.another())};
  std::erase_if(requests, [](const Request& request) {
    const auto count = element_count(request.data);
    return !request.shape_only && (!count || *count > 512);
  });
  if (requests.empty()) return Trial::discarded("too large to be asked many times");
  std::vector<Outcome> first;
  for (int call = 0; call < kCalls; ++call) {
    const std::size_t at = static_cast<std::size_t>(call) % requests.size();
    Outcome outcome = property.ask(requests[at]);
    if (first.size() <= at) {
      first.push_back(std::move(outcome));
    } else if (const auto differing = difference(first[at], outcome)) {
      return Trial::broken("at call " + std::to_string(call + 1) + ": " + *differing);
    }
  }
  return Trial::held();
}

constexpr auto kAny = Law::Input::any;
constexpr auto kProduces = Law::Input::produces;

}  // namespace

Law same_again() {
  return {"same-again", Duty::C17, "A, B, A: the second A is answered as the first",
          kAny,         nullptr,   check_again};
}
Law empty_between() {
  return {"empty-between", Duty::C17, "an empty tensor in between changes no answer",
          kProduces,       nullptr,   check_empty};
}
Law rejected_between() {
  return {"rejected-between", Duty::C17, "a refusal in between changes no answer",
          kProduces,          nullptr,   check_rejected};
}
Law other_buffers_between() {
  return {"other-buffers-between",
          Duty::C17,
          "the same request over other elements and at another offset changes no answer",
          kProduces,
          nullptr,
          check_buffers};
}
Law other_type_between() {
  return {"other-type-between",
          Duty::C17,
          "the same request of another element type changes no answer",
          kAny,
          nullptr,
          check_other_type};
}
Law other_stride_between() {
  return {"other-stride-between",
          Duty::C17,
          "the same request with other strides changes no answer",
          kProduces,
          without_strides,
          check_other_stride};
}
Law other_flag_between() {
  return {"other-flag-between",
          Duty::C17,
          "the same request with the other flag changes no answer",
          kAny,
          nullptr,
          check_other_flag};
}
Law many_calls() {
  return {"many-calls",
          Duty::C17,
          "the last of many hundred calls is answered as the first",
          kAny,
          nullptr,
          check_many,
          10};
}

}  // namespace reshape::conformance::laws
