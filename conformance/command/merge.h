#pragma once

namespace CLI {
class App;
}

namespace reshape::conformance {

struct Console;

// Adds `merge`, which joins what the shards of a run found into the reports and the verdict of the whole run.
void add_merge(CLI::App& app, Console& console);

}  // namespace reshape::conformance
