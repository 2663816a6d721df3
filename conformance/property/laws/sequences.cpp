// What was run before does not matter.
#include <algorithm>
#include <utility>

#include "conformance/property/laws/laws.h"

namespace reshape::conformance::laws {
namespace {

Request with_one_payload(Request request) {
  if (!request.elements && !request.payload) request.payload = Payload::distinct;
  return request;
}

// Each alone in a library that was just loaded, where that can be had; then each after itself and each
// after the other. No answer may differ from the first.
Trial alternate(const Request& premise, const Request& between, Laboratory& laboratory) {
  const auto fresh = [&](const Request& request) {
    static_cast<void>(laboratory.reload());
    return laboratory.ask(request);
  };
  const Outcome other = fresh(between);
  const Outcome first = fresh(premise);
  for (const bool of_premise : {true, false, true, false, false}) {
    const Outcome again = laboratory.ask(of_premise ? premise : between);
    if (const auto differing = difference(of_premise ? first : other, again)) {
      return Trial::broken("asked again after another request: " + *differing);
    }
  }
  return Trial::held();
}

Trial check_again(const Request& premise, Laboratory& laboratory) {
  return alternate(with_one_payload(premise), with_one_payload(laboratory.another()), laboratory);
}

Trial check_empty(const Request& premise, Laboratory& laboratory) {
  const Request empty = laboratory.plain(laboratory.dense(premise), Shape{0, 3}, Shape{3, 0});
  if (!laboratory.promised(empty)) return Trial::moot("rank 2 is not promised");
  return alternate(with_one_payload(premise), empty, laboratory);
}

Trial check_rejected(const Request& premise, Laboratory& laboratory) {
  std::vector<Aim> aims = aims_of(laboratory.dialect());
  std::erase_if(aims, [](const Aim& aim) { return aim.kind != Ruling::Kind::rejects; });
  const Request refused = laboratory.another(laboratory.choices().one_of(aims));
  return alternate(with_one_payload(premise), refused, laboratory);
}

Trial check_buffers(const Request& asked, Laboratory& laboratory) {
  if (asked.shape_only) return Trial::moot("no bytes are read");
  Request premise = with_one_payload(asked);
  Request other = premise;
  other.elements.reset();
  other.payload = laboratory.choices().chance(50) ? Payload::hard : Payload::zeros;
  if (!premise.strides && laboratory.capabilities().strided_input) other.offset += 8;
  return alternate(premise, other, laboratory);
}

Trial check_other_type(const Request& premise, Laboratory& laboratory) {
  if (premise.elements) return Trial::moot("its elements are written out");
  std::vector<ElementType> types;
  for (const ElementType type : kAllElementTypes) {
    if (type != premise.data_type && laboratory.dialect().data_types.contains(type) &&
        laboratory.capabilities().element_types.contains(type)) {
      types.push_back(type);
    }
  }
  if (types.empty()) return Trial::moot("no other type is promised");
  Request other = with_one_payload(premise);
  other.data_type = laboratory.choices().one_of(types);
  // Offsets of packed types stand on whole bytes.
  other.offset += other.offset % 2;
  other.out_offset += other.out_offset % 2;
  return alternate(with_one_payload(premise), other, laboratory);
}

Trial check_other_stride(const Request& premise, Laboratory& laboratory) {
  const Request dense = with_one_payload(laboratory.dense(premise));
  if (dense.shape_only || is_empty(dense.data)) return Trial::moot("no bytes are read");
  const Outcome outcome = laboratory.ask(dense);
  if (!produced(outcome)) return Trial::moot("no shape is produced");
  Request other = dense;
  for (int attempt = 0; attempt < 16 && !other.strides; ++attempt) {
    draw_layout(other, outcome.shape, laboratory.abilities().layouts, laboratory.choices());
  }
  if (!other.strides) return Trial::moot("too large, or of too few axes, for a layout");
  return alternate(dense, other, laboratory);
}

Trial check_other_flag(const Request& premise, Laboratory& laboratory) {
  if (laboratory.dialect().zero != ZeroRule::by_flag || !premise.special_zero) {
    return Trial::moot("no flag is given");
  }
  Request request = with_one_payload(premise);
  request.out_strides.reset();
  request.out_offset = 0;
  Request other = request;
  other.special_zero = !*premise.special_zero;
  return alternate(request, other, laboratory);
}

Trial check_many(const Request& premise, Laboratory& laboratory) {
  constexpr int kCalls = 300;
  std::vector<Request> requests = {with_one_payload(premise),
                                   with_one_payload(laboratory.another()),
                                   with_one_payload(laboratory.another())};
  std::erase_if(requests, [](const Request& request) {
    const auto count = element_count(request.data);
    return !request.shape_only && (!count || *count > 512);
  });
  if (requests.empty()) return Trial::moot("too large to be asked many times");
  std::vector<Outcome> first;
  for (int call = 0; call < kCalls; ++call) {
    const std::size_t at = static_cast<std::size_t>(call) % requests.size();
    Outcome outcome = laboratory.ask(requests[at]);
    if (first.size() <= at) {
      first.push_back(std::move(outcome));
    } else if (const auto differing = difference(first[at], outcome)) {
      return Trial::broken("at call " + std::to_string(call + 1) + ": " + *differing);
    }
  }
  return Trial::held();
}

std::optional<std::string> without_strides(const Capabilities& capabilities) {
  if (capabilities.shape_only) return "there is no execute";
  if (!capabilities.strided_input) return "strides of the data are not promised";
  return std::nullopt;
}

constexpr auto kAny = Law::Premise::any;
constexpr auto kProduces = Law::Premise::produces;

}  // namespace

Law same_again() {
  return {"same-again", "C17",   "A, B, A: the second A is answered as the first",
          kAny,         nullptr, check_again};
}
Law empty_between() {
  return {"empty-between", "C17",   "an empty tensor in between changes no answer",
          kProduces,       nullptr, check_empty};
}
Law rejected_between() {
  return {"rejected-between", "C17",   "a refusal in between changes no answer",
          kProduces,          nullptr, check_rejected};
}
Law other_buffers_between() {
  return {"other-buffers-between",
          "C17",
          "the same request over other elements and at another offset changes no answer",
          kProduces,
          nullptr,
          check_buffers};
}
Law other_type_between() {
  return {"other-type-between",
          "C17",
          "the same request of another element type changes no answer",
          kAny,
          nullptr,
          check_other_type};
}
Law other_stride_between() {
  return {"other-stride-between",
          "C17",
          "the same request with other strides changes no answer",
          kProduces,
          without_strides,
          check_other_stride};
}
Law other_flag_between() {
  return {"other-flag-between",
          "C17",
          "the same request with the other flag changes no answer",
          kAny,
          nullptr,
          check_other_flag};
}
Law many_calls() {
  return {
      "many-calls", "C17", "the last of many hundred calls is answered as the first", kAny, nullptr,
      check_many,   10};
}

}  // namespace reshape::conformance::laws
