#pragma once

#include <optional>
#include <string>
#include <vector>

#include "conformance/command/commands.h"
#include "conformance/performance/judged.h"

namespace reshape::conformance {

// What `bench` and `compare` let a user choose of the workloads.
struct WorkloadOptions {
  std::string file;     // empty: the built-in ones
  std::string filter;   // a regular expression over names
  double most_mib = 0;  // of the output; 0: no limit

  void add_to(CLI::App& command);

  // Those that were chosen, cut to what every one of the libraries promises and answers rightly. None
  // when that cannot be told: the sentence stands on console.err, and the exit code is set. `one_setting`
  // leaves those out that need a process of their own, set to a number of threads, or several callers.
  // `deadline_seconds` is for each answer that is judged, and a second more for every 8 MiB.
  std::optional<performance::Selected> select(const std::vector<std::string>& libraries,
                                              bool gate_only, bool one_setting,
                                              double deadline_seconds, Console& console) const;
};

// Of an option of one value that is given twice the last counts, so that a script can have defaults.
void last_counts(CLI::App& command);

// A whole file of text, or why it cannot be read.
Result<std::string> file_text(const std::string& path);

}  // namespace reshape::conformance
