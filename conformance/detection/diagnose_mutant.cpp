#include "conformance/detection/diagnose_mutant.h"

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "conformance/adapter/adapter.h"
#include "conformance/detection/ask_ledger.h"
#include "conformance/detection/diagnose.h"
#include "conformance/property/generated_cases.h"
#include "conformance/run/replays.h"
#include "conformance/run/runner.h"

namespace reshape::conformance {
namespace {

// How a failure of each kind replays, as a run looks at those that it prints.
void look_at_kinds(const Suite& suite, AdapterOptions reach, RunResult& result) {
  constexpr double kSeconds = 6;
  constexpr std::size_t kMostKinds = 20;
  reach.deadline_seconds = std::min(reach.deadline_seconds, 1.0);
  std::set<std::string> kinds;
  std::vector<CaseResult*> failed;
  for (CaseResult& one : result.cases) {
    if (!one.failed() || one.verdict.faults.empty() || failed.size() == kMostKinds) continue;
    const Fault& fault = one.verdict.faults.front();
    if (kinds.insert(fault.clause + ' ' + name(fault.duty) + ' ' + name(fault.watch)).second) {
      failed.push_back(&one);
    }
  }
  look_how_they_replay([&] { return start_adapter(reach); }, Bounds({}), {kSeconds, kSeconds},
                       suite, failed);
}

}  // namespace

std::optional<Diagnosis> diagnose_mutant(const Suite& suite, const Document& document,
                                         const self::Mutant& mutant, double deadline_seconds,
                                         int jobs, std::string_view without) {
  const AdapterOptions library = reach(mutant, deadline_seconds);
  Result<std::unique_ptr<Adapter>> adapter = start_adapter(library);
  if (!adapter) return std::nullopt;
  std::vector<const Case*> cases;
  for (const Case& one : document.cases) cases.push_back(&one);
  const GeneratedCases generated =
      generated_cases(suite, {document.dialect.name}, (*adapter)->capabilities(), usual_seed(suite),
                      usual_count(false, 1));
  for (const Case& one : generated.cases) cases.push_back(&one);
  Plan plan;
  plan.suite = &suite;
  plan.cases = cases;
  plan.jobs = jobs;
  Result<RunResult> result = run(plan, **adapter, [&] { return start_adapter(library); });
  if (!result) return std::nullopt;
  look_at_kinds(suite, library, *result);
  DiagnosisOptions options;
  options.without = without;
  return diagnose(*result, library, options);
}

}  // namespace reshape::conformance
