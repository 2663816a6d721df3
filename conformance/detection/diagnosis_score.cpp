#include "conformance/detection/diagnosis_score.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <random>
#include <set>
#include <utility>

#include "conformance/adapter/adapter.h"
#include "conformance/detection/ask_ledger.h"
#include "conformance/detection/diagnose.h"
#include "conformance/detection/findings.h"
#include "conformance/property/generated_cases.h"
#include "conformance/run/replays.h"
#include "conformance/run/runner.h"

namespace reshape::conformance {
namespace {

std::vector<const self::Mutant*> drawn(std::uint64_t seed) {
  std::vector<const self::Mutant*> mutants;
  for (const self::Mutant& mutant : self::all_mutants()) {
    if (!mutant.hostile()) mutants.push_back(&mutant);
  }
  std::mt19937_64 engine(seed);
  for (std::size_t left = mutants.size(); left > 1; --left) {
    std::swap(mutants[left - 1], mutants[engine() % left]);
  }
  return mutants;
}

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

std::optional<HeldOut> held_out(const Suite& suite, const Document& document,
                                const self::Mutant& mutant, double deadline_seconds, int jobs) {
  const AdapterOptions library = reach(mutant, deadline_seconds);
  Result<std::unique_ptr<Adapter>> adapter = start_adapter(library);
  if (!adapter) return std::nullopt;
  // As a run asks it: the cases of the document, and the requests that the suite's version draws.
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
  options.without = mutant.name;
  const std::optional<Diagnosis> diagnosis = diagnose(*result, library, options);
  if (!diagnosis) return std::nullopt;
  HeldOut one{&mutant, diagnosis->failures, {}, {}};
  const Diagnosis::Finding* finding = main_finding(*diagnosis);
  if (finding != nullptr) {
    one.says = finding->says;
    one.breaks = finding->asks;
    one.breaks.insert(one.breaks.end(), finding->besides.begin(), finding->besides.end());
    one.breaks.insert(one.breaks.end(), {finding->clause, name(finding->duty)});
    std::erase(one.breaks, "");
  } else if (!diagnosis->causes.empty()) {
    one.says = diagnosis->causes.front().says;
    one.breaks = {diagnosis->causes.front().breaks};
  }
  return one;
}

}  // namespace

bool HeldOut::right_kind() const {
  return std::find(breaks.begin(), breaks.end(), name(mutant->breaks)) != breaks.end();
}

bool HeldOut::neighbour() const {
  const auto subject = [](std::string_view clause) { return clause.substr(0, clause.find('.')); };
  return !right_kind() && std::any_of(breaks.begin(), breaks.end(), [&](const std::string& one) {
    return subject(one) == subject(name(mutant->breaks));
  });
}

DiagnosisScore score_diagnosis(const Suite& suite, const DiagnosisScoreOptions& options) {
  DiagnosisScore score{options.seed, options.dialect, {}};
  for (const self::Mutant* mutant : drawn(options.seed)) {
    if (static_cast<int>(score.held_out.size()) >= options.count) break;
    std::optional<HeldOut> one = held_out(suite, *suite.document(options.dialect), *mutant,
                                          options.deadline_seconds, options.jobs);
    if (one) score.held_out.push_back(*std::move(one));
    if (options.progress) {
      options.progress(static_cast<int>(score.held_out.size()), options.count);
    }
  }
  return score;
}

std::string text(const DiagnosisScore& score) {
  int right = 0, near = 0, silent = 0;
  std::string missed;
  for (const HeldOut& one : score.held_out) {
    right += one.right_kind();
    near += one.neighbour();
    silent += !one.named();
    if (!one.named() || one.right_kind()) continue;
    missed += fmt::format("  {}  {} breaks {} ({})\n      named: {} ({})\n",
                          one.neighbour() ? "NEAR    " : "MISLEADS", one.mutant->name,
                          name(one.mutant->breaks), one.mutant->says, fmt::join(one.breaks, ", "),
                          one.says);
  }
  const int all = static_cast<int>(score.held_out.size());
  const int wrong = all - right - near - silent;
  const double hundredth = 0.01 * std::max(all, 1);
  return missed +
         fmt::format(
             "seed {}, {}: {} mistakes, each left out of the ledger in its turn: the first cause "
             "named is of the right kind for {} ({:.1f} %), another clause of the same subject for "
             "{} ({:.1f} %), misleading for {} ({:.1f} %), and none is named for {} ({:.1f} %)\n",
             score.seed, score.dialect, all, right, right / hundredth, near, near / hundredth,
             wrong, wrong / hundredth, silent, silent / hundredth);
}

}  // namespace reshape::conformance
