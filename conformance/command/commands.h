#pragma once

#include <iosfwd>

namespace CLI {
class App;
}

namespace reshape::conformance {

// Where a command writes, and how it ends: 0 ok, 1 not conforming, 2 bad usage or input,
// 3 the implementation could not be started, 4 could not assert.
struct Console {
  std::ostream& out;
  std::ostream& err;
  std::istream& in;
  int exit_code = 0;
};

// Each adds one subcommand to `app`, whose callback does the work and sets console.exit_code. The
// console is kept by reference until the arguments were parsed.
void add_run(CLI::App& app, Console& console);
void add_replay(CLI::App& app, Console& console);
void add_doctor(CLI::App& app, Console& console);
void add_list(CLI::App& app, Console& console);
void add_trace(CLI::App& app, Console& console);
void add_lint(CLI::App& app, Console& console);
void add_infer(CLI::App& app, Console& console);
void add_mutants(CLI::App& app, Console& console);
void add_explain(CLI::App& app, Console& console);
void add_promote(CLI::App& app, Console& console);
void add_bench(CLI::App& app, Console& console);
void add_compare(CLI::App& app, Console& console);
void add_count(CLI::App& app, Console& console);
void add_history(CLI::App& app, Console& console);
void add_differ(CLI::App& app, Console& console);
void add_port(CLI::App& app, Console& console);
void add_export(CLI::App& app, Console& console);

}  // namespace reshape::conformance
