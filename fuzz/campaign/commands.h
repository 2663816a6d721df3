#pragma once

namespace CLI {
class App;
}

namespace reshape::fuzz {

// The subcommands of reshape-fuzz, which campaigns use beside the fuzzers. All write to standard
// output.
struct Ending {
  int exit_code = 0;  // 0 ok, 1 something was found, 2 bad usage or input, 3 cannot be started
};

void add_seeds(CLI::App& app, Ending& ending);    // first corpora from the suite's cases
void add_show(CLI::App& app, Ending& ending);     // the requests that inputs decode to
void add_clauses(CLI::App& app, Ending& ending);  // which clauses inputs reach
void add_simpler(CLI::App& app, Ending& ending);  // simpler variants of an input, for shrinking
void add_judge(CLI::App& app, Ending& ending);    // an input asked of a library in a host process
void add_finding(CLI::App& app, Ending& ending);  // a finding as case, replay line and unit test

}  // namespace reshape::fuzz
