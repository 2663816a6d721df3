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

// The options of `run`, as given on the command line.
struct RunArguments {
  std::vector<std::string> libraries;
  RunOptions options;
  MoreOptions more;
  // How --mend-baseline adds entries. "": not; "cases": by case where few fail alike; "causes".
  std::string mend;
  bool diagnoses = true;
  TextOptions text;
  double diagnosis_seconds = DiagnosisOptions().seconds;
  ReportFiles reports;
  std::vector<std::string> performance;  // files of time ratios for the HTML report
};

// Adds the options of `run`. The result is filled when `command` parses its command line.
std::shared_ptr<RunArguments> add_run_options(CLI::App& command);

}  // namespace reshape::conformance
