// reshape-fuzz: the tools of fuzzing campaigns beside the fuzzers. People use ./dev fuzz instead.
#include <CLI/CLI.hpp>
#include <cstdlib>
#include <string_view>

#include "conformance/adapter/adapter.h"
#include "fuzz/campaign/commands.h"

int main(int argc, char** argv) {
  // "host --library PATH --channel FD": how the adapter starts its host processes.
  if (argc == 6 && std::string_view(argv[1]) == "host") {
    return reshape::conformance::serve_as_host(argv[3], std::atoi(argv[5]));
  }
  CLI::App app{"Seeds, minimising and findings of fuzz campaigns.", "reshape-fuzz"};
  app.require_subcommand(1);
  reshape::fuzz::Ending ending;
  using namespace reshape::fuzz;  // NOLINT(google-build-using-namespace)
  for (auto add : {add_seeds, add_show, add_clauses, add_simpler, add_judge, add_finding}) {
    add(app, ending);
  }
  CLI11_PARSE(app, argc, argv);
  return ending.exit_code;
}
