#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "conformance/run/result.h"

namespace reshape::conformance {

// When a run asks nothing more, so that it ends whatever the implementation does: a hang costs a whole
// deadline, and one that always hangs would cost it for every case. What is not asked then is skipped
// with the reason.
class Bounds {
 public:
  // Of the options: --fail-fast, --most-hangs, --time-limit. Time counts from here.
  explicit Bounds(const RunOptions& options);

  // What came of a case or a law. Any thread. `failed`: otherwise than is known.
  void saw(bool failed, bool hung);
  // A case ended the process that it was asked of, and took so long.
  void saw_an_end(double seconds);

  // Why nothing more is asked, or nothing. Any thread.
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

}  // namespace reshape::conformance
