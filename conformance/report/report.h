#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "conformance/detection/diagnosis.h"
#include "conformance/detection/law_diagnosis.h"
#include "conformance/property/exhaustive_result.h"
#include "conformance/property/generation.h"
#include "conformance/property/law_result.h"
#include "conformance/report/performance.h"
#include "conformance/run/result.h"
#include "conformance/text/printable.h"

namespace reshape::conformance {

// The complete result of one implementation: its cases, laws and further runs.
struct Report : RunResult {
  Report() = default;
  explicit Report(RunResult run) : RunResult(std::move(run)) {}

  std::vector<LawResult> laws;
  std::optional<Generation> generated;
  std::optional<ExhaustiveResult> exhaustive;
  std::optional<Diagnosis> diagnosis;
  std::optional<LawDiagnosis> law_diagnosis;
  std::vector<Performance> performance;  // shown by the HTML report alone

  // Whether anything was asked: a case, a requested law, or a request within a bound.
  bool executed() const;
  // Whether the cases conform, no law is red, and the bounded-exhaustive run was complete and without
  // a fault.
  bool conforming() const;
  // Whether a law does not hold, and is neither known not to nor undecided while failures are known.
  bool is_red(const LawResult& law) const;
};

// Runs over the same suite, one for each implementation, in the order of the command line.
using Runs = std::span<const Report>;

// A form of report. To add one, csv, write a file csv.cpp that defines `ReportForm csv_form()`, and
// add its name to the list in CMakeLists.txt; the command line then offers it as --csv FILE.
struct ReportForm {
  const char* name;  // "json"
  const char* says;  // of the command line's help
  std::string (*render)(Runs runs);
  bool vouches =
      false;  // for one library: written when no more is asked, and only if it is the same
};
std::span<const ReportForm> report_forms();

// The readable summary.
struct TextOptions {
  int most_failures = 20;  // printed in full, one of each kind; the rest is counted
  bool quiet = false;      // the failures and the last line only
};
std::string text_report(Runs runs, const TextOptions& options = {});
// The same in two parts: the findings and, after the diagnosis, its text and the last lines.
std::string findings_text(Runs runs, const TextOptions& options = {});
std::string conclusion_text(Runs runs, const TextOptions& options = {});

std::string json_report(Runs runs);  // conformance/report/report.schema.json says its form
std::string junit_report(Runs runs);
std::string html_report(Runs runs);     // one file that needs nothing else
std::string sarif_report(Runs runs);    // SARIF 2.1.0
std::string summary_report(Runs runs);  // Markdown of less than 1 MiB

// One failing case in full, as the text report and `replay` show it.
std::string failure_text(const Report& run, const CaseResult& result);
// The output that was passed to execute: "[2,5], dense" or "[2,5] strides=[8,1] offset=3". Empty
// where none was, or where the fault's answer names it.
std::string handed_over(const CaseResult& result, const Fault& fault);

// The commands that reproduce a failure or a broken law, and that derive the right answer.
// explain_command() is empty where the case is not of the suite.
std::string replay_command(const Report& run, const CaseResult& result);
std::string replay_command(const Report& run, const Smallest& smallest);
std::string replay_command(const Report& run, const LawResult& law);  // "": it does not show alone
std::string explain_command(const Report& run, const CaseResult& result);

// "conforms", or why not, in one sentence.
std::string conclusion(const Report& run);

// The command that would rewrite the baseline of this run; empty when it needs no mending.
std::string mending_command(const Report& run);

// " --dialect NAME --filter GLOB ...": the options by which it was chosen which cases are asked, as a
// shell reads them. Empty where all are.
std::string options_that_choose(const RunOptions& options);

}  // namespace reshape::conformance
