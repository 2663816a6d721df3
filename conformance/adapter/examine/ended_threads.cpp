#include "conformance/adapter/examine/ended_threads.h"

#include <algorithm>
#include <latch>
#include <limits>
#include <utility>

#include "conformance/adapter/examine/watches/watch.h"
#include "conformance/adapter/more_threads.h"

namespace reshape::conformance {

namespace {

// More threads in all than a table of a thousand has places.
constexpr int kThreads = 288, kRounds = 4, kUntilFull = 2000;

// Bytes that rounds of so many calls leave in use.
struct LeftByRounds {
  std::int64_t least = std::numeric_limits<std::int64_t>::max(), most = 0;
};

// What rounds of calls on this thread leave in use. Nothing where `end` came first.
std::optional<LeftByRounds> left_by_calls(BareCalls& calls, int rounds, int times,
                                          std::chrono::steady_clock::time_point end) {
  // A cache of the thread's own fills in these, and what is lost with it is not left by later ones.
  if (calls.ask("", kUntilFull, end).cut_short) return std::nullopt;
  LeftByRounds left;
  for (int round = 0; round < rounds; ++round) {
    const std::int64_t before = memory_in_use();
    if (calls.ask("", times, end).cut_short) return std::nullopt;
    const std::int64_t more = memory_in_use() - before;
    left = {std::min(left.least, more), std::max(left.most, more)};
  }
  return left;
}

// The same on a single other thread; nothing where none could be started.
std::optional<LeftByRounds> left_by_one_thread(BareCalls& calls, int rounds, int times,
                                               std::chrono::steady_clock::time_point end) {
  std::optional<LeftByRounds> left;
  std::vector<std::jthread> thread;
  start_thread(thread, [&] { left = left_by_calls(calls, rounds, times, end); });
  thread.clear();
  return left;
}

// Whether each call on another thread leaves memory in use, and none on this thread, where others
// look for it; in words. Empty where that is not so, or not certain: memory may be freed once in
// thousands of calls.
std::optional<std::string> left_on_other_threads(BareCalls& calls, std::int64_t least,
                                                 std::chrono::steady_clock::time_point end) {
  constexpr int kLongRounds = 6, kLong = 2000;
  const auto there = left_by_one_thread(calls, kLongRounds, kLong, end);
  if (!there || there->least < kLong * least) return std::nullopt;
  const auto here = left_by_calls(calls, 1, kLong, end);
  if (!here || here->most >= there->least / 2) return std::nullopt;
  return std::to_string(there->least / kLong) +
         " bytes more are in use after each call on a thread that did not load the library";
}

}  // namespace

LeftByThreads left_by_ended_threads(BareCalls& calls, std::chrono::steady_clock::time_point end) {
  constexpr std::int64_t kLeast = 64;  // bytes for each thread; less is the allocator's noise
  std::int64_t in_use = 0, smallest = 0;
  for (int round = 0; round < kRounds; ++round) {
    for (int at = 0; at < kThreads; ++at) {
      if (std::chrono::steady_clock::now() > end) return {};
      std::optional<std::string> differing;
      std::vector<std::jthread> thread;
      if (start_thread(thread, [&] {
            differing = calls.ask("on a thread of its own", 1, end).differing;
          }) != 0) {
        return {};
      }
      thread.clear();
      if (differing) return {std::move(differing), true, true};
    }
    const std::int64_t now = memory_in_use();
    // The first round does not count: it initializes shared state.
    if (round == 1) smallest = now - in_use;
    if (round > 1) smallest = std::min(smallest, now - in_use);
    in_use = now;
  }
  if (smallest < kThreads * kLeast) return {std::nullopt, true};
  // The most that as many calls leave: a cache that fills, or memory that is freed once in thousands
  // of calls.
  const auto by_calls = left_by_one_thread(calls, kRounds, kThreads, end);
  if (!by_calls) return {};
  // The calls leave the memory, not the ends of threads. Whether calls leak on the thread that
  // loaded the library is tested elsewhere.
  if (by_calls->most > smallest / 2) return {left_on_other_threads(calls, kLeast, end), true};
  return {std::to_string(smallest / kThreads) +
              " bytes more are in use after each thread that called and ended",
          true};
}

struct OutlivingThread::Turn {
  std::latch called{1}, may_end{1};
};

OutlivingThread::OutlivingThread(const PluginLibrary& library, const Request& request)
    : calls_(std::make_unique<BareCalls>(library, request, 0)), turn_(std::make_unique<Turn>()) {
  const int error = start_thread(thread_, [calls = calls_.get(), turn = turn_.get()] {
    static_cast<void>(calls->ask("", 1, std::chrono::steady_clock::now()));
    turn->called.count_down();
    turn->may_end.wait();
  });
  if (error == 0) turn_->called.wait();
}

OutlivingThread::~OutlivingThread() { turn_->may_end.count_down(); }

}  // namespace reshape::conformance
