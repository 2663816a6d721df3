#pragma once

namespace CLI {
class App;
}

namespace reshape::conformance {

struct Console;

// Adds `import`, which turns the Reshape layers of a model into cases of the suite.
void add_import(CLI::App& app, Console& console);

}  // namespace reshape::conformance
