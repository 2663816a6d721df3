#include "conformance/performance/bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "conformance/performance/process.h"
#include "conformance/performance/statistics.h"

namespace reshape::conformance::performance {
namespace {

constexpr double kMostCalls = 1e7;

}  // namespace

Repetition repeat(const std::string& library, const Workload& workload, const Effort& effort,
                  std::uint64_t seed) {
  Repetition made;
  const auto failed = [&](const std::string& why) {
    made.failure = why;
    return made;
  };
  WorkerProcess::Options options;
  options.start = {library, seed, 0};
  options.deadline_seconds = effort.deadline_seconds;
  const Result<std::unique_ptr<WorkerProcess>> worker = WorkerProcess::start(options);
  if (!worker) return failed(worker.error().text());
  Order order;
  order.workload = workload;
  order.seed = seed;
  order.thorough = true;
  Answer answer = (*worker)->ask(order);
  if (!answer.why.empty()) return failed(answer.why);
  order.calls = static_cast<std::int64_t>(
      std::clamp(effort.block_seconds / std::max(answer.seconds, 1e-12), 1.0, kMostCalls));
  order.blocks = effort.blocks;
  std::vector<double> seconds;
  std::map<std::string, std::vector<double>> copies;
  for (int pass = 0; pass < effort.passes; ++pass) {
    order.what = Order::Do::turn;
    answer = (*worker)->ask(order);
    if (!answer.why.empty() || answer.blocks.empty()) return failed(answer.why + "");
    seconds.push_back(std::ranges::min(answer.blocks));
    if (workload.call != Call::execute) continue;
    order.what = Order::Do::copies;
    answer = (*worker)->ask(order);
    if (!answer.why.empty()) return failed(answer.why);
    for (const auto& [name, blocks] : answer.copies) {
      if (!blocks.empty()) copies[name].push_back(std::ranges::min(blocks));
    }
  }
  made.seconds = median(seconds);
  for (const auto& [name, times] : copies) {
    const double time = median(times);
    if (times.size() < seconds.size() || (made.copy_seconds > 0 && time >= made.copy_seconds))
      continue;
    made.copy_seconds = time;
    made.best_copy = name;
  }
  if (made.best_copy.empty()) return made;
  std::vector<double> fractions;
  for (std::size_t pass = 0; pass < seconds.size(); ++pass) {
    fractions.push_back(copies[made.best_copy][pass] / seconds[pass]);
  }
  made.fraction = median(fractions);
  return made;
}

std::vector<Growth> growth_of(const std::vector<BenchRow>& rows,
                              const std::vector<Workload>& workloads) {
  std::map<std::string, std::vector<SizedTime>> series;
  for (const BenchRow& row : rows) {
    if (!row.name.starts_with("growth/") || !row.failure.empty()) continue;
    const auto asked = std::ranges::find(workloads, row.name, &Workload::name);
    if (asked == workloads.end()) continue;
    const double size =
        asked->call == Call::infer ? static_cast<double>(asked->request.data.rank()) : row.bytes;
    series[row.kind].push_back({size, row.ns});
  }
  std::vector<Growth> fits;
  for (const auto& [kind, points] : series) {
    if (points.size() >= 3) fits.push_back(fit_growth(kind, points, kind == "view"));
  }
  return fits;
}

std::string header() {
  return fmt::format("{:<46} {:>12} {:>7} {:>9} {:>9}  {}\n", "workload", "ns a call", "+-", "GB/s",
                     "fraction", "of the best copy");
}

std::string text(const BenchRow& row) {
  if (!row.failure.empty()) return fmt::format("{:<46} left out: {}\n", row.name, row.failure);
  const bool copies = row.fraction > 0;
  return fmt::format("{:<46} {:>12.1f} {:>5.1f} % {:>9} {:>9}  {}\n", row.name, row.ns,
                     100 * row.deviation,
                     copies ? fmt::format("{:.1f}", 2 * row.bytes / row.ns) : "-",
                     copies ? fmt::format("{:.2f}", row.fraction) : "-", row.best_copy);
}

}  // namespace reshape::conformance::performance
