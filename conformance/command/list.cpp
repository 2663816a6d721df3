#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <ostream>

#include "conformance/command/list_since.h"
#include "conformance/command/suite_option.h"
#include "conformance/files/read_file.h"
#include "conformance/run/selection.h"
#include "conformance/spec/digest.h"
#include "conformance/spec/questions_text.h"
#include "conformance/spec/suite_json.h"
#include "conformance/text/line.h"

namespace reshape::conformance {
namespace {

struct ListCommand {
  SuiteOption specs;
  std::string dialect;
  std::string clause;
  std::string type;
  std::string id;
  std::string since;
  bool json = false;
  bool digest = false;
  bool questions = false;

  bool wants(const Case& one, std::optional<ElementType> wanted_type) const {
    if (!dialect.empty() && one.request.dialect != dialect) return false;
    if (wanted_type && one.request.data_type != *wanted_type) return false;
    if (!id.empty() && !matches(id, one.id)) return false;
    return clause.empty() ||
           std::find(one.clauses.begin(), one.clauses.end(), clause) != one.clauses.end();
  }

  // A filter that can match nothing is a slip of the hand, not an empty list.
  bool sound(const Suite& suite, Console& console) const {
    if (!dialect.empty() && suite.document(dialect) == nullptr) {
      refuse(console, "unknown dialect \"" + dialect + "\"; known: " + known_dialects(suite));
      return false;
    }
    if (!type.empty() && !element_type_named(type)) {
      refuse(console,
             "unknown element type \"" + type + "\"; known: " + ElementTypes::all().text());
      return false;
    }
    const bool known_clause =
        clause.empty() ||
        std::any_of(suite.documents.begin(), suite.documents.end(), [&](const Document& document) {
          return std::any_of(document.clauses.begin(), document.clauses.end(),
                             [&](const Clause& candidate) { return candidate.id == clause; });
        });
    if (!known_clause) refuse(console, "no document has a clause \"" + clause + '"');
    return known_clause;
  }

  void print_changes(const Suite& suite, Console& console) const {
    if (json || digest || !(dialect + clause + type + id).empty()) {
      return refuse(console, "--since compares whole suites, and takes no other option of list");
    }
    constexpr std::size_t kLargest = std::size_t{1} << 30;  // bytes
    const Result<std::string> older = read_file(since, kLargest);
    if (!older) return refuse(console, "list: cannot read " + older.error().text());
    const Result<std::string> changes = changes_since(*older, suite);
    if (!changes) return refuse(console, "list: " + since + ": " + changes.error().text());
    console.out << *changes;
  }

  void run(Console& console) {
    if (questions) {
      console.out << (json ? json_of_questions() : table_of_questions());
      return;
    }
    const Suite* suite = specs.open(console);
    if (suite == nullptr || !sound(*suite, console)) return;
    if (!since.empty()) {
      print_changes(*suite, console);
      return;
    }
    if (digest) {
      console.out << digest_of(*suite);
      return;
    }
    std::optional<ElementType> wanted_type;
    if (!type.empty()) wanted_type = element_type_named(type);
    std::vector<const Case*> chosen;
    std::size_t all = 0;
    for (const Document& document : suite->documents) {
      all += document.cases.size();
      for (const Case& one : document.cases) {
        if (wants(one, wanted_type)) chosen.push_back(&one);
      }
    }
    if (json) {
      console.out << json_of_cases(*suite, chosen);
      return;
    }
    for (const Case* one : chosen) {
      console.out << one->id << "  " << print_line(one->request) << " -> " << text(one->expect)
                  << "  (";
      const char* before = "";
      for (const std::string& named : one->clauses) {
        console.out << before << named;
        before = " ";
      }
      console.out << ")\n";
    }
    console.out << chosen.size() << " of " << all << " cases\n";
  }
};

}  // namespace

void add_list(CLI::App& app, Console& console) {
  CLI::App* command = app.add_subcommand("list", "Show the cases");
  auto state = std::make_shared<ListCommand>();
  command->add_option("-d,--dialect", state->dialect, "Only cases of this dialect");
  command->add_option("-c,--clause", state->clause, "Only cases that name this clause");
  command->add_option("-t,--type", state->type, "Only cases whose data has this element type");
  command
      ->add_option("-f,--filter,--id", state->id,
                   "Only cases whose id matches, as in '*/example-*'")
      ->type_name("GLOB");
  command->add_flag("--json", state->json, "Print JSON");
  command->add_flag(
      "--digest", state->digest,
      "Print how many cases each document and each file has, and a hash of them, as in "
      "specs/digest.txt");
  command->add_flag("--questions", state->questions,
                    "Print the questions that the rules of a document answer, and the answers");
  command
      ->add_option(
          "--since", state->since,
          "Print which cases are new, changed, renamed or gone since list --json wrote this")
      ->type_name("OLD.json");
  state->specs.add_to(*command);
  command->footer("A line for each case: id, request -> answer, and the clauses that it names.");
  command->callback([state, &console] { state->run(console); });
}

}  // namespace reshape::conformance
