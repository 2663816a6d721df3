#pragma once

#include <optional>
#include <string>
#include <vector>

#include "conformance/command/commands.h"
#include "conformance/performance/judged.h"

namespace reshape::conformance {

// The options of `bench` and `compare` that choose workloads.
struct WorkloadOptions {
  std::string file;     // empty: the built-in ones
  std::string filter;   // a regular expression over names
  double most_mib = 0;  // of the output; 0: no limit

  void add_to(CLI::App& command);

  // The chosen workloads that every library declares and answers correctly. Nothing where that
  // cannot be found out: console.err has the error, and the exit code is set. `gate_only`: only
  // those of the gate. `one_setting`: none that sets a number of threads or has several callers,
  // which would need a process of its own. `deadline_seconds`: for each answer that is checked,
  // plus a second for every 8 MiB.
  std::optional<performance::Selected> select(const std::vector<std::string>& libraries,
                                              bool gate_only, bool one_setting,
                                              double deadline_seconds, Console& console) const;
};

// Prints which workloads were left out, and why; `what` becomes of a wrong answer. Whether any was
// wrong.
bool tell_left_out(const performance::Selected& selected, const char* what, Console& console);

// Lets an option be given more than once, the last one counts, so that a script can have defaults.
void last_counts(CLI::App& command);

// The text of a whole file, or why it cannot be read.
Result<std::string> file_text(const std::string& path);

}  // namespace reshape::conformance
