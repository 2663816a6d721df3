#pragma once

#include <functional>
#include <optional>
#include <set>
#include <utility>

#include "conformance/model/outcome.h"

namespace reshape::conformance {

// Where memory may grow: a bit for inference, and one for every way of executing.
using Sites = unsigned;
Sites site_of_inference();
Sites site_of(Probe::Ask ask);

// The request is called again and again at these sites, for so many milliseconds at each, and every
// growth that lasts is observed, and what filled up. Nothing when no answer came.
using AskForGrowth = std::function<std::optional<Outcome>(Sites sites, int milliseconds)>;

// A watch that sees memory grow with a few calls suspects a leak; a cache that fills looks the same. Each
// suspicion is confirmed apart, by thousands of equal calls in a fresh process, before it is told.
// One for each adapter, because it counts the seconds that it spends.
class GrowthSuspicions {
 public:
  // Takes out of `outcome` what does not last. `apart` asks in a fresh process. `here` asks in that of
  // the outcome: a cache that was found to fill is filled there too, or every case would suspect it
  // anew. Of a long use nobody knows at which site memory grew.
  void settle(Outcome& outcome, bool long_use, const AskForGrowth& apart, const AskForGrowth& here);

 private:
  // A site, and whether the request is refused there or done.
  std::set<std::pair<Sites, Outcome::Kind>> leaking_;
  bool refuted_ = false;
  double spent_ = 0;  // seconds
};

}  // namespace reshape::conformance
