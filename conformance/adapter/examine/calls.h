#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "conformance/abi/reshape_plugin.h"
#include "conformance/adapter/contract/kept_registers.h"
#include "conformance/adapter/examine/examine.h"
#include "conformance/adapter/examine/growth_suspicions.h"
#include "conformance/adapter/examine/watches/watch.h"
#include "conformance/adapter/memory/call_site.h"
#include "conformance/model/outcome.h"

namespace reshape::conformance {

// The watches over the calls into one library, reused from request to request.
struct CallWatches {
  CallWatches(CallNotes told, bool process);

  CallNotes notes;
  std::vector<WatchPtr> around_call;
  bool memory = false;  // whether calls are repeated to see whether memory grows
  MemoryGrowth growth = {};
};

// Makes the calls of one request, each under the watches. If one throws, the outcome says so and
// the examination is over.
class Calls {
 public:
  using Call = std::function<int()>;

  Calls(CallWatches& watches, Outcome& outcome) : watches_(watches), outcome_(outcome) {}

  // From now on makes thousands of equal calls instead of a few, once at each of these sites, for
  // at most `most` at each.
  void look_for_growth(Sites sites, std::chrono::milliseconds most);
  bool looks_for_growth() const { return most_.has_value(); }

  // What the implementation returned, or nothing when it threw. `probe`: null for inference.
  std::optional<int> call(const CallSite& site, const Probe* probe, const Call& plug_in,
                          std::vector<Observation>& seen);
  // Within a call: what the function of the implementation answers. What it leaves otherwise in
  // the processor than it found it is put right, and observed by call().
  template <typename... Kinds>
  int made(reshape_status (*function)(Kinds*...), std::type_identity_t<Kinds>*... arguments) {
    ChangedRegisters changed = 0;
    const int status = call_and_restore(function, arguments..., &changed);
    changed_ |= changed;
    put_direction_right();
    return status;
  }
  // A call without watches: false when it threw.
  bool call_unwatched(const std::function<void()>& task);
  // Makes equal calls in direct succession for the watch over memory, and calls look() after each
  // turn. False when one threw.
  bool repeat(const CallSite& site, const Probe* probe, const Call& plug_in,
              std::vector<Observation>& seen, const std::function<void()>& look);

  // Ends the examination with an outcome of this kind.
  void end(Outcome::Kind kind, const Probe* probe, std::string message);
  // Reports what was seen so far, so that a death in a later call does not lose it.
  void tell() const;
  bool heard() const { return watches_.notes.seen != nullptr; }

 private:
  // String instructions of the caller go backwards where the direction flag was left set.
  void put_direction_right();
  // Runs it. False where it threw, which ends the examination.
  bool returns(const Probe* probe, const std::function<void()>& task);
  bool wear(Sites site, const Probe* probe, const Call& plug_in, std::vector<Observation>& seen);

  CallWatches& watches_;
  Outcome& outcome_;
  bool backwards_ = false;        // the last call left the direction flag set
  ChangedRegisters changed_ = 0;  // by the last call
  Sites sites_ = 0;
  std::optional<std::chrono::milliseconds> most_;
};

}  // namespace reshape::conformance
