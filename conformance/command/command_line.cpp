#include "conformance/command/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "conformance/run/result.h"
#include "conformance/spec/load.h"

namespace reshape::conformance {
namespace {

constexpr int kBadUsage = 2;

std::string versions() {
  return std::string("reshape-conformance ") + RESHAPE_PROGRAM_VERSION + "\ncase suite " +
         built_in_suite().version + "\ncontract " + kContractVersion;
}

// CLI11 tells some mistakes in several lines; one sentence is enough, and scripts can show it.
std::string one_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

}  // namespace

int command_line(const std::vector<std::string>& arguments, Console& console) {
  CLI::App app{"Checks implementations of tensor Reshape against the documents that define it.",
               "reshape-conformance"};
  app.set_version_flag("--version", versions);
  app.require_subcommand(1);
  app.get_formatter()->column_width(34);
  for (auto add : {add_run, add_replay, add_list, add_trace, add_lint, add_infer, add_explain,
                   add_mutants, add_promote, add_bench, add_compare, add_count, add_history}) {
    add(app, console);
  }
  // CLI11 takes them from the back.
  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
  try {
    app.parse(reversed);
  } catch (const CLI::Success& asked) {
    app.exit(asked, console.out, console.err);
    return 0;
  } catch (const CLI::ParseError& wrong) {
    const std::vector<CLI::App*> chosen = app.get_subcommands();
    const std::string program =
        "reshape-conformance" + (chosen.empty() ? "" : " " + chosen.front()->get_name());
    console.err << program << ": " << one_line(wrong.what()) << "; " << program
                << " --help says more\n";
    return kBadUsage;
  }
  return console.exit_code;
}

}  // namespace reshape::conformance
