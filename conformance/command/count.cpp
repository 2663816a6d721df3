#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <ostream>

#include "conformance/command/checks.h"
#include "conformance/command/commands.h"
#include "conformance/command/progress.h"
#include "conformance/command/suite_option.h"
#include "conformance/command/workload_options.h"
#include "conformance/performance/counts.h"
#include "conformance/performance/measured_call.h"
#include "conformance/run/ask_to_end.h"

namespace reshape::conformance {
namespace {

using namespace performance;

struct Arguments {
  std::string library, baseline;
  WorkloadOptions workloads;
  CountOptions options;
  double percent = 1;
};

// The path of the counting library, beside this program in the build or in the installed lib
// folder.
std::string counting_library() {
  std::error_code none;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", none);
  const auto library = program.parent_path().parent_path() / "lib" / "libreshape_allocations.so";
  return std::filesystem::exists(library, none) ? library.string() : std::string();
}

constexpr double kDeadlineSeconds = 20;  // for each answer, as of bench

void count_command(Arguments arguments, Console& console) {
  // By default: the workloads that are too short to be timed well.
  if (arguments.workloads.filter.empty() && arguments.workloads.file.empty()) {
    arguments.workloads.filter = "^(infer|view|small)/|^drawn/.* infer$";
  }
  heed_requests_to_end("count");
  std::vector<std::string> libraries = {arguments.library};
  if (!arguments.baseline.empty()) libraries.push_back(arguments.baseline);
  const std::optional<Selected> selected =
      arguments.workloads.select(libraries, false, true, kDeadlineSeconds, console);
  if (!selected) return;
  const bool wrong = tell_left_out(*selected, "is not counted", console);
  arguments.options.counter = counting_library();
  arguments.options.library = arguments.library;
  const std::vector<Counts> counts =
      count(selected->workloads, arguments.options, counted_progress("workloads"));
  console.out << fmt::format("{:<36}{:>14}{:>14}{:>14}{:>14}{:>14}\n", "a call of", "instructions",
                             "reads", "writes", "allocations", "bytes");
  bool any = false, failed = false;
  for (std::size_t at = 0; at < counts.size(); ++at) {
    console.out << fmt::format("{:<36}", selected->workloads[at].name);
    if (!counts[at].failure.empty()) {
      failed = failed || !performance::why_not_placed(selected->workloads[at]);
      console.out << "  " << counts[at].failure << '\n';
      continue;
    }
    any = any || counts[at].instructions >= 0 || counts[at].allocations >= 0;
    for (const double value : {counts[at].instructions, counts[at].reads, counts[at].writes,
                               counts[at].allocations, counts[at].allocated_bytes}) {
      console.out << (value < 0 ? fmt::format("{:>14}", '-') : fmt::format("{:>14.1f}", value));
    }
    console.out << '\n';
  }
  bool is_worse = failed || wrong;
  bool asserts = any;
  if (!arguments.baseline.empty()) {
    arguments.options.library = arguments.baseline;
    const std::vector<Counts> before =
        count(selected->workloads, arguments.options, counted_progress("workloads before"));
    std::vector<Workload> both = selected->workloads;
    both.resize(std::min(before.size(), counts.size()));
    const Compared found = compared(both, before, counts, arguments.percent);
    for (const std::string& one : found.worse) console.out << "WORSE  " << one << '\n';
    for (const std::string& one : found.not_compared) {
      console.out << "not compared: " << one << '\n';
    }
    is_worse = is_worse || !found.worse.empty();
    const auto asked = std::ranges::count_if(
        selected->workloads, [](const Workload& one) { return !performance::why_not_placed(one); });
    asserts = found.compared > 0 && found.compared == asked;
    if (found.compared > 0 && found.worse.empty()) {
      console.out << (found.not_compared.empty() ? "nothing" : "nothing that both have a count of")
                  << " is counted more often than before\n";
    } else if (found.compared == 0) {
      console.out << "nothing is compared with what was before\n";
    }
  }
  if (const char* signal = request_to_end()) {
    asserts = false;
    console.out << fmt::format("not all is counted: {} came after {} of {} workloads\n", signal,
                               counts.size(), selected->workloads.size());
  }
  console.exit_code = is_worse ? 1 : asserts ? 0 : 4;
}

}  // namespace

void add_count(CLI::App& app, Console& console) {
  CLI::App* command = app.add_subcommand(
      "count", "Count instructions and allocations of a call, where time is too short to trust");
  auto arguments = std::make_shared<Arguments>();
  library_option(*command, arguments->library, "shared library behind the C contract");
  command
      ->add_option("--baseline", arguments->baseline,
                   "fail where a call takes more than this one's")
      ->type_name("LIB");
  arguments->workloads.add_to(*command);
  number_option(*command, "--calls", arguments->options.calls, "calls that a count is taken over",
                whole_number<int>(1000000, 1));
  number_option(*command, "--floor", arguments->percent, "fewer instructions more are no finding",
                real_number(0, 1000), "PERCENT");
  command->callback([arguments, &console] { count_command(*arguments, console); });
}

}  // namespace reshape::conformance
