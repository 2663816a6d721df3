#include "conformance/detection/judged.h"

#include <utility>

#include "conformance/oracle/ruling_of.h"

namespace reshape::conformance {

Judged judged(const Request& request, const Expectation& expectation, Adapter& adapter,
              Deaths& deaths) {
  if (why_unsupported(request, expectation, adapter.capabilities())) return {};
  Outcome outcome = adapter.ask(request);
  if (outcome.kind == Outcome::Kind::not_asked) return {};
  deaths.add(outcome);
  Verdict verdict = judge(request, expectation, adapter.capabilities(), outcome);
  return {std::move(verdict), std::move(outcome)};
}

Judged judged(const Dialect& dialect, const Request& request, Adapter& adapter, Deaths& deaths) {
  return judged(request, {ruling_of(dialect, request), std::nullopt}, adapter, deaths);
}

}  // namespace reshape::conformance
