#pragma once

#include <functional>
#include <optional>
#include <string>

#include "conformance/command/commands.h"
#include "conformance/command/terminal.h"
#include "conformance/run/runner.h"

namespace reshape::conformance {

// Estimates the seconds left of a run that has taken `spent`, from the rate of executed cases so
// far. Nothing where too few were executed.
std::optional<double> seconds_left(const Progress& progress, double spent);

// Shows the progress of a run: on a terminal in a line that is overwritten, else in one sentence
// after the first seconds, and only if the run takes long.
std::function<void(const Progress&)> case_progress(Console& console);

// The same for other counts: `what` is "mistakes" or "laws". Shows nothing without a terminal. The
// function may be called from several threads.
std::function<void(int done, int all)> counted_progress(const std::string& what);

}  // namespace reshape::conformance
