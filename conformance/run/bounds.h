#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "conformance/run/result.h"

namespace reshape::conformance {

// When a run stops early, so that it ends whatever the implementation does: each hang costs a whole
// deadline; and where it is asked to end (see ask_to_end.h). The remaining cases are skipped with
// the reason.
class Bounds {
 public:
  // Of the options: --fail-fast, --most-hangs, --time-limit. Time counts from here.
  explicit Bounds(const RunOptions& options);

  // Records a case's or law's result. Any thread. `failed`: unexpectedly.
  void saw(bool failed, bool hung);
  // Records that a case ended its process, after so many seconds.
  void saw_an_end(double seconds);

  // Whether half of the time is over, which is what drawing requests may take. Any thread.
  bool half_spent() const { return time_limit_ > 0 && seconds() >= time_limit_ / 2; }
  double seconds() const;  // since it began

  // The reason to stop, or nothing. Any thread.
  std::optional<std::string> reached() const;

 private:
  bool fail_fast_;
  int most_hangs_;     // 0: no bound
  double time_limit_;  // seconds; 0: no bound
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  std::atomic<int> hangs_ = 0;
  std::atomic<bool> failed_ = false;
  std::atomic<int> ends_ = 0;
  std::atomic<std::int64_t> milliseconds_of_ends_ = 0;
};

// The seconds that are left to diagnose a run of `spent` seconds, which was diagnosed for so many.
// Under a time limit (0: none) what is left of it, and at least the few that name what a hang is
// about; those few where the run was asked to end.
double seconds_to_diagnose(double wanted, double time_limit, double spent, double diagnosed);

}  // namespace reshape::conformance
