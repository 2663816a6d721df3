#include "conformance/command/workload_options.h"

#include <CLI/CLI.hpp>
#include <map>
#include <ostream>
#include <regex>

#include "conformance/command/checks.h"
#include "conformance/command/suite_option.h"
#include "conformance/files/plain_text.h"

namespace reshape::conformance {

using performance::Selected;
using performance::Workload;

Result<std::string> file_text(const std::string& path) {
  constexpr std::size_t kLargest = std::size_t{256} << 20;  // bytes
  return read_text(path, kLargest);
}

bool tell_left_out(const Selected& selected, const char* what, Console& console) {
  bool wrong = false;
  for (const performance::LeftOut& one : selected.left_out) {
    wrong = wrong || one.wrong;
    console.out << (one.wrong ? std::string("a wrong answer ") + what : "left out") << ": "
                << one.name << ": " << one.why << '\n';
  }
  return wrong;
}

void last_counts(CLI::App& command) {
  for (CLI::Option* option : command.get_options()) {
    if (option->get_items_expected_max() == 1) option->take_last();
  }
}

void WorkloadOptions::add_to(CLI::App& command) {
  command
      .add_option("--workloads", file, "read the workloads from this YAML, not the built-in ones")
      ->type_name("FILE");
  command.add_option("--filter", filter, "only workloads whose name matches")->type_name("REGEX");
  command.add_option("--most-mib", most_mib, "leave out workloads with a larger output")
      ->check(real_number(0, 1e9))
      ->type_name("MIB");
}

std::optional<Selected> WorkloadOptions::select(const std::vector<std::string>& libraries,
                                                bool gate_only, bool one_setting,
                                                double deadline_seconds, Console& console) const {
  Result<std::vector<Workload>> read = performance::built_in_workloads();
  if (!file.empty()) {
    const Result<std::string> text = file_text(file);
    if (!text) return refuse(console, text.error().text()), std::nullopt;
    read = performance::read_workloads(*text, file);
  }
  if (!read) return refuse(console, read.error().text()), std::nullopt;
  // libstdc++'s regex matcher recurses for each part of an expression, so the length is limited.
  // Without __polynomial it could take exponential time.
  constexpr std::size_t kLongest = 200;
  if (filter.size() > kLongest) {
    return refuse(console, "--filter is longer than " + std::to_string(kLongest) + " characters"),
           std::nullopt;
  }
  std::regex matches;
  try {
    auto how = std::regex::ECMAScript;
#ifdef __GLIBCXX__
    how |= std::regex_constants::__polynomial;
#endif
    matches = std::regex(filter, how);
  } catch (const std::regex_error&) {
    return refuse(console, "--filter '" + filter + "' is no regular expression"), std::nullopt;
  }
  Selected selected;
  std::map<std::string, int> left;
  for (Workload& one : *read) {
    const double mib = static_cast<double>(performance::output_bytes(one)) / (1 << 20);
    // A filter also reaches workloads that the gate does not measure by default.
    const char* why = !std::regex_search(one.name, matches)      ? "do not match --filter"
                      : most_mib > 0 && mib > most_mib           ? "are above --most-mib"
                      : gate_only && !one.gate && filter.empty() ? "are not of the gate"
                      : one_setting && (one.threads > 0 || one.callers > 1)
                          ? "set threads or callers"
                          : nullptr;
    if (why != nullptr) {
      ++left[why];
    } else {
      selected.workloads.push_back(std::move(one));
    }
  }
  if (selected.workloads.empty()) {
    std::string why = "no workload is chosen";
    const char* before = ": ";
    for (const auto& [reason, times] : left) {
      why += before + std::to_string(times) + ' ' + reason;
      before = ", ";
    }
    return refuse(console, why), std::nullopt;
  }
  for (const std::string& library : libraries) {
    Result<Selected> right = performance::judged(selected.workloads, library, deadline_seconds);
    if (!right) {
      not_started(console, right.error());
      return std::nullopt;
    }
    selected.workloads = std::move(right->workloads);
    for (performance::LeftOut& one : right->left_out) {
      one.why = library + ": " + one.why;
      selected.left_out.push_back(std::move(one));
    }
  }
  return selected;
}

}  // namespace reshape::conformance
