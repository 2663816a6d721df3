#include "conformance/adapter/examine/together.h"

#include <limits.h>
#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <chrono>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "conformance/adapter/contract/bare_calls.h"
#include "conformance/adapter/examine/examine.h"
#include "conformance/adapter/examine/first_calls.h"
#include "conformance/adapter/examine/watches/watch.h"
#include "conformance/adapter/more_threads.h"
#include "conformance/model/refused.h"

namespace reshape::conformance {
namespace {

// From this many repetitions on, even a small leak in each adds up to a visible amount.
constexpr int kLongUse = 100;
constexpr int kNoLeak = 4096;  // bytes
constexpr int kNoMapping = 64 << 10;

// The most elements that are copied without watches.
constexpr std::int64_t kMostCopied = 1 << 16;

// Calls without watches, and the time for them, with several threads.
constexpr int kBareCalls = 4000;
constexpr std::chrono::milliseconds kMostBare{60};

// The same for a long use: each order of the law about wear, which together exceed 16-bit counters.
constexpr int kBareOfALongUse = 6500;
constexpr std::chrono::milliseconds kMostOfALongUse{500};

// What a process has only so much of.
struct InUse {
  std::int64_t allocated = 0, mapped = 0;  // bytes
  std::int64_t keys = 0, timers = 0;       // pthread_key_create(), timer_create()
};

// The index of a key that is created is the lowest that is free.
std::int64_t keys_in_use() {
  pthread_key_t key = 0;
  if (pthread_key_create(&key, nullptr) != 0) return PTHREAD_KEYS_MAX;
  pthread_key_delete(key);
  return static_cast<std::int64_t>(key);
}

// The kernel lists each with a line "ID: n".
std::int64_t timers_in_use() {
  std::ifstream list("/proc/self/timers");
  std::int64_t count = 0;
  for (std::string line; std::getline(list, line);) count += line.starts_with("ID:") ? 1 : 0;
  return count;
}

// Detects what is lost over a long use (duty C15): what is kept on purpose is taken in the first
// quarter; growth after that is a leak, however rare. An allocator's noise is less than a page, and
// it maps less than kNoMapping.
class LongUse {
 public:
  explicit LongUse(int times) : times_(times) {}

  void after(int time, Outcome& outcome) {
    if (times_ < kLongUse) return;
    if (time == times_ / 4) before_ = now();
    if (time != times_ - 1) return;
    const InUse last = now();
    const std::int64_t allocated = last.allocated - before_.allocated;
    const std::int64_t mapped = last.mapped - before_.mapped;
    if (allocated > std::max(kNoLeak, times_) || mapped > kNoMapping) {
      saw(outcome, CaughtBy::memory_growth, Duty::C15, std::max(allocated, mapped), "bytes more");
    }
    constexpr int kFew = 2;
    if (last.keys - before_.keys > kFew) {
      saw(outcome, CaughtBy::process_settings, Duty::C14, last.keys - before_.keys,
          "keys of threads (pthread_key_create) more");
    }
    if (last.timers - before_.timers > kFew) {
      saw(outcome, CaughtBy::process_settings, Duty::C14, last.timers - before_.timers,
          "timers (timer_create) more");
    }
  }

 private:
  InUse now() { return {memory_in_use(), mapped_.now(), keys_in_use(), timers_in_use()}; }

  void saw(Outcome& outcome, CaughtBy watch, Duty duty, std::int64_t many, const char* what) const {
    outcome.observations.push_back({watch, Plane::memory, duty,
                                    std::to_string(many) + ' ' + what + " are in use after " +
                                        std::to_string(times_ - times_ / 4) + " equal requests"});
  }

  int times_;
  MappedMemory mapped_;
  InUse before_;
};

bool same(const Outcome& one, const Outcome& other) {
  if (one.kind != other.kind || one.shape != other.shape ||
      one.executions.size() != other.executions.size() ||
      one.observations.empty() != other.observations.empty()) {
    return false;
  }
  for (std::size_t at = 0; at < one.executions.size(); ++at) {
    if (one.executions[at].status != other.executions[at].status ||
        !same_elements(one.executions[at], other.executions[at])) {
      return false;
    }
  }
  return true;
}

}  // namespace

std::vector<Outcome> examine_together(const PluginLibrary& library,
                                      const std::vector<Request>& requests, int times, Threads how,
                                      int milliseconds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds);
  std::vector<Outcome> outcomes(requests.size());
  if (requests.size() > 1) {
    FirstCalls first = how == Threads::none ? first_calls_in_turn(library, requests, kMostCopied)
                                            : first_calls_together(library, requests, kMostCopied);
    if (first.refusal != 0) {
      outcomes.assign(requests.size(), not_asked(refused("another thread", first.refusal)));
      return outcomes;
    }
    if (first.wrong) {
      Outcome wrong;
      wrong.kind = Outcome::Kind::malformed;
      wrong.during = "inference or execution";
      wrong.message = *std::move(first.wrong);
      outcomes.assign(requests.size(), wrong);
      return outcomes;
    }
  }
  // The reference answers are asked before other threads exist.
  std::vector<std::unique_ptr<BareCalls>> bare;
  const bool long_use_alone = requests.size() == 1 && times >= kLongUse;
  for (std::size_t at = 0; at < requests.size() && (requests.size() > 1 || long_use_alone); ++at) {
    bare.push_back(
        std::make_unique<BareCalls>(library, requests[at], static_cast<unsigned>(at), kMostCopied));
  }
  std::barrier begin(static_cast<std::ptrdiff_t>(requests.size()));
  std::atomic<int> refusal = 0;
  std::vector<std::jthread> threads;
  for (std::size_t at = 0; at < requests.size(); ++at) {
    const auto work = [&, at] {
      Examiner examiner(library, Examiner::Process::not_watched);
      if (how == Threads::one_each) begin.arrive_and_wait();
      if (refusal != 0) return;
      bool cut_short = false;
      if (!bare.empty()) {
        const auto now = std::chrono::steady_clock::now();
        BareCalls::Asked asked =
            long_use_alone ? bare[at]->ask("in a long row of equal calls", kBareOfALongUse,
                                           now + kMostOfALongUse)
                           : bare[at]->ask(how == Threads::none ? "in a row of equal calls"
                                                                : "beside other threads",
                                           kBareCalls, now + kMostBare);
        if (asked.differing) {
          outcomes[at].kind = Outcome::Kind::malformed;
          outcomes[at].during = "inference or execution";
          outcomes[at].message = *std::move(asked.differing);
          return;
        }
        cut_short = asked.cut_short;
      }
      outcomes[at] = examiner.examine(requests[at]);
      bool differs = false;
      LongUse long_use(requests.size() == 1 ? times : 0);
      for (int time = 1; time < times && !differs; ++time) {
        if (milliseconds > 0 && std::chrono::steady_clock::now() > end) {
          cut_short = true;
          break;
        }
        Outcome again = examiner.examine(requests[at]);
        differs = !same(outcomes[at], again);
        if (differs) outcomes[at] = std::move(again);
        long_use.after(time, outcomes[at]);
      }
      outcomes[at].cut_short = cut_short;
    };
    if (how == Threads::none) {
      work();
      continue;
    }
    const int error = start_thread(threads, work);
    if (error == 0) continue;
    // With fewer threads than wanted, the result would say nothing.
    refusal = error;
    for (std::size_t missing = at; missing < requests.size(); ++missing) begin.arrive_and_drop();
    break;
  }
  threads.clear();
  if (refusal != 0) outcomes.assign(requests.size(), not_asked(refused("another thread", refusal)));
  return outcomes;
}

}  // namespace reshape::conformance
