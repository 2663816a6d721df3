#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "conformance/adapter/examine/examine.h"
#include "conformance/adapter/examine/growth_suspicions.h"
#include "conformance/adapter/examine/watches/watch.h"
#include "conformance/adapter/memory/call_site.h"
#include "conformance/model/outcome.h"

namespace reshape::conformance {

// What watches the calls into one library, kept from request to request.
struct CallWatches {
  CallWatches(CallNotes told, bool process);

  CallNotes notes;
  std::vector<WatchPtr> around_call;
  bool memory = false;  // equal calls in a row are made, to see whether memory grows
  MemoryGrowth growth = {};
};

// The calls that one request comes to, each under the watches. Where one throws, the outcome says so and the
// examination is over.
class Calls {
 public:
  using Call = std::function<int()>;

  Calls(CallWatches& watches, Outcome& outcome) : watches_(watches), outcome_(outcome) {}

  // Instead of a few equal calls thousands are made, once at each of these sites, and at most so long at each.
  void look_for_growth(Sites sites, std::chrono::milliseconds most);
  bool looks_for_growth() const { return most_.has_value(); }

  // What the implementation returned, or nothing when it threw. `probe`: null for inference.
  std::optional<int> call(const CallSite& site, const Probe* probe, const Call& plug_in,
                          std::vector<Observation>& seen);
  // The same without watches: false when it threw.
  bool call_unwatched(const std::function<void()>& task);
  // Equal calls directly after each other, for the watch over memory; look() comes after each turn of
  // them. False when one threw.
  bool repeat(const CallSite& site, const Probe* probe, const Call& plug_in,
              std::vector<Observation>& seen, const std::function<void()>& look);

  // The outcome is of this kind, and nothing more is called.
  void end(Outcome::Kind kind, const Probe* probe, std::string message);
  // What was seen so far is told, so that an end in a later call does not hide it.
  void tell() const;
  bool heard() const { return watches_.notes.seen != nullptr; }

 private:
  bool wear(Sites site, const Probe* probe, const Call& plug_in, std::vector<Observation>& seen);

  CallWatches& watches_;
  Outcome& outcome_;
  Sites sites_ = 0;
  std::optional<std::chrono::milliseconds> most_;
};

}  // namespace reshape::conformance
