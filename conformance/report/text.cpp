#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "conformance/report/failure_groups.h"
#include "conformance/report/report.h"
#include "conformance/report/sections.h"
#include "conformance/run/wrong_in_common.h"
#include "conformance/text/counted.h"
#include "conformance/text/line.h"

namespace reshape::conformance {
namespace {

using Out = std::back_insert_iterator<std::string>;

void heading(Out out, const char* words) { fmt::format_to(out, "\n{}\n", words); }

void print_dialects(Out out, const Tallies& counts) {
  const auto row = [&](const std::string& who, const Tally& tally) {
    fmt::format_to(out, "  {:<34}{:>8}{:>8}{:>8}{:>8}{:>13}{:>12}\n", who, tally.planned,
                   tally.pass, tally.fail - tally.known, tally.known, tally.unsupported,
                   tally.mistrusted);
  };
  fmt::format_to(out, "\n  {:<34}{:>8}{:>8}{:>8}{:>8}{:>13}{:>12}\n", "dialect", "planned", "pass",
                 "fail", "known", "unsupported", "mistrusted");
  for (const auto& [dialect, tally] : counts.by_dialect) row(dialect, tally);
  if (counts.by_dialect.size() > 1) row("all", counts.all);
  fmt::format_to(out, "\n  {:<34}{:>8}{:>8}{:>13}\n", "plane", "pass", "fail", "not asked");
  for (Plane plane : {Plane::shape, Plane::bytes, Plane::memory}) {
    const Tallies::PlaneTally& tally = counts.by_plane.at(name(plane));
    fmt::format_to(out, "  {:<34}{:>8}{:>8}{:>13}\n", name(plane), tally.pass, tally.fail,
                   tally.not_asked);
  }
}

void print_examples(Out out, const Report& run) {
  bool any = false;
  for (const CaseResult& result : run.cases) {
    if (result.asked->source.kind != "published example") continue;
    if (!any) heading(out, "The documents' own examples");
    any = true;
    const std::string line = print_line(result.asked->request);
    fmt::format_to(out, "  {:<11} {:<56} {} -> {}\n", name(result.verdict.kind), result.asked->id,
                   line.substr(result.asked->request.dialect.size() + 1),
                   text(result.asked->expect));
  }
}

// Prints a line for each open point and answer, joining dialects with the same answer, so that the
// verdict is not hidden by many lines. The JSON report lists them by dialect.
void print_choices(Out out, const Report& run) {
  struct Alike {
    std::set<std::string> dialects;
    std::vector<std::string> cases;  // ids without their dialect
  };
  std::map<std::pair<std::string, std::string>, Alike> chosen;
  for (const Choice& choice : choices(run)) {
    Alike& alike = chosen[{choice.clause, choice.chose}];
    alike.dialects.insert(choice.dialect);
    for (const std::string& id : choice.cases) {
      alike.cases.push_back(id.substr(id.find('/') + 1));
    }
  }
  if (!chosen.empty()) heading(out, "Where the documents leave it open, this implementation");
  for (const auto& [point, alike] : chosen) {
    const std::size_t dialects = alike.dialects.size();
    fmt::format_to(out, "  {:<10} {:<30} {:<31} {}\n", point.second, point.first,
                   dialects == 1 ? *alike.dialects.begin() : fmt::format("{} dialects", dialects),
                   some_of(alike.cases));
  }
}

void print_skipped(Out out, const Report& run, const Tallies& counts) {
  if (!counts.skipped.empty()) heading(out, "Skipped");
  // "rank 9 is above 8" and "rank 12 is above 8" are one reason.
  struct Reason {
    std::string first;
    int cases = 0;
    int variants = 0;
  };
  std::map<std::string, Reason> reasons;
  for (const auto& [reason, cases] : counts.skipped) {
    Reason& one = reasons[without_numbers(reason)];
    if (one.variants++ == 0) one.first = reason;
    one.cases += cases;
  }
  for (const auto& [kind, one] : reasons) {
    fmt::format_to(out, "  {:>5}  {}{}\n", one.cases, printable(one.first),
                   one.variants == 1 ? "" : fmt::format(" (and the like, {} ways)", one.variants));
  }
  std::set<std::string> mistrusted;
  for (const CaseResult& result : run.cases) {
    if (result.verdict.kind == Verdict::Kind::mistrusted) mistrusted.insert(result.verdict.reason);
  }
  if (!mistrusted.empty()) {
    heading(out, "Mistrusted: nothing wrong was seen, and little was looked at");
  }
  for (const std::string& reason : mistrusted) fmt::format_to(out, "  {}\n", reason);
}

void print_unasked(Out out, const Report& run, bool red_only) {
  bool any = false;
  for (const UnaskedClause& one : run.unasked) {
    if (red_only && !one.red()) continue;
    if (!any) heading(out, "Clauses that were not asked");
    any = true;
    const char* state = one.red() ? "RED" : one.waived ? "waived" : "open";
    fmt::format_to(out, "  {:<7} {}/{} ({}): all {} skipped, {}\n", state, one.dialect, one.clause,
                   name(one.level), one.cases, printable(one.reason));
  }
  const auto red = std::ranges::find_if(run.unasked, &UnaskedClause::red);
  if (red != run.unasked.end()) {
    fmt::format_to(
        out, "  A red clause is let through by --waive {}/{}{}.\n", red->dialect, red->clause,
        std::ranges::count_if(run.unasked, &UnaskedClause::red) > 1 ? ", and so on for each" : "");
  }
}

void print_failures(Out out, const Report& run, int most) {
  const std::vector<FailureGroup> groups = failure_groups(run);
  std::size_t all = 0;
  for (const FailureGroup& group : groups) all += group.cases.size();
  const std::size_t printed = std::min(groups.size(), static_cast<std::size_t>(std::max(most, 0)));
  if (printed < all) {
    fmt::format_to(out, "\n{} of {} {}\n", counted(all, "failure"), groups.size(),
                   groups.size() == 1 ? "kind" : "kinds, the most frequent first");
  }
  for (std::size_t at = 0; at < printed; ++at) {
    fmt::format_to(out, "\n{}", failure_text(run, *groups[at].cases.front()));
    const std::string others = others_of(groups[at]);
    if (!others.empty()) fmt::format_to(out, "      {:<9} {}\n", "alike", printable(others));
    const std::string common = wrong_in_common(groups[at].cases);
    if (!common.empty()) fmt::format_to(out, "      {:<9} {}\n", "all wrong", common);
  }
  if (printed < groups.size()) {
    const std::size_t more = groups.size() - printed;
    fmt::format_to(out,
                   "\n{} of failures {} not printed; --most-failures N prints more, --json FILE "
                   "has all.\n",
                   counted(more, "more kind"), more == 1 ? "is" : "are");
  } else if (printed < all) {
    fmt::format_to(out, "\nOne failure of each kind is printed; --json FILE has all.\n");
  }
}

void print_baseline(Out out, const Report& run, bool quiet) {
  if (run.options.baseline.empty()) return;
  std::string lines;
  for (const std::string& line : baseline_lines(run)) lines += "  " + printable(line) + "\n";
  const std::size_t most = quiet ? 0 : 5;
  for (std::size_t at = 0; at < std::min(run.perhaps_gone.size(), most); ++at) {
    lines += "  note: " + printable(run.perhaps_gone[at]) + "\n";
  }
  if (!run.perhaps_gone.empty()) {
    lines += fmt::format(
        "  entries by cause that no failure met: {}; a run of all that they were written for tells "
        "whether they are gone\n",
        run.perhaps_gone.size());
  }
  const std::string command = mending_command(run);
  if (lines.empty() && command.empty()) return;
  heading(out, ("The baseline " + run.options.baseline).c_str());
  fmt::format_to(out, "{}", lines);
  if (!command.empty()) fmt::format_to(out, "  mend it   {}\n", command);
}

void print_run(Out out, const Report& run, const TextOptions& options) {
  const Tallies counts = tallies(run);
  if (!options.quiet) {
    fmt::format_to(out, "{} {} ({})\n", printable(run.capabilities.name),
                   printable(run.capabilities.version), printable(run.options.library));
    print_dialects(out, counts);
    print_examples(out, run);
    print_choices(out, run);
    print_skipped(out, run, counts);
  }
  print_unasked(out, run, options.quiet);
  print_failures(out, run, options.most_failures);
  fmt::format_to(out, "{}", sections_text(run, options.quiet));
  print_baseline(out, run, options.quiet);
}

// A row for each dialect, and a column for each implementation.
void print_side_by_side(Out out, Runs runs) {
  fmt::format_to(out, "\n  {:<34}", "pass of executed");
  for (const Report& run : runs) {
    fmt::format_to(out, "{:>24}",
                   printable(run.capabilities.name + " " + run.capabilities.version));
  }
  fmt::format_to(out, "\n");
  std::set<std::string> dialects;
  for (const Report& run : runs) {
    for (const auto& [dialect, tally] : tallies(run).by_dialect) dialects.insert(dialect);
  }
  for (const std::string& dialect : dialects) {
    fmt::format_to(out, "  {:<34}", dialect);
    for (const Report& run : runs) {
      const Tallies counts = tallies(run);
      const auto found = counts.by_dialect.find(dialect);
      fmt::format_to(out, "{:>24}",
                     found == counts.by_dialect.end() || found->second.executed == 0
                         ? std::string("-")
                         : fmt::format("{}/{}", found->second.pass, found->second.executed));
    }
    fmt::format_to(out, "\n");
  }
}

}  // namespace

std::string findings_text(Runs runs, const TextOptions& options) {
  std::string report;
  const Out out(report);
  if (!runs.empty() && !options.quiet) {
    fmt::format_to(out, "reshape-conformance {}, case suite {}, contract {}\n\n",
                   runs[0].program_version, runs[0].suite_version, runs[0].contract_version);
  }
  for (std::size_t index = 0; index < runs.size(); ++index) {
    if (index > 0 && !options.quiet) fmt::format_to(out, "\n");
    print_run(out, runs[index], options);
  }
  if (runs.size() > 1 && !options.quiet) print_side_by_side(out, runs);
  return report;
}

std::string conclusion_text(Runs runs, const TextOptions& options) {
  std::string report;
  const Out out(report);
  for (const Report& run : runs) fmt::format_to(out, "{}", diagnosis_text(run));
  if (!options.quiet) fmt::format_to(out, "\n");
  for (const Report& run : runs) {
    fmt::format_to(out, "{}, in {:.1f} s", conclusion(run), run.seconds);
    const double diagnosing = (run.diagnosis ? run.diagnosis->seconds : 0) +
                              (run.law_diagnosis ? run.law_diagnosis->seconds : 0);
    if (run.diagnosis || run.law_diagnosis) {
      fmt::format_to(out, " and {:.1f} s of diagnosis", diagnosing);
    }
    fmt::format_to(out, "\n");
  }
  return report;
}

std::string text_report(Runs runs, const TextOptions& options) {
  return printable_lines(findings_text(runs, options) + conclusion_text(runs, options));
}

ReportForm text_form() {
  return {"text", "the readable summary", [](Runs runs) { return text_report(runs); }};
}

}  // namespace reshape::conformance
