#include "conformance/detection/conditions.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>

#include "conformance/detection/request_traits.h"

namespace reshape::conformance {
namespace {

constexpr std::size_t kFewFailures = 3;     // fewer have anything in common by chance
constexpr std::size_t kMostConditions = 3;  // more would tell any two groups apart
constexpr std::size_t kFewPasses = 5;       // one in so many may have them, or as many as failures
constexpr std::size_t kPassesOfOne = 4;     // and no more than so many for each failure
constexpr std::size_t kExact = 10;          // one pass to so many failures is as exact as it gets

using Cases = std::span<const CaseResult* const>;

// What can be said of nearly all failures, and which passing cases it can be said of.
struct Candidate {
  std::string words;
  std::vector<bool> failures, passes;  // that it can be said of
  double cost = 0;  // in natural logarithms: what is plain to say goes before what fits by chance
};

// Among many failures a few may have another cause, or come about in a way that no words are for.
std::size_t may_be_left_out(std::size_t failures) {
  constexpr std::size_t kOneIn = 20;
  return failures / kOneIn;
}

// A bound that somebody would choose: a small number, or one at a power of two.
bool is_likely_bound(std::uint64_t number) {
  constexpr std::uint64_t kSmall = 8;
  return number <= kSmall || std::has_single_bit(number) || std::has_single_bit(number + 1) ||
         std::has_single_bit(number - 1);
}

std::optional<std::uint64_t> number_in(const std::string& words) {
  const std::size_t at = words.find_first_of("0123456789");
  if (at == std::string::npos) return std::nullopt;
  std::uint64_t number = 0;
  std::from_chars(words.data() + at, words.data() + words.size(), number);
  return number;
}

// Numbers and remainders are many, so that some fit by chance. Where one side does, both need not be named.
double cost_of(const std::string& words) {
  const auto tells = [&](const char* part) { return words.find(part) != std::string::npos; };
  if (tells("multiple")) return 0.5;
  if (tells("either side")) return 0.1;
  const bool bound = tells(" or more") || tells(" or less") || tells(" or fewer") ||
                     tells(" or behind") || tells(" or before") || tells("no pattern value below");
  if (!bound) return 0;
  return is_likely_bound(number_in(words).value_or(0)) ? 0.3 : 1.2;
}

std::vector<Candidate> candidates_of(Cases failures, Cases passes) {
  std::map<std::string, std::vector<bool>> traits;  // by failure
  Ranges ranges(failures.front()->asked->request);
  for (std::size_t at = 0; at < failures.size(); ++at) {
    ranges.widen(failures[at]->asked->request);
    for (const std::string& trait : traits_of(failures[at]->asked->request)) {
      auto [held, added] = traits.try_emplace(trait);
      if (added) held->second.resize(failures.size());
      held->second[at] = true;
    }
  }
  for (const std::string& bound : ranges.all()) traits[bound].assign(failures.size(), true);
  std::vector<Candidate> candidates;
  for (auto& [words, held] : traits) {
    const auto without = static_cast<std::size_t>(std::ranges::count(held, false));
    if (without > may_be_left_out(failures.size())) continue;
    candidates.push_back(
        {words, std::move(held), std::vector<bool>(passes.size()), cost_of(words)});
  }
  for (std::size_t at = 0; at < passes.size(); ++at) {
    std::vector<std::string> held = traits_of(passes[at]->asked->request);
    ranges.add_held(passes[at]->asked->request, held);
    for (Candidate& one : candidates) one.passes[at] = has_trait(held, one.words);
  }
  return candidates;
}

// Cases of one family differ in their types only: together they say as much as one.
std::size_t families_of(Cases failures) {
  std::set<std::tuple<std::vector<std::int64_t>, std::vector<PatternValue>, std::optional<Strides>>>
      families;
  for (const CaseResult* one : failures) {
    const Request& request = one->asked->request;
    families.emplace(std::vector(request.data.sizes().begin(), request.data.sizes().end()),
                     request.pattern.values, request.strides);
  }
  return families.size();
}

using Chosen = std::span<const Candidate* const>;

// How many of so many cases all conditions can be said of.
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

Conditions conditions_of(Cases failures, Cases passes) {
  Conditions none{{}, failures.size(), passes.size()};
  if (failures.size() < kFewFailures || passes.empty()) return none;
  const std::vector<Candidate> candidates = candidates_of(failures, passes);
  const auto families = static_cast<double>(families_of(failures));
  // That so many failures all have one of so many candidates by chance is so unlikely at least.
  const double least_surprise = std::log(5.0 * static_cast<double>(candidates.size()));
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
      // What holds of all goes before what holds of nearly all.
      constexpr double kCostOfOthers = 10;
      const double worth =
          std::log((before + 1) / (after + 1)) - one.cost -
          kCostOfOthers * static_cast<double>(without) / static_cast<double>(failures.size());
      const double surprise = families * std::log((before + families) / (after + families));
      // A condition that hardly narrows is chance, and where one has been found, one that does not halve.
      const bool narrows = chosen.empty() ? with * 4 <= left * 3 : with * 2 <= left;
      if (worth <= most || surprise < least_surprise || !narrows) continue;
      best = &one;
      most = worth;
      fewest = with;
    }
    if (best == nullptr) break;
    chosen.push_back(best);
    left = fewest;
  }
  // What a later condition says as well goes.
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
  if (!of_few || left > kPassesOfOne * failures.size()) return none;
  Conditions found{{}, with_all(chosen, &Candidate::failures, failures.size()), left};
  for (const Candidate* one : chosen) found.where.push_back(one->words);
  return found;
}

}  // namespace reshape::conformance
