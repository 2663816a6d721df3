#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>

#include "conformance/command/suite_option.h"
#include "conformance/text/counted.h"
#include "conformance/text/line.h"
#include "conformance/translation/differences.h"

namespace reshape::conformance {
namespace {

// A request without the name of its dialect.
std::string question_of(const Request& request) {
  Request plain = request;
  plain.shape_only = false;
  return print_line(plain).substr(request.dialect.size() + 1);
}

struct DifferCommand {
  SuiteOption specs;
  std::string first;
  std::string second;
  bool widely = false;

  void run(Console& console) {
    const Suite* suite = specs.open(console);
    if (suite == nullptr) return;
    const Document* one = document_of(first, *suite, console);
    const Document* other = one != nullptr ? document_of(second, *suite, console) : nullptr;
    if (other == nullptr) return;
    const Differences all = differences(one->dialect, other->dialect, widely);
    for (const Difference& found : all.found) tell(found, console.out);
    console.out << fmt::format(
        "{}: {} of {} requests: {}\n", all.found.empty() ? "the same" : "in all",
        counted(all.found.size(), "cause"), all.asked, fmt::join(all.worlds, "; "));
    console.exit_code = all.found.empty() ? 0 : 1;
  }

  void tell(const Difference& one, std::ostream& out) const {
    const std::string asked = question_of(one.first);
    const std::string other = question_of(one.second);
    out << asked;
    if (other != asked) out << " | " << other;
    out << fmt::format(": {} {} ({}), {} {} ({}); {}\n", first, text(one.first_answers),
                       one.first_clause, second, text(one.second_answers), one.second_clause,
                       counted(one.requests, "request"));
  }
};

}  // namespace

void add_differ(CLI::App& app, Console& console) {
  CLI::App* command = app.add_subcommand(
      "differ", "Where two documents answer differently: the smallest request of each cause");
  auto state = std::make_shared<DifferCommand>();
  command->add_option("first", state->first, "A dialect, as in 'openvino-reshape-1'")
      ->type_name("DIALECT")
      ->required();
  command->add_option("second", state->second, "The dialect it is compared with")
      ->type_name("DIALECT")
      ->required();
  command->add_flag("--wide", state->widely,
                    "Ask larger data and longer patterns, for some seconds");
  state->specs.add_to(*command);
  command->footer(
      "A line a cause, the smallest request first: what is asked (of each document in its own "
      "words,\n"
      "where these differ), what each answers, the clauses at which their derivations part, and "
      "how\n"
      "many of the requests differ so. A document without a flag is compared with each meaning of "
      "the\n"
      "other's. Answers are the same when they permit the same, whatever clause they name.\n"
      "Exit codes: 0 they never differ, 1 they do, 2 wrong usage.\n"
      "Example:\n"
      "  reshape-conformance differ onnx-reshape-13 openvino-reshape-1");
  command->callback([state, &console] { state->run(console); });
}

}  // namespace reshape::conformance
