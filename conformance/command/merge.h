#pragma once

namespace CLI {
class App;
}

namespace reshape::conformance {

struct Console;

// Adds `merge`, which joins the reports of a run's shards into the report and verdict of the run.
void add_merge(CLI::App& app, Console& console);

}  // namespace reshape::conformance
