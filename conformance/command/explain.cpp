#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>
#include <set>

#include "conformance/command/help_form.h"
#include "conformance/command/suite_option.h"
#include "conformance/oracle/ruling_of.h"
#include "conformance/text/line.h"

namespace reshape::conformance {
namespace {

void print_wrapped(std::ostream& out, const std::string& indent, const std::string& text) {
  out << indent << wrapped(text, text_width(), indent.size()) << '\n';
}

void print_clause(std::ostream& out, const Clause& clause) {
  out << "      " << name(clause.level) << ", " << clause.section << ":\n";
  print_wrapped(out, "      ", clause.says);
  if (!clause.because.empty()) print_wrapped(out, "      ", "because: " + clause.because);
}

struct ExplainCommand {
  SuiteOption specs;
  std::string subject;

  void run(Console& console) {
    const Suite* suite = specs.open(console);
    if (suite == nullptr) return;
    if (const std::optional<Case> one = case_named(subject, *suite)) {
      return explain(*suite->document(one->request.dialect), one->request, &*one, console.out);
    }
    if (subject.find('[') == std::string::npos) return refuse(console, no_such_case(*suite));
    const Result<Request> request = parse_line(subject);
    if (!request) return refuse(console, request.error().text());
    const Document* document = suite->document(request->dialect);
    if (document == nullptr) {
      return refuse(console, "column 1: " + unknown_dialect(request->dialect, *suite));
    }
    explain(*document, *request, nullptr, console.out);
  }

  std::string no_such_case(const Suite& suite) const {
    constexpr std::size_t kMost = 5;
    std::vector<std::string> near;
    for (const Document& document : suite.documents) {
      for (const Case& one : document.cases) {
        if (near.size() < kMost && one.id.find(subject) != std::string::npos)
          near.push_back(one.id);
      }
    }
    return fmt::format("no case is called \"{}\"{}{}", subject, near.empty() ? "" : "; there is ",
                       fmt::join(near, ", "));
  }

  static void explain(const Document& document, const Request& request, const Case* one,
                      std::ostream& out) {
    reference::Derivation derivation;
    const Ruling answer = ruling_of(document.dialect, request, &derivation);
    if (one != nullptr) out << one->id << '\n';
    out << "  asked     " << print_line(request) << "\n  answer    " << text(answer) << '\n';
    if (one != nullptr && one->expect != answer) out << "  expected  " << text(one->expect) << '\n';
    out << "  document  " << document.versioned_name << ", " << document.publisher << ", "
        << document.version << '\n';
    if (one != nullptr) {
      out << "  source    " << one->source.kind;
      for (const std::string& place : {one->source.section, one->source.link}) {
        if (!place.empty()) out << ", " << place;
      }
      out << "\n  file      " << one->file << ':' << one->line << '\n';
    }
    out << '\n';
    std::set<std::string> shown;
    for (const reference::Step& step : derivation) {
      print_step(document, step, shown.insert(step.clause).second, out);
    }
  }

  static void print_step(const Document& document, const reference::Step& step, bool first_time,
                         std::ostream& out) {
    out << "  " << step.clause << '\n';
    print_wrapped(out, "    ", step.says);
    const Clause* clause = document.clause(step.clause);
    if (first_time && clause != nullptr) print_clause(out, *clause);
  }
};

}  // namespace

void add_explain(CLI::App& app, Console& console) {
  CLI::App* command = app.add_subcommand(
      "explain", "Show how the answer to a case or a request follows from the document");
  auto state = std::make_shared<ExplainCommand>();
  command->add_option("subject", state->subject, "The id of a case, or a request")
      ->required()
      ->type_name("CASE-ID|REQUEST");
  state->specs.add_to(*command);
  command->callback([state, &console] { state->run(console); });
}

}  // namespace reshape::conformance
