#include "conformance/adapter/growth_suspicions.h"

#include <chrono>
#include <vector>

namespace reshape::conformance {
namespace {

constexpr int kMilliseconds = 2500;  // at each site
constexpr double kMostSpent = 6;     // seconds, of one adapter; the last one begun may end later

bool suspects(const Observation& seen) { return seen.watch == "memory-growth"; }

bool suspected(const std::vector<Observation>& observations) {
  for (const Observation& seen : observations) {
    if (suspects(seen)) return true;
  }
  return false;
}

// The sites at which the outcome tells of growth.
Sites sites_in(const Outcome& outcome) {
  Sites sites = suspected(outcome.observations) ? site_of_inference() : 0;
  for (const Execution& execution : outcome.executions) {
    if (suspected(execution.observations)) sites |= site_of(execution.probe.ask);
  }
  return sites;
}

void forget(std::vector<Observation>& observations) { std::erase_if(observations, suspects); }

}  // namespace

Sites site_of_inference() { return 1; }
Sites site_of(Probe::Ask ask) { return 2u << static_cast<unsigned>(ask); }

void GrowthSuspicions::settle(Outcome& outcome, bool long_use, const AskForGrowth& apart,
                              const AskForGrowth& here) {
  const Sites seen = sites_in(outcome);
  if (seen == 0 || died(outcome)) return;
  const Sites all = site_of_inference() | site_of(Probe::Ask::execute) |
                    site_of(Probe::Ask::execute_rejected) | site_of(Probe::Ask::in_place);
  Sites lasting = 0;
  Sites open = 0;  // not known from before
  const Sites suspected = long_use ? all : seen;
  for (Sites site = 1; site <= suspected; site <<= 1) {
    if ((suspected & site) == 0) continue;
    (leaking_.contains({site, outcome.kind}) ? lasting : open) |= site;
  }
  if (long_use && lasting != 0) return;
  if (open != 0 && spent_ >= kMostSpent) {
    // One that was never looked into stands as the watch told it; a library that is known to fill
    // caches has the benefit of the doubt.
    if (!refuted_) lasting |= open;
  } else if (open != 0) {
    const auto began = std::chrono::steady_clock::now();
    const std::optional<Outcome> came = apart(open, kMilliseconds);
    const Sites confirmed = !came || died(*came) ? open : sites_in(*came) & open;
    for (Sites site = 1; site <= confirmed; site <<= 1) {
      if ((confirmed & site) != 0) leaking_.insert({site, outcome.kind});
    }
    lasting |= confirmed;
    const Sites fills = long_use ? (confirmed == 0 ? open : 0) : open & ~confirmed;
    if (fills != 0) {
      refuted_ = true;
      here(fills, kMilliseconds);
    }
    spent_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  }
  if (long_use && lasting != 0) return;
  if ((lasting & site_of_inference()) == 0) forget(outcome.observations);
  for (Execution& execution : outcome.executions) {
    if ((lasting & site_of(execution.probe.ask)) == 0) forget(execution.observations);
  }
}

}  // namespace reshape::conformance
