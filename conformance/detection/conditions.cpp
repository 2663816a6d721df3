#include "conformance/detection/conditions.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>

namespace reshape::conformance {
namespace {

constexpr std::size_t kFewFailures = 3;     // fewer may have something in common by coincidence
constexpr std::size_t kMostConditions = 3;  // more would separate any two groups
constexpr std::size_t kFewPasses = 5;       // one pass in this many may meet them
constexpr std::size_t kPassesOfOne = 4;     // at most this many passes for each failure
constexpr std::size_t kExact = 10;          // one pass for this many failures counts as exact

using Requests = std::span<const Request* const>;

// A condition that nearly all failures meet, and the passing cases that meet it too.
struct Candidate {
  std::string words;
  std::vector<bool> failures, passes;  // which of them meet it
  double cost = 0;                     // of the trait
  std::optional<Bound> bound = {};     // where it is one

  bool holds(const std::vector<std::string>& traits, const Measures& measures) const {
    return bound ? bound->holds(measures) : has_trait(traits, words);
  }
};

// How many failures may miss the conditions: among many, a few may have another cause.
std::size_t may_be_left_out(std::size_t failures) {
  constexpr std::size_t kOneIn = 20;
  return failures / kOneIn;
}

// What was tried: all traits of any of the requests, and all bounds, of which the candidates are
// those that nearly all failures meet.
struct Tried {
  std::vector<Candidate> candidates;
  std::size_t count = 0;
};

Tried candidates_of(Requests failures, Requests passes, KnownTraits& known) {
  std::map<int, std::vector<bool>> traits;  // by failure
  Ranges ranges(known.of(*failures.front()).measures);
  for (std::size_t at = 0; at < failures.size(); ++at) {
    const KnownTraits::Of& of = known.of(*failures[at]);
    ranges.widen(of.measures);
    for (const int trait : of.traits) {
      auto [held, added] = traits.try_emplace(trait);
      if (added) held->second.resize(failures.size());
      held->second[at] = true;
    }
  }
  // Ordered by their words, so that the result does not depend on the order of the requests.
  std::map<std::string, Candidate> candidates;
  const auto add = [&](const Trait& trait, std::vector<bool> held, auto holds,
                       std::optional<Bound> bound = {}) {
    std::vector<bool> of_passes(passes.size());
    for (std::size_t at = 0; at < passes.size(); ++at) of_passes[at] = holds(known.of(*passes[at]));
    candidates.try_emplace(trait.says, Candidate{trait.says, std::move(held), std::move(of_passes),
                                                 trait.cost, std::move(bound)});
  };
  for (auto& [trait, held] : traits) {
    const auto without = static_cast<std::size_t>(std::ranges::count(held, false));
    if (without > may_be_left_out(failures.size())) continue;
    add(known.trait(trait), std::move(held),
        [&](const KnownTraits::Of& of) { return std::ranges::binary_search(of.traits, trait); });
  }
  for (const Bound& bound : ranges.bounds()) {
    add(
        bound.trait, std::vector<bool>(failures.size(), true),
        [&](const KnownTraits::Of& of) { return bound.holds(of.measures); }, bound);
  }
  Tried all;
  std::set<int> tried;
  for (const Requests group : {failures, passes}) {
    for (const Request* one : group) {
      const std::vector<int>& has = known.of(*one).traits;
      tried.insert(has.begin(), has.end());
    }
  }
  all.count = tried.size() + ranges.bounds().size();
  for (auto& [says, candidate] : candidates) all.candidates.push_back(std::move(candidate));
  return all;
}

using Chosen = std::span<const Candidate* const>;

// How many of the `cases` cases meet all conditions.
std::size_t with_all(Chosen conditions, std::vector<bool> Candidate::* held, std::size_t cases) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < cases; ++at) {
    count += std::ranges::all_of(conditions,
                                 [&](const Candidate* one) -> bool { return (one->*held)[at]; });
  }
  return count;
}

std::size_t passes_with(Chosen conditions, std::size_t passes) {
  return with_all(conditions, &Candidate::passes, passes);
}

}  // namespace

Tendency tendency_of(Requests failures, Requests passes, KnownTraits& known) {
  constexpr std::size_t kFewest = 12;            // fewer may have it by coincidence
  constexpr double kMost = 0.6, kTimesMore = 3;  // of the failures; than of the passing ones
  constexpr double kMostCost = 0.2;              // specific traits have a tendency by chance
  // Few passing cases beside many that fail are of a kind of their own.
  constexpr std::size_t kFewBeside = 4;
  if (failures.size() < kFewest || passes.size() < kFewest ||
      passes.size() * kFewBeside < failures.size()) {
    return {};
  }
  std::map<int, std::pair<std::size_t, std::size_t>> counts;
  for (const Request* one : failures) {
    for (const int trait : known.of(*one).traits) ++counts[trait].first;
  }
  for (const Request* one : passes) {
    for (const int trait : known.of(*one).traits) ++counts[trait].second;
  }
  Tendency best;
  double most = 0;
  for (const auto& [number, count] : counts) {
    const double fail = static_cast<double>(count.first) / static_cast<double>(failures.size());
    const double pass = static_cast<double>(count.second) / static_cast<double>(passes.size());
    if (fail < kMost || fail < kTimesMore * pass) continue;
    if (known.trait(number).cost > kMostCost) continue;
    // How much it tells of one request whether it fails, of which half do.
    const auto part = [](double share, double both) {
      return share == 0 ? 0 : share / 2 * std::log(share / both);
    };
    const double with = (fail + pass) / 2, without = 1 - with;
    const double tells =
        part(fail, with) + part(pass, with) + part(1 - fail, without) + part(1 - pass, without);
    if (tells <= most) continue;
    most = tells;
    best = {known.trait(number).says, count.first, count.second};
  }
  return best;
}

std::size_t families_of(Requests failures) {
  std::set<std::tuple<std::vector<std::int64_t>, std::vector<PatternValue>, std::optional<Strides>>>
      families;
  for (const Request* one : failures) {
    families.emplace(std::vector(one->data.sizes().begin(), one->data.sizes().end()),
                     one->pattern.values, one->strides);
  }
  return families.size();
}

std::function<bool(const Request&)> all_hold(
    std::function<std::vector<bool>(const Request&)> each) {
  return [each = std::move(each)](const Request& request) {
    const std::vector<bool> has = each(request);
    return std::ranges::find(has, false) == has.end();
  };
}

Conditions conditions_of(Requests failures, Requests passes, KnownTraits& known) {
  Conditions none{{}, failures.size(), passes.size()};
  if (failures.size() < kFewFailures || passes.empty()) return none;
  const auto [candidates, tried] = candidates_of(failures, passes, known);
  const auto families = static_cast<double>(families_of(failures));
  // A condition must be so unlikely a coincidence for all failures, given how many were tried.
  const double least_surprise = std::log(2.0 * static_cast<double>(tried));
  std::vector<const Candidate*> chosen;
  std::size_t left = passes.size();
  while (chosen.size() < kMostConditions && left * kExact > failures.size()) {
    const Candidate* best = nullptr;
    double most = 0;
    std::size_t fewest = left;
    for (const Candidate& one : candidates) {
      chosen.push_back(&one);
      const std::size_t with = passes_with(chosen, passes.size());
      const std::size_t without =
          failures.size() - with_all(chosen, &Candidate::failures, failures.size());
      chosen.pop_back();
      if (without > may_be_left_out(failures.size())) continue;
      const auto before = static_cast<double>(left), after = static_cast<double>(with);
      // Conditions that all failures meet are preferred to those that nearly all meet.
      constexpr double kCostOfOthers = 50;
      const double worth =
          std::log((before + 1) / (after + 1)) - one.cost -
          kCostOfOthers * static_cast<double>(without) / static_cast<double>(failures.size());
      const double surprise = families * std::log((before + families) / (after + families));
      // The first condition must exclude a quarter of the passes, and each further one a third of
      // the rest.
      const bool narrows = chosen.empty() ? with * 4 <= left * 3 : with * 3 <= left * 2;
      if (worth <= most || surprise < least_surprise || !narrows) continue;
      best = &one;
      most = worth;
      fewest = with;
    }
    if (best == nullptr) break;
    chosen.push_back(best);
    left = fewest;
  }
  // Drops conditions that became redundant by later ones.
  for (std::size_t at = 0; chosen.size() > 1 && at < chosen.size();) {
    std::vector<const Candidate*> rest = chosen;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(at));
    if (passes_with(rest, passes.size()) > left + left / 10) {
      ++at;
    } else {
      chosen = std::move(rest);
    }
  }
  left = passes_with(chosen, passes.size());
  const bool of_few = left * kFewPasses <= passes.size() || left <= failures.size();
  // What half of the passes have tells nothing, however many fail.
  if (!of_few || left > kPassesOfOne * failures.size() || 2 * left >= passes.size()) return none;
  Conditions found{{}, with_all(chosen, &Candidate::failures, failures.size()), left};
  std::vector<Candidate> all;
  for (const Candidate* one : chosen) {
    found.where.push_back(one->words);
    all.push_back({one->words, {}, {}, 0, one->bound});
  }
  if (all.empty()) return found;
  found.each = [all](const Request& request) {
    std::vector<std::string> traits;
    for (Trait& trait : traits_of(request)) traits.push_back(std::move(trait.says));
    const Measures measures = measures_of(request);
    std::vector<bool> has;
    for (const Candidate& one : all) has.push_back(one.holds(traits, measures));
    return has;
  };
  found.hold = all_hold(found.each);
  return found;
}

}  // namespace reshape::conformance
