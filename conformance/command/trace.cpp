#include "conformance/spec/trace.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>

#include "conformance/command/suite_option.h"
#include "conformance/spec/suite_json.h"
#include "conformance/text/counted.h"
#include "conformance/text/printable.h"

namespace reshape::conformance {
namespace {

// "-" for a count that this clause cannot have, so that every 0 shows missing cases.
std::string count(std::size_t cases, bool possible) {
  return cases == 0 && !possible ? "-" : std::to_string(cases);
}

void print_document(const DocumentTrace& traced, std::ostream& out) {
  const Document& document = *traced.document;
  out << fmt::format("{}: {}, {}, {} clauses, {} cases\n", document.dialect.name,
                     printable(document.versioned_name), printable(document.version),
                     document.clauses.size(), document.cases.size());
  out << fmt::format("  {:<30} {:<8} {:>6} {:>7} {:>6}\n", "clause", "level", "holds", "breaks",
                     "opens");
  for (const ClauseTrace& row : traced.clauses) {
    const Clause& clause = *row.clause;
    const bool silent = clause.level == Level::silent;
    out << fmt::format("  {:<30} {:<8} {:>6} {:>7} {:>6}{}{}\n", clause.id, name(clause.level),
                       count(row.holds.size(), !silent), count(row.breaks.size(), clause.breakable),
                       count(row.opens.size(), silent), row.missing.empty() ? "" : "  ",
                       fmt::join(row.missing, ", "));
  }
  out << '\n';
}

struct TraceCommand {
  SuiteOption specs;
  bool json = false;
  std::string guide;  // a document, for which a guide is printed instead

  void run(Console& console) {
    const Suite* suite = specs.open(console);
    if (suite == nullptr) return;
    const Trace traced = trace(*suite);
    if (!guide.empty()) return print_guide(*suite, traced, console);
    console.exit_code = traced.orphans.empty() ? 0 : 1;
    if (json) {
      console.out << json_of_trace(*suite, traced);
      return;
    }
    std::size_t clauses = 0;
    std::size_t cases = 0;
    for (const DocumentTrace& document : traced.documents) {
      print_document(document, console.out);
      clauses += document.document->clauses.size();
      cases += document.document->cases.size();
    }
    for (const std::string& orphan : traced.orphans) console.out << orphan << '\n';
    console.out << fmt::format(
        "{}, {} clauses, {} cases: {}\n", counted(traced.documents.size(), "document"), clauses,
        cases, traced.orphans.empty() ? "no orphan" : counted(traced.orphans.size(), "orphan"));
  }

  void print_guide(const Suite& suite, const Trace& traced, Console& console) const {
    for (const DocumentTrace& document : traced.documents) {
      if (document.document->dialect.name != guide) continue;
      console.out << guide_to(document, suite.version);
      return;
    }
    refuse(console, unknown_dialect(guide, suite));
  }
};

}  // namespace

void add_trace(CLI::App& app, Console& console) {
  CLI::App* command = app.add_subcommand(
      "trace", "Show which cases hold, break and open which clause; fails on an orphan");
  auto state = std::make_shared<TraceCommand>();
  CLI::Option* json = command->add_flag("--json", state->json, "Print the whole matrix as JSON");
  command
      ->add_option("--guide", state->guide,
                   "Print instead what one document says, clause by clause, as a page of Markdown")
      ->type_name("DIALECT")
      ->excludes(json);
  state->specs.add_to(*command);
  command->footer(
      "A clause needs a case that holds it (a silent one: that opens it) and, where it "
      "can be\nbroken, one that breaks it; a case needs a clause. Exit code 1 where "
      "something is missing.");
  command->callback([state, &console] { state->run(console); });
}

}  // namespace reshape::conformance
