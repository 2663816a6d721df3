#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "conformance/adapter/contract/bare_calls.h"
#include "conformance/adapter/examine/ended_threads.h"
#include "conformance/adapter/examine/executions.h"
#include "conformance/adapter/examine/first_calls.h"
#include "conformance/adapter/examine/further.h"
#include "conformance/adapter/examine/long_copy.h"
#include "conformance/adapter/examine/many_shapes.h"
#include "conformance/adapter/examine/request_between.h"
#include "conformance/adapter/memory/sanitizers.h"
#include "conformance/adapter/more_threads.h"
#include "conformance/adapter/process/refuse.h"
#include "conformance/adapter/process/time_to_answer.h"
#include "conformance/model/refused.h"
#include "conformance/text/line.h"

namespace reshape::conformance {
namespace {

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::milliseconds;

constexpr std::int64_t kMostElements = std::int64_t{1} << 22;  // enough for every pool of threads
constexpr int kTimes = 2;  // the first call may use what was prepared before the hardship

enum ExitCode { kSame = 0, kDiffers = 1 };

// How a forked child ends: by exit() the library's static objects are destroyed and its handlers
// called, and one that joins its threads there waits for some that the child does not have.
enum class Ending { at_once, by_exit };

// What was not asked in this process before: a child has to look up anew what it takes.
Request like_none_before(const Request& request) {
  Request other = request_between(request);
  if (!request.strides) return other;
  other.data = Shape{3, 2};
  other.strides = Strides{1, 3};
  other.pattern.values = {6};
  return other;
}

// Waits for the child, and ends it where the time is over.
bool ends_in_time(pid_t child, Milliseconds most, int& status) {
  TimeToAnswer time = lenient_time(std::chrono::duration<double>(most).count());
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (time.is_over([child] { return thread_times({child}); })) {
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      return false;
    }
    std::this_thread::sleep_for(Milliseconds(1));
  }
  return true;
}

// Asks in the forked child (child == 0), and waits for it in the parent. `others` were not asked yet.
std::optional<std::string> asked_in_a_child(pid_t child, BareCalls& calls, BareCalls& others,
                                            Ending ending, Milliseconds most) {
  if (child == 0) {
    take_default_signals();
    bool differs = calls.ask("", kTimes, Clock::now() + most).differing.has_value();
    others.ask_first([] {});
    differs |= others.ask("", 1, Clock::now() + most).differing.has_value();
    if (ending == Ending::by_exit) std::exit(differs ? kDiffers : kSame);
    _exit(differs ? kDiffers : kSame);
  }
  // One that ended at once was answered before, so that what goes wrong now does at the end.
  const bool at_its_end = ending == Ending::by_exit;
  const std::string answered = "a child of fork that was answered ";
  int status = 0;
  if (!ends_in_time(child, most, status)) {
    const std::string within = " within " + std::to_string(most.count()) + " ms";
    return at_its_end ? answered + "and called exit() did not end" + within
                      : "in a child of fork the call did not return" + within;
  }
  if (WIFSIGNALED(status)) {
    const std::string of_signal = "died of signal " + std::to_string(WTERMSIG(status));
    return at_its_end ? answered + of_signal + " in exit()"
                      : "a child of fork " + of_signal + " in the call";
  }
  if (WEXITSTATUS(status) == kSame) return std::nullopt;
  if (WEXITSTATUS(status) == kDiffers) return "in a child of fork the answer was another one";
  const std::string code = "exit code " + std::to_string(WEXITSTATUS(status));
  return at_its_end ? answered + "and called exit() ended with " + code
                    : "in a child of fork the call ended the process with " + code;
}

std::optional<std::string> asked_in_children(BareCalls& calls, BareCalls& others, Milliseconds most,
                                             int& refusal) {
  for (const Ending ending : {Ending::at_once, Ending::by_exit}) {
    std::fflush(nullptr);  // exit() would write what is buffered once more
    const pid_t child = fork();
    if (child < 0) {
      refusal = errno;
      return std::nullopt;
    }
    if (auto differs = asked_in_a_child(child, calls, others, ending, most)) return differs;
  }
  return std::nullopt;
}

// Where no thread can be started: wrong elements, or a failure behind written ones. In a child of
// fork, since a process gets none from then on. Not told is what dies or hangs there, as the
// runtimes of threads themselves do, and who is wrong in any child. `refusal`: 0, or the error of the
// machine where it gives no child.
std::optional<std::string> wrong_without_threads(BareCalls& calls, Milliseconds most,
                                                 int& refusal) {
  for (const bool threads : {true, false}) {
    const pid_t child = fork();
    if (child < 0) {
      refusal = errno;
      return std::nullopt;
    }
    if (child == 0) {
      take_default_signals();
      const bool refused_them = !threads && refuse(Refusal::threads);
      const bool wrong = threads ? calls.ask("", 1, Clock::now() + most).differing.has_value()
                                 : refused_them && calls.ask_without_threads().has_value();
      _exit(wrong ? kDiffers : kSame);
    }
    int status = 0;
    if (!ends_in_time(child, most, status) || !WIFEXITED(status)) return std::nullopt;
    if (WEXITSTATUS(status) == kSame) continue;
    if (threads || WEXITSTATUS(status) != kDiffers) return std::nullopt;
    return "where no thread can be started the elements are wrong, or execution fails and has "
           "written to the output";
  }
  return std::nullopt;
}

// Loads between two writes of a byte, at least: until a processor's own write has left for the
// cache, it sees nothing else there.
constexpr std::size_t kLeastBetween = 256;
constexpr int kCalls = 400'000;

// Executes again and again while another thread writes these bytes, which lie behind the output or
// in its gaps. A library that reads a whole line or word there and writes it back, unchanged as it
// read it, undoes what was written in between (duties C7 and C8). Where that was seen, a sentence,
// of the elements where these are wrong by then. `refusal`: 0, or the error of the machine where it
// gives no other thread; then nothing was asked. Precondition: calls.executes().
std::optional<std::string> undone_beside(BareCalls& calls, const std::vector<std::byte*>& bytes,
                                         std::chrono::steady_clock::time_point end, int& refusal,
                                         bool& answered_otherwise) {
  std::vector<std::atomic_ref<std::uint8_t>> lent;
  for (std::byte* byte : bytes) lent.emplace_back(*reinterpret_cast<std::uint8_t*>(byte));
  std::atomic<bool> undone = false, over = false;
  for (const auto& byte : lent) byte.store(0, std::memory_order_relaxed);
  std::vector<std::jthread> writer;
  // Each is looked at directly before it is written again, so that hardly a moment passes unwritten.
  refusal = start_thread(writer, [&] {
    for (std::uint8_t value = 0; !over && !undone; ++value) {
      for (const auto& byte : lent) {
        if (byte.load(std::memory_order_relaxed) != value) undone = true;
        byte.store(static_cast<std::uint8_t>(value + 1), std::memory_order_relaxed);
      }
      for (std::size_t at = lent.size(); at < kLeastBetween && !over; ++at) {
      }
    }
  });
  if (refusal != 0) return std::nullopt;
  constexpr int kAtOnce = 100;
  std::optional<std::string> thrown;
  for (int done = 0; done < kCalls && !undone && !thrown; done += kAtOnce) {
    if (std::chrono::steady_clock::now() > end) break;
    thrown = calls.execute(kAtOnce);
  }
  over = true;
  writer.clear();  // waits for it
  if (thrown) return "beside a thread that writes it " + *thrown;
  if (!undone) return std::nullopt;
  // What puts elements there is no neighbour's fault.
  const BareCalls::Asked alone = calls.ask("in a row of equal calls", 1, end);
  answered_otherwise = alone.differing.has_value();
  if (answered_otherwise) return alone.differing;
  return "a byte beside the output's elements, which another thread wrote during the calls, was "
         "written back as it had been before";
}

// Executes as the first call of its kind: in the process, and then on a thread that has inferred
// nothing. The pattern spells the output's shape out.
Outcome examine_executed_first(const PluginLibrary& library, const Request& request) {
  Outcome outcome;
  outcome.kind = Outcome::Kind::produced;
  const std::vector<PatternValue>& values = request.pattern.values;
  const Shape shape(std::vector<std::int64_t>(values.begin(), values.end()));
  BareCalls here(library, request, 1, kMostCopied, BareCalls::Alone::later);
  BareCalls there(library, request, 2, kMostCopied, BareCalls::Alone::later);
  here.execute_uninferred(shape);
  here.ask_first([] {});
  // It was executed as the document says. Where inference says otherwise, that is told elsewhere.
  if (here.infers_otherwise()) {
    outcome.kind = Outcome::Kind::unsupported;
    return outcome;
  }
  const auto told = [&request](const char* where, const std::string& answered) {
    return malformed("execution", where + (": " + print_line(request)) + ": execution " + answered +
                                      "; asked again execution ok");
  };
  if (const auto wrong_here = here.wrong_uninferred()) {
    return told("where it is executed for the first time and was not inferred", *wrong_here);
  }
  std::vector<std::jthread> threads;
  const int refusal = start_thread(threads, [&] { there.execute_uninferred(shape); });
  if (refusal != 0) return not_asked(refused("another thread", refusal));
  threads.clear();
  there.ask_first([] {});
  if (const auto wrong_there = there.wrong_uninferred()) {
    return told("on a thread that has called nothing before", *wrong_there);
  }
  return outcome;
}

}  // namespace

Outcome malformed(const char* during, std::string message) {
  Outcome outcome;
  outcome.kind = Outcome::Kind::malformed;
  outcome.during = during;
  outcome.message = std::move(message);
  return outcome;
}

Outcome examine_under(const PluginLibrary& library, const Request& request, Hardship hardship,
                      int milliseconds) {
  Outcome outcome;
  outcome.kind = Outcome::Kind::unsupported;
  if (hardship == Hardship::executed_first) return examine_executed_first(library, request);
  if (hardship == Hardship::many_shapes) {
    return examine_many_shapes(library, request, Clock::now() + Milliseconds(milliseconds / 2));
  }
  if (hardship == Hardship::executed_in_turn) {
    constexpr int kMostMilliseconds = 2000;
    const Milliseconds most(std::min(milliseconds / 2, kMostMilliseconds));
    return examine_executions(library, request, Clock::now() + most);
  }
  if (hardship == Hardship::first_calls) {
    outcome.kind = Outcome::Kind::produced;
    FirstCalls first = first_calls_in_turn(library, {request});
    return first.wrong ? malformed("inference or execution", *std::move(first.wrong)) : outcome;
  }
  // Not with sanitizers, whose own memory and threads survive neither hardship.
  if (kSanitized) return outcome;
  if (hardship == Hardship::long_copy) {
    constexpr int kMostMilliseconds = 3000;  // more would dominate the time of a run
    return examine_long_copy(library, request, std::min(milliseconds / 2, kMostMilliseconds));
  }
  BareCalls calls(library, request, 0, kMostElements);
  if (!calls.executes()) return outcome;
  // First calls may differ even without the hardship, so later calls are compared.
  calls.ask_first([] {});
  outcome.kind = Outcome::Kind::produced;
  std::optional<std::string> differs;
  bool answered_otherwise = false;  // whatever the hardship is about
  if (hardship == Hardship::forked) {
    int refusal = 0;
    BareCalls others(library, like_none_before(request), 0, kMostElements, BareCalls::Alone::later);
    differs = asked_in_children(calls, others, Milliseconds(milliseconds), refusal);
    if (refusal != 0) return not_asked(refused("another process", refusal));
  } else if (hardship == Hardship::neighbour) {
    // Of each request. Bytes in gaps are written back many times in a call, each at once.
    const int longest = request.out_strides ? 200 : 40;
    int refusal = 0;
    const auto most = Milliseconds(std::min(milliseconds, longest));
    const std::vector<std::byte*> bytes = calls.bytes_of_nobody();
    if (bytes.empty()) {
      outcome.kind = Outcome::Kind::unsupported;
    } else {
      differs = undone_beside(calls, bytes, Clock::now() + most, refusal, answered_otherwise);
    }
    if (refusal != 0) return not_asked(refused("another thread", refusal));
  } else if (hardship == Hardship::ended_threads) {
    LeftByThreads left = left_by_ended_threads(calls, Clock::now() + Milliseconds(milliseconds));
    if (!left.finished) outcome.kind = Outcome::Kind::unsupported;
    answered_otherwise = left.answered_otherwise;
    differs = std::move(left.wrong);
  } else {
    differs = calls.ask_without_memory();
    // With memory again, the next call must give the normal answer.
    if (!differs) {
      differs = calls
                    .ask("after no memory could be had for a call", 1,
                         Clock::now() + Milliseconds(milliseconds))
                    .differing;
    }
    int refusal = 0;
    if (!differs) differs = wrong_without_threads(calls, Milliseconds(milliseconds), refusal);
    if (refusal != 0) return not_asked(refused("another process", refusal));
  }
  if (!differs) return outcome;
  outcome = malformed("execution", *std::move(differs));
  if (answered_otherwise) {
    outcome.observations.push_back(
        {CaughtBy::same_answer, Plane::bytes, Duty::C17, outcome.message});
  }
  return outcome;
}

}  // namespace reshape::conformance
