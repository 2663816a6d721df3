#pragma once

namespace CLI {
class App;
}

namespace reshape::conformance {

struct Console;

// Adds `init-ci`: writes what a project needs so that its CI gates a library from today on.
void add_init_ci(CLI::App& app, Console& console);

}  // namespace reshape::conformance
