#pragma once

namespace CLI {
class App;
}

namespace reshape::conformance {

struct Console;

// Adds `manual`, which prints a manual page, and `completion`, which prints what a shell completes the command
// line by. Both are made of the commands and options that `app` has, so that they cannot differ from --help.
void add_manual(CLI::App& app, Console& console);
void add_completion(CLI::App& app, Console& console);

}  // namespace reshape::conformance
