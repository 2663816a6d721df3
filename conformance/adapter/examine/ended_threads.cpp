#include "conformance/adapter/examine/ended_threads.h"

#include <algorithm>
#include <latch>
#include <utility>

#include "conformance/adapter/examine/watches/watch.h"
#include "conformance/adapter/more_threads.h"

namespace reshape::conformance {

namespace {

// More threads in all than a table of a thousand has places.
constexpr int kThreads = 288, kRounds = 4, kUntilFull = 2000;

// The most memory that a round of as many calls leaves in use on a single thread: a cache that
// fills, or memory that is freed once in thousands of calls. Nothing where no thread could be
// started, or `end` came first.
std::optional<std::int64_t> left_by_one_thread(BareCalls& calls,
                                               std::chrono::steady_clock::time_point end) {
  std::int64_t most = 0;
  bool finished = false;
  std::vector<std::jthread> thread;
  const int error = start_thread(thread, [&] {
    // A cache of the thread's own fills in these, and what is lost with it is not left by later
    // ones.
    if (calls.ask("", kUntilFull, end).cut_short) return;
    for (int round = 0; round < kRounds; ++round) {
      const std::int64_t before = memory_in_use();
      if (calls.ask("", kThreads, end).cut_short) return;
      most = std::max(most, memory_in_use() - before);
    }
    finished = true;
  });
  thread.clear();
  if (error != 0 || !finished) return std::nullopt;
  return most;
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
      if (differing) return {std::move(differing), true};
    }
    const std::int64_t now = memory_in_use();
    // The first round does not count: it initializes shared state.
    if (round == 1) smallest = now - in_use;
    if (round > 1) smallest = std::min(smallest, now - in_use);
    in_use = now;
  }
  if (smallest < kThreads * kLeast) return {std::nullopt, true};
  const std::optional<std::int64_t> by_calls = left_by_one_thread(calls, end);
  if (!by_calls) return {};
  // The calls leave the memory, not the ends of threads. Whether calls leak is tested elsewhere.
  if (*by_calls > smallest / 2) return {std::nullopt, true};
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
