#include "conformance/detection/neighbourhood.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "conformance/detection/conditions.h"
#include "conformance/detection/judged.h"
#include "conformance/detection/known_traits.h"
#include "conformance/model/judge.h"
#include "conformance/property/generated_cases.h"
#include "conformance/property/neighbours.h"
#include "conformance/run/runner.h"
#include "conformance/text/line.h"

namespace reshape::conformance {
namespace {

constexpr int kMostAsked = 400;
constexpr std::size_t kMostFailing = 80;
constexpr int kOneIn = 20;  // as many as conditions leave out of many
constexpr std::size_t kMostFailures = 500, kMostPasses = 3000;  // of the run

// Asks around a failure, and keeps what was asked.
class Walk {
 public:
  Walk(const Suite& suite, const Diagnosis::Finding& finding, const CaseResult& failing,
       Adapter& adapter, std::chrono::steady_clock::time_point end)
      : dialect_(suite.document(failing.asked->request.dialect)->dialect),
        adapter_(adapter),
        abilities_(abilities_of(adapter.capabilities())),
        finding_(finding),
        fault_(failing.verdict.faults.front()),
        end_(end),
        seen_{print_line(failing.asked->request)} {
    const Outcome again = adapter.ask(failing.asked->request);
    const Expectation right = expectation_of(*failing.asked);
    const Verdict verdict = judge(failing.asked->request, right, adapter.capabilities(), again);
    if (!fails_alike(verdict, fault_, finding)) return;
    failing_.push_back(&requests_.emplace_back(failing.asked->request));
  }

  void all_around();
  struct Tested {
    int failing = 0, failing_without = 0;  // of those asked: without the conditions
    int with = 0, passing_with = 0;
    // Others have to be looked for.
    bool fits() const { return failing_without == 0 && 2 * passing_with <= with; }
    bool refutes() const { return failing_without * kOneIn > failing; }
  };
  // Asks what says most of conditions: requests that do not have them, beside those that fail, and
  // requests that do.
  Tested tested(const std::function<bool(const Request&)>& hold);
  // Asks for each of several conditions what lacks it alone, and has the others: what fails beside
  // one failure is alike in much that does not matter. None is asked where no request near those that
  // fail is such a one.
  struct Without {
    int asked = 0, failed = 0;
    bool holds() const { return asked > 0 && failed == 0; }
  };
  std::vector<Without> tested_without(const Conditions& conditions);

  int asked() const { return asked_; }
  int plainly() const { return plainly_; }
  const std::vector<const Request*>& failing() const { return failing_; }
  const std::vector<const Request*>& passing() const { return passing_; }

 private:
  enum class Answer { none, fails, passes };
  std::optional<Request> lacking_alone(const Conditions& conditions, std::size_t part);
  Answer look(Request one);
  bool goes_on(int most) const {
    return asked_ < most && !deaths_.too_many() && std::chrono::steady_clock::now() < end_;
  }

  const Dialect& dialect_;
  Adapter& adapter_;
  const Abilities abilities_;
  const Diagnosis::Finding& finding_;
  const Fault& fault_;
  const std::chrono::steady_clock::time_point end_;
  std::deque<Request> requests_;  // which stay where they are
  std::vector<const Request*> failing_, passing_;
  int asked_ = 0;
  int plainly_ = 0;  // of those that fail: in a plain execution
  SeededChoices choices_{0};
  std::set<std::string> seen_;
  Deaths deaths_;
};

Walk::Answer Walk::look(Request one) {
  if (!seen_.insert(print_line(one)).second) return Answer::none;
  const std::optional<Verdict> verdict = judged(dialect_, one, adapter_, deaths_).verdict;
  if (!verdict) return Answer::none;
  ++asked_;
  if (fails_alike(*verdict, fault_, finding_)) {
    plainly_ += verdict->faults.front().duty == Duty::C5;
    failing_.push_back(&requests_.emplace_back(std::move(one)));
    return Answer::fails;
  }
  if (verdict->kind != Verdict::Kind::pass) return Answer::none;
  passing_.push_back(&requests_.emplace_back(std::move(one)));
  return Answer::passes;
}

void Walk::all_around() {
  if (failing_.empty()) return;
  const auto goes_on_so = [&] { return goes_on(kMostAsked) && failing_.size() < kMostFailing; };
  // First all around the failure itself: what it hangs on is seen best where nothing else has
  // changed. Each sort of change in turn, since large requests take the time of few.
  const auto groups = neighbours(dialect_, abilities_, *failing_.front(), choices_);
  std::size_t longest = 0;
  for (const auto& group : groups) longest = std::max(longest, group.size());
  for (std::size_t at = 0; at < longest; ++at) {
    for (const std::vector<Request>& group : groups) {
      if (at < group.size() && goes_on_so()) look(group[at]);
    }
  }
  // Then around what failed as well, each sort of change as often as any other.
  for (int turn = 0; turn < kMostAsked && goes_on_so(); ++turn) {
    const Request& from = *choices_.one_of(failing_);
    const auto other = neighbours(dialect_, abilities_, from, choices_);
    if (!other.empty()) look(choices_.one_of(choices_.one_of(other)));
  }
}

Walk::Tested Walk::tested(const std::function<bool(const Request&)>& hold) {
  constexpr int kMostMore = 60;
  const int most = asked_ + kMostMore;
  Tested tested;
  if (failing_.empty()) return tested;
  for (int turn = 0; turn < kMostMore && goes_on(most); ++turn) {
    const auto groups = neighbours(dialect_, abilities_, *choices_.one_of(failing_), choices_);
    std::vector<const Request*> fresh[2];
    for (const std::vector<Request>& group : groups) {
      for (const Request& one : group) {
        if (!seen_.contains(print_line(one))) fresh[hold(one) ? 1 : 0].push_back(&one);
      }
    }
    for (const bool holds : {false, true}) {
      if (fresh[holds].empty()) continue;
      const Answer answer = look(*choices_.one_of(fresh[holds]));
      tested.failing += answer == Answer::fails;
      tested.failing_without += answer == Answer::fails && !holds;
      tested.with += answer != Answer::none && holds;
      tested.passing_with += answer == Answer::passes && holds;
    }
  }
  return tested;
}

// A request that was not asked, near one that fails: it lacks one of the conditions alone. One change
// may not be enough for that.
std::optional<Request> Walk::lacking_alone(const Conditions& conditions, std::size_t part) {
  constexpr int kSteps = 2;
  // Of each sort of change: of many axes there are hundreds.
  constexpr std::size_t kMostLookedAt = 24;
  Request from = *choices_.one_of(failing_);
  for (int step = 0; step < kSteps; ++step) {
    std::vector<Request> such, lacking;
    for (const std::vector<Request>& group : neighbours(dialect_, abilities_, from, choices_)) {
      const std::size_t every = group.size() / kMostLookedAt + 1;
      for (std::size_t at = 0; at < group.size(); at += every) {
        const Request& one = group[at];
        const std::vector<bool> has = conditions.each(one);
        if (has[part]) continue;
        const bool alone = std::ranges::count(has, false) == 1;
        if (alone && !seen_.contains(print_line(one))) such.push_back(one);
        lacking.push_back(one);
      }
    }
    if (!such.empty()) return choices_.one_of(such);
    // Of what lacks others too, something may lie that does not.
    if (lacking.empty()) return std::nullopt;
    from = choices_.one_of(lacking);
  }
  return std::nullopt;
}

std::vector<Walk::Without> Walk::tested_without(const Conditions& conditions) {
  constexpr int kTimes = 5, kInVain = 2;
  std::vector<Without> without(conditions.where.size());
  if (failing_.empty() || !conditions.each) return without;
  const int most = asked_ + kTimes * static_cast<int>(conditions.where.size());
  for (std::size_t part = 0; part < without.size(); ++part) {
    Without& one = without[part];
    for (int in_vain = 0; one.asked < kTimes && in_vain < kInVain && goes_on(most);) {
      std::optional<Request> lacking = lacking_alone(conditions, part);
      const Answer answer = lacking ? look(*std::move(lacking)) : Answer::none;
      one.asked += answer != Answer::none;
      one.failed += answer == Answer::fails;
      in_vain += answer == Answer::none;
    }
  }
  return without;
}

// At most so many of them, spread over all.
void add_some(std::span<const CaseResult* const> cases, std::size_t most,
              std::vector<const Request*>& requests) {
  const std::size_t step = cases.size() / most + 1;
  for (std::size_t at = 0; at < cases.size(); at += step) {
    requests.push_back(&cases[at]->asked->request);
  }
}

std::vector<bool> stand_of(std::span<const Walk::Without> without) {
  std::vector<bool> stand;
  for (const Walk::Without& one : without) stand.push_back(one.holds());
  return stand;
}

// Leaves out the conditions that do not stand; all of them where the others do not tell most of what
// passes from what fails.
void leave_out(const std::vector<bool>& stand, std::span<const Request* const> failing,
               std::span<const Request* const> passing, Conditions& conditions) {
  Conditions left{{}, 0, 0};
  std::vector<std::size_t> parts;
  for (std::size_t part = 0; part < stand.size(); ++part) {
    if (!stand[part]) continue;
    parts.push_back(part);
    left.where.push_back(conditions.where[part]);
  }
  left.each = [parts, all = conditions.each](const Request& request) {
    const std::vector<bool> has = all(request);
    std::vector<bool> some;
    for (const std::size_t part : parts) some.push_back(has[part]);
    return some;
  };
  left.hold = all_hold(left.each);
  const auto there = [&](std::span<const Request* const> requests) {
    return static_cast<std::size_t>(
        std::ranges::count_if(requests, [&](const Request* one) { return left.hold(*one); }));
  };
  left.failures_there = there(failing);
  left.passes_there = there(passing);
  constexpr std::size_t kFewPasses = 5;
  const bool tells = !parts.empty() && left.passes_there * kFewPasses <= passing.size();
  conditions = tells ? std::move(left) : Conditions();
}

}  // namespace

bool is_alike(const Fault& one, const Fault& other) {
  return one.plane == other.plane && one.watch == other.watch && one.duty == other.duty;
}

bool fails_alike(const Verdict& verdict, const Fault& fault) {
  if (verdict.kind != Verdict::Kind::fail || verdict.faults.empty()) return false;
  const Fault& first = verdict.faults.front();
  // A copy may be wrong in one request in any execution, and in another only where the output
  // overlaps the data.
  const auto of_elements = [](const Fault& one) {
    return one.watch == CaughtBy::bytes && one.plane == Plane::bytes &&
           (one.duty == Duty::C5 || one.duty == Duty::C12 || one.duty == Duty::C13 ||
            one.duty == Duty::C21);
  };
  return is_alike(first, fault) || (of_elements(first) && of_elements(fault));
}

bool fails_as(const Verdict& verdict, const Fault& fault) {
  return fails_alike(verdict, fault) && verdict.faults.front().clause == fault.clause;
}

bool fails_alike(const Verdict& verdict, const Fault& fault, const Diagnosis::Finding& finding) {
  const bool of_one_clause = fault.duty == Duty::C4 && finding.clauses.empty();
  return of_one_clause ? fails_as(verdict, fault) : fails_alike(verdict, fault);
}

Diagnosis::Around around(const Suite& suite, const Diagnosis::Finding& finding,
                         const CaseResult& failing, std::span<const CaseResult* const> failures,
                         std::span<const CaseResult* const> passes,
                         std::span<const Request> besides, Adapter& adapter,
                         std::chrono::steady_clock::time_point end) {
  constexpr int kMostTries = 6;
  Walk walk(suite, finding, failing, adapter, end);
  walk.all_around();
  Diagnosis::Around around;
  if (walk.asked() == 0) return around;
  const auto missed_by = [](const std::function<bool(const Request&)>& hold,
                            std::span<const Request* const> those) {
    const auto missed =
        std::ranges::count_if(those, [&](const Request* one) { return hold && !hold(*one); });
    return missed * kOneIn > std::ssize(those);
  };
  if (finding.there) walk.tested(finding.there);
  around.refutes = missed_by(finding.there, walk.failing());
  std::vector<const Request*> in_the_run;
  add_some(failures, kMostFailures, in_the_run);
  Conditions conditions;
  std::vector<const Request*> all_failing, all_passing;
  KnownTraits known;
  Walk::Tested tested;
  std::vector<Walk::Without> without;
  for (int tries = 0; tries < kMostTries; ++tries) {
    all_failing = walk.failing();
    all_failing.insert(all_failing.end(), in_the_run.begin(), in_the_run.end());
    for (const Request& one : besides) all_failing.push_back(&one);
    all_passing = walk.passing();
    add_some(passes, kMostPasses, all_passing);
    around.failed = static_cast<int>(walk.failing().size()) - 1;
    around.passed = static_cast<int>(walk.passing().size());
    conditions = conditions_of(all_failing, all_passing, known);
    // What lies around one failure is alike in much that the others do not have: a condition has to
    // hold for those of the run by themselves, too.
    if (missed_by(conditions.hold, in_the_run)) conditions = {};
    if (!conditions.hold) break;
    // What fits all that was asked until here may do so by coincidence.
    tested = walk.tested(conditions.hold);
    without = walk.tested_without(conditions);
    const bool refuted = std::ranges::any_of(without, &Walk::Without::failed);
    if (tested.fits() && !refuted) break;
  }
  if (tested.refutes()) conditions = {};
  // A condition without which some fail is none, and one that was never left out was not tested.
  const std::vector<bool> stand = stand_of(without);
  if (conditions.each && std::ranges::find(stand, false) != stand.end()) {
    leave_out(stand, all_failing, all_passing, conditions);
  }
  around.asked = walk.asked();
  around.plainly = walk.plainly();
  around.where = std::move(conditions.where);
  around.there = std::move(conditions.hold);
  around.failures_there = static_cast<int>(conditions.failures_there);
  around.passes_there = static_cast<int>(conditions.passes_there);
  around.failures = static_cast<int>(all_failing.size());
  around.passes = static_cast<int>(all_passing.size());
  return around;
}

bool refuted_beside(const Suite& suite, const Diagnosis::Finding& finding,
                    const CaseResult& failing, Adapter& adapter,
                    std::chrono::steady_clock::time_point end) {
  return Walk(suite, finding, failing, adapter, end).tested(finding.there).refutes();
}

}  // namespace reshape::conformance
