#include "conformance/run/runner.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <tuple>

#include "conformance/adapter/more_threads.h"
#include "conformance/adapter/process/patience.h"
#include "conformance/run/gathering.h"
#include "conformance/run/oracle.h"
#include "conformance/run/wrong_in_common.h"
#include "conformance/text/glob.h"
#include "conformance/text/line.h"

namespace reshape::conformance {
namespace {

CaseResult skip(const Case& one, std::string reason) {
  CaseResult result;
  result.asked = &one;
  result.verdict.kind = Verdict::Kind::unsupported;
  result.verdict.reason = std::move(reason);
  return result;
}

std::vector<UnaskedClause> unasked_clauses(const Plan& plan, const Capabilities& capabilities) {
  struct Seen {
    UnaskedClause clause;
    bool asked = false;
  };
  std::map<std::pair<std::string, std::string>, Seen> seen;
  for (const Case* one : plan.cases) {
    const std::optional<std::string> reason =
        why_unsupported(one->request, expectation_of(*one), capabilities);
    for (const std::string& id : one->clauses) {
      Seen& entry = seen[{one->request.dialect, id}];
      ++entry.clause.cases;
      if (!reason) entry.asked = true;
      if (reason && entry.clause.reason.empty()) entry.clause.reason = *reason;
    }
  }
  std::vector<UnaskedClause> unasked;
  for (auto& [key, entry] : seen) {
    if (entry.asked) continue;
    entry.clause.dialect = key.first;
    entry.clause.clause = key.second;
    const Document* document = plan.suite->document(key.first);
    const Clause* clause = document ? document->clause(key.second) : nullptr;
    if (clause) entry.clause.level = clause->level;
    entry.clause.waived = std::ranges::any_of(plan.waived, [&](const std::string& waived) {
      return matches(waived, key.second) || matches(waived, key.first + "/" + key.second);
    });
    unasked.push_back(std::move(entry.clause));
  }
  return unasked;
}

// Each fault once, in alphabetical order, whichever case was the first in its process. `at_end`: of
// the processes when they were asked to end.
std::vector<ProcessFault> process_faults(const std::vector<CaseResult>& cases,
                                         const std::vector<Observation>& at_end,
                                         const std::vector<std::string>& waived) {
  std::vector<ProcessFault> faults;
  const auto add = [&](const std::vector<Observation>& all) {
    for (const Observation& seen : all) {
      const bool known = std::ranges::any_of(faults, [&](const ProcessFault& fault) {
        return fault.seen.watch == seen.watch && fault.seen.saw == seen.saw;
      });
      if (known) continue;
      // A later process that declares otherwise (C2) may pass for that alone: it is never waived.
      const bool lets_through =
          seen.duty != Duty::C2 && std::ranges::any_of(waived, [&](const std::string& word) {
            return matches(word, kFirstUseWaiver) ||
                   matches(word, std::string(kFirstUseWaiver) + "/" + name(seen.watch));
          });
      faults.push_back({seen, lets_through});
    }
  };
  for (const CaseResult& one : cases) add(one.at_first_use);
  add(at_end);
  std::ranges::stable_sort(faults, [](const auto& one, const auto& other) {
    return std::tie(one.seen.watch, one.seen.saw) < std::tie(other.seen.watch, other.seen.saw);
  });
  return faults;
}

// A case that timed out on a busy machine, and what its process had been asked before.
struct KeptFromIt {
  std::size_t place = 0;
  AskedBefore before;
};

// Whether a process answers these requests, in some way. Of very many only the last are asked.
bool answers_again(const AskedBefore& before, Adapter& adapter) {
  constexpr std::size_t kMost = 2000;
  if (!before.lines) return true;
  const std::size_t end = std::min(before.count, before.lines->size());
  for (std::size_t at = end - std::min(end, kMost); at < end; ++at) {
    const Result<Request> request = parse_line((*before.lines)[at]);
    if (request && hung(adapter.ask(*request))) return false;
  }
  return true;
}

// Asks cases again that timed out on a busy machine: each in a fresh process, after the same
// requests, while nothing else of this program runs. Stops after a few that still do not answer:
// the library hangs.
void ask_alone(const Suite& suite, const StartAdapter& start,
               const std::vector<KeptFromIt>& kept_from_it, std::vector<CaseResult>& cases) {
  constexpr int kEnough = 2;
  int hangs = 0;
  for (const KeptFromIt& kept : kept_from_it) {
    if (hangs >= kEnough) return;
    const Result<std::unique_ptr<Adapter>> adapter = start();
    if (!adapter) return;
    if (!answers_again(kept.before, **adapter)) {
      ++hangs;
      continue;
    }
    Outcome outcome;
    CaseResult again = ask(suite, *cases[kept.place].asked, **adapter, &outcome);
    if (hung(outcome)) ++hangs;
    if (again.executed && !hung(outcome)) cases[kept.place] = std::move(again);
  }
}

}  // namespace

Expectation expectation_of(const Case& one) { return {one.expect, one.expect_elements}; }

CaseResult ask(const Suite& suite, const Case& asked, Adapter& adapter, Outcome* seen) {
  const Expectation expectation = expectation_of(asked);
  Outcome outcome = adapter.ask(asked.request);
  CaseResult result;
  result.asked = &asked;
  result.executed = outcome.kind != Outcome::Kind::not_asked;
  if (result.executed) result.answered = text(outcome);
  if (outcome.kind == Outcome::Kind::produced) result.produced = outcome.shape;
  result.seconds = outcome.seconds;
  result.verdict = judge(asked.request, expectation, adapter.capabilities(), outcome);
  result.at_first_use = outcome.at_first_use;
  if (result.failed()) {
    result.because = last_step(suite, asked.request);
    const Document* document = suite.document(asked.request.dialect);
    result.wrong_shape =
        wrong_shape(asked.request, document ? &document->dialect : nullptr, asked.expect, outcome);
  }
  for (const Fault& fault : result.verdict.faults) {
    if (!result.wrong) result.wrong = wrong_elements(asked.request, expectation, outcome, fault);
  }
  if (seen) *seen = std::move(outcome);
  return result;
}

Result<RunResult> run(const Plan& plan, Adapter& first, const StartAdapter& more) {
  const StartAdapter start = held_to(first.capabilities(), more);
  const auto began = std::chrono::steady_clock::now();
  RunResult result;
  result.suite = plan.suite;
  result.suite_version = plan.suite->version;
  result.capabilities = first.capabilities();
  result.unasked = unasked_clauses(plan, result.capabilities);

  std::vector<const Case*> planned;
  for (const Case* one : plan.cases) {
    if (plan.shard.holds(one->id)) planned.push_back(one);
  }
  Gathering gathering(planned, plan.progress);
  std::vector<std::size_t> to_ask;
  for (std::size_t place = 0; place < planned.size(); ++place) {
    std::optional<std::string> reason = why_unsupported(
        planned[place]->request, expectation_of(*planned[place]), result.capabilities);
    if (reason) {
      gathering.put(place, skip(*planned[place], std::move(*reason)));
    } else {
      to_ask.push_back(place);
    }
  }

  constexpr int kMostLookedAt = 2000;  // failures for which the requests before are recorded
  std::atomic<std::size_t> next = 0;
  std::atomic<int> kept = 0;
  // If a process cannot be started, the next ones cannot be either, and each attempt waits. If the
  // memory for a request's tensors is missing, the run continues, unless that happens to many.
  constexpr int kMostUnasked = 16;
  std::atomic<int> unasked = 0;
  std::atomic<bool> refused = false;
  std::mutex mutex;  // of what follows
  std::string why_refused;
  std::vector<KeptFromIt> kept_from_it;
  std::vector<Observation> at_end;
  const auto refuse = [&](const std::string& why) {
    const std::lock_guard lock(mutex);
    if (why_refused.empty()) why_refused = why;
    refused = true;
  };
  const auto work = [&](Adapter& adapter) {
    for (std::size_t turn = next++; turn < to_ask.size(); turn = next++) {
      const std::size_t place = to_ask[turn];
      if (std::optional<std::string> why = plan.bounds ? plan.bounds->reached() : std::nullopt) {
        gathering.put(place, skip(*planned[place], std::move(*why)));
        continue;
      }
      if (refused) {
        const std::lock_guard lock(mutex);
        gathering.put(place, skip(*planned[place], why_refused));
        continue;
      }
      Outcome outcome;
      CaseResult came = ask(*plan.suite, *planned[place], adapter, &outcome);
      if (!came.executed && (adapter.refused() || ++unasked >= kMostUnasked)) {
        refuse(came.verdict.reason);
      }
      const bool known = came.failed() && plan.is_known && plan.is_known(came);
      if (came.failed() && !known && kept < kMostLookedAt) {
        ++kept;
        came.before = adapter.asked_before();
      }
      if (outcome.kept_from_it) {
        const std::lock_guard lock(mutex);
        kept_from_it.push_back({place, adapter.asked_before()});
      }
      if (plan.bounds) {
        plan.bounds->saw(came.failed() && !known, hung(outcome));
        const bool ended = died(outcome) || outcome.kind == Outcome::Kind::malformed;
        if (ended) plan.bounds->saw_an_end(outcome.seconds);
      }
      gathering.put(place, std::move(came));
    }
    if (const auto bad = adapter.end_process()) {
      const std::lock_guard lock(mutex);
      at_end.push_back({CaughtBy::process, Plane::memory, Duty::C16,
                        "asked to end after its cases, its process " + bad->how});
    }
  };
  const std::size_t jobs =
      std::min(static_cast<std::size_t>(std::max(plan.jobs, 1)), to_ask.size());
  const auto work_apart = [&] {
    Result<std::unique_ptr<Adapter>> adapter = start();
    if (adapter) work(**adapter);
  };
  Jobs others;
  others.start(jobs > 0 ? jobs - 1 : 0, work_apart);
  work(first);
  others.wait();

  Result<std::vector<CaseResult>> cases = std::move(gathering).take();
  if (!cases) return cases.error();
  result.cases = std::move(*cases);
  say_what_most_shapes_share(result.cases);
  ask_alone(*plan.suite, start, kept_from_it, result.cases);
  result.at_first_use = process_faults(result.cases, at_end, plan.waived);
  // A bound that only the last case reached did not cut the run short.
  for (const std::size_t place : to_ask) {
    CaseResult& one = result.cases[place];
    one.left_out = !one.executed;
    if (one.left_out && result.cut_short.empty()) result.cut_short = one.verdict.reason;
  }
  result.seconds = elapsed_seconds(began);
  return result;
}

}  // namespace reshape::conformance
