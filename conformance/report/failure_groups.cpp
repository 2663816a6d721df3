#include "conformance/report/failure_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

#include "conformance/model/answered_after.h"
#include "conformance/run/replays.h"
#include "conformance/run/wrong_in_common.h"

namespace reshape::conformance {
namespace {

// Removes values that vary by accident: changed bytes, and the signs of sizes in a list.
std::string without_values(std::string text) {
  constexpr std::string_view kFrom = " from a5 to 3c";  // any four hexadecimal digits
  const auto is_at = [&](std::size_t at) {
    for (std::size_t n = 0; n < kFrom.size(); ++n) {
      const bool digit = n == 6 || n == 7 || n == 12 || n == 13;
      if (digit ? std::isxdigit(static_cast<unsigned char>(text[at + n])) == 0
                : text[at + n] != kFrom[n]) {
        return false;
      }
    }
    return true;
  };
  for (std::size_t at = 0; at + kFrom.size() <= text.size(); ++at) {
    if (is_at(at)) text.erase(at, kFrom.size());
  }
  std::string words;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool in_list = at > 0 && (text[at - 1] == '[' || text[at - 1] == ',');
    if (text[at] != '-' || !in_list) words += text[at];
  }
  return without_numbers(words);
}

// The key of a group, apart from the element type: without numbers, including the position of an
// element (and its index, which is only there if the output has several axes).
std::string kin(const CaseResult& result) {
  const Fault& fault = result.verdict.faults.front();
  std::string key = std::string(name(fault.plane)) + '|' + fault.broken() + '|' +
                    reshape::conformance::name(fault.watch) + '|' + without_values(fault.expected) +
                    '|' + without_values(fault.answered);
  // Behind it stands the request itself with another flag, which is another one in each case.
  key.erase(std::min(key.find(kAfterAnother), key.size()));
  constexpr std::string_view kIndex = " [#]";
  for (std::size_t at = key.find(kIndex); at != std::string::npos; at = key.find(kIndex)) {
    key.erase(at, kIndex.size());
  }
  return key;
}

// The element types of which the run compared elements.
ElementTypes types_compared(const RunResult& run) {
  ElementTypes types;
  for (const CaseResult& one : run.cases) {
    const auto bytes = one.verdict.planes[static_cast<std::size_t>(Plane::bytes)];
    if (bytes != Verdict::PlaneState::not_asked) types.insert(one.asked->request.data_type);
  }
  return types;
}

using Cases = std::vector<const CaseResult*>;

// Groups types whose wrong elements hold the same kind of value; types about which nothing is known
// join the largest group.
std::vector<FailureGroup> by_values(Cases cases, const std::map<ElementType, Cases>& types) {
  std::map<std::string, Cases> ways;
  for (const auto& [type, of_type] : types) {
    Cases& way = ways[wrong_values_in_common(of_type)];
    way.insert(way.end(), of_type.begin(), of_type.end());
  }
  const Cases unknown = std::move(ways[""]);
  ways.erase("");
  if (ways.size() < 2 || !wrong_values_in_common(cases).empty()) return {{std::move(cases)}};
  const auto largest =
      std::ranges::max_element(ways, {}, [](const auto& way) { return way.second.size(); });
  largest->second.insert(largest->second.end(), unknown.begin(), unknown.end());
  std::vector<FailureGroup> groups;
  for (auto& [values, of_way] : ways) {
    std::ranges::sort(of_way);  // cases lie in the order of the run
    groups.push_back({std::move(of_way)});
  }
  return groups;
}

// Groups wrong elements by type, since a type may have a cause of its own; but if every compared
// type is wrong, they have a common cause, unless they hold different kinds of values.
std::vector<FailureGroup> by_type(Cases cases, const ElementTypes& compared) {
  constexpr std::size_t kFewTypes = 3;
  std::map<ElementType, Cases> types;
  for (const CaseResult* one : cases) types[one->asked->request.data_type].push_back(one);
  ElementTypes wrong;
  for (const auto& [type, of_type] : types) wrong.insert(type);
  const bool bytes = cases.front()->verdict.faults.front().plane == Plane::bytes;
  if (!bytes) return {{std::move(cases)}};
  if (types.size() > kFewTypes && wrong == compared) return by_values(std::move(cases), types);
  std::vector<FailureGroup> groups;
  std::map<std::string, Cases> same;  // by what is wrong
  for (auto& [type, of_type] : types) {
    const std::string says = wrong_in_common(of_type);
    // Words that hold of most cases of a type end with " (61 of 64)".
    Cases* one =
        says.empty() ? &groups.emplace_back().cases : &same[says.substr(0, says.rfind(" ("))];
    one->insert(one->end(), of_type.begin(), of_type.end());
  }
  for (auto& [says, of_types] : same) {
    std::ranges::sort(of_types);  // cases lie in the order of the run
    groups.push_back({std::move(of_types)});
  }
  return groups;
}

// The request after which alone the failures of a group occur, in words; empty where others do it
// as well, or some of them occur alone.
std::string needed_before(const FailureGroup& group) {
  using How = Replays::How;
  std::string needed;
  for (const CaseResult* one : group.cases) {
    const Replays& replays = one->replays;
    if (replays.how == How::alone || replays.how == How::at_times ||
        replays.how == How::not_again) {
      return "";
    }
    if (replays.how != How::after) continue;
    const std::string alike = how_alike_before(replays, one->asked->request);
    const bool told = !alike.empty() && replays.says.find(alike) != std::string::npos;
    if (!told || (!needed.empty() && alike != needed)) return "";
    needed = alike;
  }
  return needed;
}

// Joins groups that need the same before: what is confused is one, however its failures look.
std::vector<FailureGroup> by_what_was_before(std::vector<FailureGroup> groups) {
  std::vector<FailureGroup> joined;
  std::map<std::string, std::size_t> places;
  for (FailureGroup& group : groups) {
    const std::string needed = needed_before(group);
    const auto [place, is_new] = places.try_emplace(needed, joined.size());
    if (needed.empty() || is_new) {
      joined.push_back(std::move(group));
      continue;
    }
    Cases& cases = joined[place->second].cases;
    cases.insert(cases.end(), group.cases.begin(), group.cases.end());
    std::sort(cases.begin() + 1, cases.end());
  }
  return joined;
}

}  // namespace

std::vector<FailureGroup> failure_groups(const RunResult& run) {
  std::map<std::string, Cases> alike;
  std::map<const CaseResult*, std::size_t> places;
  for (const CaseResult& result : run.cases) {
    if (!result.failed() || result.known == Known::failure || result.verdict.faults.empty()) {
      continue;
    }
    places.emplace(&result, places.size());
    alike[kin(result)].push_back(&result);
  }
  const ElementTypes compared = types_compared(run);
  std::vector<FailureGroup> groups;
  for (auto& [key, cases] : alike) {
    std::vector<FailureGroup> some = by_type(std::move(cases), compared);
    std::move(some.begin(), some.end(), std::back_inserter(groups));
  }
  for (auto& [cases] : groups) {
    const auto first = std::ranges::min_element(
        cases,
        [](const CaseResult* one, const CaseResult* other) { return plainer(*one, *other); });
    std::rotate(cases.begin(), first, first + 1);
  }
  const auto before = [&](const FailureGroup& left, const FailureGroup& right) {
    const auto order = [&](const FailureGroup& group) {
      return std::pair(-static_cast<std::ptrdiff_t>(group.cases.size()),
                       places.at(group.cases.front()));
    };
    return order(left) < order(right);
  };
  std::ranges::sort(groups, before);
  groups = by_what_was_before(std::move(groups));
  std::ranges::sort(groups, before);
  return groups;
}

std::vector<const CaseResult*> printed_failures(const RunResult& run, int most) {
  const auto room = static_cast<std::size_t>(std::max(most, 0));
  std::vector<const CaseResult*> firsts, all;
  for (const FailureGroup& group : failure_groups(run)) {
    if (firsts.size() < room) firsts.push_back(group.cases.front());
    all.insert(all.end(), group.cases.begin(), group.cases.end());
  }
  if (all.size() > room) return firsts;
  std::ranges::sort(all);  // cases lie in the order of the run
  return all;
}

std::string some_of(const std::vector<std::string>& words) {
  constexpr std::size_t kShown = 2;
  std::string text;
  for (std::size_t at = 0; at < std::min(words.size(), kShown); ++at) {
    text += (at == 0 ? "" : ", ") + words[at];
  }
  return words.size() > kShown ? fmt::format("{} and {} more", text, words.size() - kShown) : text;
}

std::string others_of(const FailureGroup& group) {
  if (group.cases.size() < 2) return "";
  std::vector<std::string> ids, types;
  for (std::size_t at = 1; at < group.cases.size(); ++at) {
    const Case& one = *group.cases[at]->asked;
    ids.push_back(one.id);
    const std::string type(reshape::name(one.request.data_type));
    if (std::ranges::find(types, type) == types.end()) types.push_back(type);
  }
  return fmt::format("{} more, in {}: {}", ids.size(), some_of(types), some_of(ids));
}

}  // namespace reshape::conformance
