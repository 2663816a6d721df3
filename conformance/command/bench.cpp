#include "conformance/performance/bench.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>

#include "conformance/adapter/adapter.h"
#include "conformance/command/checks.h"
#include "conformance/command/commands.h"
#include "conformance/command/output_files.h"
#include "conformance/command/suite_option.h"
#include "conformance/command/workload_options.h"
#include "conformance/report/evidence.h"
#include "conformance/run/ask_to_end.h"

namespace reshape::conformance {
namespace {

using namespace performance;

struct Arguments {
  WorkloadOptions workloads;
  BenchOptions options;
  std::vector<std::string> peers;
  std::vector<int> threads;
  std::string json;
  bool gate_only = false;
};

// One arm for each peer library, named as the peer names itself. Nothing where one cannot be
// started; the console then has the error and the exit code.
std::optional<std::vector<Arm>> peers_of(const std::vector<std::string>& libraries,
                                         Console& console) {
  std::vector<Arm> arms;
  for (const std::string& library : libraries) {
    AdapterOptions options;
    options.library = library;
    const Result<std::unique_ptr<Adapter>> adapter = start_adapter(options);
    if (!adapter) {
      not_started(console, adapter.error());
      return std::nullopt;
    }
    arms.push_back({Role::peer, library, 0, (*adapter)->capabilities().name});
  }
  return arms;
}

void bench_command(Arguments arguments, Console& console) {
  heed_requests_to_end("bench");
  const std::optional<std::vector<Arm>> peers = peers_of(arguments.peers, console);
  if (!peers) return;
  arguments.options.peers = *peers;
  arguments.options.digest = library_digest(arguments.options.library);
  std::optional<Selected> selected =
      arguments.workloads.select({arguments.options.library}, arguments.gate_only, false,
                                 arguments.options.effort.deadline_seconds, console);
  if (!selected) return;
  selected->workloads = with_threads(selected->workloads, arguments.threads);
  const bool wrong = tell_left_out(*selected, "has no speed", console);
  if (selected->workloads.empty()) {
    stop(console, wrong ? kNotConforming : kNothingAsserted, "no workload could be timed");
    return;
  }
  const Machine machine = this_machine();
  console.out << identity(machine) << ", governor " << machine.governor << '\n' << header(*peers);
  const Result<BenchResult> result = bench(
      selected->workloads, arguments.options, machine,
      [&](const BenchRow& row) { console.out << performance::text(row, *peers) << std::flush; });
  if (!result) return refuse(console, result.error().text());
  bool measured = false, failed = false, flagged = false;
  for (const BenchRow& row : result->rows) {
    measured = measured || row.failure.empty();
    failed = failed || (!row.failure.empty() && row.asked);
  }
  if (!result->growth.empty()) console.out << "\ngrowth\n";
  for (const Growth& one : result->growth) {
    console.out << performance::text(one) << '\n';
    flagged = flagged || !one.flag.empty();
  }
  if (!arguments.json.empty() && !write_or_refuse(arguments.json, result->json, console)) return;
  if (const char* signal = request_to_end()) {
    measured = false;
    console.out << "not all is timed: " << signal << " came after " << result->rows.size() << " of "
                << selected->workloads.size() << " workloads\n";
  }
  console.exit_code = wrong || failed || flagged ? 1 : measured ? 0 : 4;
}

}  // namespace

void add_bench(CLI::App& app, Console& console) {
  CLI::App* command = app.add_subcommand(
      "bench", "Time a library, as fractions of the best plain copy of as many bytes");
  auto arguments = std::make_shared<Arguments>();
  library_option(*command, arguments->options.library, "shared library behind the C contract");
  arguments->workloads.add_to(*command);
  command
      ->add_option(
          "--peer", arguments->peers,
          "time this library beside it, whose answers are looked at as closely; repeatable")
      ->type_name("LIB");
  command
      ->add_option("--threads", arguments->threads,
                   "ask every workload once with so many threads (RESHAPE_THREADS and "
                   "OMP_NUM_THREADS are set); repeatable")
      ->check(whole_number<int>(1024, 1))
      ->type_name("N");
  command->add_flag("--gate", arguments->gate_only, "only the workloads that compare asks");
  number_option(*command, "--repetitions", arguments->options.repetitions,
                "fresh processes a workload", whole_number<int>(1000, 1));
  number_option(*command, "--passes", arguments->options.effort.passes, "turns in each process",
                whole_number<int>(1000, 1));
  number_option(*command, "--seed", arguments->options.seed, "of layouts",
                whole_number<std::uint64_t>());
  number_option(*command, "--deadline", arguments->options.effort.deadline_seconds,
                "for each answer", real_number(0.01, 3600, " of seconds"), "SECONDS");
  names_output(command->add_option("--json", arguments->json, "write Google Benchmark's JSON"));
  last_counts(*command);
  command->callback([arguments, &console] { bench_command(*arguments, console); });
}

}  // namespace reshape::conformance
