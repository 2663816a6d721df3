#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>

#include "conformance/command/checks.h"
#include "conformance/command/commands.h"
#include "conformance/command/output_files.h"
#include "conformance/command/suite_option.h"
#include "conformance/command/terminal.h"
#include "conformance/command/workload_options.h"
#include "conformance/files/plain_text.h"
#include "conformance/performance/bench.h"
#include "conformance/performance/gate_report.h"
#include "conformance/performance/stored.h"
#include "conformance/report/evidence.h"
#include "conformance/run/ask_to_end.h"

namespace reshape::conformance {
namespace {

using namespace performance;

struct Arguments {
  std::string baseline, candidate, twin, record;
  std::string json, markdown;
  WorkloadOptions workloads;
  GateOptions gate;
  performance::Effort effort;
  double floor_percent = 1, excluded_percent = 5, wanted_percent = 3, sessions_percent = 3;
  bool quiet = false;
};

std::vector<std::string> names_of(const std::vector<Workload>& workloads) {
  std::vector<std::string> names;
  for (const Workload& one : workloads) names.push_back(one.name);
  return names;
}

// The workloads that all libraries answer correctly. Nothing: the console has error and exit code.
std::optional<Selected> selected_of(const Arguments& arguments,
                                    const std::vector<std::string>& libraries, Console& console) {
  std::optional<Selected> selected =
      arguments.workloads.select(libraries, true, true, arguments.effort.deadline_seconds, console);
  if (!selected) return std::nullopt;
  for (const LeftOut& one : selected->left_out) {
    if (!one.wrong) continue;
    stop(console, kNotConforming, "a wrong answer has no speed: " + one.name + ": " + one.why);
  }
  if (console.exit_code != 0) return std::nullopt;
  if (selected->workloads.empty()) {
    stop(console, kNothingAsserted, "nothing can be compared: no workload is promised by all");
    return std::nullopt;
  }
  return selected;
}

void tell(const Arguments& arguments, GateReport& report, Console& console) {
  for (const Arm& arm : report.result.arms) {
    report.digests.push_back(library_digest(arm.library));
  }
  const std::pair<std::string, std::string> files[] = {{arguments.json, json_text(report)},
                                                       {arguments.markdown, markdown(report)}};
  for (const auto& [path, text] : files) {
    if (!path.empty() && !write_or_refuse(path, text, console)) return;
  }
  console.out << (arguments.quiet ? report.decision.sentence + "\n" : performance::text(report));
  console.exit_code = report.decision.exit_code;
}

// Shows a line of progress in place of the one before it.
void show(const Arguments& arguments, const std::string& line) {
  if (!arguments.quiet) show_progress(line);
}

// Measures the candidate with the settings of the stored result, and compares the two.
void compare_stored(const Arguments& arguments, const ResultFile& stored, Console& console) {
  if (arguments.candidate.empty() || !arguments.twin.empty() || !arguments.record.empty()) {
    return refuse(
        console,
        "a stored result as the baseline needs --candidate, and has no rounds for --twin and "
        "--record");
  }
  GateReport report;
  report.machine = this_machine();
  const std::optional<Selected> selected = selected_of(arguments, {arguments.candidate}, console);
  if (!selected) return;
  const std::vector<Workload>& workloads = selected->workloads;
  report.left_out = selected->left_out;
  if (const auto why =
          not_comparable(stored, identity(report.machine), setting_text(), workloads)) {
    return refuse(console, arguments.baseline + ": " + *why);
  }
  const int needed = repetitions_needed(workloads.size(), arguments.gate.limits);
  const int repetitions = repetitions_of(stored, workloads);
  if (repetitions < needed) {
    console.err << "nothing is asserted: " << arguments.baseline << " has " << repetitions
                << " repetitions, and " << workloads.size() << " workloads need " << needed
                << " (bench --repetitions " << needed << ")\n";
    console.exit_code = 4;
    return;
  }
  BenchOptions options;
  options.library = arguments.candidate;
  options.repetitions = repetitions;
  options.seed = arguments.gate.seed;
  options.effort = arguments.effort;
  if (stored.passes > 0) options.effort.passes = stored.passes;
  const Result<BenchResult> measured =
      bench(workloads, options, report.machine,
            [&](const BenchRow& row) { show(arguments, "  " + row.name); });
  show(arguments, "");
  if (!measured) return refuse(console, measured.error().text());
  const Result<ResultFile> candidate = read_result(measured->json, arguments.candidate);
  if (!candidate) return refuse(console, candidate.error().text());
  const StoredOptions limits{arguments.gate.limits, arguments.sessions_percent / 100};
  report.result = compare_with_stored(arguments.baseline, stored, arguments.candidate, *candidate,
                                      workloads, limits);
  report.result.options.seed = options.seed;
  report.unpaired = unpaired_note(repetitions, repetitions, limits);
  report.decision = decide(report.result, {});
  tell(arguments, report, console);
}

bool same_bytes(const Arguments& arguments) {
  constexpr std::size_t kLargest = std::size_t{1} << 30;
  const Result<std::string> before = read_file(arguments.baseline, kLargest);
  const Result<std::string> after = read_file(arguments.candidate, kLargest);
  return before && after && *before == *after;
}

void compare(Arguments arguments, Console& console) {
  arguments.gate.limits.relative = arguments.floor_percent / 100;
  arguments.gate.limits.excluded = arguments.excluded_percent / 100;
  arguments.gate.wanted = arguments.wanted_percent / 100;
  if (arguments.wanted_percent <= arguments.floor_percent) {
    return refuse(console, "--find has to be above --floor: what is below the floor is no finding");
  }
  if (arguments.baseline.ends_with(".json")) {
    const Result<std::string> text = file_text(arguments.baseline);
    if (!text) return refuse(console, text.error().text());
    const Result<ResultFile> stored = read_result(*text, arguments.baseline);
    if (!stored) return refuse(console, stored.error().text());
    return compare_stored(arguments, *stored, console);
  }
  GateReport report;
  report.machine = this_machine();
  const std::string machine = identity(report.machine);
  if (!arguments.record.empty()) {
    const Result<Record> record = read_record(arguments.record, machine);
    if (!record) return refuse(console, record.error().text());
  }

  std::vector<std::string> libraries = {arguments.baseline};
  for (const std::string& more : {arguments.candidate, arguments.twin}) {
    if (!more.empty()) libraries.push_back(more);
  }
  const std::optional<Selected> selected = selected_of(arguments, libraries, console);
  if (!selected) return;
  report.left_out = selected->left_out;

  const std::vector<Arm> arms = arms_of(arguments.baseline, arguments.candidate, arguments.twin);
  const MeasureRound measure = measure_in_processes(arms, selected->workloads, arguments.effort);
  int rounds = 0;
  const MeasureRound told = [&](const RoundPlan& plan) {
    ++rounds;
    show(arguments, "  round " + std::to_string(rounds) + ", " +
                        std::to_string(plan.workloads.size()) + " workloads");
    return measure(plan);
  };
  heed_requests_to_end("compare");
  // Where somebody asks it to end, its time is over.
  const double all = 60 * arguments.gate.minutes;
  const Clock clock = [all] { return steady_seconds() + (request_to_end() != nullptr ? all : 0); };
  report.result = play(arms, names_of(selected->workloads), told, arguments.gate, clock);
  if (request_to_end() != nullptr) report.result.seconds -= all;
  show(arguments, "");
  report.running = report.result.plays;
  if (!arguments.record.empty() && request_to_end() == nullptr) {
    const Result<Record> running = append_record(arguments.record, machine, report.result.plays);
    if (!running) return refuse(console, running.error().text());
    report.running = *running;
  }
  report.decision = decide(report.result, report.running);
  if (const char* signal = request_to_end()) {
    if (report.decision.exit_code == 0) report.decision.exit_code = kNothingAsserted;
    report.decision.sentence = std::string("ended by ") + signal + " before all rounds; so far " +
                               report.decision.sentence;
  }
  report.same_bytes = !arguments.candidate.empty() && same_bytes(arguments);
  tell(arguments, report, console);
}

}  // namespace

void add_compare(CLI::App& app, Console& console) {
  CLI::App* command = app.add_subcommand(
      "compare", "Say of each workload whether one library is slower than another");
  auto arguments = std::make_shared<Arguments>();
  command
      ->add_option("--baseline", arguments->baseline,
                   "the library as it was, or what bench --json wrote of it (a name in .json)")
      ->required()
      ->type_name("LIB|FILE");
  command
      ->add_option("--candidate", arguments->candidate,
                   "the library as it is; without one the gate only calibrates itself")
      ->type_name("LIB");
  command
      ->add_option(
          "--twin", arguments->twin,
          "the baseline's source built and linked once more: what it differs by is nobody's fault")
      ->type_name("LIB");
  arguments->workloads.add_to(*command);
  number_option(*command, "--rounds", arguments->gate.most_rounds, "at most so many rounds",
                whole_number<int>(10000, 1));
  number_option(*command, "--pilot", arguments->gate.pilot, "rounds that tell how many are needed",
                whole_number<int>(1000, 1));
  number_option(*command, "--minutes", arguments->gate.minutes, "no round begins after that",
                real_number(0.01, 1440));
  number_option(*command, "--find", arguments->wanted_percent,
                "slowdown that the rounds are planned for", real_number(0.1, 100), "PERCENT");
  number_option(*command, "--floor", arguments->floor_percent, "smaller changes are no finding",
                real_number(0, 100), "PERCENT");
  number_option(*command, "--floor-ns", arguments->gate.limits.absolute_ns,
                "nor are changes of fewer ns", real_number(0, 1e9));
  number_option(*command, "--exclude", arguments->excluded_percent,
                "PASS excludes slowdowns of this much", real_number(0.1, 100), "PERCENT");
  number_option(*command, "--sessions", arguments->sessions_percent,
                "of a stored baseline: what two sessions of one library may differ by",
                real_number(0, 100), "PERCENT");
  number_option(*command, "--seed", arguments->gate.seed, "of layouts and orders",
                whole_number<std::uint64_t>());
  number_option(*command, "--deadline", arguments->effort.deadline_seconds, "for each answer",
                real_number(0.01, 3600, " of seconds"), "SECONDS");
  names_output(command->add_option("--record", arguments->record,
                                   "keep the gate's own record of plays here"));
  names_output(command->add_option("--json", arguments->json, "write the result as JSON"));
  names_output(
      command->add_option("--markdown", arguments->markdown, "write the result as Markdown"));
  command->add_flag("-q,--quiet", arguments->quiet, "print the decision only");
  last_counts(*command);
  command->callback([arguments, &console] { compare(*arguments, console); });
}

}  // namespace reshape::conformance
