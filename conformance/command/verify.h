#pragma once

namespace CLI {
class App;
}

namespace reshape::conformance {

struct Console;

// Adds `verify`, which holds what run --evidence wrote to itself, to this suite, and to a library.
void add_verify(CLI::App& app, Console& console);

}  // namespace reshape::conformance
