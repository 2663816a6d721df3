#include "conformance/detection/random_diagnosis.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

#include "conformance/abi/duty.h"
#include "conformance/adapter/adapter.h"
#include "conformance/detection/ask_ledger.h"
#include "conformance/detection/comparable.h"
#include "conformance/detection/diagnose_mutant.h"
#include "conformance/detection/evenly.h"
#include "conformance/detection/findings.h"
#include "conformance/detection/kill_matrix.h"
#include "conformance/detection/likeness.h"
#include "conformance/detection/request_traits.h"
#include "conformance/run/runner.h"
#include "conformance/text/listed.h"

namespace reshape::conformance {
namespace {

constexpr std::size_t kMostAsked = 200;  // of the requests of each sort
constexpr double kNearlyAll = 0.9;       // a condition that fewer have is not theirs
constexpr double kHalf = 0.5;

struct Answered {
  const Case* asked;
  bool wrong;
  Verdict verdict;
  Outcome outcome;
};

std::vector<Answered> answers(const Suite& suite, const std::vector<const Case*>& cases,
                              Adapter& adapter) {
  std::vector<Answered> all;
  int deaths = 0;
  for (const Case* one : cases) {
    if (why_unsupported(one->request, expectation_of(*one), adapter.capabilities())) continue;
    Outcome outcome;
    CaseResult result = ask(suite, *one, adapter, &outcome);
    if (died(outcome) && ++deaths == kMostDeaths) break;
    all.push_back({one, result.failed(), std::move(result.verdict), std::move(outcome)});
  }
  return all;
}

// Requests that the mistake could have met.
std::vector<const Case*> comparable(const std::vector<Case>& requests,
                                    const std::vector<Answered>& wrong) {
  Comparable comparable;
  for (const Answered& one : wrong) comparable.add(*one.asked, one.verdict);
  std::vector<const Case*> all;
  for (const Case& one : requests) {
    if (comparable.contains(one)) all.push_back(&one);
  }
  return all;
}

// How often a known mistake answers as the mutant does, where the conditions hold under which it is
// named.
Count alike(const Suite& suite, const Diagnosis::Cause& cause,
            const std::vector<Answered>& answered, double deadline_seconds) {
  Count count;
  const self::Mutant* known = self::mutant_named(cause.mutant);
  if (known == nullptr) return count;
  Result<std::unique_ptr<Adapter>> adapter = start_adapter(reach(*known, deadline_seconds));
  if (!adapter) return count;
  for (const Answered& one : answered) {
    if (!has_traits(words_about(one.asked->request), cause.where)) continue;
    Outcome outcome;
    const bool wrong = ask(suite, *one.asked, **adapter, &outcome).failed();
    ++count.of;
    count.held += wrong == one.wrong && (!wrong || same_answer(one.outcome, outcome));
  }
  return count;
}

CheckedDiagnosis checked(const Suite& suite, const DrawnMutants& all,
                         const self::RandomMutant& drawn, const MatrixOptions& how) {
  CheckedDiagnosis one;
  one.drawn = &drawn;
  const std::optional<Diagnosis> diagnosed =
      diagnose_mutant(suite, suite.documents.front(), drawn.mutant, how.deadline_seconds, how.jobs);
  if (!diagnosed) return one;
  const Diagnosis& diagnosis = *diagnosed;
  one.failures = diagnosis.failures;
  const Diagnosis::Finding* finding = main_finding(diagnosis);
  const bool most =
      !diagnosis.causes.empty() && diagnosis.causes.front().same >= kNearlyAll * diagnosis.compared;
  if (finding != nullptr) {
    one.says = finding->says;
    one.where = finding->where;
    std::ranges::copy_if(finding->around.where, std::back_inserter(one.where),
                         [&](const std::string& word) {
                           return std::ranges::find(finding->where, word) == finding->where.end();
                         });
    one.by_what_was_before = finding->duty == Duty::C17;
  }
  if (most) one.cause = diagnosis.causes.front().says;
  if (finding == nullptr && !most) return one;

  Result<std::unique_ptr<Adapter>> adapter =
      start_adapter(reach(drawn.mutant, how.deadline_seconds));
  if (!adapter) return one;
  std::vector<Answered> asked =
      answers(suite, evenly(all.concerned_by(drawn), kMostAsked), **adapter);
  std::vector<Answered> wrong;
  std::ranges::copy_if(asked, std::back_inserter(wrong), &Answered::wrong);
  std::vector<const Case*> there = comparable(all.requests, wrong);
  if (!one.where.empty()) {
    const auto has_all = [&](const Request& request) {
      const auto& around = finding->around;
      return (!finding->there || finding->there(request)) &&
             (!around.there || around.there(request));
    };
    one.covered.of = static_cast<int>(wrong.size());
    one.covered.held = static_cast<int>(std::ranges::count_if(
        wrong, [&](const Answered& answer) { return has_all(answer.asked->request); }));
    std::erase_if(there, [&](const Case* other) { return !has_all(other->request); });
  }
  const std::vector<Answered> others = answers(suite, evenly(there, kMostAsked), **adapter);
  one.narrow.of = static_cast<int>(others.size());
  one.narrow.held = static_cast<int>(std::ranges::count_if(others, &Answered::wrong));
  if (most) {
    asked.insert(asked.end(), others.begin(), others.end());
    one.alike = alike(suite, diagnosis.causes.front(), asked, how.deadline_seconds);
  }
  return one;
}

}  // namespace

CheckedDiagnosis::Fate CheckedDiagnosis::fate() const {
  if (failures == 0) return Fate::not_found;
  if (says.empty() && cause.empty()) return Fate::silent;
  if (covered.of > 0 && covered.share() < kNearlyAll) return Fate::refuted;
  if (alike.of > 0 && alike.share() < kNearlyAll) return Fate::refuted;
  const bool exactly = alike.of > 0;
  // Where what was asked before decides, no condition of one request can tell more.
  const bool before = drawn->by_sequence && by_what_was_before;
  return before || exactly || narrow.share() >= kHalf ? Fate::told : Fate::wide;
}

std::vector<CheckedDiagnosis> check_random_diagnoses(const Suite& suite,
                                                     const RandomDiagnosisOptions& options) {
  const DrawnMutants all = draw_mutants(suite, options.drawn);
  std::vector<CheckedDiagnosis> diagnoses;
  for (const RandomFate& fate : all.fates) {
    diagnoses.push_back(checked(suite, all, *fate.drawn, options.drawn.matrix));
    if (options.told) options.told(diagnoses.back());
  }
  return diagnoses;
}

std::string text(const CheckedDiagnosis& one) {
  using Of = CheckedDiagnosis::Fate;
  const Of fate = one.fate();
  if (fate == Of::told || fate == Of::not_found) return "";
  const char* const word = fate == Of::silent    ? "SILENT "
                           : fate == Of::refuted ? "REFUTED"
                                                 : "WIDE   ";
  std::string all =
      fmt::format("  {}  {}: {}\n", word, one.drawn->mutant.name, one.drawn->mutant.says);
  if (!one.says.empty()) {
    all += fmt::format("      {} failures: {}{}\n", one.failures, one.says,
                       one.where.empty() ? "" : ", where the request has " + listed(one.where));
    if (!one.where.empty()) {
      all += fmt::format("      of {} other requests that are answered wrongly {} have that\n",
                         one.covered.of, one.covered.held);
    }
    all += fmt::format("      of {} other requests that it is true of {} are answered wrongly\n",
                       one.narrow.of, one.narrow.held);
  }
  if (!one.cause.empty()) {
    all += fmt::format("      as if: {}; of {} other requests {} are answered alike\n", one.cause,
                       one.alike.of, one.alike.held);
  }
  return all;
}

std::string text(const std::vector<CheckedDiagnosis>& all) {
  using Of = CheckedDiagnosis::Fate;
  const auto with = [&](Of fate) {
    return std::ranges::count_if(all, [&](const auto& one) { return one.fate() == fate; });
  };
  const auto found = static_cast<std::ptrdiff_t>(all.size()) - with(Of::not_found);
  const double hundredth = 0.01 * static_cast<double>(std::max<std::ptrdiff_t>(found, 1));
  const auto share = [&](Of fate) {
    return fmt::format("{} ({:.1f} %)", with(fate), static_cast<double>(with(fate)) / hundredth);
  };
  return fmt::format(
      "of {} random mutants a run finds {}. What the diagnosis says of them, held against other "
      "requests: true and narrow for {}, true and wide for {}, refuted for {}; nothing is said of "
      "{}\n",
      all.size(), found, share(Of::told), share(Of::wide), share(Of::refuted), share(Of::silent));
}

}  // namespace reshape::conformance
