#pragma once

namespace CLI {
class App;
}

namespace reshape::conformance {

struct Console;

// Adds `verify`, which checks the output of run --evidence: its digests, whether it is about this
// suite, and a sample of its verdicts against a library.
void add_verify(CLI::App& app, Console& console);

}  // namespace reshape::conformance
