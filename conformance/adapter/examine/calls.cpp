#include "conformance/adapter/examine/calls.h"

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

#include <cerrno>
#include <utility>

#include "conformance/adapter/contract/inferred.h"
#include "conformance/adapter/contract/thrown.h"
#include "conformance/adapter/examine/lasting_growth.h"
#include "conformance/text/printable.h"

namespace reshape::conformance {
namespace {

// Calls shorter than this are repeated many times for the memory watch. A slow library would take
// minutes, or exceed its deadline.
constexpr std::chrono::microseconds kQuick{100};
// Bytes; an allocator's caches keep less than this of thousands of calls.
constexpr std::int64_t kNoCache = 4096;

}  // namespace

CallWatches::CallWatches(CallNotes told, bool process) : notes(std::move(told)), memory(process) {
  for (WatchPtr (*watch)() :
       {watch_canaries, watch_input_unchanged, watch_output_gaps, watch_arguments_unchanged,
        watch_shape_canary, watch_rejection_writes_nothing, watch_message,
        watch_floating_point_control}) {
    around_call.push_back(watch());
  }
}

void Calls::look_for_growth(Sites sites, std::chrono::milliseconds most) {
  sites_ = sites;
  most_ = most;
}

std::optional<int> Calls::call(const CallSite& site, const Probe* probe, const Call& plug_in,
                               std::vector<Observation>& seen) {
  if (watches_.notes.entering) watches_.notes.entering(probe);
  std::vector<WatchPtr>& watches = watches_.around_call;
  for (const WatchPtr& watch : watches) watch->before(site);
  int answer = RESHAPE_FAILED;
  // What a call of the caller's own has left. A failure of strtol or of a function of <cmath> shows
  // in errno alone, so that who forgets to clear it takes this one for its own.
  errno = site.errno_cleared ? 0 : ERANGE;
  backwards_ = false;
  changed_ = 0;
  if (!returns(probe, [&] { answer = plug_in(); })) return std::nullopt;
  if (backwards_) {
    seen.push_back({CaughtBy::floating_point_control, Plane::memory, Duty::C14,
                    "the direction flag was left set"});
  }
  if (changed_ != 0) {
    seen.push_back({CaughtBy::floating_point_control, Plane::memory, Duty::C14,
                    std::string("it changed ")
                        .append(text_of_registers(changed_))
                        .append(", which a function keeps for its caller")});
  }
  // In reverse order: the watch nearest to the call looks first.
  for (auto watch = watches.rbegin(); watch != watches.rend(); ++watch) {
    (*watch)->after(site, status_of(answer), seen);
  }
  return answer;
}

void Calls::put_direction_right() {
#if defined(__x86_64__)
  constexpr unsigned long long kDirection = 1ull << 10;
  if ((__readeflags() & kDirection) != 0) {
    asm volatile("cld");
    backwards_ = true;
  }
#endif
}

bool Calls::returns(const Probe* probe, const std::function<void()>& task) {
  const auto thrown = thrown_by(task);
  if (thrown) end(Outcome::Kind::crashed, probe, printable(*thrown, kBriefly));
  return !thrown;
}

bool Calls::call_unwatched(const std::function<void()>& task) {
  if (watches_.notes.entering) watches_.notes.entering(nullptr);
  return returns(nullptr, task);
}

bool Calls::repeat(const CallSite& site, const Probe* probe, const Call& plug_in,
                   std::vector<Observation>& seen, const std::function<void()>& look) {
  if (looks_for_growth()) {
    return wear(probe != nullptr ? site_of(probe->ask) : site_of_inference(site.little_room), probe,
                plug_in, seen);
  }
  if (!watches_.memory) return true;
  if (watches_.notes.entering) watches_.notes.entering(probe);
  const auto ask = [&](int calls) {
    return returns(probe, [&] {
      for (int call = 0; call < calls; ++call) plug_in();
    });
  };
  MemoryGrowth& growth = watches_.growth;
  growth.start_over();
  growth.before();
  const auto began = std::chrono::steady_clock::now();
  if (!ask(1)) return false;
  // A turn is one slow call, or several quick ones, the first of which is checked before the others
  // overwrite its output.
  const bool quick = std::chrono::steady_clock::now() - began < kQuick;
  const int calls = quick ? kCallsATurn : 1;
  if (quick) look();
  growth.set_calls(calls);
  for (int turn = 0; turn < kGrowingTurns; ++turn) {
    if (quick || turn > 0) {
      growth.before();
      if (!ask(calls)) return false;
    }
    growth.after(seen);
    look();
    if (!growth.growing()) return true;
  }
  return true;
}

// Makes very many equal calls, once at each requested site. False when one threw.
bool Calls::wear(Sites site, const Probe* probe, const Call& plug_in,
                 std::vector<Observation>& seen) {
  if ((sites_ & site) == 0) return true;
  sites_ &= ~site;
  if (watches_.notes.entering) watches_.notes.entering(probe);
  LastingGrowth growth(*most_);
  const auto ask = [&] {
    do {
      plug_in();
    } while (growth.goes_on());
  };
  if (!returns(probe, ask)) return false;
  if (const std::int64_t bytes = growth.bytes_a_call(); bytes > 0) {
    seen.push_back({CaughtBy::memory_growth, Plane::memory, Duty::C15,
                    "after thousands of equal calls each still leaves " + std::to_string(bytes) +
                        " bytes more in use"});
  } else if (growth.bytes() > kNoCache) {
    seen.push_back({CaughtBy::memory_fills, Plane::memory, Duty::C15,
                    std::to_string(growth.bytes()) + " bytes were kept, and then no more"});
  }
  return true;
}

void Calls::end(Outcome::Kind kind, const Probe* probe, std::string message) {
  outcome_.kind = kind;
  outcome_.during = probe != nullptr ? text(*probe) : "inference";
  outcome_.message = std::move(message);
}

void Calls::tell() const {
  if (watches_.notes.seen) watches_.notes.seen(outcome_);
}

}  // namespace reshape::conformance
