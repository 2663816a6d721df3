#include "conformance/performance/counts.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <sstream>

#include "conformance/adapter/child/command_words.h"
#include "conformance/files/plain_text.h"
#include "conformance/performance/process.h"
#include "conformance/run/ask_to_end.h"

namespace reshape::conformance::performance {
namespace {

// Starts a worker that prepares and counts one workload. Returns its counts, or why there are none.
// Where there are some, calls look() with the worker's folder, in which it has left what it wrote.
Answer counted(WorkerStart start, const Workload& workload, const CountOptions& options,
               const std::function<void(const std::string& folder)>& look = {}) {
  start.library = options.library;
  const Result<std::unique_ptr<WorkerProcess>> worker =
      WorkerProcess::start({std::move(start), options.deadline_seconds});
  if (!worker) return {.why = worker.error().text()};
  const Answer prepared =
      (*worker)->ask({.what = WorkerCommand::Do::prepare, .workload = workload});
  if (!prepared.why.empty()) return prepared;
  Answer answer = (*worker)->ask({.what = WorkerCommand::Do::count, .calls = options.calls});
  if (answer.why.empty() && look) look((*worker)->folder());
  return answer;
}

// Whether a program of this name or path can be started.
bool is_there(const std::string& program) {
  return std::ranges::any_of(files_of_program(program), [](const std::string& file) {
    return access(file.c_str(), X_OK) == 0;
  });
}

void fail(Counts& counts, const std::string& why) {
  counts.failure = why;
  counts.view_lost = why.find("became a copy") != std::string::npos;
}

// The worker is of one workload alone, and so is the file that callgrind writes: into the worker's
// folder, which goes with the worker, whatever ends this program.
void count_instructions_of(const Workload& workload, const CountOptions& options, Counts& counts) {
  constexpr std::size_t kLargest = std::size_t{64} << 20;  // bytes
  Result<std::string> written = Error{};
  const Answer answer = counted({.before = {options.valgrind, "--tool=callgrind", "--cache-sim=yes",
                                            "-q", "--callgrind-out-file=out"}},
                                workload, options, [&](const std::string& folder) {
                                  written = read_file(folder + "/out.1", kLargest);
                                });
  const auto failed = [&](const std::string& why) { fail(counts, "under valgrind: " + why); };
  if (!answer.why.empty()) return failed(answer.why);
  const auto totals = callgrind_totals(written ? *written : "");
  const auto each = [&](const char* event) {
    const auto found = totals.find(event);
    return found == totals.end() ? -1 : found->second / options.calls;
  };
  counts.instructions = each("Ir");
  counts.reads = each("Dr");
  counts.writes = each("Dw");
  if (counts.instructions < 0) failed("it has written no counts");
}

void count_allocations_of(const Workload& workload, const CountOptions& options, Counts& counts) {
  WorkerStart start;
  if (!options.counter.empty()) start.environment = {"LD_PRELOAD=" + options.counter};
  const Answer answer = counted(std::move(start), workload, options);
  if (!answer.why.empty()) return fail(counts, answer.why);
  if (!answer.counted) return;
  counts.allocations = static_cast<double>(answer.allocations) / options.calls;
  counts.allocated_bytes = static_cast<double>(answer.allocated_bytes) / options.calls;
}

}  // namespace

std::vector<Counts> count(const std::vector<Workload>& workloads, const CountOptions& options,
                          const std::function<void(int done, int all)>& told) {
  const bool valgrind = tells_callgrind() && is_there(options.valgrind);
  const auto number = static_cast<int>(workloads.size());
  std::vector<Counts> all;
  for (const Workload& workload : workloads) {
    if (request_to_end() != nullptr) return all;
    told(static_cast<int>(all.size()), number);
    Counts one;
    count_allocations_of(workload, options, one);
    if (one.failure.empty() && valgrind) count_instructions_of(workload, options, one);
    all.push_back(std::move(one));
  }
  told(number, number);
  return all;
}

std::map<std::string, double> callgrind_totals(const std::string& text) {
  std::vector<std::string> events;
  std::map<std::string, double> totals;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string head, word;
    words >> head;
    if (head == "events:") {
      events.clear();
      while (words >> word) events.push_back(word);
    } else if (head == "totals:" || head == "summary:") {
      double value = 0;
      for (std::size_t at = 0; at < events.size() && words >> value; ++at)
        totals[events[at]] = value;
    }
  }
  return totals;
}

Compared compared(const std::vector<Workload>& workloads, const std::vector<Counts>& baseline,
                  const std::vector<Counts>& candidate, double percent) {
  Compared all;
  std::vector<std::string> without_instructions, without_allocations;
  for (std::size_t at = 0; at < workloads.size(); ++at) {
    const Counts &was = baseline[at], &is = candidate[at];
    const std::string& name = workloads[at].name;
    if (is.view_lost && !was.view_lost) {
      all.worse.push_back(name + ": a promised view became a copy");
      continue;
    }
    if (!is.failure.empty() && was.failure.empty()) all.worse.push_back(name + ": " + is.failure);
    if (!was.failure.empty()) all.not_compared.push_back(name + ": before: " + was.failure);
    if (!is.failure.empty() || !was.failure.empty()) continue;
    const bool instructions = was.instructions >= 0 && is.instructions >= 0;
    const bool allocations = was.allocations >= 0 && is.allocations >= 0;
    if (instructions || allocations) ++all.compared;
    if (!instructions) without_instructions.push_back(name);
    if (!allocations) without_allocations.push_back(name);
    if (instructions && is.instructions > was.instructions * (1 + percent / 100)) {
      all.worse.push_back(fmt::format("{}: {:.0f} instructions, and {:.0f} before ({:+.1f} %)",
                                      name, is.instructions, was.instructions,
                                      100 * (is.instructions / was.instructions - 1)));
    }
    if (!allocations) continue;
    // Fewer than one in twenty calls: memory that is kept since a first call.
    if (is.allocations > was.allocations + 0.05) {
      all.worse.push_back(fmt::format("{}: {:g} allocations a call, and {:g} before", name,
                                      is.allocations, was.allocations));
    } else if (is.allocated_bytes > was.allocated_bytes + 1) {
      all.worse.push_back(fmt::format("{}: {:g} bytes allocated a call, and {:g} before", name,
                                      is.allocated_bytes, was.allocated_bytes));
    }
  }
  const auto tell = [&](const char* what, const std::vector<std::string>& names) {
    if (names.empty()) return;
    const bool every = names.size() == workloads.size();
    all.not_compared.push_back(
        fmt::format("the {} of {}", what,
                    fmt::join(every ? std::vector<std::string>{"every workload"} : names, ", ")));
  };
  tell("instructions", without_instructions);
  tell("allocations", without_allocations);
  return all;
}

}  // namespace reshape::conformance::performance
