#include "conformance/adapter/examine/growth_suspicions.h"

#include <algorithm>
#include <bit>
#include <vector>

#include "conformance/adapter/process/patience.h"

namespace reshape::conformance {
namespace {

constexpr int kMilliseconds = 2500;  // at each site
constexpr double kMostSpent = 6;     // seconds for one adapter, after which none is begun

bool told_by(CaughtBy watch, const std::vector<Observation>& observations) {
  return std::any_of(observations.begin(), observations.end(),
                     [&](const Observation& seen) { return seen.watch == watch; });
}

// The sites at which the outcome has an observation of this watch.
Sites sites_in(const Outcome& outcome, CaughtBy watch) {
  Sites sites = told_by(watch, outcome.observations) ? sites_of_inference() : 0;
  for (const Execution& execution : outcome.executions) {
    if (told_by(watch, execution.observations)) sites |= site_of(execution.probe.ask);
  }
  return sites;
}

// Who could not look into it says nothing. A process that ended under thousands of equal calls may
// have run out of what it leaks.
Sites confirmed_by(const std::optional<Outcome>& came) {
  if (!came || came->kind == Outcome::Kind::not_asked || came->kept_from_it) return 0;
  return died(*came) ? all_sites() : sites_in(*came, CaughtBy::memory_growth);
}

void forget(std::vector<Observation>& observations) {
  std::erase_if(observations,
                [](const Observation& seen) { return seen.watch == CaughtBy::memory_growth; });
}

}  // namespace

Sites sites_of_inference() { return site_of_inference(false) | site_of_inference(true); }
Sites site_of_inference(bool little_room) { return little_room ? 2 : 1; }
Sites site_of(Probe::Ask ask) { return 4u << static_cast<unsigned>(ask); }
Sites all_sites() { return 2 * site_of(Probe::kLastAsk) - 1; }

void GrowthSuspicions::settle(Outcome& outcome, bool long_use, const AskForGrowth& apart,
                              const AskForGrowth& here) {
  const Sites seen = sites_in(outcome, CaughtBy::memory_growth);
  if (seen == 0 || died(outcome)) return;
  Sites lasting = 0;
  Sites open = 0;  // not known from before
  const Sites suspected = long_use ? all_sites() : seen;
  for (Sites site = 1; site <= suspected; site <<= 1) {
    if ((suspected & site) == 0) continue;
    (leaking_.contains({site, outcome.kind}) ? lasting : open) |= site;
  }
  if (long_use && lasting != 0) return;
  if (open != 0 && spent_ >= kMostSpent) {
    // Without time to check, the suspicion counts, unless an earlier one turned out to be a cache.
    if (!refuted_) lasting |= open;
  } else if (open != 0) {
    const auto began = std::chrono::steady_clock::now();
    const std::optional<Outcome> came = apart(open, kMilliseconds);
    const Sites confirmed = confirmed_by(came) & open;
    for (Sites site = 1; site <= confirmed; site <<= 1) {
      if ((confirmed & site) != 0) leaking_.insert({site, outcome.kind});
    }
    lasting |= confirmed;
    if (confirmed != open) refuted_ = true;
    // Only caches need to be filled here, not an allocator's noise.
    const Sites fills = came ? sites_in(*came, CaughtBy::memory_fills) & open : 0;
    if (fills != 0) here(fills, kMilliseconds);
    // Capped, so that a busy machine does not use up the time for later suspicions.
    spent_ += std::min(elapsed_seconds(began), std::popcount(open | fills) * kMilliseconds / 1e3);
  }
  if (long_use && lasting != 0) return;
  if ((lasting & sites_of_inference()) == 0) forget(outcome.observations);
  for (Execution& execution : outcome.executions) {
    if ((lasting & site_of(execution.probe.ask)) == 0) forget(execution.observations);
  }
}

}  // namespace reshape::conformance
