#pragma once

#include <map>
#include <string>

#include "conformance/command/commands.h"
#include "conformance/report/report.h"

namespace reshape::conformance {

// Where the reports of a run go: the name of a form, and its file; "-" is standard output.
using ReportFiles = std::map<std::string, std::string>;

bool has_standard_output(const ReportFiles& files);

// Each is a file that a later report takes the place of, and none standard output, a device or a pipe.
bool are_replaced(const ReportFiles& files);

// Writes each of them, whatever became of the others; a sentence on console.err for each that could not
// be. What is not replaced only when `finally`, since it takes one report only.
bool write_reports(const ReportFiles& files, Runs runs, bool finally, Console& console);

// What a command that tells these runs ends with: 0 all conform, 1 one does not, 4 one was not asked everything,
// or nothing.
int exit_code_of(Runs runs);

}  // namespace reshape::conformance
