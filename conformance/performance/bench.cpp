#include "conformance/performance/bench.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <tuple>

#include "conformance/adapter/process/supervisor.h"
#include "conformance/performance/measured_call.h"
#include "conformance/performance/statistics.h"

namespace reshape::conformance::performance {

Repetition repetition_of(const std::vector<Arm>& arms, const std::vector<Sample>& samples) {
  Repetition made;
  made.failure = samples[0].failure;
  if (!made.failure.empty()) return made;
  const std::vector<double>& ours = samples[0].passes;
  made.seconds = median(ours);
  const std::vector<double>* best = nullptr;
  for (const auto& [name, times] : samples[0].yardsticks) {
    if (times.size() < ours.size() || (best != nullptr && median(times) >= median(*best))) continue;
    best = &times;
    made.yardstick = name;
  }
  if (best == nullptr) return made;
  made.yardstick_seconds = median(*best);
  const auto fraction = [best](const std::vector<double>& passes) {
    std::vector<double> fractions;
    for (std::size_t pass = 0; pass < passes.size(); ++pass) {
      fractions.push_back((*best)[pass] / passes[pass]);
    }
    return median(fractions);
  };
  made.fraction = fraction(ours);
  for (std::size_t arm = 1; arm < arms.size(); ++arm) {
    PeerFigure& peer = made.peers[arms[arm].name];
    peer.failure = samples[arm].failure;
    peer.wrong = samples[arm].wrong;
    if (peer.failure.empty()) peer.fraction = fraction(samples[arm].passes);
  }
  return made;
}

std::vector<Growth> growth_of(const std::vector<BenchRow>& rows,
                              const std::vector<Workload>& workloads) {
  std::map<std::tuple<std::string, Workload::Grows, int>, std::vector<SizedTime>> series;
  for (const BenchRow& row : rows) {
    const auto asked = std::ranges::find(workloads, row.name, &Workload::name);
    if (asked == workloads.end() || !row.failure.empty()) continue;
    using Grows = Workload::Grows;
    if (asked->grows == Grows::nothing) continue;
    // Rows with other numbers of threads belong to another series.
    const int threads = asked->grows == Grows::threads ? 0 : asked->threads;
    series[{row.kind, asked->grows, threads}].push_back({size_of(*asked), row.ns});
  }
  std::vector<Growth> fits;
  for (const auto& [key, points] : series) {
    const auto& [kind, grows, threads] = key;
    if (points.size() < 3) continue;
    const bool constant = kind == "view" && grows == Workload::Grows::bytes;
    fits.push_back(fit_growth(kind, name(grows), points, constant));
  }
  return fits;
}

std::optional<std::string> why_not_asked(const Workload& workload, std::size_t arms) {
  if (auto why = why_not_placed(workload)) return why;
  // Data and output for each caller in each process, plus one pair for comparison.
  const double needed = (2.0 * static_cast<double>(arms) * workload.callers + 2) *
                        static_cast<double>(output_bytes(workload));
  const double memory =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
  if (needed > memory / 2) return "needs more than half of this machine's memory";
  constexpr double kForItself = 512.0 * (1 << 20);
  const double most_of_a_worker = static_cast<double>(most_data_bytes()) - kForItself;
  const double of_a_worker =
      2.0 * std::max(workload.callers, 1) * static_cast<double>(output_bytes(workload));
  if (of_a_worker > most_of_a_worker) return "needs more memory than a worker may have";
  return std::nullopt;
}

std::string header(const std::vector<Arm>& peers) {
  std::string line = fmt::format("{:<46} {:>12} {:>7} {:>9} {:>9}", "workload", "ns a call", "+-",
                                 "GB/s", "fraction");
  for (const Arm& peer : peers) line += fmt::format(" {:>9}", peer.name);
  return line + "  of\n";
}

std::string text(const BenchRow& row, const std::vector<Arm>& peers) {
  if (!row.failure.empty()) return fmt::format("{:<46} left out: {}\n", row.name, row.failure);
  const bool copies = row.kind.ends_with("copy");
  std::string line =
      fmt::format("{:<46} {:>12.1f} {:>5.1f} % {:>9} {:>9}", row.name, row.ns, 100 * row.deviation,
                  copies ? fmt::format("{:.1f}", 2 * row.bytes / row.ns) : "-",
                  row.fraction > 0 ? fmt::format("{:.2f}", row.fraction) : "-");
  for (const Arm& arm : peers) {
    const auto peer = row.peers.find(arm.name);
    std::string said = "-";
    if (peer != row.peers.end() && peer->second.wrong) said = "wrong";
    if (peer != row.peers.end() && peer->second.fraction > 0) {
      said = fmt::format("{:.2f}", peer->second.fraction);
    }
    line += fmt::format(" {:>9}", said);
  }
  return line + "  " + row.yardstick + "\n";
}

}  // namespace reshape::conformance::performance
