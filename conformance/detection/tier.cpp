#include "conformance/detection/tier.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>
#include <tuple>
#include <utility>

#include "conformance/model/judge.h"
#include "conformance/property/law.h"
#include "conformance/run/runner.h"
#include "conformance/run/selection.h"
#include "conformance/text/stable_hash.h"

namespace reshape::conformance {

// Generated from quick_tier.txt by the build.
extern const char* const kQuickTierText;

namespace {

// The number of cases for each clause and way: a mistake may miss one case, but hardly three.
constexpr int kTimes = 3;

// The tier's names by stem; a stem that occurs in several types has an entry for each.
std::map<std::string_view, std::vector<std::string_view>> by_stem(const Tier& tier) {
  std::map<std::string_view, std::vector<std::string_view>> names;
  for (const std::string& name : tier.cases) names[stem(name)].push_back(name);
  return names;
}

// The cases that the tier names; where a type is not supported, the first case with the same stem.
std::set<const Case*> named(const Tier& tier, std::span<const Case* const> able) {
  const auto wanted = by_stem(tier);
  std::map<std::string_view, const Case*> found;
  std::map<std::string_view, const Case*> kin;
  for (const Case* one : able) {
    const auto names = wanted.find(stem(one->name()));
    if (names == wanted.end()) continue;
    kin.emplace(names->first, one);
    found.emplace(one->name(), one);
  }
  std::set<const Case*> chosen;
  for (const auto& [root, names] : wanted) {
    for (const std::string_view name : names) {
      const auto as_named = found.find(name);
      const auto other = kin.find(root);
      if (as_named != found.end()) {
        chosen.insert(as_named->second);
      } else if (other != kin.end()) {
        chosen.insert(other->second);
      }
    }
  }
  return chosen;
}

// The way in which a case covers a clause: its answer names the clause, or keeps it.
using Way = std::pair<std::string_view, Ruling::Kind>;
Way way_of(const std::string& clause, const Case& one) {
  return {clause, clause == one.expect.clause ? one.expect.kind : Ruling::Kind::produces};
}

void add_for_clauses(std::span<const Case* const> able, std::set<const Case*>& chosen) {
  std::map<Way, int> times;
  for (const Case* one : chosen) {
    for (const std::string& clause : one->clauses) ++times[way_of(clause, *one)];
  }
  for (const Case* one : able) {
    if (one->once || chosen.contains(one)) continue;
    const bool wanted = std::ranges::any_of(one->clauses, [&](const std::string& clause) {
      return times[way_of(clause, *one)] < kTimes;
    });
    if (!wanted) continue;
    chosen.insert(one);
    for (const std::string& clause : one->clauses) ++times[way_of(clause, *one)];
  }
}

bool small(const Request& request) {
  constexpr std::int64_t kFewBytes = std::int64_t{1} << 16, kFewElements = 64;
  const std::optional<std::int64_t> bytes = data_bytes(request);
  const std::optional<std::int64_t> count = element_count(request.data);
  // What lies between few elements is not touched.
  return request.shape_only || (bytes && *bytes <= kFewBytes) || (count && *count <= kFewElements);
}

// A line of the suite in one type of the pattern, with one of its answers: sizes that do not fit the
// type, values that wrap in it and signs that it does not have are mistakes of that type alone, and
// what one document refuses another may answer.
using Line = std::tuple<std::string_view, ElementType, Ruling::Kind, std::string_view>;
Line line_of(const Case& one) {
  return {stem(one.name()), one.request.pattern.type, one.expect.kind, one.expect.clause};
}

// Adds a case for each line of the suite without one, so that every line is asked whether or not a
// mutant needs it. The line's name decides the dialect and type, so that a new line does not change
// those of others.
void add_of_each_line(std::span<const Case* const> able, std::set<const Case*>& chosen) {
  std::set<Line> asked;
  for (const Case* one : chosen) asked.insert(line_of(*one));
  std::map<Line, std::vector<const Case*>> lines;
  for (const Case* one : able) {
    if (!asked.contains(line_of(*one)) && small(one->request)) lines[line_of(*one)].push_back(one);
  }
  for (const auto& [line, kin] : lines) {
    chosen.insert(kin[stable_hash(std::get<0>(line)) % kin.size()]);
  }
}

}  // namespace

const Tier& quick_tier() {
  // The embedded quick tier always parses; a test checks that.
  static const Tier tier = parse_tier(kQuickTierText, "quick_tier.txt").value();
  return tier;
}

Result<Tier> parse_tier(const std::string& text, const std::string& file) {
  Tier tier;
  std::istringstream lines(text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    if (line.empty() || line[0] == '#') continue;
    const std::string where = file + ":" + std::to_string(number);
    if (line.starts_with("case ")) {
      tier.cases.push_back(line.substr(5));
    } else if (line.starts_with("law ")) {
      tier.laws.push_back(line.substr(4));
      if (law_named(tier.laws.back()) == nullptr) {
        return Error{"there is no law \"" + tier.laws.back() + "\"", where};
      }
    } else {
      return Error{"a line of a tier is \"case NAME\" or \"law NAME\"", where};
    }
  }
  return tier;
}

std::string text(const Tier& tier) {
  std::string lines;
  for (const std::string& id : tier.cases) lines += "case " + id + "\n";
  for (const std::string& name : tier.laws) lines += "law " + name + "\n";
  return lines;
}

std::vector<const Case*> cases_of(const Tier& tier, std::span<const Case* const> cases,
                                  const Capabilities* capabilities) {
  std::set<const Case*> chosen;
  std::vector<const Case*> all_able;
  for (std::size_t from = 0; from < cases.size();) {
    const std::string_view dialect = cases[from]->request.dialect;
    std::vector<const Case*> able;
    for (; from < cases.size() && cases[from]->request.dialect == dialect; ++from) {
      if (capabilities == nullptr ||
          !why_unsupported(cases[from]->request, expectation_of(*cases[from]), *capabilities)) {
        able.push_back(cases[from]);
      }
    }
    std::set<const Case*> of_dialect = named(tier, able);
    add_for_clauses(able, of_dialect);
    chosen.insert(of_dialect.begin(), of_dialect.end());
    all_able.insert(all_able.end(), able.begin(), able.end());
  }
  add_of_each_line(all_able, chosen);
  std::erase_if(all_able, [&](const Case* one) { return !chosen.contains(one); });
  ask_once(all_able);
  return all_able;
}

}  // namespace reshape::conformance
