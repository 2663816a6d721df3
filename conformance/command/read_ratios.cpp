#include "conformance/command/read_ratios.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "conformance/files/plain_text.h"
#include "conformance/performance/result_file.h"
#include "conformance/performance/verdict.h"
#include "conformance/report/evidence.h"
#include "conformance/text/printable.h"
#include "conformance/text/read_json.h"

namespace reshape::conformance {
namespace {

using nlohmann::json;
using namespace performance;

constexpr const char* kTooFew = "too few rounds for any statement";
constexpr const char* kTooNoisy = "the interval holds too much to say either";

Speed speed_of(Finding finding) {
  switch (finding) {
    case Finding::pass: return Speed::not_slower;
    case Finding::regressed: return Speed::slower;
    case Finding::improved: return Speed::faster;
    case Finding::unresolved: break;
  }
  return Speed::not_asserted;
}

std::optional<Speed> speed_of(const std::string& verdict) {
  for (const Finding finding :
       {Finding::pass, Finding::regressed, Finding::improved, Finding::unresolved}) {
    if (verdict == name(finding)) return speed_of(finding);
  }
  return std::nullopt;
}

void explain(TimeRatio& row) {
  if (row.speed == Speed::not_asserted) row.why = row.interval ? kTooNoisy : kTooFew;
}

// Whether the row can be drawn: its numbers come from a file and may be anything.
bool makes_sense(const TimeRatio& row) {
  const auto positive = [](double value) { return std::isfinite(value) && value > 0; };
  if (row.speed == Speed::not_measured) return true;
  if (!positive(row.ratio)) return false;
  return !row.interval || (positive(row.interval->first) && positive(row.interval->second) &&
                           row.interval->first <= row.ratio && row.ratio <= row.interval->second);
}

TimeRatio compared(const json& workload) {
  TimeRatio row;
  row.workload = workload.at("name");
  const json& arm = workload.at("arms").at("candidate");
  if (workload.contains("failure") || arm.contains("failure")) {
    row.why = (workload.contains("failure") ? workload : arm).at("failure");
    return row;
  }
  row.ratio = arm.at("ratio");
  if (arm.contains("lower")) {
    row.interval = std::pair(arm.at("lower").get<double>(), arm.at("upper").get<double>());
  }
  const std::optional<Speed> speed = speed_of(arm.at("verdict").get<std::string>());
  if (!speed) throw std::invalid_argument("verdict");
  row.speed = *speed;
  explain(row);
  return row;
}

Result<Performance> of_comparison(const json& read, const std::string& where) {
  Performance made;
  TimeRatios ratios;
  for (const json& arm : read.at("arms")) {
    if (arm.at("name") == "baseline")
      ratios.over = "the baseline, " + arm.at("library").get<std::string>();
    if (arm.at("name") != "candidate") continue;
    made.library = arm.at("library");
    made.digest = arm.value("sha256", "");
  }
  if (made.library.empty()) {
    return Error{"compares no candidate: it is a calibration of the gate", where};
  }
  const json& machine = read.at("machine");
  made.machine = fmt::format("{} x{}, load {}", machine.at("processor").get<std::string>(),
                             machine.at("processors").get<std::string>(),
                             machine.at("load").get<std::string>());
  for (const char* key : {"decision", "unpaired"}) {
    const std::string note = read.at(key);
    if (!note.empty()) made.notes.push_back(note);
  }
  for (const json& workload : read.at("workloads")) ratios.rows.push_back(compared(workload));
  made.ratios.push_back(std::move(ratios));
  return made;
}

// The ratios of each workload, all over the same baseline.
using Values = std::map<std::string, std::vector<double>>;

TimeRatios ratios_over(const std::string& over, const Values& values, const ResultFile& file) {
  TimeRatios made{over, {}};
  for (const auto& [workload, repeated] : values) {
    std::vector<double> logs = repeated;
    for (double& value : logs) value = std::log(value);
    const Estimate one =
        estimate(logs, file.figures.at(workload).ns, static_cast<int>(values.size()), {});
    TimeRatio row{workload, speed_of(one.finding), "", std::exp(one.ratio)};
    if (one.interval) row.interval = {std::exp(one.interval->lower), std::exp(one.interval->upper)};
    explain(row);
    made.rows.push_back(std::move(row));
  }
  return made;
}

Result<Performance> of_bench(std::string_view text, const std::string& where) {
  const Result<ResultFile> file = read_result(text, where);
  if (!file) return file.error();
  Values copies, loops;
  std::map<std::string, Values> peers;
  for (const auto& [workload, figure] : file->figures) {
    if (figure.unit == "copies") copies[workload] = figure.values;
    if (figure.unit == "product loops") loops[workload] = figure.values;
    for (const auto& [peer, values] : figure.over_peers) peers[peer][workload] = values;
  }
  Performance made{file->library, file->digest, file->machine, {}, {}};
  const auto add = [&](const std::string& over, const Values& values) {
    if (!values.empty()) made.ratios.push_back(ratios_over(over, values, *file));
  };
  add("the best plain copy of as many bytes", copies);
  add("the bare product of the sizes", loops);
  for (const auto& [peer, values] : peers) add(peer + ", timed beside it", values);
  return made;
}

constexpr std::size_t kLargestResult = std::size_t{64} << 20;  // bytes

Result<std::size_t> place_of(const Performance& performance, const std::string& file,
                             const std::vector<std::string>& libraries) {
  for (std::size_t at = 0; at < libraries.size(); ++at) {
    const std::string digest = library_digest(libraries[at]);
    if (digest != performance.digest) continue;
    if (!digest.empty() || libraries[at] == performance.library) return at;
  }
  const std::string measured = printable(performance.library);
  if (performance.digest.empty()) {
    return Error{"has no SHA-256 of '" + measured +
                     "', and this run asks nothing of that name: a result of an older program is "
                     "to be measured again",
                 file};
  }
  return Error{"is of another library, or of another version of it: '" + measured +
                   "' was measured with the SHA-256 " + printable(performance.digest.substr(0, 64)),
               file};
}

}  // namespace

Result<Performance> read_ratios(std::string_view text, const std::string& where) {
  const Result<json> parsed = read_json(text);
  if (!parsed) return Error{parsed.error().message, where};
  const json& read = *parsed;
  const Error other{
      "is no result of 'reshape-conformance compare --json' or 'reshape-conformance bench --json'",
      where};
  if (!read.is_object()) return other;
  Result<Performance> made = other;
  try {
    made = read.contains("benchmarks") ? of_bench(text, where) : of_comparison(read, where);
  } catch (const std::exception&) {
    return other;
  }
  if (!made) return made;
  bool some = false;
  for (const TimeRatios& ratios : made->ratios) {
    for (const TimeRatio& row : ratios.rows) {
      if (!makes_sense(row)) {
        return Error{"'" + row.workload + "' has a ratio that is none", where};
      }
      some = some || row.speed != Speed::not_measured;
    }
  }
  if (!some) return Error{"has no ratio in it", where};
  return made;
}

Result<std::vector<PerformanceOf>> read_performance(const std::vector<std::string>& files,
                                                    const std::vector<std::string>& libraries) {
  std::vector<PerformanceOf> made;
  for (const std::string& file : files) {
    const Result<std::string> text = read_text(file, kLargestResult);
    if (!text) return text.error();
    Result<Performance> performance = read_ratios(*text, file);
    if (!performance) return performance.error();
    const Result<std::size_t> place = place_of(*performance, file, libraries);
    if (!place) return place.error();
    made.push_back({*place, std::move(*performance)});
  }
  return made;
}

}  // namespace reshape::conformance
