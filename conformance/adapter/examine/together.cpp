#include <algorithm>
#include <chrono>
#include <climits>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <utility>

#include "conformance/adapter/contract/bare_calls.h"
#include "conformance/adapter/examine/at_once.h"
#include "conformance/adapter/examine/examine.h"
#include "conformance/adapter/examine/first_calls.h"
#include "conformance/adapter/examine/further.h"
#include "conformance/adapter/examine/watches/watch.h"
#include "conformance/model/refused.h"
#include "conformance/text/line.h"

namespace reshape::conformance {
namespace {

// Calls without watches, and the time for them, with several threads.
constexpr int kBareCalls = 4000;
constexpr std::chrono::milliseconds kMostBare{60};

// The same for a long use; on the thread that loaded the library so many that 16 bits do not count
// them.
constexpr int kBareOfALongUse = 6500, kBareBeyond16Bits = 80'000;
constexpr std::chrono::milliseconds kMostOfALongUse{500}, kMostBeyond16Bits{8000};

// An allocator's noise is less than a page, and it maps less than kNoMapping.
constexpr int kNoLeak = 4096;  // bytes
constexpr int kNoMapping = 64 << 10;

// The kernel lists each with a line "ID: n".
std::int64_t timers_in_use() {
  std::ifstream list("/proc/self/timers");
  std::int64_t count = 0;
  for (std::string line; std::getline(list, line);) count += line.starts_with("ID:") ? 1 : 0;
  return count;
}

// From this many repetitions on, even a small leak in each adds up to a visible amount.
constexpr int kLongUse = 100;

// Detects what is lost over a long use (duties C14 and C15): what is kept on purpose is taken in
// the first quarter; growth after that is a leak, however rare. A row without watches has so many
// calls that a cache of tens of thousands of entries fills in it; of it the last half counts, in
// which whatever grows by doubling grows once.
class LongUse {
 public:
  // Of fewer than kLongUse repetitions nothing is said. `unwatched`: what is mapped says nothing
  // where nothing waits between calls, since a busy thread of a pool gets an arena at any time.
  explicit LongUse(int times, bool unwatched = false)
      : times_(times), from_(unwatched ? times / 2 : times / 4), unwatched_(unwatched) {}

  // The repetition from which growth counts.
  int from() const { return from_; }

  // To be called after each repetition but the first; adds what it saw to the outcome of the last.
  void after(int time, Outcome& outcome) {
    if (times_ < kLongUse) return;
    if (time == from_) before_ = now();
    if (time != times_ - 1) return;
    const auto saw = [&](CaughtBy watch, Duty duty, std::int64_t many, const char* what) {
      outcome.observations.push_back({watch, Plane::memory, duty,
                                      std::to_string(many) + ' ' + what + " are in use after " +
                                          std::to_string(times_ - from_) + " equal requests"});
    };
    const InUse last = now();
    const std::int64_t allocated = last.memory.in_use - before_.memory.in_use;
    const std::int64_t mapped = unwatched_ ? 0 : last.memory.mapped - before_.memory.mapped;
    if (allocated > std::max(kNoLeak, times_ - from_) || mapped > kNoMapping) {
      saw(CaughtBy::memory_growth, Duty::C15, std::max(allocated, mapped), "bytes more");
    }
    constexpr int kFew = 2;
    const std::int64_t keys = last.keys - before_.keys, timers = last.timers - before_.timers;
    if (keys > kFew) {
      saw(CaughtBy::process_settings, Duty::C14, keys, "keys of threads (pthread_key_create) more");
    }
    if (timers > kFew) {
      saw(CaughtBy::process_settings, Duty::C14, timers, "timers (timer_create) more");
    }
  }

 private:
  // What a process has only so much of.
  struct InUse {
    MemoryUse memory;
    std::int64_t keys = 0, timers = 0;  // pthread_key_create(), timer_create()
  };
  InUse now() { return {meter_.now(), keys_in_use(), timers_in_use()}; }

  int times_, from_;
  bool unwatched_;
  MemoryMeter meter_;
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

// Where an answer differs, `differing` begins with the number of its call. What is lost in the row
// of the thread that loaded the library is added to `seen`.
BareCalls::Asked ask_in_a_long_row(BareCalls& calls, Threads how, std::chrono::milliseconds most,
                                   Outcome& seen) {
  const bool here = how == Threads::none;
  const char* const where =
      here ? "of a long row of equal ones:"
           : "of a long row of equal ones by a thread that did not load the library:";
  const int times = here ? kBareBeyond16Bits : kBareOfALongUse;
  const auto end =
      std::chrono::steady_clock::now() + std::min(here ? kMostBeyond16Bits : kMostOfALongUse, most);
  LongUse long_use(here ? times : 0, true);
  const int first = here ? long_use.from() : times;
  BareCalls::Asked asked = calls.ask(where, first, end);
  if (here && !asked.differing && !asked.cut_short) {
    long_use.after(first, seen);
    const int alike = asked.alike;
    asked = calls.ask(where, times - first, end);
    asked.alike += alike;
    if (!asked.differing && !asked.cut_short) long_use.after(times - 1, seen);
  }
  if (asked.differing) {
    const int before = asked.alike + (here ? 1 : 0);  // the first of this thread is that alone
    asked.differing = "call " + std::to_string(before + 1) + ' ' + *asked.differing;
  }
  return asked;
}

// As where a first call differs, it begins with the request.
std::string of_request(const Request& request, const std::string& differing) {
  return "where it is asked again and again: " + print_line(request) + ": " + differing;
}

// Of so many different requests each thread asks some in turn, beginning with its own: it would
// find the plan of one that it asks again and again, and these replace each other's in a small cache.
constexpr std::size_t kMany = 16, kInTurn = 8;
using InTurn = std::vector<std::unique_ptr<BareCalls>>;

BareCalls::Asked ask_in_turn(const InTurn& calls, const char* where, int times,
                             std::chrono::steady_clock::time_point end,
                             const std::function<const Request&(std::size_t turn)>& request_of) {
  BareCalls::Asked asked;
  for (int time = 0; time < times && !asked.cut_short; ++time) {
    for (std::size_t turn = 0; turn < calls.size(); ++turn) {
      asked = calls[turn]->ask(where, 1, end);
      if (!asked.differing) continue;
      asked.differing = of_request(request_of(turn), *asked.differing);
      return asked;
    }
    asked.cut_short = std::chrono::steady_clock::now() > end;
  }
  return asked;
}

}  // namespace

std::vector<Outcome> examine_together(const PluginLibrary& library,
                                      const std::vector<Request>& requests, int times, Threads how,
                                      int milliseconds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds);
  std::vector<Outcome> outcomes(requests.size());
  if (requests.size() > 1) {
    constexpr int kMostForChildren = 100, kPart = 10;  // milliseconds
    const std::chrono::milliseconds for_children(
        milliseconds > 0 ? std::min(milliseconds / kPart, kMostForChildren) : kMostForChildren);
    const FirstCalls first = how == Threads::none
                                 ? first_calls_in_turn(library, requests)
                                 : first_calls_together(library, requests, for_children);
    if (first.refusal != 0) {
      outcomes.assign(requests.size(), not_asked(refused("another thread", first.refusal)));
      return outcomes;
    }
    if (first.wrong) {
      outcomes.assign(requests.size(), malformed("inference or execution", *first.wrong));
      return outcomes;
    }
  }
  // The reference answers are asked before other threads exist.
  std::vector<InTurn> bare;
  const bool long_use_alone = requests.size() == 1 && times >= kLongUse;
  const auto asked_in_turn = [&](std::size_t at, std::size_t turn) -> const Request& {
    return requests[(at + turn) % requests.size()];
  };
  for (std::size_t at = 0; at < requests.size() && (requests.size() > 1 || long_use_alone); ++at) {
    InTurn& calls = bare.emplace_back();
    for (std::size_t turn = 0; turn < (requests.size() < kMany ? 1 : kInTurn); ++turn) {
      calls.push_back(std::make_unique<BareCalls>(library, asked_in_turn(at, turn),
                                                  static_cast<unsigned>(at + turn), kMostCopied));
    }
  }
  const auto work = [&](std::size_t at, Meeting& meeting) {
    Examiner examiner(library, Examiner::Process::not_watched);
    meeting.come();
    bool cut_short = false;
    Outcome in_a_row;
    if (!bare.empty()) {
      const std::chrono::milliseconds most(milliseconds > 0 ? milliseconds / 2 : INT_MAX);
      const char* const where =
          how == Threads::none ? "in a row of equal calls" : "beside other threads";
      const auto end_of_these = std::chrono::steady_clock::now() + kMostBare;
      BareCalls::Asked asked =
          long_use_alone         ? ask_in_a_long_row(*bare[at].front(), how, most, in_a_row)
          : bare[at].size() == 1 ? bare[at].front()->ask(where, kBareCalls, end_of_these)
                                 : ask_in_turn(bare[at], where, kBareCalls, end_of_these,
                                               [&](std::size_t turn) -> const Request& {
                                                 return asked_in_turn(at, turn);
                                               });
      if (asked.differing && !long_use_alone && bare[at].size() == 1) {
        asked.differing = of_request(requests[at], *asked.differing);
      }
      if (asked.differing) {
        outcomes[at] = malformed("inference or execution", *std::move(asked.differing));
        return;
      }
      cut_short = asked.cut_short;
    }
    outcomes[at] = examiner.examine(requests[at]);
    bool differs = false;
    // On the thread that loaded the library the row of calls above has told what is lost.
    LongUse long_use(requests.size() == 1 && how == Threads::one_each ? times : 0);
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
    std::ranges::move(in_a_row.observations, std::back_inserter(outcomes[at].observations));
    outcomes[at].cut_short = cut_short;
  };
  int refusal = 0;
  if (how == Threads::one_each) {
    refusal = at_once(requests.size(), work);
  } else {
    Meeting nobody(1);
    for (std::size_t at = 0; at < requests.size(); ++at) work(at, nobody);
  }
  if (refusal != 0) outcomes.assign(requests.size(), not_asked(refused("another thread", refusal)));
  return outcomes;
}

}  // namespace reshape::conformance
