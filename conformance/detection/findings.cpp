#include "conformance/detection/findings.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "conformance/abi/duty.h"
#include "conformance/adapter/examine/request_between.h"
#include "conformance/detection/comparable.h"
#include "conformance/detection/conditions.h"
#include "conformance/detection/execution_traits.h"
#include "conformance/detection/likeness.h"
#include "conformance/detection/subject.h"
#include "conformance/run/oracle.h"
#include "conformance/run/replays.h"
#include "conformance/run/wrong_in_common.h"
#include "conformance/text/listed.h"

namespace reshape::conformance {
namespace {

constexpr std::size_t kFewFailures = 3;  // fewer may have something in common by coincidence
constexpr double kSurprise = 1e-4;       // anything likelier than this may be coincidence
constexpr double kMostOfThem = 0.75;     // a finding with fewer of the failures is not the cause

using Members = std::vector<const CaseResult*>;

// Whether the duty is about what a call leaves behind, which is no answer and may vary.
bool is_left_behind(Duty duty) { return duty == Duty::C14 || duty == Duty::C15; }

// How the request before is related to the failing one, in words; empty where they have no simple
// relation.
std::string what_was_before(const CaseResult& one) {
  if (one.replays.after_refusal) return "a request that is refused";
  if (after_itself(one.replays, one.asked->request)) {
    if (one.replays.lines.size() > 1) return "how many calls there were";
    // To examine a request is to infer it with the other flag as well.
    return with_other_flag(one.asked->request)
               ? "an earlier call of the same request, or of it with the other flag"
               : "an earlier call of the same request";
  }
  const std::string alike = how_alike_before(one.replays, one.asked->request);
  return alike.empty() ? "" : "a request " + alike;
}

// What is wrong with some failures, in a sentence. Where it was told of some of them for all: how
// many were looked at, and for how many of these it is so.
struct Way {
  Members members;
  std::string says;
  std::size_t looked_at = 0;
  std::size_t so = 0;

  // " (142, 2 of 3 looked at)"; empty where nothing is to be told.
  std::string in_brackets(bool with_count) const {
    std::string words = with_count ? std::to_string(members.size()) : "";
    if (so < looked_at || (looked_at > 0 && looked_at < members.size())) {
      words += (words.empty() ? "" : ", ") + std::to_string(so) +
               (so < looked_at ? " of " + std::to_string(looked_at) : "") + " looked at";
    }
    return words.empty() ? "" : " (" + words + ")";
  }
};

// How the members vary that were looked at alone and pass there, and what the request before has in
// common for at least half of them, if it does.
void tell_what_was_before(Way& way) {
  std::map<std::string, std::size_t> befores;
  std::size_t known = 0;
  for (const CaseResult* one : way.members) {
    way.looked_at +=
        one->replays.how == Replays::How::after || one->replays.how == Replays::How::not_alone;
    if (one->replays.how != Replays::How::after) continue;
    ++known;
    ++befores[what_was_before(*one)];
  }
  way.so = way.looked_at;
  befores.erase("");
  const auto most =
      std::ranges::max_element(befores, {}, [](const auto& one) { return one.second; });
  if (most == befores.end() || 2 * most->second < known) return;
  way.says += ": on " + most->first;
  way.looked_at = known;
  way.so = most->second;
}

// How the failures vary. A run repeats some failures of each kind alone in a fresh process, which
// represent the rest. Nothing where they fail there too.
std::optional<Way> how_inconstant(const Subject& subject, const Members& members) {
  const auto some = [&](Replays::How how) {
    return std::ranges::any_of(members,
                               [&](const CaseResult* one) { return one->replays.how == how; });
  };
  if (some(Replays::How::alone)) return std::nullopt;
  const bool left = is_left_behind(subject.duty);
  const bool at_random = some(Replays::How::not_again) || some(Replays::How::at_times);
  const std::string depends = (left ? subject.says + ", which depends" : "the answer depends") +
                              std::string(" on what was asked before");
  Way way{members, depends};
  tell_what_was_before(way);
  // Of what fails at random some fail again after many others, too.
  if (!at_random ? way.looked_at > 0 : way.says != depends) return way;
  if (!at_random) return std::nullopt;
  return Way{members, left ? subject.says + ", at times" : "asked again, it answers otherwise"};
}

std::set<std::string> rules_of(const RunResult& result, const CaseResult& one) {
  reference::Derivation derivation;
  std::set<std::string> clauses;
  if (!oracle(*result.suite, one.asked->request, &derivation).ok()) return clauses;
  for (const auto& step : derivation) clauses.insert(step.clause);
  clauses.erase("output.shape");
  return clauses;
}

// The rule by which valid requests are wrongly refused: one that all of their derivations contain,
// and so few of the answered ones that it is no coincidence. Empty where there is none.
std::string rule_behind(const RunResult& result, const Members& refused, const Members& answered) {
  if (refused.size() < kFewFailures || answered.empty()) return "";
  std::set<std::string> common = rules_of(result, *refused.front());
  for (const CaseResult* one : refused) {
    const std::set<std::string> rules = rules_of(result, *one);
    std::erase_if(common, [&](const std::string& clause) { return !rules.contains(clause); });
    if (common.empty()) return "";
  }
  std::map<std::string, std::size_t> passing;
  for (const CaseResult* one : answered) {
    for (const std::string& clause : rules_of(result, *one)) ++passing[clause];
  }
  std::string rarest;
  double least = kSurprise;
  for (const std::string& clause : common) {
    const auto all = static_cast<double>(answered.size() + refused.size());
    const double share = static_cast<double>(passing[clause] + refused.size()) / all;
    const double chance = std::pow(share, static_cast<double>(refused.size()));
    if (chance >= least) continue;
    least = chance;
    rarest = clause;
  }
  return rarest;
}

// The passing cases that the mistake could have affected: the document answers them in the same way
// as one of the failures, and they have elements where elements are at fault.
Members comparable(const RunResult& result, const Members& failures) {
  Comparable comparable;
  for (const CaseResult* one : failures) comparable.add(*one->asked, one->verdict);
  Members passes;
  for (const CaseResult& one : result.cases) {
    if (one.verdict.kind == Verdict::Kind::pass && comparable.contains(*one.asked)) {
      passes.push_back(&one);
    }
  }
  return passes;
}

// Finds further clauses of the suite's cases among the members, besides the broken one:
// volume.exact, which nothing can break alone. Ignores clauses that many passing cases have as
// well.
void find_what_is_asked(const Members& members, const Members& passes,
                        Diagnosis::Finding& finding) {
  constexpr double kMostPasses = 0.25;
  const auto asking = [](const Members& cases) {
    std::map<std::string, int> times;
    int count = 0;
    for (const CaseResult* one : cases) {
      if (one->asked->generated()) continue;
      ++count;
      for (const std::string& clause : one->asked->clauses) ++times[clause];
    }
    return std::pair(std::move(times), count);
  };
  const auto [wrong, all_wrong] = asking(members);
  auto [right, all_right] = asking(passes);
  for (const auto& [clause, times] : wrong) {
    const bool most = times >= kMostOfThem * all_wrong && right[clause] <= kMostPasses * all_right;
    if (clause == finding.clause || !most) continue;
    if (chance_of(times, all_wrong, right[clause], all_right) < kSurprise) {
      finding.asks.push_back(clause);
    }
  }
}

// The clause that is most often not enforced. An implementation that misjudges it may also refuse
// valid requests because of it. Empty where there is none, two are about equally frequent, or few
// requests are let through beside many that are refused.
std::string clause_let_through(const std::map<Subject, Members>& subjects) {
  constexpr std::size_t kFewBeside = 4;
  std::map<std::string, std::size_t> times;
  std::size_t refused = 0;
  for (const auto& [subject, members] : subjects) {
    const bool produced = members.front()->produced.has_value();
    if (subject.duty == Duty::C4 && produced) times[subject.clause] += members.size();
    if (subject.duty == Duty::C3 && !produced) refused += members.size();
  }
  std::vector<std::pair<std::size_t, std::string>> most;
  for (const auto& [clause, count] : times) most.emplace_back(count, clause);
  std::sort(most.rbegin(), most.rend());
  const bool once = most.empty() || most[0].first == 1;  // possibly coincidence
  const bool alike = most.size() > 1 && most[0].first < 2 * most[1].first;
  return once || alike || kFewBeside * most[0].first < refused ? "" : most[0].second;
}

using Ways = std::vector<Way>;

// What a finding is about. A view that is not made is the contrary of one that is wrong, and has
// another cause.
struct About {
  std::string clause;
  Duty duty = Duty::none;
  bool makes_no_view = false;
  friend auto operator<=>(const About&, const About&) = default;
};

struct Group {
  Diagnosis::Finding finding;
  Members members;
  Ways ways;                 // the same
  std::string wrong_shapes;  // what they are, where that is more than what was asked for

  bool makes_no_view() const { return ways.front().says == kMakesNoView; }
};

// For groups, and for ways.
constexpr auto kMoreFailures = [](const auto& one, const auto& other) {
  return one.members.size() > other.members.size();
};

Group group_of(Diagnosis::Finding finding, Ways ways) {
  std::ranges::stable_sort(ways, kMoreFailures);
  Members all;
  Ways said;
  for (const Way& way : ways) {
    all.insert(all.end(), way.members.begin(), way.members.end());
    const auto known = std::ranges::find(said, way.says, &Way::says);
    if (known == said.end()) {
      said.push_back(way);
      continue;
    }
    known->members.insert(known->members.end(), way.members.begin(), way.members.end());
    known->looked_at += way.looked_at;
    known->so += way.so;
  }
  for (const Way& way : said) {
    finding.says += (finding.says.empty() ? "" : ", or ") + way.says;
    finding.says += way.in_brackets(said.size() > 1);
  }
  finding.failures = static_cast<int>(all.size());
  const CaseResult* plainest = *std::ranges::min_element(
      all, [](const auto* one, const auto* other) { return plainer(*one, *other); });
  finding.example = plainest->asked->id;
  std::string wrong = wrong_shapes_in_common(all);
  wrong = wrong.starts_with("the pattern's sizes") ? "" : wrong.substr(0, wrong.find(" ("));
  return {std::move(finding), std::move(all), std::move(ways), std::move(wrong)};
}

std::vector<const Request*> requests_of(const Members& members) {
  std::vector<const Request*> requests;
  for (const CaseResult* one : members) requests.push_back(&one->asked->request);
  return requests;
}

// What the requests have in common where each must be refused and hardly any passing one for the
// same reason: then there are no comparable passing cases to find conditions with. Not for duties
// about refusals, which say it.
std::string refusals_in_common(const RunResult& result, const Group& group) {
  const Diagnosis::Finding& finding = group.finding;
  const bool of_refusals =
      finding.duty == Duty::C4 || finding.duty == Duty::C9 || finding.duty == Duty::C19;
  if (!finding.clause.empty() || of_refusals || group.members.size() < kFewFailures) return "";
  std::set<std::string> clauses;
  for (const CaseResult* one : group.members) {
    if (one->asked->expect.kind != Ruling::Kind::rejects) return "";
    clauses.insert(one->asked->expect.clause);
  }
  const auto passes = std::ranges::count_if(result.cases, [&](const CaseResult& one) {
    const Ruling& right = one.asked->expect;
    return one.verdict.kind == Verdict::Kind::pass && right.kind == Ruling::Kind::rejects &&
           (clauses.size() > 1 || clauses.contains(right.clause));
  });
  constexpr std::ptrdiff_t kOneIn = 10;
  constexpr const char* kWheneverRefused = ", each time that a request is refused";
  // Of what has the conditions and is answered none fails: then that it is refused is one, too.
  const auto answered_there = std::ranges::count_if(result.cases, [&](const CaseResult& one) {
    return one.verdict.kind == Verdict::Kind::pass && finding.there &&
           one.asked->expect.kind == Ruling::Kind::produces && finding.there(one.asked->request);
  });
  if (std::cmp_greater_equal(answered_there, kFewFailures)) return kWheneverRefused;
  if (passes * kOneIn > std::ssize(group.members)) return "";
  return clauses.size() > 1 ? kWheneverRefused
                            : ", each time that " + *clauses.begin() + " refuses";
}

// Where in the library's source most failures lie, if it is half of those of which it is known: a
// function, or a line of several (a template or a macro has it once for each type).
void find_place(const Members& members, Diagnosis::Finding& finding) {
  std::map<std::string, std::pair<int, std::string>> times;  // by what is counted; and in words
  const auto count = [&](const std::string& what, std::string words) {
    auto& [here, said] = times[what];
    if (here++ == 0) said = std::move(words);
  };
  for (const CaseResult* one : members) {
    const CrashFrame* frame = one->verdict.frame();
    if (frame == nullptr || frame->line == 0) continue;
    ++finding.with_place;
    const std::string line = frame->file + ":" + std::to_string(frame->line);
    count(frame->function + " in " + frame->file, text(*frame, ""));
    count(line, line);
  }
  for (const auto& [what, known] : times) {
    const auto& [here, said] = known;
    if (here <= finding.at_place || 2 * here < finding.with_place) continue;
    finding.at_place = here;
    finding.place = said;
  }
}

// Of answers that hang on more than the request: only the cases between the first and the last
// failure tell what these have in common. What was asked before, or after, may pass for that reason.
// Cases lie in the order of the run.
struct Around {
  Members before, between;
};
Around around_of(const Members& failures, const Members& passes) {
  const auto [first, last] = std::ranges::minmax(failures);
  Around around;
  for (const CaseResult* one : passes) {
    if (one < first) around.before.push_back(one);
    if (one > first && one < last) around.between.push_back(one);
  }
  return around;
}

// Where nearly nothing passes from the first failure on, and all did before it, it is the point of
// the run that matters.
std::string from_a_point_on(const Around& around, const Members& failures, std::size_t passes) {
  constexpr std::size_t kFew = 12, kOneIn = 20;
  const std::size_t behind = passes - around.before.size();
  if (failures.size() < kFew || around.before.size() < kFew || behind * kOneIn > failures.size()) {
    return "";
  }
  return std::string(kInTheOrder) + "all " + std::to_string(around.before.size()) +
         " that it could have met pass before the first of these, and " + std::to_string(behind) +
         " of " + std::to_string(behind + failures.size()) + " from there on";
}

void explain(const RunResult& result, KnownTraits& known, Group& group) {
  Members passes = comparable(result, group.members);
  const bool of_history = group.finding.of_history();
  const std::size_t met = passes.size();
  if (of_history) {
    Around around = around_of(group.members, passes);
    group.finding.says += from_a_point_on(around, group.members, passes.size());
    passes = std::move(around.between);
  }
  Conditions found = conditions_of(requests_of(group.members), requests_of(passes), known);
  group.finding.where = std::move(found.where);
  group.finding.there = std::move(found.hold);
  group.finding.failures_there = static_cast<int>(found.failures_there);
  group.finding.passes_there = static_cast<int>(found.passes_there);
  group.finding.passes = static_cast<int>(group.finding.where.empty() ? met : passes.size());
  // What most of them have is chance where they hang on what was asked before.
  if (group.finding.where.empty() && !of_history) {
    Tendency most = tendency_of(requests_of(group.members), requests_of(passes), known);
    group.finding.mostly = std::move(most.says);
    group.finding.failures_mostly = static_cast<int>(most.failures);
    group.finding.passes_mostly = static_cast<int>(most.passes);
  }
  find_what_is_asked(group.members, passes, group.finding);
  find_place(group.members, group.finding);
  // Behind how answers vary a colon would name what they vary with.
  const bool varies = group.finding.clause.empty() && group.finding.duty == Duty::C17;
  std::string wrong_elements = executions_in_common(group.members);
  constexpr std::string_view kColon = ": ", kValues = ": each ";
  if (varies && wrong_elements.starts_with(kColon)) {
    wrong_elements.replace(
        0, kColon.size(),
        wrong_elements.starts_with(kValues) ? "; of what is wrong " : "; wrong is ");
  }
  group.finding.says += wrong_elements;
  if (const std::string wrong = wrong_shapes_in_common(group.members); !wrong.empty()) {
    const bool all = std::ranges::all_of(
        group.members, [](const CaseResult* one) { return one->wrong_shape.has_value(); });
    group.finding.says += (all && !varies ? ": " : "; of the wrong shapes: ") + wrong;
  }
  group.finding.says += refusals_in_common(result, group);
}

// Whether a mistake in copying elements can break this duty: it may crash, access memory out of
// bounds, or copy wrong elements.
bool is_of_a_copy(Duty duty) {
  constexpr Duty kOfCopies[] = {Duty::C5,  Duty::C6,  Duty::C7,  Duty::C8, Duty::C10,
                                Duty::C12, Duty::C13, Duty::C16, Duty::C21};
  return std::ranges::find(kOfCopies, duty) != std::end(kOfCopies);
}

// If elements are wrong in plain executions too, then wrong elements in views, in place or with
// overlap need no cause of their own: joins these groups.
void join_wrong_elements(std::map<About, Ways>& groups) {
  constexpr std::size_t kOneIn = 20;  // plain failures fewer than this share may be another mistake
  const auto plain = groups.find(About{"content.kept", Duty::C5});
  const auto count = [](const Ways& ways) {
    std::size_t members = 0;
    for (const Way& way : ways) members += way.members.size();
    return members;
  };
  if (plain == groups.end()) return;
  for (const Duty duty : {Duty::C12, Duty::C13, Duty::C21}) {
    const auto other = groups.find(About{"content.kept", duty});
    if (other == groups.end()) continue;
    // If only few plain executions are wrong, they must be at least as many as the others.
    const std::size_t plainly = count(plain->second), otherwise = count(other->second);
    if (plainly * (plainly < kFewFailures ? 1 : kOneIn) < otherwise) continue;
    std::move(other->second.begin(), other->second.end(), std::back_inserter(plain->second));
    groups.erase(other);
  }
}

// Says which clauses the parts of a finding are about: ", of the clauses data.type (60) and
// pattern.type (75)".
void name_clauses(std::span<const Group> groups, Diagnosis::Finding& finding) {
  constexpr std::size_t kMostClauses = 4;  // more would not fit into a line
  std::map<std::string, int> failures;
  for (const Group& one : groups) {
    if (!one.finding.clause.empty()) failures[one.finding.clause] += one.finding.failures;
  }
  std::vector<std::string> words;
  for (const auto& [clause, count] : failures) {
    finding.clauses.push_back(clause);
    words.push_back(clause + " (" + std::to_string(count) + ")");
  }
  if (words.size() < 2 || words.size() > kMostClauses) return;
  finding.says += ", of the clauses " + listed(words);
}

// Joins several groups under the clause; the duty is that of the first, and the others become
// `besides`.
Group joined_of(const RunResult& result, KnownTraits& known, std::span<const Group> groups,
                std::string clause) {
  Diagnosis::Finding finding;
  finding.duty = groups.front().finding.duty;
  finding.clause = std::move(clause);
  Ways ways;
  for (const Group& one : groups) {
    ways.insert(ways.end(), one.ways.begin(), one.ways.end());
    const std::string duty = name(one.finding.duty);
    const bool told = std::ranges::find(finding.besides, duty) != finding.besides.end();
    if (one.finding.duty != finding.duty && !told) finding.besides.push_back(duty);
  }
  Group joined = group_of(std::move(finding), std::move(ways));
  name_clauses(groups, joined.finding);
  explain(result, known, joined);
  return joined;
}

// The same, where none of their clauses is that of all.
Group joined_of(const RunResult& result, KnownTraits& known, std::span<const Group> groups) {
  const bool of_sizes =
      groups.front().finding.duty == Duty::C3 &&
      std::ranges::any_of(groups, [](const Group& one) { return !one.finding.clause.empty(); });
  return joined_of(result, known, groups, of_sizes ? "output.shape" : "");
}

// Whether the requests have in common what hardly any passing case has.
bool by_what_they_share(const Diagnosis::Finding& one) {
  return !one.where.empty() && one.passes_there <= one.failures;
}

// How all of its failures begin to be told, where that has nothing to do with the clause: `execute`
// or `view` does not heed that inference refuses, or inference does not say what it should. Else
// empty.
std::string_view whatever_the_clause(const Group& group) {
  constexpr std::string_view kBegins[] = {
      "inference refuses, and ", "inference says that it failed", "the answer cannot be read"};
  for (const std::string_view begin : kBegins) {
    const bool all = std::ranges::all_of(
        group.ways, [=](const Way& way) { return way.says.starts_with(begin); });
    if (all) return begin;
  }
  return "";
}

// Whether two groups of wrong answers are told in one sentence under one condition, or their shapes
// are wrong in one way.
bool told_alike(const Group& one, const Group& other) {
  // Elements that are not written hold by chance what they should.
  const auto varies = [](const Group& group) { return group.finding.of_history(); };
  const bool of_copy_and_history = (is_of_a_copy(one.finding.duty) && varies(other)) ||
                                   (varies(one) && is_of_a_copy(other.finding.duty));
  if (of_copy_and_history) {
    return !one.finding.where.empty() && one.finding.where == other.finding.where;
  }
  for (const Group* each : {&one, &other}) {
    if (each->finding.duty != Duty::C3 && each->finding.duty != Duty::C4) return false;
  }
  if (!one.wrong_shapes.empty() && one.wrong_shapes == other.wrong_shapes) return true;
  const std::string_view of_no_clause = whatever_the_clause(one);
  if (!of_no_clause.empty() && of_no_clause == whatever_the_clause(other)) return true;
  return one.finding.says == other.finding.says && !one.finding.where.empty() &&
         one.finding.where == other.finding.where;
}

// Joins groups that are told alike, whatever clauses they break, if all of them together have in
// common what hardly any passing case has: one mistake would be told as many.
void join_told_alike(const RunResult& result, KnownTraits& known, std::vector<Group>& groups) {
  for (std::size_t at = 0; at < groups.size(); ++at) {
    std::vector<Group> alike, others;
    for (std::size_t other = 0; other < groups.size(); ++other) {
      const bool is = other == at || (other > at && told_alike(groups[at], groups[other]));
      (is ? alike : others).push_back(groups[other]);
    }
    if (alike.size() < 2) continue;
    Group joined = joined_of(result, known, alike);
    if (!by_what_they_share(joined.finding) && whatever_the_clause(joined).empty()) continue;
    others.insert(others.begin() + static_cast<std::ptrdiff_t>(at), std::move(joined));
    groups = std::move(others);
  }
  std::ranges::stable_sort(groups, kMoreFailures);
}

// If no group has most of the failures, joins groups that do so together, for a mistake that
// belongs to no single clause: groups with the same duty (wrong shapes only if they share a
// condition), or groups about copies that have a condition in common which hardly any passing case
// meets.
void join(const RunResult& result, std::size_t failures, KnownTraits& known,
          std::vector<Group>& groups) {
  const auto holds_most = [&](std::size_t count) {
    return static_cast<double>(count) >= kMostOfThem * static_cast<double>(failures);
  };
  if (groups.empty() || holds_most(groups.front().members.size())) return;
  const auto join_those = [&](auto alike, auto believable) {
    const auto others = std::stable_partition(groups.begin(), groups.end(), alike);
    std::size_t count = 0;
    for (auto one = groups.begin(); one != others; ++one) count += one->members.size();
    if (others - groups.begin() < 2 || !holds_most(count)) return false;
    Group joined = joined_of(result, known, std::span(groups.begin(), others));
    if (!believable(joined.finding)) return false;
    groups.erase(groups.begin(), others);
    groups.push_back(std::move(joined));
    return true;
  };
  const Duty duty = groups.front().finding.duty;
  const std::vector<std::string> where = groups.front().finding.where;
  const bool makes_no_view = groups.front().makes_no_view();
  const auto of_its_duty = [&](const Group& one) {
    const std::vector<std::string>& other = one.finding.where;
    const bool shared =
        std::find_first_of(where.begin(), where.end(), other.begin(), other.end()) != where.end();
    return one.finding.duty == duty && one.makes_no_view() == makes_no_view &&
           (duty != Duty::C3 || shared);
  };
  const auto of_a_copy = [](const Group& one) {
    return is_of_a_copy(one.finding.duty) && !one.makes_no_view();
  };
  // Missing refusals have one cause only if hardly any refusal works: with two separate mistakes
  // most do.
  const auto by_its_duty = [&](const Diagnosis::Finding& one) {
    return duty != Duty::C4 || one.passes <= one.failures || by_what_they_share(one);
  };
  if (!join_those(of_its_duty, by_its_duty)) join_those(of_a_copy, by_what_they_share);
  std::ranges::stable_sort(groups, kMoreFailures);
}

// Whether one mistake can break both duties: in copying, or in answering.
bool may_be_one_mistake(const Group& one, const Group& other) {
  if (one.makes_no_view() || other.makes_no_view()) return false;
  const auto is_of_an_answer = [](Duty duty) { return duty == Duty::C3 || duty == Duty::C4; };
  const Duty duty = one.finding.duty, beside = other.finding.duty;
  return (is_of_a_copy(duty) && is_of_a_copy(beside)) ||
         (is_of_an_answer(duty) && is_of_an_answer(beside));
}

// How many of the members meet the finding's conditions, of which it has some.
std::ptrdiff_t count_there(const Diagnosis::Finding& finding, const Members& members) {
  return std::ranges::count_if(
      members, [&](const CaseResult* one) { return finding.there(one->asked->request); });
}

// Whether nearly all members meet the conditions that the finding's failures have in common.
bool meet_conditions_of(const Diagnosis::Finding& first, const Members& members) {
  constexpr std::ptrdiff_t kOneIn = 20;
  if (!first.there) return false;
  return (std::ssize(members) - count_there(first, members)) * kOneIn <= std::ssize(members);
}

// Whether the finding has conditions that hardly any passing case meets, and these failures neither.
bool is_told_apart(const Diagnosis::Finding& finding, const Members& others) {
  constexpr int kExact = 10;  // a passing case for so many failures
  if (!finding.there || finding.failures < static_cast<int>(kFewFailures) ||
      finding.passes_there * kExact > finding.failures) {
    return false;
  }
  return 2 * count_there(finding, others) < std::ssize(others);
}

// A copy that takes wrong places shows in several ways: elements are wrong, and what lies outside is
// read, written, or ends the process. Joins such groups to the largest, if it is one, but for those
// that their conditions tell apart from it.
void join_symptoms_of_a_copy(const RunResult& result, KnownTraits& known,
                             std::vector<Group>& groups) {
  std::vector<Group> joined, others;
  for (Group& one : groups) {
    const bool is_symptom =
        joined.empty() ||
        (may_be_one_mistake(joined.front(), one) && is_of_a_copy(joined.front().finding.duty) &&
         !is_told_apart(one.finding, joined.front().members) &&
         !is_told_apart(joined.front().finding, one.members));
    (is_symptom ? joined : others).push_back(std::move(one));
  }
  if (joined.size() > 1) {
    const std::string clause = joined.front().finding.clause;
    joined = {joined_of(result, known, joined, clause)};
  }
  std::ranges::move(others, std::back_inserter(joined));
  groups = std::move(joined);
}

// Joins to the largest group those whose failures meet its conditions, if so many would not by
// coincidence: few passing cases do. Of fewer it is only said that they may have the same cause.
void join_under_conditions(const RunResult& result, KnownTraits& known,
                           std::vector<Group>& groups) {
  if (groups.size() < 2 || !groups.front().finding.there) return;
  const Diagnosis::Finding first = groups.front().finding;
  const double share = (first.passes_there + 1.0) / (first.passes + 1.0);
  constexpr double kSelective = 0.1;  // the share of the passing cases
  std::vector<Group> joined{groups.front()}, others;
  for (std::size_t at = 1; at < groups.size(); ++at) {
    Group& one = groups[at];
    const bool meet =
        may_be_one_mistake(groups.front(), one) && meet_conditions_of(first, one.members);
    const auto families = static_cast<double>(families_of(requests_of(one.members)));
    const bool is_no_chance = std::pow(share, families) < kSurprise;
    one.finding.as_the_first = meet && share < kSelective;
    (meet && is_no_chance ? joined : others).push_back(std::move(one));
  }
  if (joined.size() > 1) {
    Group all = joined_of(result, known, joined, first.clause);
    if (all.finding.where.empty()) {
      all.finding.where = first.where;
      all.finding.there = first.there;
      all.finding.passes_there = first.passes_there;
      all.finding.passes = first.passes;
      all.finding.failures_there = static_cast<int>(count_there(first, all.members));
      all.finding.mostly.clear();
      all.finding.failures_mostly = all.finding.passes_mostly = 0;
    }
    joined = {std::move(all)};
  }
  std::ranges::move(others, std::back_inserter(joined));
  groups = std::move(joined);
}

}  // namespace

std::vector<Diagnosis::Finding> findings_of(const RunResult& result,
                                            std::span<const CaseResult* const> failed,
                                            KnownTraits& known) {
  constexpr std::size_t kMostExplained = 5;  // groups with conditions; smaller groups get none
  std::map<Subject, Members> subjects;
  for (const CaseResult* one : failed) {
    if (!one->verdict.faults.empty()) subjects[subject_of(*one)].push_back(one);
  }
  const std::string let_through = clause_let_through(subjects);
  // One finding for each clause and duty, however it shows.
  std::map<About, Ways> groups;
  for (auto& [subject, members] : subjects) {
    std::string clause = subject.clause;
    Duty duty = subject.duty;
    if (std::optional<Way> how = how_inconstant(subject, members)) {
      const bool left = is_left_behind(duty);
      groups[About{"", left ? duty : Duty::C17}].push_back(*std::move(how));
      continue;
    }
    if (clause == "output.shape" && subject.duty == Duty::C3 && !members.front()->produced) {
      const std::string rule = rule_behind(result, members, comparable(result, members));
      if (!rule.empty()) {
        clause = rule;
      } else if (!let_through.empty()) {
        clause = let_through;
        duty = Duty::C4;
      }
    }
    const About about{clause, duty, subject.says == kMakesNoView};
    groups[about].push_back({std::move(members), subject.says});
  }
  join_wrong_elements(groups);
  std::vector<Group> sorted;
  for (auto& [about, ways] : groups) {
    Diagnosis::Finding finding;
    finding.clause = about.clause;
    finding.duty = about.duty;
    sorted.push_back(group_of(std::move(finding), std::move(ways)));
  }
  std::ranges::stable_sort(sorted, kMoreFailures);
  for (std::size_t at = 0; at < std::min(kMostExplained, sorted.size()); ++at) {
    explain(result, known, sorted[at]);
  }
  join_told_alike(result, known, sorted);
  join(result, failed.size(), known, sorted);
  join_symptoms_of_a_copy(result, known, sorted);
  join_under_conditions(result, known, sorted);
  std::vector<Diagnosis::Finding> findings;
  for (Group& one : sorted) findings.push_back(std::move(one.finding));
  return findings;
}

void put_history_first(Diagnosis& diagnosis) {
  if (diagnosis.explains_history() || diagnosis.causes.empty()) return;
  std::ranges::stable_partition(diagnosis.findings, &Diagnosis::Finding::of_history);
}

void mark_as_the_first(const RunResult& result, Diagnosis& diagnosis) {
  constexpr int kOneIn = 20;
  const auto plane_of = [&](const Diagnosis::Finding& finding) -> std::optional<Plane> {
    const auto found = std::ranges::find(result.cases, finding.example,
                                         [](const CaseResult& one) { return one.asked->id; });
    if (found == result.cases.end() || found->verdict.faults.empty()) return std::nullopt;
    return found->verdict.faults.front().plane;
  };
  if (diagnosis.findings.empty()) return;
  const Diagnosis::Finding& first = diagnosis.findings.front();
  const std::optional<Plane> plane_of_first = plane_of(first);
  const bool has_conditions = first.there && !first.around.refutes;
  for (Diagnosis::Finding& one : std::span(diagnosis.findings).subspan(1)) {
    const bool few = one.failures * kOneIn <= first.failures;
    const auto alike = [&] {
      return (one.duty != Duty::none && one.duty == first.duty) ||
             (plane_of_first && plane_of(one) == plane_of_first);
    };
    one.as_the_first =
        diagnosis.causes.empty() && ((one.as_the_first && has_conditions) || (few && alike()));
  }
}

const Diagnosis::Finding* main_finding(const Diagnosis& diagnosis) {
  if (diagnosis.findings.empty()) return nullptr;
  const Diagnosis::Finding& first =
      *std::ranges::max_element(diagnosis.findings, {}, &Diagnosis::Finding::failures);
  // A wrong or inconstant answer to a valid request can have any cause, so it takes several
  // failures.
  const bool vague = first.clause == "output.shape" || first.duty == Duty::C17;
  const bool enough = !vague || first.failures >= static_cast<int>(kFewFailures);
  return enough && first.failures >= kMostOfThem * diagnosis.failures ? &first : nullptr;
}

}  // namespace reshape::conformance
