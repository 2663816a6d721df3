// Markdown for the summary of a CI step.
#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "conformance/report/failure_groups.h"
#include "conformance/report/report.h"
#include "conformance/report/sections.h"
#include "conformance/text/counted.h"

namespace reshape::conformance {
namespace {

// GitHub refuses a summary of more than 1 MiB; the text says what was left out.
constexpr std::size_t kMostBytes = 1000 * 1000;
constexpr std::size_t kMostGroups = 20;
constexpr std::size_t kMostLines = 30;

// Escapes Markdown: possible markup becomes character references.
std::string plain(std::string_view text) {
  constexpr std::string_view kMarkup = R"(&<>|*_`[]()~#\!$@:)";
  std::string form;
  for (const char c : printable(text, 2 * kBriefly)) {
    if (kMarkup.find(c) == std::string_view::npos) {
      form += c;
    } else {
      form += fmt::format("&#{};", static_cast<int>(c));
    }
  }
  return form;
}

// A block of text as it is: its fence is longer than any row of backticks within.
std::string fenced(const std::string& text) {
  std::size_t longest = 2;
  std::size_t row = 0;
  for (const char c : text) {
    row = c == '`' ? row + 1 : 0;
    longest = std::max(longest, row);
  }
  const std::string fence(longest + 1, '`');
  return fence + "text\n" + text + (text.ends_with('\n') ? "" : "\n") + fence + "\n";
}

std::string folded(const std::string& title, const std::string& text) {
  return fmt::format("<details><summary>{}</summary>\n\n{}\n</details>\n\n", title, fenced(text));
}

std::string table(const Report& run) {
  const Tallies counts = tallies(run);
  if (counts.by_dialect.empty()) return "";
  std::string text =
      "| document | pass | fail | known | skipped | mistrusted |\n"
      "|---|--:|--:|--:|--:|--:|\n";
  const auto row = [&](const std::string& what, const Tally& tally) {
    text += fmt::format("| {} | {} | {} | {} | {} | {} |\n", what, tally.pass,
                        tally.fail - tally.known, tally.known, tally.unsupported, tally.mistrusted);
  };
  for (const auto& [dialect, tally] : counts.by_dialect) row(plain(dialect), tally);
  if (counts.by_dialect.size() > 1) row("**all**", counts.all);
  return text + "\n";
}

std::string failures(const Report& run, std::size_t room) {
  const std::vector<FailureGroup> groups = failure_groups(run);
  if (groups.empty()) return "";
  std::string text;
  std::size_t told = 0;
  for (const FailureGroup& group : groups) {
    const CaseResult& first = *group.cases.front();
    const Fault& fault = first.verdict.faults.front();
    const std::string clause = fault.broken_clause();
    const std::string one =
        folded(fmt::format("<b>{}</b> of {}: expected {}, answered {}", group.cases.size(),
                           plain(clause.empty() ? std::string("duty ") + name(fault.duty) : clause),
                           plain(fault.expected), plain(fault.answered)),
               failure_text(run, first));
    if (told == kMostGroups || text.size() + one.size() > room) break;
    text += one;
    ++told;
  }
  if (told < groups.size()) {
    const std::size_t more = groups.size() - told;
    text += fmt::format("{} of failures {} left out here.\n\n", counted(more, "more kind"),
                        more == 1 ? "is" : "are");
  }
  return text;
}

// Why a run fails besides its cases.
std::string other_faults(const Report& run) {
  std::vector<std::string> lines;
  for (const UnaskedClause& one : run.unasked) {
    if (!one.red()) continue;
    lines.push_back("not asked: " + plain(one.dialect + "/" + one.clause + ", " + one.reason));
  }
  for (const ProcessFault& one : run.at_first_use) {
    if (one.waived) continue;
    lines.push_back("once in each process: " +
                    plain(std::string(name(one.seen.watch)) + ", " + one.seen.saw));
  }
  for (const LawResult& law : run.laws) {
    if (!run.is_red(law)) continue;
    lines.push_back(fmt::format("law {}: {}", law.undecided ? "undecided" : "broken",
                                plain(law.name + ": " + law.broken)));
  }
  for (const std::string& line : baseline_lines(run)) lines.push_back(plain(line));
  if (lines.empty()) return "";
  std::string text;
  for (std::size_t at = 0; at < std::min(lines.size(), kMostLines); ++at) {
    text += "- " + lines[at] + "\n";
  }
  if (lines.size() > kMostLines) text += fmt::format("- and {} more\n", lines.size() - kMostLines);
  return text + "\n";
}

std::string of_run(const Report& run, std::size_t room) {
  const bool good = run.conforming() && run.executed() && run.complete();
  std::string text =
      fmt::format("### {} {}\n\n", good ? ":white_check_mark:" : ":x:", plain(conclusion(run)));
  text += table(run) + other_faults(run);
  // Pieces are added whole or left out.
  const auto add = [&](const std::string& piece) {
    if (text.size() + piece.size() <= room) text += piece;
  };
  if (run.diagnosis || run.law_diagnosis) add(folded("Diagnosis", diagnosis_text(run)));
  if (const std::string mend = mending_command(run); !mend.empty()) {
    add("The baseline is mended by\n\n" + fenced(mend));
  }
  return text.size() < room ? text + failures(run, room - text.size()) : text;
}

}  // namespace

std::string summary_report(Runs runs) {
  std::string text = "## Reshape conformance\n\n";
  for (const Report& run : runs) text += of_run(run, kMostBytes / (runs.size() + 1));
  return text;
}

ReportForm summary_form() {
  return {"summary", "Markdown for the summary of a CI step", summary_report};
}

}  // namespace reshape::conformance
