// What may befall the process that asks.
#include "conformance/property/laws/answers.h"
#include "conformance/property/laws/laws.h"

namespace reshape::conformance::laws {
namespace {

// Large enough for every pool of threads and every buffer on the way.
constexpr std::int64_t kSide = 1024;

Trial check(const Request& input, PropertyCheck& property, Hardship hardship) {
  Request request =
      property.plain(PropertyCheck::dense(input), Shape{kSide, kSide}, Shape{kSide * kSide});
  request.shape_only = false;
  if (!property.promised(request)) return Trial::discarded("so many elements are not promised");
  const std::optional<Outcome> outcome = property.ask_under(request, hardship);
  if (!outcome) return Trial::discarded("this way of reaching it cannot bring it into this");
  if (outcome->kind == Outcome::Kind::unsupported) {
    return Trial::discarded("such a request is not executed");
  }
  if (outcome->kind == Outcome::Kind::produced) return Trial::held();
  return Trial::broken(outcome->message.empty() ? text(*outcome) : outcome->message);
}

Trial check_forked(const Request& input, PropertyCheck& property) {
  return check(input, property, Hardship::forked);
}

Trial check_without_memory(const Request& input, PropertyCheck& property) {
  return check(input, property, Hardship::no_memory);
}

}  // namespace

Law asked_by_a_fork() {
  return {"asked-by-a-fork",
          Duty::C17,
          "a child of fork, in which the threads of its parent are not, gets the same answer",
          Law::Input::produces,
          without_execute,
          check_forked,
          Law::kOnce};
}
Law without_memory() {
  return {"without-memory",
          Duty::C16,
          "where no memory can be had a call answers all the same, or fails and writes nothing",
          Law::Input::produces,
          without_execute,
          check_without_memory,
          Law::kOnce};
}

}  // namespace reshape::conformance::laws
