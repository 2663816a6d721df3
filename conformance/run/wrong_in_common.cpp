#include "conformance/run/wrong_in_common.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

namespace reshape::conformance {
namespace {

constexpr std::size_t kFewFailures = 3;  // fewer may have things in common by coincidence
constexpr std::size_t kOneIn = 20;       // one in this many may be an exception

using Wrongs = std::vector<const WrongElements*>;
using Facts = std::vector<ElementFact>;

bool has(const Facts& facts, const std::string& says) {
  return std::ranges::any_of(facts, [&](const auto& fact) { return fact.says == says; });
}

// The order among equally telling facts: those without a block first, then the largest block, which
// "what is left behind the last full 4096 bytes" names.
long order_of_block(std::string_view says) {
  constexpr std::string_view kBefore = "what is left behind the last full ", kBehind = " bytes";
  if (!says.starts_with(kBefore) || !says.ends_with(kBehind)) {
    return std::numeric_limits<long>::min();
  }
  return -std::strtol(std::string(says.substr(kBefore.size())).c_str(), nullptr, 10);
}

// The most telling fact that is true of nearly all; empty where there is none.
std::string most_telling(const std::vector<const Facts*>& all) {
  struct Said {
    std::size_t times = 0;
    std::size_t by_themselves = 0;
    double share = 0;  // the largest of these
  };
  std::map<std::string, Said> said;
  for (const Facts* facts : all) {
    std::map<std::string, const ElementFact*> own;  // a fact may be found in two ways
    for (const ElementFact& fact : *facts) own.emplace(fact.says, &fact);
    for (const auto& [says, fact] : own) {
      Said& one = said[says];
      ++one.times;
      one.by_themselves += fact->by_itself;
      if (fact->by_itself) one.share = std::max(one.share, fact->share);
    }
  }
  std::erase_if(said, [&](const auto& one) {
    return all.size() - one.second.times > all.size() / kOneIn ||
           one.second.by_themselves < kFewFailures;
  });
  // Each exception makes a fact less telling.
  const auto rank = [&](const auto& one) {
    return one.second.share +
           static_cast<double>(all.size() - one.second.times) / static_cast<double>(all.size());
  };
  // Of several block sizes that explain all failures, the largest is chosen: smaller ones would
  // also leave tails in other cases.
  const auto least = std::ranges::min_element(
      said, {}, [&](const auto& one) { return std::pair(rank(one), order_of_block(one.first)); });
  return least == said.end() ? "" : least->first;
}

// The failures whose elements were looked at; empty if there are too few.
Wrongs looked_at(std::span<const CaseResult* const> failures) {
  Wrongs all;
  for (const CaseResult* one : failures) {
    const bool about_elements = one->verdict.faults.front().watch == CaughtBy::bytes;
    if (one->wrong && about_elements) all.push_back(&*one->wrong);
  }
  return all.size() < kFewFailures ? Wrongs() : all;
}

std::vector<const Facts*> facts_of(const Wrongs& all, Facts WrongElements::* kind) {
  std::vector<const Facts*> facts;
  for (const WrongElements* one : all) facts.push_back(&(one->*kind));
  return facts;
}

// Followed by " (61 of 64)" where there are exceptions.
std::string with_times(std::string says, std::ptrdiff_t so, std::size_t all) {
  if (says.empty() || static_cast<std::size_t>(so) == all) return says;
  return says + " (" + std::to_string(so) + " of " + std::to_string(all) + ")";
}

}  // namespace

std::string wrong_values_in_common(std::span<const CaseResult* const> failures) {
  return most_telling(facts_of(looked_at(failures), &WrongElements::values));
}

std::string wrong_elements_in_common(std::span<const CaseResult* const> failures) {
  const Wrongs all = looked_at(failures);
  const std::string places = most_telling(facts_of(all, &WrongElements::places));
  const std::string values = most_telling(facts_of(all, &WrongElements::values));
  const auto so = std::ranges::count_if(all, [&](const auto* wrong) {
    return (places.empty() || has(wrong->places, places)) &&
           (values.empty() || has(wrong->values, values));
  });
  return with_times(text_of_wrong(places, values), so, all.size());
}

bool is_about_sizes(const Fault& fault) {
  return fault.watch == CaughtBy::shape || !negative_sizes(fault.answered).empty();
}

std::string wrong_shapes_in_common(std::span<const CaseResult* const> failures) {
  std::vector<const Facts*> all;
  for (const CaseResult* one : failures) {
    if (one->wrong_shape && is_about_sizes(one->verdict.faults.front())) {
      all.push_back(&one->wrong_shape->facts);
    }
  }
  if (all.size() < kFewFailures) return "";
  const std::string says = most_telling(all);
  const auto so = std::ranges::count_if(all, [&](const Facts* one) { return has(*one, says); });
  return with_times(says, so, all.size());
}

void say_what_most_shapes_share(std::span<CaseResult> cases) {
  std::map<std::string, std::vector<CaseResult*>> alike;
  for (CaseResult& one : cases) {
    if (!one.wrong_shape || one.verdict.faults.empty()) continue;
    const Fault& fault = one.verdict.faults.front();
    if (is_about_sizes(fault)) alike[fault.broken()].push_back(&one);
  }
  for (const auto& [broken, failures] : alike) {
    if (failures.size() < kFewFailures) continue;
    std::string common =
        wrong_shapes_in_common(std::vector<const CaseResult*>(failures.begin(), failures.end()));
    common.resize(std::min(common.size(), common.find(" (")));
    std::map<std::string, std::size_t> times;
    for (const CaseResult* one : failures) {
      std::set<std::string> own;
      for (const ElementFact& fact : one->wrong_shape->facts) own.insert(fact.says);
      for (const std::string& says : own) ++times[says];
    }
    for (CaseResult* one : failures) {
      const Facts& facts = one->wrong_shape->facts;
      const auto told = std::ranges::min_element(facts, {}, &ElementFact::share);
      if (told == facts.end()) continue;
      const std::size_t so = times[told->says];
      if (so >= kFewFailures || 2 * so >= failures.size()) continue;
      one->wrong_shape->says = has(facts, common) ? common : "";
    }
  }
}

std::string wrong_in_common(std::span<const CaseResult* const> failures) {
  const std::string elements = wrong_elements_in_common(failures);
  return elements.empty() ? wrong_shapes_in_common(failures) : elements;
}

}  // namespace reshape::conformance
