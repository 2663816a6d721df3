#include "conformance/report/failure_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace reshape::conformance {
namespace {

constexpr std::size_t kShown = 2;

std::string kin(const CaseResult& result) {
  const Fault& fault = result.verdict.faults.front();
  std::string key = std::string(name(fault.plane)) + '|' + fault.broken() + '|' +
                    reshape::conformance::name(fault.watch) + '|' +
                    without_numbers(fault.expected) + '|' + without_numbers(fault.answered);
  if (fault.plane == Plane::bytes) {
    key += '|' + std::string(reshape::name(result.asked->request.data_type));
  }
  return key;
}

// "a, b and 5 more".
std::string some_of(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t at = 0; at < std::min(words.size(), kShown); ++at) {
    text += (at == 0 ? "" : ", ") + words[at];
  }
  return words.size() > kShown ? fmt::format("{} and {} more", text, words.size() - kShown) : text;
}

}  // namespace

std::vector<FailureGroup> failure_groups(const RunResult& run) {
  std::vector<FailureGroup> groups;
  std::map<std::string, std::size_t> places;
  for (const CaseResult& result : run.cases) {
    if (!result.failed() || result.known == Known::failure || result.verdict.faults.empty()) {
      continue;
    }
    const auto [place, fresh] = places.emplace(kin(result), groups.size());
    if (fresh) groups.emplace_back();
    groups[place->second].cases.push_back(&result);
  }
  std::stable_sort(groups.begin(), groups.end(),
                   [](const FailureGroup& left, const FailureGroup& right) {
                     return left.cases.size() > right.cases.size();
                   });
  return groups;
}

std::string others_of(const FailureGroup& group) {
  if (group.cases.size() < 2) return "";
  std::vector<std::string> ids, types;
  for (std::size_t at = 1; at < group.cases.size(); ++at) {
    const Case& one = *group.cases[at]->asked;
    ids.push_back(one.id);
    const std::string type(reshape::name(one.request.data_type));
    if (std::find(types.begin(), types.end(), type) == types.end()) types.push_back(type);
  }
  return fmt::format("{} more, in {}: {}", ids.size(), some_of(types), some_of(ids));
}

}  // namespace reshape::conformance
