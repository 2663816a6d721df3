#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "conformance/command/commands.h"
#include "conformance/report/report.h"
#include "reference/tensor/result.h"

namespace reshape::conformance {

// Where the reports of a run go: the name of a form, and its file; "-" is standard output.
using ReportFiles = std::map<std::string, std::string>;

bool has_standard_output(const ReportFiles& files);

// Before the run, so that it is not in vain: each file can be written.
std::optional<Error> check_reports(const ReportFiles& files);

// Writes each of them, whatever became of the others; a sentence on console.err for each that could not
// be. Standard output only when `finally`, since it takes one report only.
bool write_reports(const ReportFiles& files, Runs runs, bool finally, Console& console);

// What a command that tells these runs ends with: 0 all conform, 1 one does not, 4 one was not asked everything,
// or nothing.
int exit_code_of(Runs runs);

}  // namespace reshape::conformance
