#include "conformance/detection/diagnose.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "conformance/adapter/contract/plugin_library.h"
#include "conformance/detection/ask_ledger.h"
#include "conformance/detection/beside_failures.h"
#include "conformance/detection/comparable.h"
#include "conformance/detection/execution_traits.h"
#include "conformance/detection/findings.h"
#include "conformance/detection/judged.h"
#include "conformance/detection/known_traits.h"
#include "conformance/detection/likeness.h"
#include "conformance/detection/neighbourhood.h"
#include "conformance/detection/request_traits.h"
#include "conformance/detection/set_up.h"
#include "conformance/detection/subject.h"
#include "conformance/model/judge.h"
#include "conformance/run/oracle.h"
#include "conformance/run/runner.h"
#include "conformance/self/mutant.h"
#include "conformance/text/line.h"

namespace reshape::conformance {
namespace {

constexpr std::size_t kMostFailures = 64;  // compared; some of every kind
constexpr std::size_t kMostPasses = 128;
constexpr std::size_t kFirstLook = 12;  // a mutant that answers none of these alike is dropped
constexpr std::size_t kFewChosen = 3;   // then slow ones are asked again as well
constexpr std::size_t kMostSlow = 8;
constexpr int kAskedAgain = 3;  // times, to exclude random answers
constexpr double kDeadlineSeconds = 1;
constexpr std::chrono::seconds kToRefute{10};  // at most, past the time for comparing

using Clock = std::chrono::steady_clock;

// In host processes, which it may kill.
Result<std::unique_ptr<Adapter>> started(AdapterOptions implementation, double most_seconds) {
  implementation.in_process = false;
  implementation.deadline_seconds = std::min(implementation.deadline_seconds, most_seconds);
  return start_adapter(implementation);
}

// A case that was asked again, and its outcome.
struct Remembered {
  const Case* asked;
  Verdict verdict;
  Outcome outcome;
  bool of_history = false;  // see hangs_on_earlier_requests
};

bool has_more_elements(const Case& one, std::int64_t than) {
  return !one.request.shape_only && element_count(one.request.data).value_or(0) > than;
}

// Whether a case is too slow to be asked of every mutant of the ledger.
bool takes_long(const Case& one) { return has_more_elements(one, std::int64_t{1} << 17); }

// Whether it is too slow to be asked again at all.
bool takes_too_long(const Case& one) { return has_more_elements(one, std::int64_t{1} << 20); }

// At most `most` failures, in turn of every kind, so that kinds with few members are compared as
// well.
std::vector<const Case*> spread(const std::vector<const CaseResult*>& results, std::size_t most,
                                bool (*too_slow)(const Case&) = takes_long) {
  std::map<std::string, std::vector<const Case*>> sorts;
  for (const CaseResult* one : results) {
    if (too_slow(*one->asked)) continue;
    const Request& request = one->asked->request;
    std::string sort = request.dialect + ' ';
    if (one->verdict.faults.empty()) {
      sort += one->asked->clauses.front();
    } else {
      const Fault& fault = one->verdict.faults.front();
      sort += fault.clause + name(fault.duty) + name(fault.watch);
      if (fault.plane == Plane::bytes) sort += ' ' + std::string(name(request.data_type));
    }
    sorts[sort].push_back(one->asked);
  }
  std::vector<const Case*> chosen;
  for (std::size_t turn = 0; chosen.size() < most; ++turn) {
    const std::size_t before = chosen.size();
    for (const auto& [sort, members] : sorts) {
      if (turn < members.size() && chosen.size() < most) chosen.push_back(members[turn]);
    }
    if (chosen.size() == before) break;
  }
  return chosen;
}

// The number of traits that a request shares with the most similar failure.
std::size_t nearness(const Case& one, std::span<const Case* const> failures, KnownTraits& known) {
  const std::vector<int>& traits = known.of(one.request).traits;
  std::size_t most = 0;
  for (const Case* failure : failures) {
    std::vector<int> common;
    std::ranges::set_intersection(traits, known.of(failure->request).traits,
                                  std::back_inserter(common));
    most = std::max(most, common.size());
  }
  return most;
}

// Passing cases: those most similar to a failure, which say most, and others of every clause.
std::vector<const Case*> passes_nearby(const RunResult& result,
                                       const std::vector<const Case*>& failures,
                                       KnownTraits& known) {
  constexpr std::size_t kMostFailuresLookedAt = 16;
  const std::span some(failures.begin(), std::min(failures.size(), kMostFailuresLookedAt));
  std::vector<std::pair<std::size_t, const CaseResult*>> passes;
  for (const CaseResult& one : result.cases) {
    if (one.verdict.kind != Verdict::Kind::pass || takes_long(*one.asked)) continue;
    passes.emplace_back(nearness(*one.asked, some, known), &one);
  }
  std::ranges::stable_sort(passes, std::ranges::greater(),
                           [](const auto& one) { return one.first; });
  std::vector<const Case*> chosen;
  std::vector<const CaseResult*> rest;
  for (const auto& [near, one] : passes) {
    if (chosen.size() < kMostPasses * 2 / 3) {
      chosen.push_back(one->asked);
    } else {
      rest.push_back(one);
    }
  }
  const std::vector<const Case*> others = spread(rest, kMostPasses - chosen.size());
  chosen.insert(chosen.end(), others.begin(), others.end());
  return chosen;
}

// What depends on earlier requests, which the run saw and this asking may not.
void mark_of_history(std::span<const CaseResult* const> failed, std::vector<Remembered>& cases) {
  for (Remembered& one : cases) {
    const auto found = std::ranges::find(failed, one.asked, &CaseResult::asked);
    one.of_history = found != failed.end() && hangs_on_earlier_requests(**found, one.verdict);
  }
}

struct AskedAgain {
  std::vector<Remembered> stable;
  std::vector<Remembered> alike;  // always wrong in the same way, with other bytes
  int unstable = 0;               // the others
  int otherwise = 0;              // of these: got the other verdict once
  int later = 0;                  // of these: not the first time
};

// Asks the implementation again. `stable`: the cases that keep their verdict and always get the
// same answer.
AskedAgain asked_again(const std::vector<const Case*>& cases, bool failed, Clock::time_point end,
                       Adapter& adapter) {
  AskedAgain known;
  Deaths deaths;
  for (const Case* one : cases) {
    std::optional<Remembered> first;
    bool stable = true, alike = true;
    for (int time = 0; alike && time < kAskedAgain && !deaths.too_many(); ++time) {
      Outcome outcome = adapter.ask(one->request);
      if (outcome.kind == Outcome::Kind::not_asked) return known;
      deaths.add(outcome);
      Verdict verdict = judge(one->request, expectation_of(*one), adapter.capabilities(), outcome);
      const bool as_before = (verdict.kind == Verdict::Kind::fail) == failed;
      known.otherwise += !as_before;
      known.later += !as_before && time > 0;
      stable &= as_before && (!first || same_answer(first->outcome, outcome));
      alike =
          as_before && (stable || wrong_alike(first->verdict, first->outcome, verdict, outcome));
      if (!first) first = Remembered{one, std::move(verdict), std::move(outcome), false};
    }
    if (!alike) {
      ++known.unstable;
    } else if (first && !stable) {
      known.alike.push_back(*std::move(first));
    } else if (first) {
      known.stable.push_back(*std::move(first));
    }
    if (deaths.too_many() || Clock::now() > end) break;
  }
  return known;
}

// A mutant's answers to the remembered cases; nothing when it answers no failure alike.
std::optional<Mistake> asked(const self::Mutant& mutant, const std::vector<Remembered>& failures,
                             const std::vector<Remembered>& passes) {
  Result<std::unique_ptr<Adapter>> adapter = start_adapter(reach(mutant, kDeadlineSeconds));
  if (!adapter) return std::nullopt;
  Deaths deaths;
  const bool of_history = name(mutant.breaks) == std::string_view(name(Duty::C17));
  const auto answer = [&](const Remembered& known) {
    if (known.of_history && !of_history) return Answer::not_asked;
    if (tells_little(known.outcome) || deaths.too_many()) return Answer::not_asked;
    const Request& request = known.asked->request;
    const Judged now = judged(request, expectation_of(*known.asked), **adapter, deaths);
    if (!now.verdict) return Answer::not_asked;
    if (now.kind() != Verdict::Kind::fail) return Answer::right;
    if (same_answer(known.outcome, now.outcome) && reaches_fault(known.verdict, now.outcome)) {
      return Answer::same;
    }
    return multiplies_beyond_64_bits(request) ? Answer::not_asked : Answer::otherwise;
  };
  Mistake mistake{std::string(mutant.name),
                  std::string(mutant.says),
                  std::string(name(mutant.breaks)),
                  std::string(mutant.public_bug()),
                  {},
                  {}};
  bool alike = false;
  for (std::size_t at = 0; at < failures.size(); ++at) {
    if (at == kFirstLook && !alike) return std::nullopt;
    Answer one = answer(failures[at]);
    // It may take another product, which is right by chance.
    const bool tells = !multiplies_beyond_64_bits(failures[at].asked->request);
    if (one == Answer::right && !tells) one = Answer::not_asked;
    mistake.failures.push_back(one);
    alike |= mistake.failures.back() == Answer::same;
  }
  if (!alike) return std::nullopt;
  for (const Remembered& pass : passes) mistake.passes.push_back(answer(pass));
  return mistake;
}

// Asks requests that were not looked at whether a mistake is named rightly.
using TestConditions = std::function<BesideFailures(const Diagnosis::Cause&, const self::Mutant&,
                                                    const Mistake&, int times)>;

std::string in_words(const Subject& subject) {
  return subject.clause + ' ' + name(subject.duty) + ' ' + subject.says;
}

// `failed`: of the run, with these cases.
std::vector<Compared> compared(const std::vector<Remembered>& cases,
                               std::span<const CaseResult* const> failed = {}) {
  std::map<const Case*, std::string> subjects;
  for (const CaseResult* one : failed) {
    if (one->verdict.faults.empty()) continue;
    subjects[one->asked] = in_words(subject_of(*one));
  }
  std::vector<Compared> all;
  for (const Remembered& one : cases) {
    Compared compared{words_about(one.asked->request), {}};
    for (const Fault& fault : one.verdict.faults) {
      compared.broken.push_back(fault.broken());
    }
    if (const auto found = subjects.find(one.asked); found != subjects.end()) {
      compared.subject = found->second;
    }
    all.push_back(std::move(compared));
  }
  return all;
}

// Cases by how a mutant answers them.
struct Answered {
  std::vector<const Case*> right, wrong;
};

// Asks a mutant the cases, in parts, each of which is asked in order by an adapter of its own.
Answered answered_by(const self::Mutant& mutant, std::span<const Case* const> cases, int jobs,
                     Clock::time_point end) {
  const auto parts = static_cast<std::size_t>(jobs);
  std::vector<Answered> answered(parts);
  at_once(parts, jobs, [&](std::size_t part) {
    Result<std::unique_ptr<Adapter>> adapter = start_adapter(reach(mutant, kDeadlineSeconds));
    if (!adapter) return;
    Deaths deaths;
    for (std::size_t at = part; at < cases.size(); at += parts) {
      if (deaths.too_many() || Clock::now() > end) return;
      const Case& one = *cases[at];
      const auto kind = judged(one.request, expectation_of(one), **adapter, deaths).kind();
      if (kind == Verdict::Kind::fail) answered[part].wrong.push_back(&one);
      if (kind == Verdict::Kind::pass) answered[part].right.push_back(&one);
    }
  });
  Answered all;
  for (const Answered& part : answered) {
    all.right.insert(all.right.end(), part.right.begin(), part.right.end());
    all.wrong.insert(all.wrong.end(), part.wrong.begin(), part.wrong.end());
  }
  return all;
}

// The passing cases of the run that the mutant fails, without slow ones.
std::vector<const Case*> failed_beyond(const RunResult& result, const self::Mutant& mutant,
                                       int jobs, Clock::time_point end) {
  std::vector<const Case*> passes;
  for (const CaseResult& one : result.cases) {
    if (one.verdict.kind == Verdict::Kind::pass && !takes_long(*one.asked)) {
      passes.push_back(one.asked);
    }
  }
  return answered_by(mutant, passes, jobs, end).wrong;
}

// A failure of the run that was not compared, and what it is about.
struct NotCompared {
  const Case* asked;
  std::string subject;
};

std::vector<NotCompared> not_compared(std::span<const CaseResult* const> failed,
                                      const std::vector<const Case*>& chosen) {
  const std::set<const Case*> asked_again(chosen.begin(), chosen.end());
  std::vector<NotCompared> others;
  for (const CaseResult* one : failed) {
    const bool tells = !one->verdict.faults.empty() && !takes_long(*one->asked) &&
                       !multiplies_beyond_64_bits(one->asked->request);
    if (!tells || asked_again.contains(one->asked)) continue;
    others.push_back({one->asked, in_words(subject_of(*one))});
  }
  return others;
}

// Asks the mutant failures that are about what the mistake explains and were not compared. Those
// that were are the first of their kind, which may have in common what the others have not.
void ask_the_others(const self::Mutant& mutant, std::span<const Compared> failures,
                    std::span<const NotCompared> others, int jobs, Clock::time_point end,
                    Mistake& mistake) {
  constexpr std::size_t kMostAsked = 256;
  std::set<std::string> subjects;
  for (std::size_t at = 0; at < failures.size(); ++at) {
    if (mistake.failures[at] == Answer::same) subjects.insert(failures[at].subject);
  }
  std::vector<const Case*> about;
  for (const NotCompared& one : others) {
    if (subjects.contains(one.subject)) about.push_back(one.asked);
  }
  const std::size_t step = about.size() / kMostAsked + 1;
  std::vector<const Case*> some;
  for (std::size_t at = 0; at < about.size(); at += step) some.push_back(about[at]);
  const Answered answered = answered_by(mutant, some, jobs, end);
  mistake.same_beside += static_cast<int>(answered.wrong.size());
  mistake.missed_beside += static_cast<int>(answered.right.size());
}

// Only some cases were compared with every mistake. Before a mistake is named as the cause, its
// mutant is asked all other passing cases and `others`, which fail, and both are asked requests
// that were not looked at, of which conditions need more: no cause is named that these refute.
std::vector<Diagnosis::Cause> causes_that_stand(const RunResult& result, std::size_t all_failures,
                                                const std::vector<Compared>& failures,
                                                std::span<const NotCompared> others,
                                                std::vector<Compared> passes,
                                                std::vector<Mistake> mistakes, int jobs,
                                                const TestConditions& test, Clock::time_point end) {
  constexpr std::size_t kMostBeyond = 256;  // of one mistake; enough to refute it or narrow it down
  constexpr int kMostTests = 3;
  std::set<std::string> looked_at;
  std::map<std::string, int> tests;
  const auto add_pass = [&](std::vector<std::string> traits, std::string_view wrong) {
    passes.push_back({std::move(traits), {}});
    for (Mistake& one : mistakes) {
      one.passes.push_back(one.mutant == wrong ? Answer::otherwise : Answer::not_asked);
    }
  };
  while (true) {
    std::vector<Diagnosis::Cause> causes = causes_of(failures, passes, mistakes);
    const auto unproven = std::ranges::find_if(causes, [&](const auto& cause) {
      return !looked_at.contains(cause.mutant) ||
             tests[cause.mutant] < (cause.where.empty() ? 1 : kMostTests);
    });
    if (unproven == causes.end()) return causes;
    const bool first = looked_at.insert(unproven->mutant).second;
    const self::Mutant* mutant = self::mutant_named(unproven->mutant);
    if (mutant == nullptr) {
      tests[unproven->mutant] = kMostTests;
      continue;
    }
    Mistake& mistake = *std::ranges::find(mistakes, unproven->mutant, &Mistake::mutant);
    if (!first) {
      int& times = tests[unproven->mutant];
      BesideFailures found = test(*unproven, *mutant, mistake, times);
      const bool nothing = found.alike.empty() && found.beyond.empty();
      times = nothing ? kMostTests : times + 1;
      mistake.same_beside += found.same;
      mistake.missed_beside += found.missed;
      std::ranges::move(found.alike, std::back_inserter(mistake.beside));
      for (std::vector<std::string>& traits : found.beyond) {
        add_pass(std::move(traits), mutant->name);
      }
      continue;
    }
    ask_the_others(*mutant, failures, others, jobs, end, mistake);
    std::vector<const Case*> beyond = failed_beyond(result, *mutant, jobs, end);
    // Sampled in the same proportion as the failures, and evenly over the run.
    const std::size_t share = all_failures / std::max<std::size_t>(failures.size(), 1);
    const std::size_t step = std::max(beyond.size() / kMostBeyond + 1, share);
    for (std::size_t at = 0; at < beyond.size(); at += step) {
      add_pass(words_about(beyond[at]->request), mutant->name);
    }
  }
}

bool is_about(const Diagnosis::Finding& finding, std::string_view broken) {
  const auto among = [&](const std::vector<std::string>& words) {
    return std::ranges::find(words, broken) != words.end();
  };
  return finding.clause == broken || name(finding.duty) == broken || among(finding.besides) ||
         among(finding.clauses) || among(finding.asks);
}

bool is_about(const Diagnosis& diagnosis, std::string_view broken) {
  return std::ranges::any_of(diagnosis.findings,
                             [&](const auto& finding) { return is_about(finding, broken); });
}

// The mutants that break what the main finding is about: others would answer alike by coincidence.
// All mutants if there is no main finding; then a rival that breaks something else prevents a wrong
// cause from being named.
std::vector<const self::Mutant*> mutants_for(const Diagnosis& diagnosis,
                                             const std::vector<Remembered>& failures,
                                             std::string_view without) {
  const bool deadly = std::ranges::any_of(failures, died, &Remembered::outcome);
  const Diagnosis::Finding* main = main_finding(diagnosis);
  std::vector<const self::Mutant*> mutants;
  for (const self::Mutant& mutant : self::all_mutants()) {
    if (mutant.name != without && (!mutant.hostile() || deadly) &&
        (main == nullptr || is_about(*main, name(mutant.breaks)))) {
      mutants.push_back(&mutant);
    }
  }
  // The most relevant first, since the time may not be enough for all.
  std::stable_partition(mutants.begin(), mutants.end(), [&](const self::Mutant* mutant) {
    return is_about(diagnosis, name(mutant->breaks));
  });
  return mutants;
}

// The plainest case of the finding.
const CaseResult& example_of(const Diagnosis::Finding& finding, const RunResult& result) {
  return *std::ranges::find(result.cases, finding.example,
                            [](const CaseResult& one) { return one.asked->id; });
}

// The right answer to the example of the first finding, or to `otherwise` where nothing was found.
void derive(const RunResult& result, const CaseResult& otherwise, Diagnosis& diagnosis) {
  const CaseResult& first =
      diagnosis.findings.empty() ? otherwise : example_of(diagnosis.findings.front(), result);
  diagnosis.example = first.asked->id;
  diagnosis.line = print_line(first.asked->request);
  diagnosis.right = text(first.asked->expect);
  diagnosis.steps.clear();
  // A document derives only shapes; duties and copies have no derivation.
  const std::vector<Fault>& faults = first.verdict.faults;
  if (faults.empty() || faults.front().plane != Plane::shape || faults.front().clause.empty())
    return;
  reference::Derivation derivation;
  if (!oracle(*result.suite, first.asked->request, &derivation).ok()) return;
  for (const auto& step : derivation) diagnosis.steps.push_back({step.clause, step.says});
}

// A request that is no case of the run, and how it is answered now.
struct Besides {
  Request request;
  Verdict verdict;
};

std::vector<Besides> asked_besides(const Suite& suite, std::span<const std::string> lines,
                                   Adapter& adapter, Clock::time_point end) {
  constexpr std::size_t kMost = 24;
  std::vector<Besides> all;
  Deaths deaths;
  for (const std::string& line : lines.first(std::min(lines.size(), kMost))) {
    if (deaths.too_many() || Clock::now() > end) break;
    Result<Request> request = parse_line(line);
    const Document* document = request ? suite.document(request->dialect) : nullptr;
    if (document == nullptr) continue;
    std::optional<Verdict> verdict = judged(document->dialect, *request, adapter, deaths).verdict;
    if (verdict) all.push_back({*std::move(request), *std::move(verdict)});
  }
  return all;
}

std::vector<Request> failing_as(const Fault& fault, std::span<const Besides> asked) {
  std::vector<Request> requests;
  for (const Besides& one : asked) {
    if (fails_as(one.verdict, fault)) requests.push_back(one.request);
  }
  return requests;
}

// Whether such requests do not have what is told of all failures, or more than a few of them what
// is told of nearly all.
bool is_refuted(const Diagnosis::Finding& finding, std::span<const Request> failing) {
  if (!finding.there) return false;
  constexpr std::ptrdiff_t kOneIn = 20;
  const auto without =
      std::ranges::count_if(failing, [&](const Request& one) { return !finding.there(one); });
  const bool of_all = finding.failures_there == finding.failures;
  return of_all ? without > 0 : without * kOneIn > std::ssize(failing);
}

// Where elements are wrong in plain executions of other requests too, the way of calling that the
// finding names is not what matters.
void tell_of_plain_executions(std::span<const Besides> asked, const Fault& fault,
                              Diagnosis::Finding& finding) {
  constexpr int kFew = 3;
  const auto plainly = std::ranges::count_if(asked, [&](const Besides& one) {
    return fails_alike(one.verdict, fault) && one.verdict.faults.front().duty == Duty::C5;
  });
  if (finding.around.plainly + plainly < kFew || finding.duty != fault.duty) return;
  constexpr std::string_view kBegins = "elements";
  if (!finding.says.starts_with(kBegins)) return;
  const std::size_t end =
      std::min({finding.says.find(kEachWith), finding.says.find(": "), finding.says.find(", or ")});
  finding.says = "elements are wrong" +
                 (end == std::string::npos ? std::string() : finding.says.substr(end)) +
                 "; those of other requests in plain executions, too";
  finding.besides.emplace_back(name(finding.duty));
  finding.duty = Duty::C5;
}

// Few failures have too much in common, and those of a wide finding too little: what is around one
// of them tells more. So it does where it refutes what many have in common. Not where it depends on
// more than the request, nor where it fails in ways that cost a process each.
void look_around(const RunResult& result, const AdapterOptions& implementation,
                 std::span<const std::string> besides, Adapter& usual, Clock::time_point end,
                 Diagnosis& diagnosis) {
  constexpr std::size_t kMostFindings = 2;
  constexpr int kFew = 12;
  constexpr std::chrono::seconds kEach{3}, kOfLarge{6};
  constexpr double kDeadlineOfLarge = 5;
  const std::vector<Besides> asked = asked_besides(*result.suite, besides, usual, end);
  for (std::size_t at = 0; at < std::min(kMostFindings, diagnosis.findings.size()); ++at) {
    Diagnosis::Finding& finding = diagnosis.findings[at];
    const bool tells = !finding.where.empty() && finding.passes_there <= finding.failures;
    if (finding.duty == Duty::C14 || finding.duty == Duty::C17) continue;
    const CaseResult& example = example_of(finding, result);
    if (example.verdict.faults.empty()) continue;
    const Fault& fault = example.verdict.faults.front();
    const std::vector<Request> alike_besides = failing_as(fault, asked);
    const bool refuted = is_refuted(finding, alike_besides);
    const bool large = takes_long(*example.asked);
    std::unique_ptr<Adapter> patient;
    if (large) {
      Result<std::unique_ptr<Adapter>> waits = started(implementation, kDeadlineOfLarge);
      if (!waits) continue;
      patient = std::move(*waits);
    }
    Adapter& adapter = large ? *patient : usual;
    const Clock::time_point until = std::min(end, Clock::now() + (large ? kOfLarge : kEach));
    if (finding.failures > kFew && tells && !refuted &&
        !refuted_beside(*result.suite, finding, example, adapter, until)) {
      continue;
    }
    Comparable comparable;
    comparable.add(*example.asked, example.verdict);
    std::vector<const CaseResult*> failures, passes;
    for (const CaseResult& one : result.cases) {
      // A finding of all failures may join several ways of failing.
      const bool alike =
          one.failed() && &one != &example &&
          (finding.failures == diagnosis.failures || fails_alike(one.verdict, fault, finding));
      if (alike) failures.push_back(&one);
      if (one.verdict.kind == Verdict::Kind::pass && comparable.contains(*one.asked)) {
        passes.push_back(&one);
      }
    }
    finding.around =
        around(*result.suite, finding, example, failures, passes, alike_besides, adapter, until);
    const bool of_other_calls =
        fault.watch == CaughtBy::bytes &&
        (fault.duty == Duty::C12 || fault.duty == Duty::C13 || fault.duty == Duty::C21);
    if (of_other_calls) tell_of_plain_executions(asked, fault, finding);
    // What the few had in common was chance, or is said better of more.
    Diagnosis::Around& found = finding.around;
    found.refutes |= refuted;
    if (found.refutes || (finding.failures <= kFew && !found.where.empty())) {
      finding.where.clear();
      finding.there = {};
    }
  }
}

// Whether some fault of the verdict, not only its first, is like `fault`.
bool has_fault_like(const Verdict& verdict, const Fault& fault) {
  return std::ranges::any_of(verdict.faults,
                             [&](const Fault& one) { return is_alike(one, fault); });
}

Probe::Ask asked_where(Duty duty) {
  switch (duty) {
    case Duty::C12: return Probe::Ask::view;
    case Duty::C21: return Probe::Ask::overlap;
    default: return Probe::Ask::execute;
  }
}

// The executions of a case with the inferred shape, or its views or those over the data where
// `fault` is about these, and which of them fail like it. Without those that fail otherwise or made
// no view, and those of no elements or no axes, which may come without strides.
void add_executions(const Remembered& one, const Fault& fault, const Capabilities& able,
                    std::vector<Executed>& executions) {
  const Request& request = one.asked->request;
  if (one.outcome.kind != Outcome::Kind::produced || is_empty(request.data)) return;
  if (request.data.rank() == 0 || one.outcome.shape.rank() == 0) return;
  Outcome alone = one.outcome;
  alone.observations.clear();
  for (const Execution& execution : one.outcome.executions) {
    const Probe::Ask asked = asked_where(fault.duty);
    if (execution.probe.ask != asked) continue;
    if (asked == Probe::Ask::view && execution.status != Status::ok) continue;
    alone.executions = {execution};
    const Verdict verdict = judge(request, expectation_of(*one.asked), able, alone);
    const bool fails = verdict.kind == Verdict::Kind::fail;
    if (fails && !has_fault_like(verdict, fault)) continue;
    // Zeros are right wherever they were read.
    const bool tells = fault.plane != Plane::bytes || execution.probe.payload != Payload::zeros;
    if (!fails && !tells) continue;
    executions.push_back({&request, execution.probe, fails});
  }
}

// What all failing executions are set up with, and no other, is the condition, and not what their
// requests have by coincidence.
void tell_set_ups(const RunResult& result, const std::vector<Remembered>& failures,
                  const std::vector<Remembered>& passes, const Capabilities& able,
                  Diagnosis& diagnosis) {
  constexpr std::size_t kMostFindings = 2;
  for (std::size_t at = 0; at < std::min(kMostFindings, diagnosis.findings.size()); ++at) {
    Diagnosis::Finding& finding = diagnosis.findings[at];
    const std::vector<Fault>& faults = example_of(finding, result).verdict.faults;
    if (faults.empty()) continue;
    const auto main = std::ranges::find(faults, finding.duty, &Fault::duty);
    const Fault& fault = main == faults.end() ? faults.front() : *main;
    // What is left behind is looked for in some executions only.
    if (fault.duty == Duty::C14 || fault.duty == Duty::C15 || fault.duty == Duty::C17) continue;
    std::vector<Executed> executions;
    for (const Remembered& one : failures) {
      if (has_fault_like(one.verdict, fault)) add_executions(one, fault, able, executions);
    }
    for (const Remembered& one : passes) add_executions(one, fault, able, executions);
    const std::optional<SetUp> set_up = set_up_behind(executions);
    if (!set_up) continue;
    finding.says = finding.says.substr(0, finding.says.find(kEachWith)) + set_up->says;
    if (!set_up->alone) continue;
    finding.asks.clear();
    finding.where.clear();
    finding.there = {};
    finding.mostly.clear();
    finding.around.where.clear();
    finding.around.there = {};
  }
}

// Erases mistakes that are named under conditions and explain nothing but refusals of what has an
// answer: any mistake that refuses under these conditions agrees as well, and a finding says that.
void erase_plain_refusals(const std::vector<Remembered>& failures,
                          const std::vector<Mistake>& mistakes, Diagnosis& diagnosis) {
  std::erase_if(diagnosis.causes, [&](const Diagnosis::Cause& cause) {
    const auto mistake = std::ranges::find(mistakes, cause.mutant, &Mistake::mutant);
    for (std::size_t at = 0; at < failures.size(); ++at) {
      const Remembered& one = failures[at];
      const bool plain = one.outcome.kind == Outcome::Kind::rejected &&
                         one.asked->expect.kind == Ruling::Kind::produces;
      if (mistake->failures[at] == Answer::same && !plain) return false;
    }
    return !cause.where.empty();
  });
}

// Marks those of several findings that the only known mistake explains: some failures about the same
// clause and duty were compared with it, and all of these are answered alike. A single one says what
// the mistake does not.
void mark_as_known(std::span<const CaseResult* const> failed,
                   const std::vector<Remembered>& failures, const std::vector<Mistake>& mistakes,
                   Diagnosis& diagnosis) {
  if (diagnosis.causes.size() != 1 || diagnosis.findings.size() < 2) return;
  const auto mistake =
      std::ranges::find(mistakes, diagnosis.causes.front().mutant, &Mistake::mutant);
  std::map<std::pair<std::string, Duty>, bool> explained;  // by clause and duty
  for (std::size_t at = 0; at < failures.size(); ++at) {
    const auto one = std::ranges::find(failed, failures[at].asked, &CaseResult::asked);
    if ((*one)->verdict.faults.empty() || mistake->failures[at] == Answer::not_asked) continue;
    const Subject subject = subject_of(**one);
    const bool same = mistake->failures[at] == Answer::same;
    auto [entry, added] = explained.try_emplace({subject.clause, subject.duty}, same);
    entry->second &= same;
  }
  for (Diagnosis::Finding& one : diagnosis.findings) {
    const auto entry = explained.find({one.clause, one.duty});
    one.as_known = entry != explained.end() && entry->second;
  }
}

// Where most failures are right when asked again, what the requests of those have in common that were
// not looked at does not make them fail, and how the document comes to the answer explains nothing.
void leave_out_conditions(Diagnosis& diagnosis) {
  diagnosis.steps.clear();
  for (Diagnosis::Finding& one : diagnosis.findings) {
    if (one.of_history()) continue;
    one.where.clear();
    one.there = {};
    one.mostly.clear();
    one.asks.clear();
  }
}

void tell_that_it_is_chance(Diagnosis& diagnosis) {
  constexpr const char* kSays =
      "asked again in another process, most are right: "
      "they hang on chance, on time, or on how much was asked before";
  std::vector<Diagnosis::Finding>& findings = diagnosis.findings;
  if (!findings.empty() && findings.front().duty == Duty::C17) {
    std::string& says = findings.front().says;
    const std::size_t from = std::min(says.find(kInTheOrder), says.size());
    says.replace(0, from, kSays);
    return;
  }
  Diagnosis::Finding finding;
  finding.duty = Duty::C17;
  finding.says = kSays;
  finding.failures = diagnosis.failures;
  finding.passes = diagnosis.executed - diagnosis.failures;
  finding.passes_there = finding.passes;
  finding.example = diagnosis.example;
  findings.insert(findings.begin(), std::move(finding));
}

}  // namespace

std::vector<std::string> failed_besides(const std::optional<Generation>& generated,
                                        std::span<const LawResult> laws) {
  std::vector<std::string> lines;
  if (generated) {
    for (const Smallest& one : generated->smallest) lines.push_back(one.line);
  }
  for (const LawResult& law : laws) {
    if (law.holds() || law.lines.empty()) continue;
    lines.push_back(law.undecided ? law.lines.front() : law.lines.back());
  }
  return lines;
}

std::optional<Diagnosis> diagnose(const RunResult& result, const AdapterOptions& implementation,
                                  const DiagnosisOptions& options) {
  if (!names_built_in("mutant:right")) return std::nullopt;
  std::vector<const CaseResult*> failed;
  for (const CaseResult& one : result.cases) {
    if (one.failed() && one.known != Known::failure) failed.push_back(&one);
  }
  if (failed.empty()) return std::nullopt;
  Diagnosis diagnosis;
  const Clock::time_point began = Clock::now();
  const Clock::duration given = time_of(options.seconds);
  const Clock::time_point end = began + given;
  diagnosis.failures = static_cast<int>(failed.size());
  diagnosis.executed = tallies(result).all.executed;
  KnownTraits known;
  diagnosis.findings = findings_of(result, failed, known);
  diagnosis.by_another_document = by_another_document(result, failed);
  derive(result, *failed.front(), diagnosis);

  Result<std::unique_ptr<Adapter>> adapter = started(implementation, kDeadlineSeconds);
  if (!adapter) return diagnosis;
  const std::vector<const Case*> chosen = spread(failed, kMostFailures);
  AskedAgain again_failing = asked_again(chosen, true, end, **adapter);
  diagnosis.unstable = again_failing.unstable;
  diagnosis.right_again = again_failing.otherwise;
  diagnosis.right_later = again_failing.later;
  std::vector<Remembered> failures = std::move(again_failing.stable);
  mark_of_history(failed, failures);
  // If most are right when asked again, that explains the failures; unless it is known after which
  // requests they fail.
  diagnosis.compared = static_cast<int>(failures.size());
  const bool after_others = some_fail_after_others(result.cases);
  if (diagnosis.most_are_right_again() && !after_others) tell_that_it_is_chance(diagnosis);
  if (diagnosis.most_are_right_again()) leave_out_conditions(diagnosis);
  // What depends on the requests before is no document's answer.
  if (diagnosis.most_are_right_again() || after_others) diagnosis.by_another_document.clear();
  look_around(result, implementation, options.besides, **adapter, end, diagnosis);
  const std::vector<Remembered> passes =
      asked_again(passes_nearby(result, chosen, known), false, end, **adapter).stable;
  diagnosis.passes_compared = static_cast<int>(passes.size());
  std::vector<Remembered> executed = std::move(again_failing.alike);
  executed.insert(executed.end(), failures.begin(), failures.end());
  if (chosen.size() < kFewChosen) {
    const std::vector<const Case*> slow = spread(failed, kMostSlow, takes_too_long);
    std::vector<Remembered> more = asked_again(slow, true, end, **adapter).stable;
    std::ranges::move(more, std::back_inserter(executed));
  }
  tell_set_ups(result, executed, passes, (*adapter)->capabilities(), diagnosis);

  std::vector<const self::Mutant*> mutants = mutants_for(diagnosis, failures, options.without);
  diagnosis.mistakes = static_cast<int>(mutants.size());
  // If most failures are not reproducible, no mistake is compared: a likeness of the few others
  // would mislead.
  if (failures.empty() || diagnosis.unstable > diagnosis.compared) mutants.clear();
  constexpr int kMostJobs = 16;
  const int jobs = std::min(kMostJobs, static_cast<int>(std::thread::hardware_concurrency()));
  std::vector<Mistake> mistakes = compared_with_each<Mistake>(
      mutants, jobs, end, options.progress, diagnosis.mistakes_asked,
      [&](const self::Mutant& mutant) { return asked(mutant, failures, passes); });
  for (Mistake& one : mistakes) {
    // It may be right only because something else was asked before.
    if (after_others) std::ranges::replace(one.failures, Answer::right, Answer::not_asked);
  }
  const Clock::time_point refuted_by = end + std::min<Clock::duration>(kToRefute, given);
  const auto test = [&](const Diagnosis::Cause& cause, const self::Mutant& mutant,
                        const Mistake& mistake, int times) {
    constexpr std::chrono::seconds kEach{3};
    std::vector<Explained> explained;
    for (std::size_t at = 0; at < failures.size(); ++at) {
      if (mistake.failures[at] != Answer::same || failures[at].verdict.faults.empty()) continue;
      explained.push_back({&failures[at].asked->request, &failures[at].verdict.faults.front()});
    }
    SeededChoices choices(static_cast<std::uint64_t>(times));
    BesideFailures found = beside_failures(*result.suite, explained, cause.where, mutant, **adapter,
                                           choices, std::min(refuted_by, Clock::now() + kEach));
    if (after_others) found.missed = 0;
    return found;
  };
  // After other requests they may fail, and not by themselves.
  const std::vector<NotCompared> others =
      after_others ? std::vector<NotCompared>() : not_compared(failed, chosen);
  diagnosis.causes = causes_that_stand(result, failed.size(), compared(failures, failed), others,
                                       compared(passes), mistakes, jobs, test, refuted_by);
  std::erase_if(diagnosis.causes,
                [&](const Diagnosis::Cause& cause) { return !is_about(diagnosis, cause.breaks); });
  // A cause with conditions that covers fewer failures than a finding with exact conditions is a
  // coincidence.
  const Diagnosis::Finding* main = main_finding(diagnosis);
  if (main != nullptr && !main->where.empty() && main->passes_there * 10 <= main->failures) {
    const double share = static_cast<double>(main->failures) / diagnosis.failures;
    std::erase_if(diagnosis.causes, [&](const Diagnosis::Cause& cause) {
      return !cause.where.empty() && cause.same < share * diagnosis.compared;
    });
  }
  erase_plain_refusals(failures, mistakes, diagnosis);
  if (!diagnosis.causes.empty()) {
    put_history_first(diagnosis);
    derive(result, *failed.front(), diagnosis);
  }
  mark_as_the_first(result, diagnosis);
  mark_as_known(failed, failures, mistakes, diagnosis);
  diagnosis.seconds = std::chrono::duration<double>(Clock::now() - began).count();
  return diagnosis;
}

}  // namespace reshape::conformance
