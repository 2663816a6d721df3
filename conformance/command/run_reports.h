#pragma once

#include <map>
#include <string>

#include "conformance/command/commands.h"
#include "conformance/report/report.h"

namespace reshape::conformance {

// The report files of a run: format name to path. The path "-" is standard output.
using ReportFiles = std::map<std::string, std::string>;

// Adds an option for each form of report. `files` gets what is given, and must outlive the parsing.
void add_report_options(CLI::App& command, ReportFiles& files);

bool has_standard_output(const ReportFiles& files);

// Whether all of them can be written before all is known: regular files, which a later report can
// replace (no standard output, device or pipe), and none that vouches for the library.
bool are_replaced(const ReportFiles& files);

// Writes all reports, with an error on console.err for each that cannot be written; false if there
// is one. What are_replaced() excludes is written when `finally`; what vouches for a library that
// changed is not written, which is said.
bool write_reports(const ReportFiles& files, Runs runs, bool finally, Console& console);

// The exit code for these runs: 0 all conform, 1 one does not, 4 one was not asked everything, or
// was asked nothing.
int exit_code_of(Runs runs);

}  // namespace reshape::conformance
