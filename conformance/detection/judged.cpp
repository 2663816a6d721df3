#include "conformance/detection/judged.h"

#include <utility>

#include "conformance/model/judge.h"
#include "conformance/oracle/ruling_of.h"

namespace reshape::conformance {

Judged judged(const Dialect& dialect, const Request& request, Adapter& adapter, Deaths& deaths) {
  const Expectation expected{ruling_of(dialect, request), std::nullopt};
  if (why_unsupported(request, expected, adapter.capabilities())) return {};
  Outcome outcome = adapter.ask(request);
  if (outcome.kind == Outcome::Kind::not_asked) return {};
  deaths.add(outcome);
  Verdict verdict = judge(request, expected, adapter.capabilities(), outcome);
  return {std::move(verdict), std::move(outcome)};
}

}  // namespace reshape::conformance
