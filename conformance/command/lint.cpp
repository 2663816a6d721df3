#include "conformance/spec/lint.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <ostream>

#include "conformance/command/suite_option.h"
#include "conformance/spec/load.h"
#include "conformance/text/counted.h"
#include "conformance/text/printable.h"

namespace reshape::conformance {
namespace {

struct LintCommand {
  SuiteOption specs;

  void run(Console& console) const {
    if (specs.built_in()) return tell(lint(built_in_suite(), "specs"), console);
    const Result<std::vector<SpecFile>> files = read_spec_files(specs.folder());
    if (!files) return refuse(console, files.error().text());
    tell(lint(*files, specs.folder()), console);
  }

  static void tell(const LintReport& report, Console& console) {
    // One mistake in a file can cause a thousand messages.
    constexpr std::size_t kMostPrinted = 100;
    const std::size_t problems = report.problems.size();
    for (std::size_t at = 0; at < std::min(problems, kMostPrinted); ++at) {
      console.out << printable(report.problems[at].text()) << '\n';
    }
    if (problems > kMostPrinted) {
      console.out << fmt::format("and {} more\n", problems - kMostPrinted);
    }
    const bool clean = problems == 0 && report.documents > 0;
    console.out << fmt::format("{}, {} cases: {}\n", counted(report.documents, "document"),
                               report.cases,
                               clean           ? "clean"
                               : problems == 0 ? "nothing to check"
                                               : counted(problems, "problem"));
    if (!clean) console.exit_code = kBadInput;
  }
};

}  // namespace

void add_lint(CLI::App& app, Console& console) {
  CLI::App* command = app.add_subcommand(
      "lint", "Check documents and cases: their form, and that the rules agree with every case");
  auto state = std::make_shared<LintCommand>();
  state->specs.add_to(*command);
  command->footer(
      "Prints a sentence with file and line for every problem; exit code 2 where there is one.");
  command->callback([state, &console] { state->run(console); });
}

}  // namespace reshape::conformance
