#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "conformance/command/run_more.h"
#include "conformance/command/run_reports.h"
#include "conformance/detection/diagnose.h"
#include "conformance/report/report.h"
#include "conformance/run/result.h"

namespace reshape::conformance {

// What `run` was asked for on its command line.
struct RunArguments {
  std::vector<std::string> libraries;
  RunOptions options;
  MoreOptions more;
  std::string mend;  // "": not; "cases": new entries one by one where few fail alike, or "causes"
  bool diagnoses = true;
  TextOptions text;
  double diagnosis_seconds = DiagnosisOptions().seconds;
  ReportFiles reports;
  std::vector<std::string> performance;  // files, of which the HTML report shows the ratios
};

// The options of `run`; the arguments are filled when the command line is parsed.
std::shared_ptr<RunArguments> add_run_options(CLI::App& command);

}  // namespace reshape::conformance
