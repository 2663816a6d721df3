#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>

#include "conformance/command/case_filter.h"
#include "conformance/command/list_since.h"
#include "conformance/command/suite_option.h"
#include "conformance/files/plain_text.h"
#include "conformance/spec/questions_text.h"
#include "conformance/spec/suite_json.h"
#include "conformance/text/line.h"

namespace reshape::conformance {
namespace {

struct ListCommand {
  SuiteOption specs;
  CaseFilter filter;
  std::string since;
  bool json = false;
  bool digest = false;
  bool questions = false;

  void print_changes(const Suite& suite, Console& console) const {
    if (json || digest || questions || !filter.none()) {
      return refuse(console, "--since compares whole suites, and takes no other option of list");
    }
    constexpr std::size_t kLargest = std::size_t{1} << 30;  // bytes
    const Result<std::string> older = read_text(since, kLargest);
    if (!older) return refuse(console, older.error().text());
    const Result<std::string> changes = changes_since(*older, suite);
    if (!changes) return refuse(console, since + ": " + changes.error().text());
    console.out << *changes;
  }

  void run(Console& console) {
    if ((questions || digest) && !filter.none()) {
      return refuse(console, "--digest and --questions are of all cases, and take no filter");
    }
    if (questions && since.empty()) {
      console.out << (json ? json_of_questions() : table_of_questions());
      return;
    }
    const Suite* suite = specs.open(console);
    if (suite == nullptr) return;
    const std::optional<std::vector<const Case*>> chosen = filter.choose(*suite, console);
    if (!chosen) return;
    if (!since.empty()) {
      print_changes(*suite, console);
      return;
    }
    if (digest) {
      console.out << digest_of(*suite);
      return;
    }
    if (chosen->empty()) {
      stop(console, kNothingAsserted, "no case is chosen, so nothing is shown");
      return;
    }
    if (json) {
      console.out << json_of_cases(*suite, *chosen);
      return;
    }
    for (const Case* one : *chosen) {
      console.out << fmt::format("{}  {} -> {}  ({})\n", one->id, print_line(one->request),
                                 text(one->expect), fmt::join(one->clauses, " "));
    }
    console.out << chosen->size() << " of " << all_cases(*suite) << " cases\n";
  }
};

}  // namespace

void add_list(CLI::App& app, Console& console) {
  CLI::App* command = app.add_subcommand("list", "Show the cases");
  auto state = std::make_shared<ListCommand>();
  state->filter.add_to(*command);
  CLI::Option* const json = command->add_flag("--json", state->json, "Print JSON");
  CLI::Option* const digest = command->add_flag(
      "--digest", state->digest,
      "Print how many cases each document and each file has, and a hash of them, as in "
      "specs/digest.txt");
  digest->excludes(json);
  command
      ->add_flag("--questions", state->questions,
                 "Print the questions that the rules of a document answer, and the answers")
      ->excludes(digest);
  command
      ->add_option(
          "--since", state->since,
          "Print which cases are new, changed, renamed or gone since list --json wrote this")
      ->type_name("OLD.json");
  state->specs.add_to(*command);
  command->footer(
      "A line for each case: id, request -> answer, and the clauses that it names.\n"
      "Exit codes: 0 there are cases, 2 wrong usage, 4 no case is chosen.");
  command->callback([state, &console] { state->run(console); });
}

}  // namespace reshape::conformance
