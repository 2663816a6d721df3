#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <vector>

#include "conformance/run/runner.h"

namespace reshape::conformance {

// The results of a run while several jobs fill them in. Ensures that every planned case has exactly
// one verdict: take() fails if a place is empty, was filled twice, or has another case's result.
class Gathering {
 public:
  // `progress`, which may be empty, is called after every result; it outlives this.
  Gathering(const std::vector<const Case*>& planned,
            const std::function<void(const Progress&)>& progress);

  // The result of planned[place]. Any thread.
  void put(std::size_t place, CaseResult result);

  // All results in the order of the plan, once every job has ended.
  Result<std::vector<CaseResult>> take() &&;

 private:
  const std::vector<const Case*>& planned_;
  const std::function<void(const Progress&)>& progress_;
  std::mutex mutex_;
  std::vector<std::optional<CaseResult>> places_;
  Progress count_;
  std::optional<std::size_t> filled_twice_;
};

}  // namespace reshape::conformance
