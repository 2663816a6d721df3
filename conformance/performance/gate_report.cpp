#include "conformance/performance/gate_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

namespace reshape::conformance::performance {
namespace {

std::string nanoseconds(double ns) {
  if (ns < 1e4) return fmt::format("{:.0f} ns", ns);
  if (ns < 1e7) return fmt::format("{:.1f} us", ns / 1e3);
  return fmt::format("{:.1f} ms", ns / 1e6);
}

// "+5.1 % [+4.0, +6.2]"
std::string effect(const Estimate& one) {
  if (!one.interval) return "too few rounds";
  return fmt::format("{} [{:+.1f}, {:+.1f}]", percent(one.ratio),
                     100 * std::expm1(one.interval->lower), 100 * std::expm1(one.interval->upper));
}

std::string finding(const WorkloadResult& one, std::size_t arm) {
  if (!one.failures[0].empty()) return "no baseline: " + one.failures[0];
  if (!one.failures[arm].empty())
    return (one.wrong[arm] ? "WRONG: " : "FAILED: ") + one.failures[arm];
  return name(one.estimates[arm].finding);
}

// What is told of a workload: baseline, change, what could have been seen, and the verdict.
std::array<std::string, 4> cells(const WorkloadResult& one, std::size_t arm) {
  if (!one.failures[0].empty() || !one.failures[arm].empty()) {
    return {"-", "-", "-", finding(one, arm)};
  }
  const Estimate& estimate = one.estimates[arm];
  return {nanoseconds(one.baseline_ns), effect(estimate), percent(estimate.detectable),
          finding(one, arm)};
}

// The arm that the lines are about: the candidate, or the same library again in a calibration.
std::size_t subject(const GateResult& result) {
  for (const Role role : {Role::candidate, Role::same}) {
    for (std::size_t arm = 0; arm < result.arms.size(); ++arm) {
      if (result.arms[arm].role == role) return arm;
    }
  }
  return 0;
}

std::string rounds_text(const GateResult& result) {
  std::string text =
      fmt::format("{} rounds of fresh processes in {:.0f} s", result.rounds, result.seconds);
  if (result.planned > result.rounds) {
    text += fmt::format("; the noisiest workload would have needed {}", result.planned);
  }
  return text;
}

// The measurement behind the figures: the machine and the rounds.
std::string grounds_text(const GateReport& report) {
  const std::string machine =
      fmt::format("{}, load {:.1f}", identity(report.machine), report.machine.load);
  if (report.unpaired.empty()) return machine + "; " + rounds_text(report.result);
  return machine + "\n" + report.unpaired;
}

std::string arms_text(const GateResult& result) {
  std::string lines;
  for (std::size_t arm = 1; arm < result.arms.size(); ++arm) {
    lines +=
        fmt::format("{:<14} {:>3} PASS {:>3} REGRESSED {:>3} IMPROVED {:>3} UNRESOLVED\n",
                    text(result.arms[arm]), count(result, arm, Finding::pass),
                    count(result, arm, Finding::regressed), count(result, arm, Finding::improved),
                    count(result, arm, Finding::unresolved));
  }
  return lines;
}

}  // namespace

std::string text(const GateReport& report) {
  const GateResult& result = report.result;
  const std::size_t arm = subject(result);
  std::string lines = fmt::format("{:<44} {:>10}  {:<26} {:>10}  {}\n", "workload", "baseline",
                                  text(result.arms[arm]), "detectable", "verdict");
  for (const WorkloadResult& one : result.workloads) {
    const auto [baseline, change, detectable, verdict] = cells(one, arm);
    lines += fmt::format("{:<44} {:>10}  {:<26} {:>10}  {}\n", one.name, baseline, change,
                         detectable, verdict);
  }
  for (const LeftOut& one : report.left_out) {
    lines += fmt::format("left out: {}: {}\n", one.name, one.why);
  }
  lines += "\n" + arms_text(result) + "\n";
  if (report.unpaired.empty()) {
    lines += "This gate's record on this machine:\n" + text(report.running) + "\n";
  }
  lines += grounds_text(report) + "\n";
  if (report.same_bytes) lines += "The candidate is the baseline, byte for byte.\n";
  return lines + report.decision.sentence + "\n";
}

std::string markdown(const GateReport& report) {
  const GateResult& result = report.result;
  const std::size_t arm = subject(result);
  const char* heads[] = {"no regression", "regression", "not compared", "not compared",
                         "nothing asserted"};
  std::string lines = fmt::format("### Reshape performance: {}\n\n{}\n\n",
                                  heads[static_cast<std::size_t>(report.decision.exit_code)],
                                  report.decision.sentence);
  lines +=
      "| workload | baseline | change [interval] | detectable | verdict |\n|---|---|---|---|---|\n";
  for (const WorkloadResult& one : result.workloads) {
    lines += fmt::format("| {} | {} |\n", one.name, fmt::join(cells(one, arm), " | "));
  }
  lines += "\n```text\n" + arms_text(result);
  if (report.unpaired.empty()) lines += "\nrecord of this gate\n" + text(report.running);
  return lines + "```\n\n" + grounds_text(report) + "\n";
}

std::string json_text(const GateReport& report) {
  using nlohmann::json;
  const GateResult& result = report.result;
  json machine, workloads = json::array(), arms = json::array(), record, plays;
  for (const auto& [name, value] : facts(report.machine)) machine[name] = value;
  for (std::size_t at = 0; at < result.arms.size(); ++at) {
    const Arm& arm = result.arms[at];
    arms.push_back({{"name", text(arm)}, {"library", arm.library}, {"slowed", arm.slowed}});
    if (at < report.digests.size()) arms.back()["sha256"] = report.digests[at];
  }
  const auto tallies = [](const Record& of) {
    json made = json::object();
    for (const auto& [key, tally] : of) {
      const Interval bounds = rate_bounds(tally.claimed, tally.plays);
      made[std::to_string(key)] = {{"claimed", tally.claimed},
                                   {"plays", tally.plays},
                                   {"lower", bounds.lower},
                                   {"upper", bounds.upper}};
    }
    return made;
  };
  for (const WorkloadResult& one : result.workloads) {
    json estimates = json::object();
    for (std::size_t arm = 1; arm < result.arms.size(); ++arm) {
      const Estimate& of = one.estimates[arm];
      json made = {{"verdict", name(of.finding)},
                   {"ratio", std::exp(of.ratio)},
                   {"detectable", std::exp(of.detectable)},
                   {"rounds", of.rounds}};
      if (of.interval) {
        made["lower"] = std::exp(of.interval->lower);
        made["upper"] = std::exp(of.interval->upper);
      }
      if (!one.failures[arm].empty())
        made = {{"failure", one.failures[arm]}, {"wrong", bool(one.wrong[arm])}};
      estimates[text(result.arms[arm])] = made;
    }
    workloads.push_back(
        {{"name", one.name}, {"baseline_ns", one.baseline_ns}, {"arms", estimates}});
    if (!one.failures[0].empty()) workloads.back()["failure"] = one.failures[0];
  }
  json left_out = json::array();
  for (const LeftOut& one : report.left_out)
    left_out.push_back({{"name", one.name}, {"why", one.why}});
  return json({{"form", 1},
               {"machine", machine},
               {"arms", arms},
               {"workloads", workloads},
               {"left_out", left_out},
               {"plays", tallies(result.plays)},
               {"record", tallies(report.running)},
               {"rounds", result.rounds},
               {"rounds_planned", result.planned},
               {"seconds", result.seconds},
               {"seed", result.options.seed},
               {"exit_code", report.decision.exit_code},
               {"decision", report.decision.sentence},
               {"unpaired", report.unpaired}})
             .dump(2, ' ', false, json::error_handler_t::replace) +
         "\n";
}

}  // namespace reshape::conformance::performance
