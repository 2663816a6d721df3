#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "reference/tensor/result.h"

namespace CLI {
class App;
}

namespace reshape::conformance {

// Exit codes. 0 and 1 say how the tested library did, the others that the command could not work.
enum Exit { kAsExpected, kNotConforming, kBadInput, kNotStarted, kNothingAsserted };

// Where a command writes, and how it ends.
struct Console {
  std::ostream& out;
  std::ostream& err;
  std::istream& in;
  int exit_code = 0;
  std::string command = {};  // the subcommand that runs; empty before it is known
};

// Ends a command that cannot go on: writes "NAME: sentence" as one printable line to console.err,
// and sets and returns the exit code. The caller has to return.
int stop(Console& console, int code, const std::string& sentence);
void refuse(Console& console, const std::string& sentence);  // kBadInput
// Of an error for which an implementation could not be started: kNotStarted, or kNothingAsserted
// where this program lacked what it takes to try.
int code_of_start(const Error& error);
// Ends a command for such an error.
int not_started(Console& console, const Error& error);

// Runs the whole command line, except the hidden `host`: parses `arguments` (without the program's
// name), runs the subcommand that they name, and returns the exit code of the program.
int command_line(const std::vector<std::string>& arguments, Console& console);

// Each adds one subcommand to `app`, whose callback does the work and sets console.exit_code. Keeps
// a reference to `console`, which must live until `app` has parsed the arguments.
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
void add_import(CLI::App& app, Console& console);
void add_export(CLI::App& app, Console& console);
void add_init_ci(CLI::App& app, Console& console);
void add_merge(CLI::App& app, Console& console);
void add_verify(CLI::App& app, Console& console);

// `manual` and `completion` print what is made from the commands and options of `app`, so they
// cannot differ from --help.
void add_manual(CLI::App& app, Console& console);
void add_completion(CLI::App& app, Console& console);

}  // namespace reshape::conformance
