#include "conformance/detection/neighbourhood.h"

#include <algorithm>
#include <deque>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "conformance/detection/conditions.h"
#include "conformance/detection/deaths.h"
#include "conformance/detection/known_traits.h"
#include "conformance/model/judge.h"
#include "conformance/oracle/ruling_of.h"
#include "conformance/property/generated_cases.h"
#include "conformance/property/neighbours.h"
#include "conformance/run/runner.h"
#include "conformance/text/line.h"

namespace reshape::conformance {
namespace {

constexpr int kMostAsked = 400;
constexpr std::size_t kMostFailing = 80;
constexpr std::size_t kMostFailures = 500, kMostPasses = 3000;  // of the run
// What has been asked around a failure.
struct Walk {
  std::deque<Request> requests;  // which stay where they are
  std::vector<const Request*> failing, passing;
  int asked = 0;
};

Walk walk(const Suite& suite, const CaseResult& failing, Adapter& adapter,
          std::chrono::steady_clock::time_point end) {
  const Dialect& dialect = suite.document(failing.asked->request.dialect)->dialect;
  const Capabilities& able = adapter.capabilities();
  const Abilities abilities = abilities_of(able);
  const Fault& fault = failing.verdict.faults.front();
  SeededChoices choices(0);
  Walk walk;
  std::set<std::string> seen{print_line(failing.asked->request)};
  const Expectation right = expectation_of(*failing.asked);
  const Outcome again = adapter.ask(failing.asked->request);
  if (!fails_alike(judge(failing.asked->request, right, able, again), fault)) return walk;
  walk.failing.push_back(&walk.requests.emplace_back(failing.asked->request));
  Deaths deaths;
  const auto goes_on = [&] {
    return walk.asked < kMostAsked && walk.failing.size() < kMostFailing && !deaths.too_many() &&
           std::chrono::steady_clock::now() < end;
  };
  const auto look = [&](Request one) {
    if (!seen.insert(print_line(one)).second) return;
    const Expectation expected{ruling_of(dialect, one), std::nullopt};
    if (why_unsupported(one, expected, able)) return;
    const Outcome outcome = adapter.ask(one);
    if (outcome.kind == Outcome::Kind::not_asked) return;
    deaths.add(outcome);
    ++walk.asked;
    const Verdict verdict = judge(one, expected, able, outcome);
    if (fails_alike(verdict, fault)) {
      walk.failing.push_back(&walk.requests.emplace_back(std::move(one)));
    } else if (verdict.kind == Verdict::Kind::pass) {
      walk.passing.push_back(&walk.requests.emplace_back(std::move(one)));
    }
  };
  // First all around the failure itself: what it hangs on is seen best where nothing else has
  // changed.
  for (const std::vector<Request>& group :
       neighbours(dialect, abilities, *walk.failing.front(), choices)) {
    for (const Request& one : group) {
      if (goes_on()) look(one);
    }
  }
  // Then around what failed as well, each sort of change as often as any other.
  for (int turn = 0; turn < kMostAsked && goes_on(); ++turn) {
    const Request& from = *choices.one_of(walk.failing);
    const auto groups = neighbours(dialect, abilities, from, choices);
    if (!groups.empty()) look(choices.one_of(choices.one_of(groups)));
  }
  return walk;
}

// At most so many of them, spread over all.
void add_some(std::span<const CaseResult* const> cases, std::size_t most,
              std::vector<const Request*>& requests) {
  const std::size_t step = cases.size() / most + 1;
  for (std::size_t at = 0; at < cases.size(); at += step) {
    requests.push_back(&cases[at]->asked->request);
  }
}

}  // namespace

bool fails_alike(const Verdict& verdict, const Fault& fault) {
  if (verdict.kind != Verdict::Kind::fail || verdict.faults.empty()) return false;
  const Fault& first = verdict.faults.front();
  return first.plane == fault.plane && first.watch == fault.watch && first.duty == fault.duty;
}

Diagnosis::Around around(const Suite& suite, const Diagnosis::Finding& finding,
                         const CaseResult& failing, std::span<const CaseResult* const> failures,
                         std::span<const CaseResult* const> passes, Adapter& adapter,
                         std::chrono::steady_clock::time_point end) {
  Walk found = walk(suite, failing, adapter, end);
  Diagnosis::Around around;
  if (found.asked == 0) return around;
  around.asked = found.asked;
  around.failed = static_cast<int>(found.failing.size()) - 1;
  around.passed = static_cast<int>(found.passing.size());
  const auto others = std::ranges::count_if(
      found.failing, [&](const Request* one) { return finding.there && !finding.there(*one); });
  // As many as conditions leave out of many.
  constexpr int kOneIn = 20;
  around.refutes = others * kOneIn > static_cast<std::ptrdiff_t>(found.failing.size());
  const std::size_t here = found.failing.size();
  add_some(failures, kMostFailures, found.failing);
  add_some(passes, kMostPasses, found.passing);
  KnownTraits known;
  Conditions conditions = conditions_of(found.failing, found.passing, known);
  // What lies around one failure is alike in much that the others do not have: a condition has to
  // hold for those of the run by themselves, too.
  const auto in_the_run = std::span(found.failing).subspan(here);
  const auto beside = std::ranges::count_if(
      in_the_run, [&](const Request* one) { return conditions.hold && !conditions.hold(*one); });
  if (beside * kOneIn > std::ssize(in_the_run)) conditions = {};
  around.where = std::move(conditions.where);
  around.there = std::move(conditions.hold);
  around.failures_there = static_cast<int>(conditions.failures_there);
  around.passes_there = static_cast<int>(conditions.passes_there);
  around.failures = static_cast<int>(found.failing.size());
  around.passes = static_cast<int>(found.passing.size());
  return around;
}

}  // namespace reshape::conformance
