#include "conformance/detection/tier.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <sstream>

#include "conformance/property/law.h"

namespace reshape::conformance {

// Made from quick_tier.txt by the build.
extern const char* const kQuickTierText;

const Tier& quick_tier() {
  // A quick tier that does not parse is a broken build, which the tests show.
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
      return Error{"a line of a tier is \"case ID\" or \"law NAME\"", where};
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

Result<std::vector<const Case*>> cases_of(const Tier& tier, const Suite& suite) {
  std::set<std::string> wanted(tier.cases.begin(), tier.cases.end());
  std::vector<const Case*> cases;
  for (const Document& document : suite.documents) {
    // Only documents of which the tier names a case: those of others need not be made.
    const auto first = wanted.lower_bound(document.dialect.name + '/');
    if (first == wanted.end() || !first->starts_with(document.dialect.name + '/')) continue;
    for (const Case& one : document.cases) {
      if (wanted.erase(one.id) == 1) cases.push_back(&one);
    }
  }
  if (!wanted.empty()) return Error{"the suite has no such case", *wanted.begin()};
  return cases;
}

}  // namespace reshape::conformance
