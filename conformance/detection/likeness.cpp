#include "conformance/detection/likeness.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "conformance/detection/object_seen.h"
#include "conformance/detection/request_traits.h"

namespace reshape::conformance {
namespace {

constexpr std::size_t kMostCauses = 3;
constexpr std::size_t kMostTraits = 2;   // more would explain anything
constexpr double kLeastSurprise = 0.01;  // a lower probability is no coincidence
constexpr double kNoSurprise = 0.5;
constexpr int kErrorsAllowed = 20;  // one error for this many explained failures

// Whether both accept the same outputs of another shape, if one was accepted.
bool same_others(const Execution& one, const Execution& other) {
  const bool taken = one.probe.asks_another_shape() && one.status == Status::ok;
  return !taken || one.message == other.message;
}

const Execution* find(const Outcome& outcome, const Probe& probe) {
  const auto found = std::ranges::find(outcome.executions, probe, &Execution::probe);
  return found == outcome.executions.end() ? nullptr : &*found;
}

// What is malformed, or how it died, in our words: without the implementation's words behind the
// colon, and without numbers, which vary. Of a crash also whether it was the stack or null.
std::string what_broke(const Outcome& outcome) {
  const std::size_t colon = outcome.message.find(": ");
  std::string words = without_numbers(outcome.message.substr(0, outcome.message.find(':')));
  if (outcome.kind != Outcome::Kind::crashed || colon == std::string::npos) return words;
  const std::string_view behind = std::string_view(outcome.message).substr(colon);
  if (behind.starts_with(": the stack overflowed")) words += ": the stack overflowed";
  const std::string_view access = behind.substr(0, behind.find(';'));
  if (access.ends_with(" through a null pointer")) words += access;
  return words;
}

// "element 3 is 0x5a, 2 of 9 differ" without the value.
std::string places_of(const std::string& answered) {
  const std::size_t value = std::min(answered.find(" is "), answered.find(" holds "));
  const std::size_t behind = answered.rfind(", ");
  if (value == std::string::npos || behind == std::string::npos || behind < value) return answered;
  return answered.substr(0, value) + answered.substr(behind);
}

// What is wrong, without what may be chance in it.
std::set<std::string> ways_of(const Verdict& verdict) {
  std::set<std::string> ways;
  for (const Fault& fault : verdict.faults) {
    std::string way = std::string(name(fault.plane)) + fault.broken() + name(fault.watch);
    if (fault.watch == CaughtBy::bytes) way += places_of(fault.answered);
    ways.insert(std::move(way));
  }
  return ways;
}

// How well a mistake explains the remaining failures.
struct Fit {
  const Mistake* mistake = nullptr;
  std::vector<std::size_t> covered;
  std::vector<std::string> where;
  int failing = 0;    // remaining failures that have the traits of `where`
  int passing = 0;    // passes with these traits that were asked
  int otherwise = 0;  // failures answered wrongly in another way
  int beyond = 0;     // passes answered wrongly
  int about = 0;      // covered failures that are about what the mistake breaks
  int missed = 0;     // failures about what covered ones are about, answered rightly

  int explained() const { return static_cast<int>(covered.size()); }
  int errors() const { return otherwise + beyond; }
  // Whether the implementation makes a wider mistake.
  bool too_narrow() const {
    return (missed + mistake->missed_beside) * kErrorsAllowed > explained() + mistake->same_beside;
  }
  // An error outweighs two explained failures, and each trait costs a little. Mistakes that break
  // the very clause that the failures are about are preferred.
  double score() const {
    return explained() - 2.0 * errors() - 0.25 * static_cast<double>(where.size()) +
           (2 * about > explained() ? 0.1 * explained() + 0.5 : 0.0);
  }
};

class Causes {
 public:
  Causes(std::span<const Compared> failures, std::span<const Compared> passes,
         std::span<const Mistake> mistakes)
      : failures_(failures), passes_(passes), mistakes_(mistakes), left_(failures.size()) {
    std::iota(left_.begin(), left_.end(), std::size_t{0});
  }

  std::vector<Diagnosis::Cause> take() && {
    std::vector<Diagnosis::Cause> causes;
    while (causes.size() < kMostCauses && !left_.empty()) {
      const std::optional<Fit> fit = best();
      if (!fit) break;
      causes.push_back(told(*fit));
      std::erase_if(left_,
                    [&](std::size_t at) { return std::ranges::binary_search(fit->covered, at); });
    }
    return causes;
  }

 private:
  void count(Fit& fit) const {
    fit.failing = fit.passing = fit.otherwise = fit.beyond = 0;
    for (const std::size_t at : left_) {
      if (!has_traits(failures_[at].traits, fit.where)) continue;
      ++fit.failing;
      fit.otherwise += fit.mistake->failures[at] == Answer::otherwise;
    }
    for (std::size_t at = 0; at < passes_.size(); ++at) {
      if (fit.mistake->passes[at] == Answer::not_asked) continue;
      if (!has_traits(passes_[at].traits, fit.where)) continue;
      ++fit.passing;
      fit.beyond += fit.mistake->passes[at] != Answer::right;
    }
  }

  // Few failures have in common what most requests have.
  bool shared_by_chance(const std::string& trait, std::size_t failures) const {
    constexpr double kMost = 0.1;
    const auto with = std::ranges::count_if(
        passes_, [&](const Compared& one) { return has_trait(one.traits, trait); });
    const double share = static_cast<double>(with) / static_cast<double>(passes_.size());
    return std::pow(share, static_cast<double>(failures)) > kMost;
  }

  // A mutant that fails more than the implementation may still have the same mistake, if the
  // implementation makes it only for requests with a certain trait. Adds the trait that leaves the
  // fewest errors, while that helps; of equal ones the trait with more agreeing passes.
  void narrow(Fit& fit) const {
    std::vector<std::string> common = failures_[fit.covered.front()].traits;
    for (const std::size_t at : fit.covered) common = common_traits(common, failures_[at].traits);
    for (const auto& traits : fit.mistake->beside) common = common_traits(common, traits);
    std::erase_if(common, [&](const std::string& trait) {
      return shared_by_chance(trait, fit.covered.size());
    });
    while (fit.errors() > 0 && fit.where.size() < kMostTraits) {
      Fit narrowest = fit;
      for (const std::string& trait : common) {
        Fit tried = fit;
        tried.where.push_back(trait);
        count(tried);
        const bool wider = tried.errors() == narrowest.errors() && tried.errors() < fit.errors() &&
                           tried.passing > narrowest.passing;
        if (wider || tried.errors() < narrowest.errors()) narrowest = std::move(tried);
      }
      if (narrowest.where.size() == fit.where.size()) return;
      fit = std::move(narrowest);
    }
  }

  Fit fit_of(const Mistake& mistake) const {
    Fit fit;
    fit.mistake = &mistake;
    for (const std::size_t at : left_) {
      if (mistake.failures[at] != Answer::same) continue;
      fit.covered.push_back(at);
      fit.about += std::ranges::count(failures_[at].broken, mistake.breaks) > 0;
    }
    if (fit.covered.empty()) return fit;
    std::set<std::string> subjects;
    for (const std::size_t at : fit.covered) subjects.insert(failures_[at].subject);
    subjects.erase("");
    fit.missed = static_cast<int>(std::ranges::count_if(left_, [&](std::size_t at) {
      return mistake.failures[at] == Answer::right && subjects.contains(failures_[at].subject);
    }));
    count(fit);
    narrow(fit);
    return fit;
  }

  // Corrects the probability for the number of mistakes and traits tried.
  double chance(const Fit& fit) const {
    constexpr double kTraitsTried = 50;
    const double once = chance_of(fit.explained(), fit.failing, fit.beyond, fit.passing);
    const double tried = static_cast<double>(mistakes_.size()) *
                         std::pow(kTraitsTried, static_cast<double>(fit.where.size()));
    return std::min(1.0, once * tried);
  }

  // With few failures the probability is never low; then the same wrong answer to all of them is
  // enough.
  bool believable(const Fit& fit) const {
    if (fit.covered.empty() || fit.errors() * kErrorsAllowed > fit.explained()) return false;
    if (fit.too_narrow()) return false;
    // As many traits cut a few of the failures out wherever something else lies behind all of them.
    const bool of_few = 2 * fit.covered.size() < failures_.size();
    if (of_few && fit.where.size() == kMostTraits) return false;
    const double by_chance = chance(fit);
    if (by_chance < kLeastSurprise) return true;
    // Too likely a coincidence.
    if (by_chance >= kNoSurprise) return false;
    return fit.where.empty() && fit.explained() == static_cast<int>(left_.size());
  }

  std::optional<Fit> best() const {
    std::vector<Fit> fits;
    for (const Mistake& mistake : mistakes_) {
      Fit fit = fit_of(mistake);
      if (believable(fit)) fits.push_back(std::move(fit));
    }
    const auto first = std::ranges::max_element(fits, {}, &Fit::score);
    if (first == fits.end()) return std::nullopt;
    // If two mistakes that break different things explain the failures equally well, neither is
    // named.
    const double margin = std::max(0.25, 0.05 * first->explained());
    for (const Fit& other : fits) {
      if (other.mistake->breaks != first->mistake->breaks &&
          other.score() > first->score() - margin) {
        return std::nullopt;
      }
    }
    return *first;
  }

  Diagnosis::Cause told(const Fit& fit) const {
    const Mistake& mistake = *fit.mistake;
    return {mistake.mutant,  mistake.says,  mistake.breaks, mistake.public_bug, fit.where,
            fit.explained(), fit.otherwise, fit.beyond,     fit.passing,        chance(fit)};
  }

  std::span<const Compared> failures_;
  std::span<const Compared> passes_;
  std::span<const Mistake> mistakes_;
  std::vector<std::size_t> left_;
};

}  // namespace

bool same_answer(const Outcome& one, const Outcome& other) {
  if (one.kind != other.kind || one.during != other.during) return false;
  if (one.kind == Outcome::Kind::produced && one.shape != other.shape) return false;
  const bool broke = one.kind == Outcome::Kind::malformed || one.kind == Outcome::Kind::crashed;
  if (broke && what_broke(one) != what_broke(other)) return false;
  if (!saw_the_same(one.observations, other.observations)) return false;
  // Only executions that both have are compared: their number depends on the capabilities.
  // Executions with a wrong volume are ignored: what they do is a second mistake, independent of
  // the wrong shape.
  return std::all_of(one.executions.begin(), one.executions.end(), [&](const Execution& a) {
    if (a.probe.ask == Probe::Ask::wrong_volume) return true;
    const Execution* b = find(other, a.probe);
    return b == nullptr || (a.status == b->status && same_elements(a, *b) && same_others(a, *b) &&
                            saw_the_same(a.observations, b->observations));
  });
}

bool wrong_alike(const Verdict& one, const Outcome& answered, const Verdict& other,
                 const Outcome& answered_then) {
  if (answered.kind != answered_then.kind || answered.shape != answered_then.shape) return false;
  return ways_of(one) == ways_of(other);
}

bool tells_little(const Outcome& outcome) {
  return std::ranges::any_of(outcome.executions, [](const Execution& one) {
    return one.probe.asks_another_shape() && one.status == Status::ok && !one.message.empty() &&
           one.message.find("other sizes") == std::string::npos;
  });
}

bool hangs_on_earlier_requests(const CaseResult& failed, const Verdict& again) {
  const auto changes = [](const Verdict& verdict) {
    return !verdict.faults.empty() && verdict.faults.front().watch == CaughtBy::same_answer;
  };
  if (failed.replays.how == Replays::How::after) return true;
  return changes(failed.verdict) && !changes(again);
}

bool reaches_fault(const Verdict& verdict, const Outcome& other) {
  if (verdict.faults.empty() || verdict.faults.front().probe.empty()) return true;
  const std::string& probe = verdict.faults.front().probe;
  return probe == other.during ||
         std::any_of(other.executions.begin(), other.executions.end(),
                     [&](const Execution& one) { return text(one.probe) == probe; });
}

bool multiplies_beyond_64_bits(const Request& request) {
  const std::vector<PatternValue>& values = request.pattern.values;
  std::vector<std::int64_t> asked;
  for (std::size_t at = 0; at < values.size(); ++at) {
    if (values[at] > INT64_MAX) return true;
    const bool copies = values[at] == 0 && at < request.data.rank() && request.data[at] > 0;
    if (values[at] > 0) asked.push_back(static_cast<std::int64_t>(values[at]));
    if (copies) asked.push_back(request.data[at]);
  }
  return !element_count(Shape(asked)).has_value() || !element_count(request.data).has_value();
}

std::vector<Diagnosis::Cause> causes_of(std::span<const Compared> failures,
                                        std::span<const Compared> passes,
                                        std::span<const Mistake> mistakes) {
  return Causes(failures, passes, mistakes).take();
}

double chance_of(int hit_failing, int failing, int hit_passing, int passing) {
  const int all = failing + passing;
  const int hit = hit_failing + hit_passing;
  const auto ways = [](int of, int some) {
    return std::lgamma(of + 1.0) - std::lgamma(some + 1.0) - std::lgamma(of - some + 1.0);
  };
  double sum = 0;
  for (int at = hit_failing; at <= std::min(failing, hit); ++at) {
    if (hit - at > passing) continue;
    sum += std::exp(ways(failing, at) + ways(passing, hit - at) - ways(all, hit));
  }
  return std::min(sum, 1.0);
}

}  // namespace reshape::conformance
