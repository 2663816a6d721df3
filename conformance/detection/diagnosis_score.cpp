#include "conformance/detection/diagnosis_score.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <random>
#include <utility>

#include "conformance/detection/diagnose_mutant.h"
#include "conformance/detection/findings.h"

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

std::optional<HeldOut> held_out(const Suite& suite, const Document& document,
                                const self::Mutant& mutant, double deadline_seconds, int jobs) {
  const std::optional<Diagnosis> diagnosed =
      diagnose_mutant(suite, document, mutant, deadline_seconds, jobs, mutant.name);
  if (!diagnosed) return std::nullopt;
  const Diagnosis& diagnosis = *diagnosed;
  HeldOut one{&mutant, diagnosis.failures, {}, {}};
  const Diagnosis::Finding* finding = main_finding(diagnosis);
  if (finding != nullptr) {
    one.says = finding->says;
    one.breaks = finding->asks;
    one.breaks.insert(one.breaks.end(), finding->besides.begin(), finding->besides.end());
    one.breaks.insert(one.breaks.end(), {finding->clause, name(finding->duty)});
    std::erase(one.breaks, "");
  } else if (!diagnosis.causes.empty()) {
    one.says = diagnosis.causes.front().says;
    one.breaks = {diagnosis.causes.front().breaks};
  }
  return one;
}

}  // namespace

bool HeldOut::right_kind() const {
  return std::ranges::find(breaks, name(mutant->breaks)) != breaks.end();
}

bool HeldOut::neighbour() const {
  const auto subject = [](std::string_view clause) { return clause.substr(0, clause.find('.')); };
  const std::string_view right = subject(name(mutant->breaks));
  return !right_kind() && std::ranges::find(breaks, right, subject) != breaks.end();
}

DiagnosisScore score_diagnosis(const Suite& suite, const DiagnosisScoreOptions& options) {
  DiagnosisScore score{options.seed, options.dialect, {}};
  for (const self::Mutant* mutant : drawn(options.seed)) {
    if (static_cast<int>(score.held_out.size()) >= options.count) break;
    std::optional<HeldOut> one = held_out(suite, *suite.document(options.dialect), *mutant,
                                          options.deadline_seconds, options.jobs);
    if (!one) continue;
    score.held_out.push_back(*std::move(one));
    if (options.told) options.told(score.held_out.back());
  }
  return score;
}

std::string text(const HeldOut& one) {
  if (!one.named()) return fmt::format("  SILENT    {} ({})\n", one.mutant->name, one.mutant->says);
  if (one.right_kind()) return "";
  return fmt::format("  {}  {} breaks {} ({})\n      named: {} ({})\n",
                     one.neighbour() ? "NEAR    " : "MISLEADS", one.mutant->name,
                     name(one.mutant->breaks), one.mutant->says, fmt::join(one.breaks, ", "),
                     one.says);
}

std::string text(const DiagnosisScore& score) {
  int right = 0, near = 0, silent = 0;
  for (const HeldOut& one : score.held_out) {
    right += one.right_kind();
    near += one.neighbour();
    silent += !one.named();
  }
  const int all = static_cast<int>(score.held_out.size());
  const int wrong = all - right - near - silent;
  const double hundredth = 0.01 * std::max(all, 1);
  return fmt::format(
      "seed {}, {}: {} mistakes, each left out of the ledger in its turn: the first cause "
      "named is of the right kind for {} ({:.1f} %), another clause of the same subject for "
      "{} ({:.1f} %), misleading for {} ({:.1f} %), and none is named for {} ({:.1f} %)\n",
      score.seed, score.dialect, all, right, right / hundredth, near, near / hundredth, wrong,
      wrong / hundredth, silent, silent / hundredth);
}

}  // namespace reshape::conformance
