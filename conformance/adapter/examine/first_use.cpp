#include "conformance/adapter/examine/first_use.h"

#include <algorithm>
#include <vector>

#include "conformance/model/verdict.h"

namespace reshape::conformance {
namespace {

constexpr std::size_t kMostKnown = 64;  // each may cost a start of the library and two requests

// Whether it is about the process as a whole: duty C14.
bool of_the_process(const Observation& seen) { return seen.duty == Duty::C14; }

// Identifies what was seen, without numbers: counts and descriptors differ from run to run.
std::string what(const Observation& seen) {
  return name(seen.watch) + (": " + without_numbers(seen.saw));
}

std::set<std::string> seen_in(const Outcome& outcome) {
  std::set<std::string> all;
  const auto look = [&](const std::vector<Observation>& observations) {
    for (const Observation& seen : observations) {
      if (of_the_process(seen)) all.insert(what(seen));
    }
  };
  look(outcome.observations);
  for (const Execution& execution : outcome.executions) look(execution.observations);
  return all;
}

// An open file that is no file, such as an epoll instance: what a runtime waits with.
bool of_a_runtime(const std::string& what) {
  return what.starts_with(name(CaughtBy::open_files)) &&
         what.find("(anon_inode:") != std::string::npos &&
         what.find("was left open") != std::string::npos;
}

}  // namespace

void FirstUse::settle(Outcome& outcome, const AskTwice& ask_twice) {
  const std::set<std::string> seen = seen_in(outcome);
  if (seen.empty()) return;
  twice_.reset();
  std::set<std::string> first;
  for (const std::string& one : seen) {
    // Not the first use if this process has shown it before.
    if (!here_.contains(one) && belongs_to_it(one, ask_twice)) first.insert(one);
  }
  here_.insert(seen.begin(), seen.end());
  if (first.empty()) return;
  const auto move_from = [&](std::vector<Observation>& observations) {
    const auto moved = std::stable_partition(
        observations.begin(), observations.end(),
        [&](const auto& one) { return !of_the_process(one) || !first.contains(what(one)); });
    outcome.at_first_use.insert(outcome.at_first_use.end(), moved, observations.end());
    observations.erase(moved, observations.end());
  };
  move_from(outcome.observations);
  for (Execution& execution : outcome.executions) move_from(execution.observations);
}

bool FirstUse::belongs_to_it(const std::string& what, const AskTwice& ask_twice) {
  if (const auto known = known_.find(what); known != known_.end()) return known->second;
  if (known_.size() >= kMostKnown) return false;
  if (!twice_) twice_ = ask_twice();
  if (!twice_) return false;
  const bool at_first = seen_in(twice_->first).contains(what);
  const bool at_second = seen_in(twice_->second).contains(what);
  // If a fresh process does not show it, nothing is known for the next request.
  if (!at_first) return !at_second && of_a_runtime(what);
  const bool once = !at_second;
  known_.emplace(what, once);
  return once;
}

}  // namespace reshape::conformance
