#include "conformance/report/known_laws.h"

#include <algorithm>

namespace reshape::conformance {
namespace {

// A law of which the run was cut short may yet be broken.
bool found_to_hold(const LawResult& law) {
  return law.holds() && law.tried > 0 && law.unfinished.empty();
}

}  // namespace

void apply_to_laws(const Baseline& baseline, Report& run, const std::string& day) {
  const std::string platform = platform_of(run.capabilities);
  // In a run of laws alone there are no failed cases, so the baseline says whether there are known
  // ones (see Report::conforming).
  const bool failures_known =
      run.cases.empty() && std::ranges::any_of(baseline.known, [&](const KnownFailure& entry) {
        return entry.law.empty() && entry.is_of(platform) && !entry.is_over(day);
      });
  for (LawResult& law : run.laws) {
    if (failures_known && law.undecided) law.known = "failures of its requests alone are known";
  }
  for (const KnownFailure& entry : baseline.known) {
    if (entry.law.empty() || !entry.is_of(platform)) continue;
    const std::string where =
        baseline.file + ":" + std::to_string(entry.line) + ": law '" + entry.law + "' ";
    for (LawResult& law : run.laws) {
      if (law.name != entry.law) continue;
      if (found_to_hold(law)) {
        run.baseline_faults.push_back(where + "is known to be broken, and it holds");
      } else if (!law.holds() && !entry.is_over(day)) {
        law.known = entry.why() + entry.of_owner();
        law.known_until.clear();
      } else if (!law.holds() && law.known.empty()) {
        law.known_until = entry.until + entry.of_owner() + ": " + entry.why();
      }
    }
  }
}

bool knows_law(const Baseline& baseline, const std::string& law, const std::string& platform,
               const std::string& day) {
  return std::ranges::any_of(baseline.known, [&](const KnownFailure& entry) {
    return entry.law == law && entry.is_of(platform) && !entry.is_over(day);
  });
}

void mend_laws(const Report& run, Baseline& mended) {
  const std::string platform = platform_of(run.capabilities);
  // For a library with known failures an undecided law needs no entry.
  const bool failures_known =
      std::ranges::any_of(run.cases, [](const CaseResult& one) { return one.failed(); });
  for (const LawResult& law : run.laws) {
    const auto is_entry = [&](const KnownFailure& entry) {
      return entry.law == law.name && entry.is_of(platform);
    };
    if (found_to_hold(law)) {
      std::erase_if(mended.known, is_entry);
    } else if (law.fails() && !(law.undecided && failures_known) &&
               std::ranges::none_of(mended.known, is_entry)) {
      mended.known.push_back({.reason = "not explained yet", .law = law.name});
    }
  }
}

}  // namespace reshape::conformance
