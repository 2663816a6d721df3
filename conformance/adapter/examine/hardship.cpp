#include "conformance/adapter/examine/hardship.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
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
#include "conformance/adapter/examine/first_calls.h"
#include "conformance/adapter/examine/long_copy.h"
#include "conformance/adapter/examine/neighbour.h"
#include "conformance/adapter/examine/request_between.h"
#include "conformance/adapter/memory/sanitizers.h"
#include "conformance/adapter/more_threads.h"
#include "conformance/adapter/process/time_to_answer.h"
#include "conformance/model/refused.h"
#include "conformance/text/line.h"

namespace reshape::conformance {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::int64_t kMostElements = std::int64_t{1} << 22;  // enough for every pool of threads
constexpr int kTimes = 2;  // the first call may use what was prepared before the hardship

enum ExitCode { kSame = 0, kDiffers = 1 };

// This process's crash handlers write to a note that is shared with the runner: a child must not
// use them.
void take_default_signals() {
  for (int number = 1; number < NSIG; ++number) std::signal(number, SIG_DFL);
}

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

// Asks in the forked child (child == 0), and waits for it in the parent. `others` were not asked yet.
std::optional<std::string> asked_in_a_child(pid_t child, BareCalls& calls, BareCalls& others,
                                            Ending ending, std::chrono::milliseconds most) {
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
  TimeToAnswer time = lenient_time(std::chrono::duration<double>(most).count());
  int status = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (time.is_over([child] { return thread_times({child}); })) {
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      const std::string within = " within " + std::to_string(most.count()) + " ms";
      return at_its_end ? answered + "and called exit() did not end" + within
                        : "in a child of fork the call did not return" + within;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
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

std::optional<std::string> asked_in_children(BareCalls& calls, BareCalls& others,
                                             std::chrono::milliseconds most, int& refusal) {
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

Outcome wrong(const char* during, std::string says) {
  Outcome outcome;
  outcome.kind = Outcome::Kind::malformed;
  outcome.during = during;
  outcome.message = std::move(says);
  return outcome;
}

// Executes as the first call of its kind: in the process, and then on a thread that has inferred
// nothing. The pattern spells the output's shape out.
Outcome examine_executed_first(const PluginLibrary& library, const Request& request,
                               std::int64_t most_elements) {
  Outcome outcome;
  outcome.kind = Outcome::Kind::produced;
  const std::vector<PatternValue>& values = request.pattern.values;
  const Shape shape(std::vector<std::int64_t>(values.begin(), values.end()));
  BareCalls here(library, request, 1, most_elements, BareCalls::Alone::later);
  BareCalls there(library, request, 2, most_elements, BareCalls::Alone::later);
  here.execute_uninferred(shape);
  here.ask_first([] {});
  const auto told = [&request](const char* where, const std::string& answered) {
    return wrong("execution", where + (": " + print_line(request)) + ": execution " + answered +
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

Outcome examine_under(const PluginLibrary& library, const Request& request, Hardship hardship,
                      int milliseconds) {
  Outcome outcome;
  constexpr std::int64_t kMostCopied = 1 << 16;  // elements
  if (hardship == Hardship::executed_first) {
    return examine_executed_first(library, request, kMostCopied);
  }
  if (hardship == Hardship::first_calls) {
    outcome.kind = Outcome::Kind::produced;
    FirstCalls first = first_calls_in_turn(library, {request}, kMostCopied);
    return first.wrong ? wrong("inference or execution", *std::move(first.wrong)) : outcome;
  }
  // Not with sanitizers, whose own memory and threads survive neither hardship.
  if (kSanitized) {
    outcome.kind = Outcome::Kind::unsupported;
    return outcome;
  }
  if (hardship == Hardship::long_copy) {
    constexpr int kMostMilliseconds = 3000;  // more would dominate the time of a run
    return examine_long_copy(library, request, std::min(milliseconds / 2, kMostMilliseconds));
  }
  BareCalls calls(library, request, 0, kMostElements);
  if (!calls.executes()) {
    outcome.kind = Outcome::Kind::unsupported;
    return outcome;
  }
  // First calls may differ even without the hardship, so later calls are compared.
  calls.ask_first([] {});
  outcome.kind = Outcome::Kind::produced;
  std::optional<std::string> differs;
  if (hardship == Hardship::forked) {
    int refusal = 0;
    BareCalls others(library, like_none_before(request), 0, kMostElements, BareCalls::Alone::later);
    differs = asked_in_children(calls, others, std::chrono::milliseconds(milliseconds), refusal);
    if (refusal != 0) return not_asked(refused("another process", refusal));
  } else if (hardship == Hardship::neighbour) {
    // Of each request. Bytes in gaps are written back many times in a call, each at once.
    const int longest = request.out_strides ? 200 : 40;
    int refusal = 0;
    const auto most = std::chrono::milliseconds(std::min(milliseconds, longest));
    const std::vector<std::byte*> bytes = calls.bytes_of_nobody();
    if (bytes.empty()) {
      outcome.kind = Outcome::Kind::unsupported;
    } else {
      differs = undone_beside(calls, bytes, Clock::now() + most, refusal);
    }
    if (refusal != 0) return not_asked(refused("another thread", refusal));
  } else if (hardship == Hardship::ended_threads) {
    LeftByThreads left =
        left_by_ended_threads(calls, Clock::now() + std::chrono::milliseconds(milliseconds));
    if (!left.finished) outcome.kind = Outcome::Kind::unsupported;
    differs = std::move(left.wrong);
  } else {
    differs = calls.ask_without_memory();
    // With memory again, the next call must give the normal answer.
    if (!differs) {
      differs = calls
                    .ask("after no memory could be had for a call", 1,
                         Clock::now() + std::chrono::milliseconds(milliseconds))
                    .differing;
    }
  }
  return differs ? wrong("execution", *std::move(differs)) : outcome;
}

}  // namespace reshape::conformance
