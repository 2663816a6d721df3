#include "conformance/report/sections.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <set>

#include "conformance/property/law.h"
#include "conformance/text/counted.h"
#include "conformance/text/listed.h"
#include "conformance/text/shell_word.h"

namespace reshape::conformance {
namespace {

using Out = std::back_insert_iterator<std::string>;

std::string law_head(const Report& run, const LawResult& law) {
  const char* state = !law.known.empty() ? "known"
                      : law.undecided    ? (run.is_red(law) ? "UNDECIDED" : "undecided")
                      : !law.holds()     ? "BROKEN"
                      : law.tried > 0    ? "holds"
                                         : "not asked";
  return fmt::format("  {:<10} {:<26} {:<22} {:>5} tried  {}\n", state, law.name, law.rests_on,
                     law.tried,
                     law.holds() && law.tried == 0 ? printable(law.not_asked) : law.says);
}

bool could_not_be_asked(const LawResult& law) {
  return law.holds() && law.tried == 0 && law.known.empty();
}

// Prints the laws that could not be asked for the same reason, of whom `law` is the first, in a
// line; of those behind it nothing.
void print_unasked(Out out, const LawResult& law, const std::vector<const LawResult*>& alike) {
  if (alike.front() != &law) return;
  std::vector<std::string> names;
  for (const LawResult* one : alike) names.push_back(one->name);
  fmt::format_to(out, "  {:<10} {}: {}\n", "not asked", fmt::join(names, ", "),
                 printable(law.not_asked));
}

// Why a law is undecided, without the number of its draws and the first of them.
std::string why_undecided(const LawResult& law) {
  const std::string why = law.broken.substr(0, law.broken.find("; the first: "));
  const std::size_t at = why.find(" answered wrongly ");
  return at == std::string::npos ? why : why.substr(at);
}

// Where many laws are undecided, the failures of the suite make them so: why is told of the first
// law, and of others for which the reason is another one.
void print_laws(Out out, const Report& run, bool quiet) {
  if (run.laws.empty()) return;
  if (!quiet) fmt::format_to(out, "\nLaws\n");
  std::set<std::string> told;
  std::string alike;
  std::map<std::string, std::vector<const LawResult*>> unasked;  // by the reason
  for (const LawResult& law : run.laws) {
    if (could_not_be_asked(law)) unasked[law.not_asked].push_back(&law);
  }
  for (const LawResult& law : run.laws) {
    if (quiet && !run.is_red(law)) continue;
    if (could_not_be_asked(law) && unasked[law.not_asked].size() > 1) {
      print_unasked(out, law, unasked[law.not_asked]);
      continue;
    }
    const bool repeated = law.undecided && law.known.empty() && law.unfinished.empty() &&
                          !told.insert(why_undecided(law)).second;
    if (repeated) alike += (alike.empty() ? "" : ", ") + law.name;
    fmt::format_to(out, "{}", repeated ? law_head(run, law) : law_text(run, law));
  }
  if (!alike.empty()) {
    fmt::format_to(out, "  undecided for a reason told above: {}; --json FILE has each\n", alike);
  }
}

bool is_of_threads(const LawResult& result) {
  const Law* law = law_named(result.name);
  return law != nullptr && law->of_threads;
}

// The most frequent first, as many as stand on a line or two.
std::string shares(const std::map<std::string, int>& drawn, int requests) {
  std::vector<std::pair<std::string, int>> list(drawn.begin(), drawn.end());
  std::ranges::stable_sort(list, std::greater(), &std::pair<std::string, int>::second);
  std::string text;
  for (const auto& [name, times] : list) {
    text += fmt::format("{}{} {:.1f}%", text.empty() ? "" : ", ", name,
                        100.0 * times / std::max(requests, 1));
  }
  return text;
}

void print_generated(Out out, const Report& run, bool quiet) {
  if (!run.generated) return;
  const Generation& generated = *run.generated;
  const bool besides_the_suite = std::ranges::any_of(
      run.cases, [](const CaseResult& one) { return !one.asked->in_no_file(); });
  if (!quiet && besides_the_suite) {
    fmt::format_to(out, "\nBesides the suite: {} requests generated from seed {}\n",
                   generated.requests, generated.seed);
  } else if (!quiet) {
    fmt::format_to(out, "\nGenerated: {} requests from seed {}, {:.0f} a second\n",
                   generated.requests, generated.seed,
                   generated.requests / std::max(run.seconds, 1e-9));
    for (const auto& [facet, drawn] : generated.drawn) {
      fmt::format_to(out, "  {:<9} {}\n", facet, shares(drawn, generated.requests));
    }
  }
  for (const Smallest& one : generated.smallest) {
    fmt::format_to(out, "\nSmallest request that fails like {}\n  {}\n", one.id,
                   printable(one.fails));
    fmt::format_to(out, "  replay    {}\n", replay_command(run, one));
    fmt::format_to(out, "  as a case of specs/:\n{}", one.yaml);
  }
}

void print_exhaustive(Out out, const Report& run, bool quiet) {
  if (!run.exhaustive) return;
  const ExhaustiveResult& world = *run.exhaustive;
  if (!quiet) {
    fmt::format_to(out, "\nExhaustive: {}\n", world.bound);
    for (const auto& [dialect, requests] : world.asked) {
      fmt::format_to(out, "  {:<34}{:>12} requests\n", dialect, requests);
    }
    fmt::format_to(out, "  {:<34}{:>12} requests in {:.1f} s, {:.0f} a second\n", "shape plane",
                   world.requests, world.seconds,
                   static_cast<double>(world.requests) / std::max(world.seconds, 1e-9));
    fmt::format_to(out, "  {:<34}{:>12} layouts\n", "bytes and memory", world.layouts);
  }
  if (world.faults > 0) {
    fmt::format_to(out, "  {} requests are answered wrongly; the first of them are shown above\n",
                   world.faults);
  }
  if (!world.stopped.empty()) fmt::format_to(out, "  stopped: {}\n", printable(world.stopped));
}

std::string chance_words(double chance) {
  return chance < 0.001 ? "less than 1 in 1000" : fmt::format("{:.3f}", chance);
}

void print_first_use(Out out, const Report& run, bool quiet) {
  bool any = false;
  bool red = false;
  for (const ProcessFault& one : run.at_first_use) {
    if (quiet && one.waived) continue;
    if (!any) fmt::format_to(out, "\nOnce in each process, whatever it is asked\n");
    any = true;
    // What a later process declares otherwise (C2) is never let through.
    red |= !one.waived && one.seen.duty != Duty::C2;
    fmt::format_to(out, "  {:<7} {} ({}): {}\n", one.waived ? "waived" : "RED",
                   name(one.seen.watch), name(one.seen.duty), printable(one.seen.saw));
  }
  if (red) {
    fmt::format_to(
        out,
        "  It is let through by --waive {0}, or {0}/WATCH; a law that finds it again, as "
        "on each further thread, breaks all the same.\n",
        kFirstUseWaiver);
  }
}

}  // namespace

std::string specs_option(const RunOptions& options) {
  return options.specs.empty() ? "" : " --specs " + shell_word(options.specs);
}

std::vector<std::string> baseline_lines(const Report& run) {
  std::vector<std::string> lines;
  for (const CaseResult& result : run.cases) {
    if (result.known != Known::passes && result.known != Known::skipped) continue;
    lines.push_back(
        fmt::format("{}: {} ({})", result.asked->id, name(result.known), result.known_reason));
  }
  lines.insert(lines.end(), run.baseline_faults.begin(), run.baseline_faults.end());
  return lines;
}

std::string replay_command(const Report& run, const Smallest& smallest) {
  return fmt::format("reshape-conformance replay {} -i {}{}", shell_word(smallest.line),
                     shell_word(run.options.library), specs_option(run.options));
}

// Of requests; the JSON report has longer ones whole.
constexpr std::size_t kLongestLine = 1000;

std::string replay_command(const Report& run, const LawResult& law) {
  const std::string where = shell_word(run.options.library) + specs_option(run.options);
  const bool short_enough = !law.lines.empty() && law.lines.front().size() <= kLongestLine;
  if (law.undecided && short_enough) {
    return fmt::format("reshape-conformance replay {} -i {}", shell_word(law.lines.front()), where);
  }
  if (law.input.empty()) return "";
  return fmt::format("reshape-conformance replay --law {} --seed {} {} -i {}", law.name, law.seed,
                     shell_word(law.input), where);
}

std::string law_text(const Report& run, const LawResult& law) {
  std::string text = law_head(run, law);
  const Out out(text);
  if (law.tried > 0 && !law.unfinished.empty()) {
    fmt::format_to(out, "      no more were tried: {}\n", printable(law.unfinished));
  }
  if (law.holds()) return text;
  fmt::format_to(out, "      {}\n", printable(law.broken));
  if (!law.known.empty()) fmt::format_to(out, "      known     {}\n", printable(law.known));
  if (!law.known_until.empty()) {
    fmt::format_to(out, "      known     until {}\n", printable(law.known_until));
  }
  constexpr std::size_t kMostLines = 12;
  // A long list is cut at its beginning: the law breaks at the last lines.
  const std::size_t left_out = law.lines.size() - std::min(law.lines.size(), kMostLines);
  if (left_out > 0 && !law.undecided) {
    fmt::format_to(out, "      asked     {} before these, which the JSON report lists\n", left_out);
  }
  for (std::size_t at = left_out; !law.undecided && at < law.lines.size(); ++at) {
    fmt::format_to(out, "      asked     {}\n", printable(law.lines[at], kLongestLine));
  }
  const std::string replay = replay_command(run, law);
  if (replay.empty()) {
    fmt::format_to(out,
                   "      again     not in a fresh process that is asked nothing else\n"
                   "      replay    {}\n",
                   whole_run_command(run));
  } else {
    const bool as_asked = std::ranges::any_of(law.lines, [&](const std::string& line) {
      return law.undecided || line.starts_with(law.input);
    });
    if (!as_asked) fmt::format_to(out, "      made from {}\n", law.input);
    fmt::format_to(out, "      replay    {}\n", replay);
    if (is_of_threads(law) && !law.undecided) {
      fmt::format_to(out,
                     "      again     how threads meet is chance: where it holds, repeat it\n");
    }
  }
  return text;
}

namespace {

void print_around(Out out, const Diagnosis::Around& around) {
  fmt::format_to(out, "      of {} that differ little from it, {}\n",
                 counted(static_cast<std::size_t>(around.asked), "request"),
                 around.failed == 0   ? "none fails"
                 : around.failed == 1 ? "1 fails as well"
                                      : fmt::format("{} fail as well", around.failed));
  if (around.where.empty()) return;
  const int failing = around.failures;
  fmt::format_to(
      out, "      {} that fail have {}; of {} that pass {}\n",
      around.failures_there == failing ? fmt::format("all {}", failing)
                                       : fmt::format("{} of {}", around.failures_there, failing),
      listed(around.where), around.passes,
      around.passes_there == 0 ? "none has" : fmt::format("{} have", around.passes_there));
}

// What the requests of a finding have in common, and what is around it.
void print_common(Out out, const Diagnosis::Finding& one) {
  if (!one.asks.empty()) {
    fmt::format_to(out, "      its cases ask for {}\n", listed(one.asks));
  }
  if (!one.where.empty()) {
    fmt::format_to(out, "      {} of them have {}; of {} passing cases that it could have met {}\n",
                   one.failures_there == one.failures ? "all" : std::to_string(one.failures_there),
                   listed(one.where), one.passes,
                   one.passes_there == 0 ? "none has" : fmt::format("{} have", one.passes_there));
  } else if (one.passes == 0) {
    fmt::format_to(out, "      no case that it could have met passes\n");
  } else if (!one.mostly.empty() && one.around.where.empty()) {
    fmt::format_to(
        out, "      most of them ({}) have {}; of {} passing cases that it could have met {}\n",
        one.failures_mostly, one.mostly, one.passes,
        one.passes_mostly == 0 ? "none has" : fmt::format("{} have", one.passes_mostly));
  }
  if (one.around.asked > 0) print_around(out, one.around);
}

bool is_broken_by(const Diagnosis::Cause& cause, const Diagnosis::Finding& finding) {
  return cause.breaks == finding.clause || cause.breaks == name(finding.duty) ||
         std::ranges::find(finding.besides, cause.breaks) != finding.besides.end();
}

// The finding about the failures that a known mistake explains, of which only what it adds is told:
// about all failures, or, where all were compared, as many and no other of what the mistake breaks.
const Diagnosis::Finding* told_by(const Diagnosis& diagnosis, const Diagnosis::Cause& cause) {
  const Diagnosis::Finding* told = nullptr;
  for (const Diagnosis::Finding& one : diagnosis.findings) {
    if (!is_broken_by(cause, one)) continue;
    if (told != nullptr) return nullptr;
    told = &one;
  }
  if (told == nullptr) return nullptr;
  const auto breaks_it = [&](const Diagnosis::Cause& one) { return is_broken_by(one, *told); };
  if (std::ranges::count_if(diagnosis.causes, breaks_it) > 1) return nullptr;
  const bool all = cause.same == diagnosis.compared && told->failures == diagnosis.failures;
  const bool as_many = diagnosis.compared == diagnosis.failures && cause.same == told->failures;
  return all || as_many ? told : nullptr;
}

bool is_told_by_cause(const Diagnosis& diagnosis, const Diagnosis::Finding& finding) {
  return std::ranges::any_of(diagnosis.causes, [&](const Diagnosis::Cause& one) {
    return told_by(diagnosis, one) == &finding;
  });
}

void print_cause(Out out, const Diagnosis& diagnosis, const Diagnosis::Cause& cause) {
  const std::string of =
      diagnosis.compared == diagnosis.failures
          ? fmt::format("{}", diagnosis.failures)
          : fmt::format("{} compared of {}", diagnosis.compared, diagnosis.failures);
  const bool all = cause.same == diagnosis.compared;
  const std::string where =
      cause.where.empty() ? "" : ", where the request has " + listed(cause.where);
  constexpr int kFew = 2;  // that other mistakes would answer so, too
  if (all && diagnosis.failures <= kFew) {
    fmt::format_to(out, "  {} answered as if: {}{}; so few may have another cause\n",
                   diagnosis.failures == 1 ? "the failure is" : "both failures are", cause.says,
                   where);
  } else {
    fmt::format_to(out, "  {} failures ({}) are answered exactly as if: {}{}\n",
                   all ? "all" : std::to_string(cause.same) + " of the", of, cause.says, where);
  }
  fmt::format_to(out, "      breaks {}; mutant {}{}\n", cause.breaks, cause.mutant,
                 cause.public_bug.empty() ? "" : "; once a bug of " + cause.public_bug);
  fmt::format_to(out,
                 "      agrees with {} of {} failing and {} of {} passing cases; by chance: {}\n",
                 cause.same, cause.same + cause.otherwise, cause.passes - cause.beyond,
                 cause.passes, chance_words(cause.chance));
  if (const Diagnosis::Finding* told = told_by(diagnosis, cause)) {
    fmt::format_to(out, "      {}; plainest: {}\n", told->says, told->example);
    print_common(out, *told);
  }
}

void print_findings(Out out, const Diagnosis& diagnosis) {
  constexpr std::size_t kMostFindings = 5;
  for (std::size_t at = 0; at < std::min(kMostFindings, diagnosis.findings.size()); ++at) {
    const Diagnosis::Finding& one = diagnosis.findings[at];
    if (is_told_by_cause(diagnosis, one)) continue;
    fmt::format_to(out, "  {} of {} failures{}: {}\n      breaks {}{}{}{}; plainest: {}\n",
                   one.failures, diagnosis.failures,
                   one.as_the_first ? ", which may come of the same as the first"
                   : one.as_known   ? ", which that mistake explains where they were compared"
                                    : "",
                   one.says, one.clause, one.clause.empty() ? "" : ", ", name(one.duty),
                   one.besides.empty() ? "" : " and " + listed(one.besides), one.example);
    if (one.at_place > 0) {
      fmt::format_to(out, "      {} of {} whose place is known lie at {}\n", one.at_place,
                     one.with_place, printable(one.place));
    }
    // What these have in common would read as a cause of their own.
    if (!one.as_the_first && !one.as_known) print_common(out, one);
  }
  if (diagnosis.findings.size() > kMostFindings) {
    fmt::format_to(out, "  and {} smaller groups, which the JSON report lists\n",
                   diagnosis.findings.size() - kMostFindings);
  }
}

// Whether the known mistakes leave more than half of the failures unexplained, or more than a quarter
// where one finding tells of all of them; or whether they explain none of those that hang on earlier
// requests.
bool contradicted(const Diagnosis& diagnosis) {
  // Mistakes that answer each request alike explain nothing that hangs on earlier requests.
  if (!diagnosis.explains_history() && !diagnosis.findings.empty() &&
      diagnosis.findings.front().of_history()) {
    return true;
  }
  int explained = 0;
  for (const Diagnosis::Cause& cause : diagnosis.causes) explained += cause.same;
  if (diagnosis.findings.empty() || explained == 0) return false;
  const bool of_all = diagnosis.findings.front().failures == diagnosis.failures;
  return of_all ? 4 * explained < 3 * diagnosis.compared : 2 * explained < diagnosis.compared;
}

std::string failures(int count) {
  return count == 1 ? "failure" : fmt::format("{} failures", count);
}

void print_diagnosis(Out out, const Report& run, const Diagnosis& diagnosis) {
  // Few unstable failures are only a remark; and a dependence on earlier requests is reported
  // elsewhere.
  const int asked_again = diagnosis.unstable + diagnosis.compared;
  const bool mostly = diagnosis.most_are_right_again() && fail_by_chance(run.cases);
  const int in_another_way = diagnosis.unstable - diagnosis.right_again;
  std::string unstable = fmt::format("of the {} asked again", failures(asked_again));
  const auto are = [](int some) { return fmt::format(" {} {}", some, some == 1 ? "is" : "are"); };
  if (diagnosis.right_again > 0) unstable += are(diagnosis.right_again) + " right then";
  if (diagnosis.right_later > 0) {
    unstable += diagnosis.right_later == diagnosis.right_again
                    ? ", though wrong the first time in the same process"
                    : fmt::format(", {} of these wrong the first time in the same process",
                                  diagnosis.right_later);
  }
  if (diagnosis.right_again > 0 && in_another_way > 0) unstable += ", and";
  if (in_another_way > 0) unstable += are(in_another_way) + " wrong in another way";
  unstable += '\n';
  if (mostly) {
    fmt::format_to(out, "  not by the request alone: wrong in {} of {} cases, and {}",
                   diagnosis.failures, diagnosis.executed, unstable);
  }
  for (const ByAnotherDocument& one : diagnosis.by_another_document) {
    fmt::format_to(out, "  {}\n", reshape::conformance::text(one));
  }
  // What is true of all failures comes before a known mistake that many of them contradict.
  const bool findings_first = contradicted(diagnosis);
  if (findings_first) print_findings(out, diagnosis);
  for (const Diagnosis::Cause& cause : diagnosis.causes) print_cause(out, diagnosis, cause);
  if (!findings_first) print_findings(out, diagnosis);
  if (diagnosis.unstable > 0 && !mostly) fmt::format_to(out, "  {}", unstable);
  if (diagnosis.mistakes_asked < diagnosis.mistakes && diagnosis.mistakes_asked > 0) {
    fmt::format_to(out,
                   "  compared with {} of {} known mistakes in {:.0f} s (--diagnosis-seconds)\n",
                   diagnosis.mistakes_asked, diagnosis.mistakes, diagnosis.seconds);
  }
  if (!diagnosis.steps.empty()) {
    fmt::format_to(out, "  the right answer to {} ({}):\n", diagnosis.example,
                   printable(diagnosis.line));
    // For a long derivation only the beginning and the end are shown.
    constexpr std::size_t kFirst = 4, kLast = 4;
    for (std::size_t at = 0; at < diagnosis.steps.size(); ++at) {
      if (at == kFirst && diagnosis.steps.size() > kFirst + kLast + 1) {
        at = diagnosis.steps.size() - kLast;
        fmt::format_to(out, "      ... {} steps more\n", at - kFirst);
      }
      fmt::format_to(out, "      {:<28} {}\n", diagnosis.steps[at].clause,
                     printable(diagnosis.steps[at].says));
    }
  }
  if (diagnosis.causes.empty() && diagnosis.mistakes_asked > 0) {
    fmt::format_to(out, "  no known mistake explains the {} compared better than all others\n",
                   failures(diagnosis.compared));
  }
}

void print_diagnosis(Out out, const LawDiagnosis& diagnosis) {
  for (const ThreadFinding& one : diagnosis.threads) {
    fmt::format_to(out, "  {} {}: {}\n", one.laws.size() == 1 ? "law" : "laws", listed(one.laws),
                   printable(one.says));
    if (!one.line.empty()) fmt::format_to(out, "      asked     {}\n", one.line);
  }
  for (const LawDiagnosis::Finding& one : diagnosis.findings) {
    if (one.where.empty()) continue;
    fmt::format_to(
        out,
        "  law {} is broken in {} of {} trials: {} of these begin with a request that has {}; "
        "of {} others {}\n",
        one.law, one.broken, one.broken + one.held,
        one.broken_there == one.broken ? "all" : std::to_string(one.broken_there),
        listed(one.where), one.held,
        one.held_there == 0 ? "none does" : fmt::format("{} do", one.held_there));
  }
  constexpr std::size_t kMostNamed = 3;
  const auto tied = std::ranges::count_if(diagnosis.alike, [&](const LawDiagnosis::Alike& one) {
    const LawDiagnosis::Alike& first = diagnosis.alike.front();
    return one.agrees * first.trials == first.agrees * one.trials;
  });
  // Where many agree equally, none of them is the cause more than the others.
  const bool untold = tied >= static_cast<std::ptrdiff_t>(kMostNamed);
  if (untold) {
    fmt::format_to(out,
                   "  {} known mistakes break the laws in the same way, and the trials do not tell "
                   "them apart:\n",
                   tied);
  }
  for (std::size_t at = 0; at < std::min(kMostNamed, diagnosis.alike.size()); ++at) {
    const LawDiagnosis::Alike& one = diagnosis.alike[at];
    if (untold) {
      fmt::format_to(out, "      {}; mutant {}\n", one.says, one.mutant);
      continue;
    }
    fmt::format_to(out, "  {}: {}\n      breaks {}; mutant {}{}; agrees in {} of {} trials\n",
                   at == 0 ? "the laws are broken as if" : "or as if", one.says, one.breaks,
                   one.mutant, one.public_bug.empty() ? "" : "; once a bug of " + one.public_bug,
                   one.agrees, one.trials);
  }
  if (untold) {
    const auto more = static_cast<std::size_t>(tied) - kMostNamed;
    if (more > 0) fmt::format_to(out, "      and {} more\n", more);
  } else if (diagnosis.alike.size() > kMostNamed) {
    fmt::format_to(out, "      and {} known mistakes more\n", diagnosis.alike.size() - kMostNamed);
  } else if (diagnosis.alike.empty() && diagnosis.mistakes_asked > 0) {
    fmt::format_to(out, "  no known mistake breaks the laws in the same way ({} of {} compared)\n",
                   diagnosis.mistakes_asked, diagnosis.mistakes);
  }
}

}  // namespace

std::string diagnosis_text(const Report& run) {
  std::string text;
  const Out out(text);
  if (run.diagnosis) print_diagnosis(out, run, *run.diagnosis);
  if (run.law_diagnosis) print_diagnosis(out, *run.law_diagnosis);
  return text.empty() ? "" : "\nDiagnosis\n" + text;
}

std::string sections_text(const Report& run, bool quiet) {
  std::string text;
  const Out out(text);
  print_first_use(out, run, quiet);
  print_laws(out, run, quiet);
  print_generated(out, run, quiet);
  print_exhaustive(out, run, quiet);
  return text;
}

}  // namespace reshape::conformance
