#include <benchmark/benchmark.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <utility>

#include "conformance/performance/bench.h"
#include "conformance/performance/statistics.h"
#include "conformance/run/ask_to_end.h"
#include "conformance/text/printable.h"

// Google Benchmark runs the repetitions and writes the JSON; what it times are worker processes.
namespace reshape::conformance::performance {
namespace {

// Collects Google Benchmark's JSON in a string, so that the file can be written atomically.
class TextReporter final : public benchmark::JSONReporter {
 public:
  TextReporter() {
    SetOutputStream(&text_);
    SetErrorStream(&ignored_);
  }
  std::string text() const { return text_.str(); }

 private:
  std::ostringstream text_, ignored_;
};

BenchRow row_of(const Workload& workload, const std::vector<Repetition>& repetitions) {
  BenchRow row;
  row.name = workload.name;
  row.kind = kind_of(workload);
  row.bytes = static_cast<double>(output_bytes(workload));
  std::map<std::string, std::vector<double>> peers;
  for (const Repetition& one : repetitions) {
    if (!one.failure.empty()) {
      row.failure = one.failure;
      row.asked = one.asked;
      return row;
    }
    row.nanoseconds.push_back(1e9 * one.seconds);
    row.yardstick = one.yardstick;
    if (one.fraction > 0) row.fractions.push_back(one.fraction);
    for (const auto& [name, peer] : one.peers) {
      if (peer.fraction > 0) peers[name].push_back(peer.fraction);
      if (!peer.failure.empty()) row.peers[name] = peer;
    }
  }
  for (auto& [name, fractions] : peers) {
    // One failure is enough.
    if (!row.peers.contains(name)) row.peers[name].fraction = median(fractions);
  }
  row.ns = median(row.nanoseconds);
  row.deviation = spread(row.nanoseconds) / row.ns;
  if (!row.fractions.empty()) row.fraction = median(row.fractions);
  return row;
}

}  // namespace

Result<BenchResult> bench(const std::vector<Workload>& workloads, const BenchOptions& options,
                          const Machine& machine,
                          const std::function<void(const BenchRow&)>& told) {
  std::vector<std::vector<Repetition>> repetitions(workloads.size());
  benchmark::ClearRegisteredBenchmarks();
  for (const auto& [name, value] : facts(machine)) benchmark::AddCustomContext(name, value);
  benchmark::AddCustomContext("identity", identity(machine));
  benchmark::AddCustomContext("library", printable(options.library));
  benchmark::AddCustomContext("library_sha256", options.digest);
  benchmark::AddCustomContext("setting", setting_text());
  benchmark::AddCustomContext("passes", std::to_string(options.effort.passes));
  std::vector<Arm> arms = {{Role::baseline, options.library, 0}};
  arms.insert(arms.end(), options.peers.begin(), options.peers.end());
  std::string peers;
  for (const Arm& peer : options.peers) peers += (peers.empty() ? "" : ",") + peer.name;
  benchmark::AddCustomContext("peers", peers);
  for (std::size_t at = 0; at < workloads.size(); ++at) {
    const Workload& workload = workloads[at];
    const auto measure = [&, at](benchmark::State& state) {
      if (request_to_end() != nullptr) {
        for ([[maybe_unused]] auto iteration : state) state.SetIterationTime(0);
        state.SkipWithError("not asked");
        return;
      }
      Repetition one;
      if (const auto why = why_not_asked(workload, arms.size())) {
        one.failure = *why;
        one.asked = false;
      } else {
        Effort effort = options.effort;
        effort.threads = workload.threads;
        effort.yardsticks = workload.callers == 1;
        const std::uint64_t seed = options.seed * 1000003 + repetitions[at].size();
        const Round round = measure_in_processes(arms, {workload}, effort)({seed, {0}, true});
        one = repetition_of(arms, round.at(0));
      }
      repetitions[at].push_back(one);
      if (repetitions[at].size() == static_cast<std::size_t>(options.repetitions)) {
        told(row_of(workload, repetitions[at]));
      }
      // Every repetition is one iteration, failed ones too: the engine aborts where their numbers
      // differ.
      for ([[maybe_unused]] auto iteration : state) state.SetIterationTime(one.seconds);
      if (!one.failure.empty()) {
        state.SkipWithError(printable(one.failure).c_str());
        return;
      }
      state.counters["bytes"] = static_cast<double>(output_bytes(workload));
      if (one.fraction > 0 && workload.call == Call::execute) {
        state.counters["fraction_of_best_copy"] = one.fraction;
        state.counters["best_copy_ns"] = 1e9 * one.yardstick_seconds;
      } else if (one.fraction > 0) {
        state.counters["product_loops"] = 1 / one.fraction;
        state.counters["product_loop_ns"] = 1e9 * one.yardstick_seconds;
      }
      // 0: its answer was wrong.
      for (const auto& [name, peer] : one.peers) {
        if (peer.fraction > 0 || peer.wrong) state.counters[name] = peer.fraction;
      }
      if (!one.yardstick.empty()) state.SetLabel(one.yardstick);
    };
    benchmark::RegisterBenchmark(workload.name.c_str(), measure)
        ->Iterations(1)
        ->Repetitions(options.repetitions)
        ->UseManualTime()
        ->Unit(benchmark::kNanosecond);
  }
  // Set here because the engine does not parse the command line.
  benchmark::BenchmarkReporter::Context::executable_name = "reshape-conformance";
  TextReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  benchmark::ClearRegisteredBenchmarks();

  BenchResult result;
  std::set<std::string> cut_short;  // workloads whose row the caller was not told
  for (std::size_t at = 0; at < workloads.size(); ++at) {
    if (std::cmp_less(repetitions[at].size(), options.repetitions)) {
      cut_short.insert(workloads[at].name);
    } else {
      result.rows.push_back(row_of(workloads[at], repetitions[at]));
    }
  }
  result.growth = growth_of(result.rows, workloads);
  nlohmann::json written = nlohmann::json::parse(reporter.text(), nullptr, false);
  if (written.is_discarded()) return Error{"what Google Benchmark wrote of the result is no JSON"};
  // Removes the engine's suffix from names: it depends on the number of repetitions, and results
  // are matched by name.
  nlohmann::json whole = nlohmann::json::array();
  for (nlohmann::json& row : written["benchmarks"]) {
    const std::string run_name = row.value("run_name", "");
    const std::string workload = run_name.substr(0, run_name.rfind("/iterations:"));
    const std::string aggregate = row.value("aggregate_name", "");
    row["run_name"] = workload;
    row["name"] = aggregate.empty() ? workload : workload + "_" + aggregate;
    // The engine's cpu_time is that of its own process, which called nothing.
    if (row.contains("cpu_time")) row["cpu_time"] = row["real_time"];
    row["workload"] = workload;
    if (cut_short.contains(workload)) continue;
    const auto asked = std::ranges::find(workloads, workload, &Workload::name);
    if (asked != workloads.end()) row["ask"] = question(*asked);
    whole.push_back(std::move(row));
  }
  written["benchmarks"] = std::move(whole);
  for (const Growth& one : result.growth) {
    written["growth"].push_back({{"kind", one.kind},
                                 {"unit", one.unit},
                                 {"overhead_ns", one.overhead_ns},
                                 {"ns_per_unit", one.ns_per_unit},
                                 {"exponent", one.exponent},
                                 {"flag", one.flag}});
  }
  result.json = written.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  return result;
}

}  // namespace reshape::conformance::performance
