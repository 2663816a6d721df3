#include "conformance/detection/diagnosis.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "conformance/adapter/plugin_library.h"
#include "conformance/detection/ask_ledger.h"
#include "conformance/model/judge.h"
#include "conformance/run/oracle.h"
#include "conformance/run/runner.h"
#include "conformance/self/mutant.h"
#include "conformance/text/line.h"

namespace reshape::conformance {
namespace {

constexpr std::size_t kMostFailures = 48;  // compared; of every sort of failure some
constexpr std::size_t kMostPasses = 24;
constexpr std::size_t kFirstLook = 6;  // a mutant that answers none of so many alike is left alone
constexpr std::size_t kMostNamed = 3;
constexpr int kMostDeaths = 4;  // host processes that a comparison may cost
constexpr double kDeadlineSeconds = 1;

struct Remembered {
  const Case* asked;
  Outcome outcome;
};

// Every mutant of the ledger is asked what is compared, so copies of many MiB are left out.
bool takes_long(const Case& one) {
  constexpr std::int64_t kMostElements = std::int64_t{1} << 20;
  return !one.request.shape_only && element_count(one.request.data).value_or(0) > kMostElements;
}

// Failures in turn from every sort of them, so that a sort with few members is compared as well.
std::vector<const Case*> spread(const std::vector<const CaseResult*>& results, std::size_t most) {
  std::map<std::string, std::vector<const Case*>> sorts;
  for (const CaseResult* one : results) {
    if (takes_long(*one->asked)) continue;
    const std::string sort = one->verdict.faults.empty() ? one->asked->clauses.front()
                                                         : one->verdict.faults.front().clause +
                                                               one->verdict.faults.front().duty +
                                                               one->verdict.faults.front().watch;
    sorts[one->asked->request.dialect + sort].push_back(one->asked);
  }
  std::vector<const Case*> chosen;
  for (std::size_t turn = 0; chosen.size() < most; ++turn) {
    const std::size_t before = chosen.size();
    for (const auto& [sort, members] : sorts) {
      if (turn < members.size() && chosen.size() < most) chosen.push_back(members[turn]);
    }
    if (chosen.size() == before) break;
  }
  return chosen;
}

// Cases that pass and are about the clauses of those that fail.
std::vector<const Case*> passes_nearby(const RunResult& result,
                                       const std::vector<const CaseResult*>& failures) {
  std::set<std::string> clauses;
  for (const CaseResult* one : failures) {
    clauses.insert(one->asked->clauses.begin(), one->asked->clauses.end());
  }
  std::vector<const CaseResult*> near;
  for (const CaseResult& one : result.cases) {
    if (one.verdict.kind != Verdict::Kind::pass) continue;
    if (std::any_of(one.asked->clauses.begin(), one.asked->clauses.end(),
                    [&](const std::string& clause) { return clauses.contains(clause); })) {
      near.push_back(&one);
    }
  }
  return spread(near, kMostPasses);
}

std::set<std::string> watches(const std::vector<Observation>& observations) {
  std::set<std::string> names;
  for (const Observation& one : observations) names.insert(one.watch);
  return names;
}

bool supported(const Case& one, const Adapter& adapter) {
  return !why_unsupported(one.request, expectation_of(one), adapter.capabilities());
}

// What the implementation answers when it is asked once more.
std::vector<Remembered> asked_again(const std::vector<const Case*>& cases, Adapter& adapter) {
  std::vector<Remembered> known;
  int deaths = 0;
  for (const Case* one : cases) {
    known.push_back({one, adapter.ask(one->request)});
    if (died(known.back().outcome) && ++deaths == kMostDeaths) break;
  }
  return known;
}

std::optional<Diagnosis::Likeness> likeness(const self::Mutant& mutant,
                                            const std::vector<Remembered>& failures,
                                            const std::vector<Remembered>& passes) {
  Result<std::unique_ptr<Adapter>> adapter = start_adapter(reach(mutant, kDeadlineSeconds));
  if (!adapter) return std::nullopt;
  Diagnosis::Likeness like{std::string(mutant.name), std::string(mutant.says),
                           std::string(mutant.breaks), std::string(mutant.public_bug())};
  const auto same = [&](const Remembered& known) {
    return supported(*known.asked, **adapter) &&
           same_answer(known.outcome, (*adapter)->ask(known.asked->request));
  };
  for (std::size_t at = 0; at < failures.size(); ++at) {
    if (at == kFirstLook && like.same == 0) return std::nullopt;
    like.same += same(failures[at]);
  }
  if (like.same == 0) return std::nullopt;
  for (const Remembered& pass : passes) {
    if (!supported(*pass.asked, **adapter)) continue;
    const Outcome outcome = (*adapter)->ask(pass.asked->request);
    like.beyond +=
        judge(pass.asked->request, expectation_of(*pass.asked), (*adapter)->capabilities(), outcome)
            .kind == Verdict::Kind::fail;
  }
  return like;
}

void derive(const RunResult& result, const CaseResult& first, Diagnosis& diagnosis) {
  diagnosis.example = first.asked->id;
  diagnosis.line = print_line(first.asked->request);
  diagnosis.right = text(first.asked->expect);
  reference::Derivation derivation;
  if (!oracle(*result.suite, first.asked->request, &derivation).ok()) return;
  for (const auto& step : derivation) diagnosis.steps.push_back({step.clause, step.says});
}

}  // namespace

bool same_answer(const Outcome& one, const Outcome& other) {
  if (one.kind != other.kind || one.during != other.during) return false;
  if (one.kind == Outcome::Kind::produced && one.shape != other.shape) return false;
  if (watches(one.observations) != watches(other.observations)) return false;
  // What was promised decides how often each was executed: what both were asked is compared.
  for (const Execution& a : one.executions) {
    const auto b =
        std::find_if(other.executions.begin(), other.executions.end(),
                     [&](const Execution& candidate) { return candidate.probe == a.probe; });
    if (b == other.executions.end()) continue;
    if (a.status != b->status || !same_elements(a, *b) ||
        watches(a.observations) != watches(b->observations)) {
      return false;
    }
  }
  return true;
}

std::optional<Diagnosis> diagnose(const RunResult& result, const AdapterOptions& implementation) {
  if (!names_built_in("mutant:right")) return std::nullopt;
  std::vector<const CaseResult*> failed;
  for (const CaseResult& one : result.cases) {
    if (one.failed() && one.known != Known::failure) failed.push_back(&one);
  }
  if (failed.empty()) return std::nullopt;
  Diagnosis diagnosis;
  diagnosis.failures = static_cast<int>(failed.size());
  derive(result, *failed.front(), diagnosis);

  AdapterOptions again = implementation;
  again.in_process = false;
  again.deadline_seconds = std::min(again.deadline_seconds, kDeadlineSeconds);
  Result<std::unique_ptr<Adapter>> adapter = start_adapter(again);
  if (!adapter) return diagnosis;
  const std::vector<Remembered> failures = asked_again(spread(failed, kMostFailures), **adapter);
  const std::vector<Remembered> passes = asked_again(passes_nearby(result, failed), **adapter);
  diagnosis.compared = static_cast<int>(failures.size());
  diagnosis.passes_compared = static_cast<int>(passes.size());
  const bool deadly = std::any_of(failures.begin(), failures.end(),
                                  [](const Remembered& one) { return died(one.outcome); });
  std::vector<const self::Mutant*> mutants;
  for (const self::Mutant& mutant : self::all_mutants()) {
    if (!mutant.hostile() || deadly) mutants.push_back(&mutant);
  }
  constexpr int kMostJobs = 16;
  const int jobs = std::min(kMostJobs, static_cast<int>(std::thread::hardware_concurrency()));
  std::vector<std::optional<Diagnosis::Likeness>> likes(mutants.size());
  at_once(mutants.size(), jobs,
          [&](std::size_t turn) { likes[turn] = likeness(*mutants[turn], failures, passes); });
  for (auto& like : likes) {
    if (like) diagnosis.nearest.push_back(std::move(*like));
  }
  std::stable_sort(diagnosis.nearest.begin(), diagnosis.nearest.end(),
                   [](const auto& a, const auto& b) {
                     return a.same != b.same ? a.same > b.same : a.beyond < b.beyond;
                   });
  if (diagnosis.nearest.size() > kMostNamed) diagnosis.nearest.resize(kMostNamed);
  return diagnosis;
}

}  // namespace reshape::conformance
