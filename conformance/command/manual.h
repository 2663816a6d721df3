#pragma once

namespace CLI {
class App;
}

namespace reshape::conformance {

struct Console;

// Adds `manual`, which prints a manual page, and `completion`, which prints a completion script.
// Both are generated from the commands and options of `app`, so they cannot differ from --help.
void add_manual(CLI::App& app, Console& console);
void add_completion(CLI::App& app, Console& console);

}  // namespace reshape::conformance
