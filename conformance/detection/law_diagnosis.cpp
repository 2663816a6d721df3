#include "conformance/detection/law_diagnosis.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "conformance/adapter/contract/plugin_library.h"
#include "conformance/detection/ask_ledger.h"
#include "conformance/detection/conditions.h"
#include "conformance/detection/known_traits.h"
#include "conformance/model/verdict.h"
#include "conformance/property/law.h"
#include "conformance/self/mutant.h"
#include "conformance/text/line.h"

namespace reshape::conformance {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostBroken = 4;  // trials of each law that are compared
constexpr std::size_t kMostHeld = 4;
constexpr double kDeadlineSeconds = 1;

// A trial of the run, to be repeated with a mutant.
struct KnownTrial {
  const Law* law;
  const LawTrial* trial;
  Request input;
};

// What was seen, without numbers and without the implementation's words, which are in brackets.
std::string without_words(const std::string& says) {
  std::string text;
  int depth = 0;
  for (const char letter : says) {
    if (letter == '(') ++depth;
    if (depth == 0) text += letter;
    if (letter == ')' && depth > 0) --depth;
  }
  return without_numbers(text);
}

LawDiagnosis::Finding finding_of(const LawResult& law, KnownTraits& known,
                                 std::deque<Request>& requests) {
  LawDiagnosis::Finding finding;
  finding.law = law.name;
  std::vector<const Request*> broken, held;
  for (const LawTrial& trial : law.trials) {
    const Result<Request> input = parse_line(trial.input);
    if (!input) continue;
    requests.push_back(*input);
    (trial.broken.empty() ? held : broken).push_back(&requests.back());
  }
  finding.broken = static_cast<int>(broken.size());
  finding.held = static_cast<int>(held.size());
  // The trials of a law are similar to each other, so what few of them have in common is mostly due
  // to the law itself.
  constexpr std::size_t kFewBroken = 6;
  if (broken.size() < kFewBroken) return finding;
  Conditions found = conditions_of(broken, held, known);
  // Conditions that many of the few other trials meet as well say little.
  constexpr std::size_t kFewHeld = 5;
  if (found.passes_there * kFewHeld <= held.size()) finding.where = std::move(found.where);
  finding.broken_there = static_cast<int>(found.failures_there);
  finding.held_there = static_cast<int>(found.passes_there);
  return finding;
}

// The laws take turns, so that the first few trials cover all of them.
std::vector<KnownTrial> trials_of(std::span<const LawResult> laws, bool broken) {
  const std::size_t most = broken ? kMostBroken : kMostHeld;
  std::vector<KnownTrial> all;
  for (std::size_t turn = 0; turn < most; ++turn) {
    for (const LawResult& result : laws) {
      const Law* law = law_named(result.name);
      // Laws that need only one, very costly trial are not repeated with every mutant.
      if (law == nullptr || law->cost >= Law::kOnce) continue;
      std::size_t at = 0;
      for (const LawTrial& trial : result.trials) {
        if (trial.broken.empty() == broken || at++ != turn) continue;
        if (Result<Request> input = parse_line(trial.input)) {
          all.push_back({law, &trial, *std::move(input)});
        }
      }
    }
  }
  return all;
}

// What a mutant does in a trial, in a process of its own; nothing where the law does not apply.
std::optional<std::string> seen_in(const self::Mutant& mutant, const Suite& suite,
                                   const KnownTrial& known, Clock::time_point end) {
  const Document* document = suite.document(known.input.dialect);
  const Result<std::unique_ptr<Adapter>> adapter = start_adapter(reach(mutant, kDeadlineSeconds));
  if (document == nullptr || !adapter) return std::nullopt;
  const Tried tried =
      try_law(*known.law, document->dialect, known.input, **adapter, known.trial->seed, end);
  if (tried.trial.kind == Trial::Kind::held) return "";
  if (tried.trial.kind != Trial::Kind::broken) return std::nullopt;
  return without_words(tried.trial.says);
}

// Compares a mutant with the run: in how many trials it breaks in the same way, or keeps likewise.
// Nothing where it does otherwise in one, but for a few of laws about threads, whose meeting is
// chance; or does not break more than half of the broken ones: if only few trials are broken, a
// mutant that breaks nothing would agree in nearly all.
std::optional<LawDiagnosis::Alike> alike(const self::Mutant& mutant, const Suite& suite,
                                         std::span<const KnownTrial> trials,
                                         Clock::time_point end) {
  constexpr int kOneIn = 10, kFirstLook = 2;
  const int most_otherwise = static_cast<int>(trials.size()) / kOneIn;
  LawDiagnosis::Alike one{mutant.name, mutant.says, std::string(name(mutant.breaks)),
                          std::string(mutant.public_bug())};
  int broken = 0, broken_alike = 0;
  for (const KnownTrial& known : trials) {  // the broken ones first
    const bool is_broken = !known.trial->broken.empty();
    if (!is_broken && broken_alike * 2 <= broken) return std::nullopt;
    const std::optional<std::string> seen = seen_in(mutant, suite, known, end);
    if (!seen) continue;
    ++one.trials;
    const bool like = *seen == without_words(known.trial->broken);
    one.agrees += like;
    broken += is_broken;
    broken_alike += is_broken && like;
    const bool like_none = one.agrees == 0 && one.trials == kFirstLook;
    const bool otherwise = one.trials - one.agrees > most_otherwise;
    const bool refuted = !like && !known.law->of_threads;
    if (like_none || otherwise || refuted || Clock::now() > end) return std::nullopt;
  }
  return broken_alike * 2 > broken ? std::optional(one) : std::nullopt;
}

// Only mutants that no single request shows; the others are found by cases.
std::vector<const self::Mutant*> mutants_for(std::string_view without) {
  std::vector<const self::Mutant*> mutants;
  for (const self::Mutant& mutant : self::all_mutants()) {
    const bool shown_by_one = !mutant.caught().watch.empty();
    if (!shown_by_one && !mutant.hostile() && mutant.name != without) mutants.push_back(&mutant);
  }
  return mutants;
}

void compare(const Suite& suite, const std::vector<KnownTrial>& trials,
             const DiagnosisOptions& options, LawDiagnosis& diagnosis) {
  const Clock::time_point end = Clock::now() + time_of(options.seconds);
  const std::vector<const self::Mutant*> mutants = mutants_for(options.without);
  diagnosis.mistakes = static_cast<int>(mutants.size());
  const int jobs = static_cast<int>(std::thread::hardware_concurrency());
  diagnosis.alike = compared_with_each<LawDiagnosis::Alike>(
      mutants, jobs, end, options.progress, diagnosis.mistakes_asked,
      [&](const self::Mutant& mutant) { return alike(mutant, suite, trials, end); });
  std::ranges::stable_sort(diagnosis.alike, std::ranges::greater(), &LawDiagnosis::Alike::agrees);
}

}  // namespace

std::optional<LawDiagnosis> diagnose_laws(std::span<const LawResult> laws, const Suite& suite,
                                          const DiagnosisOptions& options) {
  const Clock::time_point began = Clock::now();
  LawDiagnosis diagnosis;
  KnownTraits known;
  std::deque<Request> requests;
  for (const LawResult& law : laws) {
    const bool shown = law.fails() && !law.undecided && !law.input.empty();
    if (shown) diagnosis.findings.push_back(finding_of(law, known, requests));
  }
  if (diagnosis.findings.empty()) return std::nullopt;
  std::vector<KnownTrial> trials = trials_of(laws, true);
  diagnosis.broken_compared = static_cast<int>(trials.size());
  if (!trials.empty() && names_built_in("mutant:right")) {
    std::ranges::move(trials_of(laws, false), std::back_inserter(trials));
    diagnosis.held_compared = static_cast<int>(trials.size()) - diagnosis.broken_compared;
    compare(suite, trials, options, diagnosis);
  }
  diagnosis.seconds = std::chrono::duration<double>(Clock::now() - began).count();
  return diagnosis;
}

}  // namespace reshape::conformance
