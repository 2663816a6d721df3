#include "conformance/command/read_ratios.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "conformance/performance/result_file.h"
#include "conformance/performance/verdict.h"
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

}  // namespace

Result<Performance> read_ratios(std::string_view text, const std::string& where) {
  const Result<json> parsed = read_json(text);
  if (!parsed) return Error{parsed.error().message, where};
  const json& read = *parsed;
  const Error other{
      "is no result of 'reshape-conformance compare --json' or 'reshape-conformance bench --json'",
      where};
  Result<Performance> made = other;
  try {
    if (!read.is_object()) return other;
    if (read.contains("benchmarks")) {
      made = of_bench(text, where);
    } else {
      made = of_comparison(read, where);
    }
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

}  // namespace reshape::conformance
