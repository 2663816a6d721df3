#include "conformance/performance/bench.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>

#include "conformance/command/commands.h"
#include "conformance/command/suite_option.h"
#include "conformance/command/workload_options.h"
#include "conformance/run/write_file.h"

namespace reshape::conformance {
namespace {

using namespace performance;

struct Arguments {
  WorkloadOptions workloads;
  BenchOptions options;
  std::string json;
  bool gate_only = false;
};

void bench_command(const Arguments& arguments, Console& console) {
  if (!arguments.json.empty()) {
    const Result<std::string> writable = check_writable(arguments.json);
    if (!writable) return refuse(console, writable.error().text());
  }
  const std::optional<Selected> selected =
      arguments.workloads.select({arguments.options.library}, arguments.gate_only, console);
  if (!selected) return;
  bool wrong = false;
  for (const LeftOut& one : selected->left_out) {
    wrong = wrong || one.wrong;
    console.out << (one.wrong ? "a wrong answer has no speed: " : "left out: ") << one.name << ": "
                << one.why << '\n';
  }
  const Machine machine = this_machine();
  console.out << identity(machine) << ", governor " << machine.governor << '\n' << header();
  const Result<BenchResult> result =
      bench(selected->workloads, arguments.options, machine,
            [&](const BenchRow& row) { console.out << performance::text(row) << std::flush; });
  if (!result) return refuse(console, result.error().text());
  bool measured = false, failed = false, flagged = false;
  for (const BenchRow& row : result->rows) (row.failure.empty() ? measured : failed) = true;
  if (!result->growth.empty()) console.out << "\ngrowth\n";
  for (const Growth& one : result->growth) {
    console.out << performance::text(one) << '\n';
    flagged = flagged || !one.flag.empty();
  }
  if (!arguments.json.empty()) {
    const Result<std::string> written = write_file(arguments.json, result->json);
    if (!written) return refuse(console, written.error().text());
  }
  console.exit_code = wrong || failed || flagged ? 1 : measured ? 0 : 4;
}

}  // namespace

void add_bench(CLI::App& app, Console& console) {
  CLI::App* command = app.add_subcommand(
      "bench", "Time a library, as fractions of the best plain copy of as many bytes");
  auto arguments = std::make_shared<Arguments>();
  command
      ->add_option("-i,--implementation", arguments->options.library,
                   "shared library behind the C contract")
      ->required()
      ->type_name("LIB");
  arguments->workloads.add_to(*command);
  command->add_flag("--gate", arguments->gate_only, "only the workloads that compare asks");
  command->add_option("--repetitions", arguments->options.repetitions, "fresh processes a workload")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command->add_option("--passes", arguments->options.effort.passes, "turns in each process")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command->add_option("--seed", arguments->options.seed, "of layouts")->capture_default_str();
  command->add_option("--deadline", arguments->options.effort.deadline_seconds, "for each answer")
      ->check(CLI::Range(0.01, 3600.0))
      ->type_name("SECONDS")
      ->capture_default_str();
  command->add_option("--json", arguments->json, "write Google Benchmark's JSON")
      ->type_name("FILE");
  command->callback([arguments, &console] { bench_command(*arguments, console); });
}

}  // namespace reshape::conformance
