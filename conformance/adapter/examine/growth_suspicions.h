#pragma once

#include <functional>
#include <optional>
#include <set>
#include <utility>

#include "conformance/model/outcome.h"

namespace reshape::conformance {

// Where memory may grow: a bit for inference, one for inference with too little room for the shape,
// and one for every way of executing.
using Sites = unsigned;
Sites sites_of_inference();
Sites site_of_inference(bool little_room);
Sites site_of(Probe::Ask ask);
Sites all_sites();

// Repeats the request's calls at these sites, for so many milliseconds at each, and observes growth
// that lasts and growth that ended. Nothing when no answer came.
using AskForGrowth = std::function<std::optional<Outcome>(Sites sites, int milliseconds)>;

// A watch that sees memory grow over a few calls suspects a leak, but a cache that fills looks the
// same. Each suspicion is therefore checked by thousands of equal calls in a fresh process before
// it is reported. One object for each adapter, because it limits the seconds spent.
class GrowthSuspicions {
 public:
  // Removes from `outcome` growth that does not last. `apart` asks in a fresh process; `here` asks
  // in the outcome's process, to fill a cache that was found, or every case would suspect it again.
  // `long_use`: it is not known at which site memory grew.
  void settle(Outcome& outcome, bool long_use, const AskForGrowth& apart, const AskForGrowth& here);

 private:
  // A site, and whether the request is refused there or done.
  std::set<std::pair<Sites, Outcome::Kind>> leaking_;
  bool refuted_ = false;
  double spent_ = 0;  // seconds
};

}  // namespace reshape::conformance
