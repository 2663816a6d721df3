#include "conformance/adapter/examine/together.h"

#include <algorithm>
#include <atomic>
#include <barrier>
#include <chrono>
#include <climits>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "conformance/adapter/contract/bare_calls.h"
#include "conformance/adapter/examine/examine.h"
#include "conformance/adapter/examine/first_calls.h"
#include "conformance/adapter/examine/long_use.h"
#include "conformance/adapter/more_threads.h"
#include "conformance/model/refused.h"
#include "conformance/text/line.h"

namespace reshape::conformance {
namespace {

// The most elements that are copied without watches.
constexpr std::int64_t kMostCopied = 1 << 16;

// Calls without watches, and the time for them, with several threads.
constexpr int kBareCalls = 4000;
constexpr std::chrono::milliseconds kMostBare{60};

// The same for a long use; on the thread that loaded the library so many that 16 bits do not count
// them.
constexpr int kBareOfALongUse = 6500, kBareBeyond16Bits = 80'000;
constexpr std::chrono::milliseconds kMostOfALongUse{500}, kMostBeyond16Bits{8000};

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

// Of so many different requests each thread asks some in turn, beginning with its own: it would
// find the plan of one that it asks again and again, and these replace each other's in a small cache.
constexpr std::size_t kMany = 16, kInTurn = 8;
using InTurn = std::vector<std::unique_ptr<BareCalls>>;

BareCalls::Asked ask_in_turn(const InTurn& calls, const char* where, int times,
                             std::chrono::steady_clock::time_point end,
                             const std::function<std::string(std::size_t turn)>& line_of) {
  BareCalls::Asked asked;
  for (int time = 0; time < times && !asked.cut_short; ++time) {
    for (std::size_t turn = 0; turn < calls.size(); ++turn) {
      asked = calls[turn]->ask(where, 1, end);
      if (!asked.differing) continue;
      if (turn > 0) asked.differing = line_of(turn) + ": " + *asked.differing;
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
  std::barrier begin(static_cast<std::ptrdiff_t>(requests.size()));
  std::atomic<int> refusal = 0;
  std::vector<std::jthread> threads;
  for (std::size_t at = 0; at < requests.size(); ++at) {
    const auto work = [&, at] {
      Examiner examiner(library, Examiner::Process::not_watched);
      if (how == Threads::one_each) begin.arrive_and_wait();
      if (refusal != 0) return;
      bool cut_short = false;
      Outcome in_a_row;
      if (!bare.empty()) {
        const std::chrono::milliseconds most(milliseconds > 0 ? milliseconds / 2 : INT_MAX);
        const char* const where =
            how == Threads::none ? "in a row of equal calls" : "beside other threads";
        const auto end_of_these = std::chrono::steady_clock::now() + kMostBare;
        BareCalls::Asked asked =
            long_use_alone ? ask_in_a_long_row(*bare[at].front(), how, most, in_a_row)
            : bare[at].size() == 1
                ? bare[at].front()->ask(where, kBareCalls, end_of_these)
                : ask_in_turn(bare[at], where, kBareCalls, end_of_these, [&](std::size_t turn) {
                    return print_line(asked_in_turn(at, turn));
                  });
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
