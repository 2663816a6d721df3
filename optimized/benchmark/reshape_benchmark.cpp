// Where the copies stand against the fastest plain copy of as many bytes. Run with Google Benchmark's
// own options (--benchmark_filter, --benchmark_out=stand.json, --benchmark_list_tests), and:
//   --rounds=N       rounds for each row (15)
//   --most_mib=N     leave out workloads that move more (what half of the memory has room for)
//   --cpu=N          keep one-thread rows on that processor (0; -1: wherever)
// Each row is one iteration that runs all rounds; its counters are fractions of the best copy, 0 for a
// library whose output is wrong. "reach" is what the row is to reach, "best peer" the best of other
// libraries, with a * where that was measured apart from this program.
#include <benchmark/benchmark.h>
#include <sched.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <string>
#include <vector>

#include "optimized/benchmark/copies.h"
#include "optimized/benchmark/peers.h"
#include "optimized/benchmark/rounds.h"
#include "optimized/benchmark/standards.h"

namespace reshape::optimized {
namespace {

struct Options {
  Effort effort;
  int cpu = 0;
};

void keep_on(int cpu) {
  static cpu_set_t all;
  static const bool known = sched_getaffinity(0, sizeof(all), &all) == 0;
  cpu_set_t one;
  CPU_ZERO(&one);
  if (cpu >= 0) CPU_SET(static_cast<std::size_t>(cpu), &one);
  if (known) sched_setaffinity(0, sizeof(cpu_set_t), cpu < 0 ? &all : &one);
}

void measure(benchmark::State& state, const Workload& workload, int bits, int threads,
             const Options& options) {
  for ([[maybe_unused]] auto iteration : state) {
    keep_on(threads == 1 ? options.cpu : -1);
    const Standing standing = stand(workload, bits, threads, options.effort);
    keep_on(-1);
    if (!standing.refused.empty()) {
      state.SkipWithError(standing.refused.c_str());
      return;
    }
    state.SetIterationTime(standing.seconds.at("ours"));
    state.SetLabel(standing.kernel);
    for (const auto& [name, fraction] : standing.fraction) state.counters[name] = fraction;
    for (const std::string& name : standing.wrong) state.counters[name] = 0;
    const double best = standing.seconds.at(standing.best_copy);
    state.counters["reference"] = best / standing.seconds.at("reference");
    state.counters["best_GB_s"] = standing.moved_bytes / best / 1e9;
    state.counters["ours_GB_s"] = standing.moved_bytes / standing.seconds.at("ours") / 1e9;
  }
}

// One line for a row, as soon as it is measured.
class Table final : public benchmark::BenchmarkReporter {
 public:
  Table() {
    for (const PeerLibrary& peer : peer_libraries()) {
      if (peer.prepare != nullptr) columns_.emplace_back(peer.name);
    }
    for (const PlainCopy& copy : plain_copies()) columns_.push_back(copy.name);
  }

  bool ReportContext(const Context&) override {
    std::printf("%-48s %9s %6s %6s %-18s", "fraction of the best copy", "best GB/s", "ours",
                "reach", "best peer");
    for (const std::string& name : columns_) std::printf(" %9s", name.c_str());
    std::printf("\n");
    return true;
  }

  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.error_occurred) {
        std::printf("%-48s left out: %s\n", run.benchmark_name().c_str(),
                    run.error_message.c_str());
        continue;
      }
      rows_.push_back(row_of(run));
      const Row& row = rows_.back();
      std::printf("%-48s %9.1f %6.2f", row.name.c_str(), value(run, "best_GB_s"), row.ours);
      print_standard(row);
      for (const std::string& name : columns_) {
        if (!run.counters.contains(name)) {
          std::printf(" %9s", "-");
        } else if (value(run, name) == 0) {
          std::printf(" %9s", "wrong");
        } else {
          std::printf(" %9.2f", value(run, name));
        }
      }
      std::printf("\n");
    }
    std::fflush(stdout);
  }

  void Finalize() override {
    print_standing(std::cout, rows_);
    for (const PeerLibrary& peer : peer_libraries()) {
      if (peer.prepare != nullptr) continue;
      std::cout << "Not installed, so not measured: " << peer.name << " (Debian's " << peer.package
                << ").\n";
    }
  }

 private:
  // What the row is to reach, and who does best of the others.
  static void print_standard(const Row& row) {
    const Standard* standard = standard_of(row.name);
    if (standard != nullptr && standard->reach > 0 && row.name.ends_with("/1T")) {
      std::printf(" %6.2f", standard->reach);
    } else {
      std::printf(" %6s", "-");
    }
    const Peer peer = best_peer(row);
    if (peer.fraction == 0) return static_cast<void>(std::printf(" %-18s", "-"));
    char text[64];
    std::snprintf(text, sizeof text, "%.2f %.*s%s", peer.fraction,
                  static_cast<int>(peer.name.size()), peer.name.data(), peer.apart ? "*" : "");
    std::printf(" %-18s", text);
  }

  static Row row_of(const Run& run) {
    Row row;
    row.name = run.benchmark_name().substr(0, run.benchmark_name().find("/iterations:"));
    row.ours = value(run, "ours");
    for (const PeerLibrary& peer : peer_libraries()) {
      if (run.counters.contains(peer.name)) row.peers[peer.name] = value(run, peer.name);
    }
    return row;
  }

  static double value(const Run& run, const std::string& name) {
    const auto found = run.counters.find(name);
    return found == run.counters.end() ? 0 : found->second.value;
  }

  std::vector<std::string> columns_ = {"reference"};
  std::vector<Row> rows_;
};

void add_rows(std::span<const Workload> workloads, const char* group, const Options& options) {
  for (int threads : {1, 2}) {
    for (const Workload& workload : workloads) {
      for (int bits : {32, 16, 8}) {
        const char* type = bits == 32 ? "f32" : bits == 16 ? "bf16" : "u8";
        // The width that the workload is known for has the plain name; the others come beside it.
        const std::string kind = bits == workload.bits ? "" : "other/";
        const std::string name = std::string(group) + "/" + kind + workload.name + "/" + type +
                                 "/" + std::to_string(threads) + "T";
        benchmark::RegisterBenchmark(name.c_str(),
                                     [&workload, bits, threads, options](benchmark::State& state) {
                                       measure(state, workload, bits, threads, options);
                                     })
            ->Iterations(1)
            ->UseManualTime()
            ->Unit(benchmark::kMillisecond);
      }
    }
  }
}

Options taken_from(int& argc, char** argv) {
  Options options;
  int kept = 1;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument.starts_with("--rounds=")) {
      options.effort.rounds = std::max(1, std::atoi(argv[i] + 9));
    } else if (argument.starts_with("--most_mib=")) {
      options.effort.most_bytes = std::atof(argv[i] + 11) * (1 << 20);
    } else if (argument.starts_with("--cpu=")) {
      options.cpu = std::atoi(argv[i] + 6);
    } else {
      argv[kept++] = argv[i];
    }
  }
  argc = kept;
  return options;
}

}  // namespace
}  // namespace reshape::optimized

int main(int argc, char** argv) {
  const reshape::optimized::Options options = reshape::optimized::taken_from(argc, argv);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  // For those who read the JSON: which counters are other libraries.
  std::string peers;
  for (const reshape::optimized::PeerLibrary& peer : reshape::optimized::peer_libraries()) {
    if (peer.prepare == nullptr) continue;
    if (!peers.empty()) peers += ',';
    peers += peer.name;
  }
  benchmark::AddCustomContext("peers", peers);
  reshape::optimized::add_rows(reshape::optimized::layout_workloads(), "layout", options);
  reshape::optimized::add_rows(reshape::optimized::onednn_workloads(), "onednn", options);
  reshape::optimized::Table table;
  benchmark::RunSpecifiedBenchmarks(&table);
  return 0;
}
