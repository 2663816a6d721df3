#pragma once

#include <functional>
#include <optional>
#include <string>

#include "conformance/command/commands.h"
#include "conformance/command/terminal.h"
#include "conformance/run/runner.h"

namespace reshape::conformance {

// Of a run that has taken `spent` seconds, at the pace of what was executed; nothing where too little was.
std::optional<double> seconds_left(const Progress& progress, double spent);

// How far a run is: a line that is written over and over where there is a terminal for it, and else one
// sentence for a run that takes long, after its first seconds.
std::function<void(const Progress&)> case_progress(Console& console);

// The same of other things that are counted: "mistakes", "laws". Nothing without a terminal. May be called
// from several threads.
std::function<void(int done, int all)> counted_progress(const std::string& what);

}  // namespace reshape::conformance
