#include "conformance/detection/diagnosis.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
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
constexpr int kAskedAgain = 3;           // times: what is answered in one way only is not by chance
constexpr double kLeastSurprise = 0.01;  // chance below it is none
constexpr int kMostDeaths = 4;           // host processes that a comparison may cost
constexpr double kDeadlineSeconds = 1;

using Clock = std::chrono::steady_clock;

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

// Cases that pass: those about the clauses of those that fail, then others.
std::vector<const Case*> passes_nearby(const RunResult& result,
                                       const std::vector<const CaseResult*>& failures) {
  std::set<std::string> clauses;
  for (const CaseResult* one : failures) {
    clauses.insert(one->asked->clauses.begin(), one->asked->clauses.end());
  }
  std::vector<const CaseResult*> near;
  std::vector<const CaseResult*> far;
  for (const CaseResult& one : result.cases) {
    if (one.verdict.kind != Verdict::Kind::pass) continue;
    const bool is_near =
        std::any_of(one.asked->clauses.begin(), one.asked->clauses.end(),
                    [&](const std::string& clause) { return clauses.contains(clause); });
    (is_near ? near : far).push_back(&one);
  }
  std::vector<const Case*> chosen = spread(near, kMostPasses);
  const std::vector<const Case*> more = spread(far, kMostPasses - chosen.size());
  chosen.insert(chosen.end(), more.begin(), more.end());
  return chosen;
}

std::set<std::string> watches(const std::vector<Observation>& observations) {
  std::set<std::string> names;
  for (const Observation& one : observations) names.insert(one.watch);
  return names;
}

bool supported(const Case& one, const Adapter& adapter) {
  return !why_unsupported(one.request, expectation_of(one), adapter.capabilities());
}

struct AskedAgain {
  std::vector<Remembered> stable;
  int unstable = 0;
};

// What the implementation answers when it is asked again: the cases that have the verdict that they had,
// and always the same answer.
AskedAgain asked_again(const std::vector<const Case*>& cases, bool failed, Clock::time_point end,
                       Adapter& adapter) {
  AskedAgain known;
  int deaths = 0;
  for (const Case* one : cases) {
    std::optional<Outcome> first;
    bool stable = true;
    for (int time = 0; stable && time < kAskedAgain && deaths < kMostDeaths; ++time) {
      Outcome outcome = adapter.ask(one->request);
      deaths += died(outcome);
      const Verdict verdict =
          judge(one->request, expectation_of(*one), adapter.capabilities(), outcome);
      stable = (verdict.kind == Verdict::Kind::fail) == failed &&
               (!first || same_answer(*first, outcome));
      if (!first) first = std::move(outcome);
    }
    if (!stable) {
      ++known.unstable;
    } else if (first) {
      known.stable.push_back({one, std::move(*first)});
    }
    if (deaths == kMostDeaths || Clock::now() > end) break;
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
  like.chance = chance_of(like.same, static_cast<int>(failures.size()), like.beyond,
                          static_cast<int>(passes.size()));
  return like;
}

// Without a pass to compare with, one that agrees with every failure of several is told as well.
bool is_told(const Diagnosis::Likeness& like, const Diagnosis& diagnosis) {
  if (diagnosis.passes_compared == 0) return like.same == diagnosis.compared;
  // Of few failures no number is surprising, and the same wrong answer to all of them is.
  return like.chance < kLeastSurprise ||
         (like.same == diagnosis.compared && like.beyond * 4 <= diagnosis.passes_compared);
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
    // What a wrong volume is executed to is a second mistake, which another cause of the first need not
    // have.
    if (a.probe.ask == Probe::Ask::wrong_volume) continue;
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

double chance_of(int hit_failing, int failing, int hit_passing, int passing) {
  const int all = failing + passing;
  const int hit = hit_failing + hit_passing;
  const auto ways = [](int of, int some) {
    return std::lgamma(of + 1.0) - std::lgamma(some + 1.0) - std::lgamma(of - some + 1.0);
  };
  double sum = 0;
  for (int at = hit_failing; at <= std::min(failing, hit); ++at) {
    if (hit - at > passing) continue;
    sum += std::exp(ways(failing, at) + ways(passing, hit - at) - ways(all, hit));
  }
  return std::min(sum, 1.0);
}

std::optional<Diagnosis> diagnose(const RunResult& result, const AdapterOptions& implementation,
                                  const DiagnosisOptions& options) {
  if (!names_built_in("mutant:right")) return std::nullopt;
  std::vector<const CaseResult*> failed;
  for (const CaseResult& one : result.cases) {
    if (one.failed() && one.known != Known::failure) failed.push_back(&one);
  }
  if (failed.empty()) return std::nullopt;
  Diagnosis diagnosis;
  const Clock::time_point began = Clock::now();
  const Clock::time_point end =
      began + std::chrono::duration_cast<Clock::duration>(
                  std::chrono::duration<double>(std::clamp(options.seconds, 0.0, 1e6)));
  diagnosis.failures = static_cast<int>(failed.size());
  diagnosis.executed = tallies(result).all.executed;
  derive(result, *failed.front(), diagnosis);

  AdapterOptions again = implementation;
  again.in_process = false;
  again.deadline_seconds = std::min(again.deadline_seconds, kDeadlineSeconds);
  Result<std::unique_ptr<Adapter>> adapter = start_adapter(again);
  if (!adapter) return diagnosis;
  AskedAgain again_failing = asked_again(spread(failed, kMostFailures), true, end, **adapter);
  diagnosis.unstable = again_failing.unstable;
  const std::vector<Remembered> failures = std::move(again_failing.stable);
  const std::vector<Remembered> passes =
      asked_again(passes_nearby(result, failed), false, end, **adapter).stable;
  diagnosis.compared = static_cast<int>(failures.size());
  diagnosis.passes_compared = static_cast<int>(passes.size());
  const bool deadly = std::any_of(failures.begin(), failures.end(),
                                  [](const Remembered& one) { return died(one.outcome); });
  std::vector<const self::Mutant*> mutants;
  for (const self::Mutant& mutant : self::all_mutants()) {
    if (!mutant.hostile() || deadly) mutants.push_back(&mutant);
  }
  diagnosis.mistakes = static_cast<int>(mutants.size());
  // What is mostly chance is like nothing, and the likeness of the rest would be believed.
  if (failures.empty() || diagnosis.unstable > diagnosis.compared) mutants.clear();
  // Those first that break what the failures are about: the time may not suffice for all.
  std::set<std::string> broken;
  for (const CaseResult* one : failed) {
    for (const Fault& fault : one->verdict.faults) broken.insert({fault.clause, fault.duty});
  }
  std::stable_partition(mutants.begin(), mutants.end(), [&](const self::Mutant* mutant) {
    return broken.contains(std::string(mutant->breaks));
  });
  constexpr int kMostJobs = 16;
  const int jobs = std::min(kMostJobs, static_cast<int>(std::thread::hardware_concurrency()));
  std::vector<std::optional<Diagnosis::Likeness>> likes(mutants.size());
  std::atomic<int> asked = 0;
  at_once(mutants.size(), jobs, [&](std::size_t turn) {
    if (Clock::now() > end) return;
    likes[turn] = likeness(*mutants[turn], failures, passes);
    const int done = ++asked;
    if (options.progress) options.progress(done, static_cast<int>(mutants.size()));
  });
  diagnosis.mistakes_asked = asked;
  for (auto& like : likes) {
    if (like && is_told(*like, diagnosis)) diagnosis.nearest.push_back(std::move(*like));
  }
  std::stable_sort(diagnosis.nearest.begin(), diagnosis.nearest.end(),
                   [](const auto& a, const auto& b) {
                     return a.same != b.same ? a.same > b.same : a.beyond < b.beyond;
                   });
  if (diagnosis.nearest.size() > kMostNamed) diagnosis.nearest.resize(kMostNamed);
  diagnosis.seconds = std::chrono::duration<double>(Clock::now() - began).count();
  return diagnosis;
}

}  // namespace reshape::conformance
