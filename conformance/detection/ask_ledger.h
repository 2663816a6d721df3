#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "conformance/adapter/adapter.h"
#include "conformance/self/mutant.h"

namespace reshape::conformance {

// The options to start a mutant: in a process of its own, like `run -i mutant:NAME`.
AdapterOptions reach(const self::Mutant& mutant, double deadline_seconds);

// Calls task(0) .. task(count - 1), each once, on this thread and `jobs` - 1 more. For asking
// mutants, which mostly means starting processes.
void at_once(std::size_t count, int jobs, const std::function<void(std::size_t)>& task);

// What `compare` finds of each mutant, without those of which it finds nothing. Asks on `jobs`
// threads, none after `end`; counts those that were asked.
template <typename Found>
std::vector<Found> compared_with_each(std::span<const self::Mutant* const> mutants, int jobs,
                                      std::chrono::steady_clock::time_point end,
                                      const std::function<void(int done, int all)>& progress,
                                      int& asked, auto compare) {
  std::vector<std::optional<Found>> found(mutants.size());
  std::atomic<int> done = 0;
  at_once(mutants.size(), jobs, [&](std::size_t turn) {
    if (std::chrono::steady_clock::now() > end) return;
    found[turn] = compare(*mutants[turn]);
    const int now = ++done;
    if (progress) progress(now, static_cast<int>(mutants.size()));
  });
  asked = done;
  std::vector<Found> all;
  for (std::optional<Found>& one : found) {
    if (one) all.push_back(*std::move(one));
  }
  return all;
}

// The time that an option in seconds gives: at least none, and at most some days.
std::chrono::steady_clock::duration time_of(double seconds);

}  // namespace reshape::conformance
