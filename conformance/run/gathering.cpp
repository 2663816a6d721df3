#include "conformance/run/gathering.h"

#include <utility>

namespace reshape::conformance {

Gathering::Gathering(const std::vector<const Case*>& planned,
                     const std::function<void(const Progress&)>& progress)
    : planned_(planned), progress_(progress), places_(planned.size()) {
  count_.planned = static_cast<int>(planned.size());
}

void Gathering::put(std::size_t place, CaseResult result) {
  const std::lock_guard lock(mutex_);
  if (places_[place]) filled_twice_ = place;
  ++count_.done;
  if (result.executed) ++count_.executed;
  if (result.failed()) ++count_.failed;
  places_[place] = std::move(result);
  if (progress_) progress_(count_);
}

Result<std::vector<CaseResult>> Gathering::take() && {
  if (filled_twice_) {
    return Error{"internal error: case " + planned_[*filled_twice_]->id + " got two verdicts"};
  }
  std::vector<CaseResult> results;
  results.reserve(places_.size());
  for (std::size_t place = 0; place < places_.size(); ++place) {
    if (!places_[place] || places_[place]->asked != planned_[place]) {
      return Error{"internal error: case " + planned_[place]->id + " got no verdict of its own"};
    }
    results.push_back(std::move(*places_[place]));
  }
  return results;
}

}  // namespace reshape::conformance
