#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "conformance/adapter/child/command_words.h"
#include "conformance/command/checks.h"
#include "conformance/command/commands.h"
#include "conformance/model/judge.h"
#include "conformance/report/sections.h"
#include "conformance/run/oracle.h"
#include "conformance/run/runner.h"
#include "conformance/spec/load.h"
#include "conformance/text/line.h"
#include "conformance/text/printable.h"

namespace reshape::conformance {
namespace {

constexpr const char* kExamples = "cases/examples.yaml";
constexpr std::size_t kMostTold = 3;  // mistakes printed for one step

struct Arguments {
  AdapterOptions reach;
  std::vector<std::string> dialects;
};

// Where the mistake probably is: in the adapter that carries requests and answers, or in the
// library's own Reshape.
enum class Blame : std::uint8_t { nobody, adapter, implementation };

struct Finding {
  Blame blame = Blame::nobody;
  std::string advice;
};

Finding finding_of(const Verdict& verdict, const Ruling& right, const Outcome& outcome,
                   bool child) {
  if (verdict.kind == Verdict::Kind::pass || verdict.kind == Verdict::Kind::mistrusted) return {};
  const char* protocol = child ? "CHILD_PROTOCOL.md" : "CONTRACT.md and reshape_plugin.h";
  const Fault first = verdict.faults.empty() ? Fault() : verdict.faults.front();
  const bool answered =
      outcome.kind == Outcome::Kind::produced || outcome.kind == Outcome::Kind::rejected;
  if (answered && first.plane == Plane::bytes && first.duty == Duty::C5) {
    return {Blame::adapter,
            "elements go both ways in row-major order; of 4-bit ones the earlier is the low half"};
  }
  if (answered && first.watch != CaughtBy::shape) {
    return {Blame::implementation, fmt::format("see {} in CONTRACT.md", name(first.duty))};
  }
  switch (outcome.kind) {
    case Outcome::Kind::not_asked: return {};
    case Outcome::Kind::crashed:
      return {Blame::adapter, child ? "give this request to the command by hand and see why it ends"
                                    : "replay it with --in-process below a debugger"};
    case Outcome::Kind::timed_out:
      return {Blame::adapter, child ? "answer each line as soon as it is read, and flush the answer"
                                    : "see where the call waits; --deadline gives it longer"};
    case Outcome::Kind::malformed:
      return {Blame::adapter, fmt::format("answer in the form that {} gives", protocol)};
    case Outcome::Kind::unsupported:
      return {Blame::adapter, "answer it, or declare less: this lies within what was declared"};
    case Outcome::Kind::rejected:
      return {Blame::implementation,
              "if the message is the library's, it is wrong; if not, see what the adapter handed "
              "over"};
    case Outcome::Kind::produced: break;
  }
  return {Blame::implementation, right.kind == Ruling::Kind::rejects
                                     ? "see that every error of the library becomes 'rejected'"
                                     : "see that pattern and flag reach the library as sent"};
}

// Takes one step after the other and prints a line for each, with its mistakes below.
class Examination {
 public:
  Examination(const Arguments& arguments, Adapter& adapter, Console& console)
      : arguments_(arguments),
        adapter_(adapter),
        can_(adapter.capabilities()),
        console_(console),
        child_(names_child(arguments.reach.library)) {}

  int run() {
    say(true, "starts", fmt::format("{} {}", can_.name, can_.version));
    if (!documents()) return conclude();
    for (const Document* document : documents_) {
      examples(*document);
      plain_error(*document);
      types(*document);
      layouts(*document);
    }
    return conclude();
  }

 private:
  void say(bool ok, const std::string& step, const std::string& words) {
    console_.out << fmt::format("{:<8}{:<12}{}\n", ok ? "ok" : "not ok", step, printable(words));
    console_.out.flush();
  }
  void detail(const char* what, const std::string& words) {
    console_.out << fmt::format("        {:<10}{}\n", what, words);
  }

  bool documents() {
    for (const std::string& name : can_.dialects) {
      const Document* document = built_in_suite().document(name);
      const bool wanted = arguments_.dialects.empty() ||
                          std::find(arguments_.dialects.begin(), arguments_.dialects.end(), name) !=
                              arguments_.dialects.end();
      if (document != nullptr && wanted) documents_.push_back(document);
    }
    if (documents_.empty()) {
      say(false, "documents", fmt::format("it declares {}", fmt::join(can_.dialects, ", ")));
      detail("do", "declare a document of 'reshape-conformance list' that it implements");
      ++of_adapter_;
      return false;
    }
    std::string known;
    for (const Document* document : documents_) {
      known += (known.empty() ? "" : ", ") + document->dialect.name;
    }
    say(true, "documents", known);
    return true;
  }

  // Asks one request and notes what is wrong with the answer. A request that uses something that
  // the library does not declare is not asked, and no mistake.
  enum class Came : std::uint8_t { right, wrong, not_asked };
  Came ask_one(const Case& asked) {
    if (why_unsupported(asked.request, expectation_of(asked), can_)) return Came::not_asked;
    Outcome outcome;
    const CaseResult result = ask(built_in_suite(), asked, adapter_, &outcome);
    if (!result.executed) {
      refused_ = result.verdict.reason;
      return Came::not_asked;
    }
    const Finding finding = finding_of(result.verdict, asked.expect, outcome, child_);
    if (finding.blame == Blame::nobody) return Came::right;
    ++(finding.blame == Blame::adapter ? of_adapter_ : of_implementation_);
    wrong_.push_back({print_line(asked.request), text(asked.expect), result, finding.advice});
    return Came::wrong;
  }

  struct Wrong {
    std::string line;
    std::string expected;
    CaseResult result;
    std::string advice;
  };

  // Prints the line of a step, and its mistakes from `wrong_`.
  void tell(const std::string& step, const Document& document, int right, const std::string& what) {
    const int asked = right + static_cast<int>(wrong_.size());
    say(wrong_.empty(), step,
        asked == 0
            ? fmt::format("{}: nothing that was declared can be asked", document.dialect.name)
            : fmt::format("{}: {} of {} {}", document.dialect.name, right, asked, what));
    for (std::size_t index = 0; index < std::min(wrong_.size(), kMostTold); ++index) {
      const Wrong& one = wrong_[index];
      detail("asked", one.line);
      detail("expected", one.expected);
      detail("answered", printable(one.result.answered));
      // A wrong shape is already part of the answer's text.
      const Fault& fault =
          one.result.verdict.faults.empty() ? Fault{} : one.result.verdict.faults[0];
      if (fault.plane != Plane::shape) {
        detail("fault",
               printable(fmt::format(
                   "{}{}: {}", name(fault.duty),
                   fault.watch == CaughtBy::none ? "" : std::string(" ") + name(fault.watch),
                   fault.answered)));
      }
      detail("do", one.advice);
      detail("again", fmt::format("reshape-conformance replay -v '{}' -i {}", one.line,
                                  shell_word(arguments_.reach.library)));
    }
    if (wrong_.size() > kMostTold) {
      detail("and", fmt::format("{} more", wrong_.size() - kMostTold));
    }
    wrong_.clear();
  }

  void examples(const Document& document) {
    int right = 0;
    for (const Case& one : document.cases) {
      if (!one.file.ends_with(kExamples) || one.name().find("every-type") != std::string::npos) {
        continue;
      }
      right += ask_one(one) == Came::right ? 1 : 0;
    }
    tell("examples", document, right, "published examples are answered as the document says");
    examples_right_ += right;
  }

  // A request for this document, with the answer that the document's rules give.
  Case made(const Document& document, ElementType type, ElementType pattern_type, Shape data,
            std::vector<PatternValue> pattern) const {
    Case asked;
    asked.id = "doctor";
    Request& request = asked.request;
    request.dialect = document.dialect.name;
    request.data_type = type;
    request.data = std::move(data);
    request.pattern.type = pattern_type;
    request.pattern.values = std::move(pattern);
    if (document.dialect.zero == ZeroRule::by_flag) request.special_zero = true;
    if (const Result<Expectation> right = oracle(built_in_suite(), request)) {
      asked.expect = right->ruling;
    }
    return asked;
  }

  void plain_error(const Document& document) {
    const ElementTypes types = can_.element_types & document.dialect.data_types;
    const ElementTypes pattern_types = can_.pattern_types & document.dialect.pattern_types;
    int right = 0;
    if (!types.empty() && !pattern_types.empty()) {
      const Case asked = made(document, *types.begin(), *pattern_types.begin(), {2, 3}, {5});
      right = ask_one(asked) == Came::right ? 1 : 0;
    }
    tell("refusal", document, right, "plain errors (six elements as five) are refused");
  }

  void types(const Document& document) {
    const ElementTypes types = can_.element_types & document.dialect.data_types;
    const ElementTypes pattern_types = can_.pattern_types & document.dialect.pattern_types;
    int right = 0;
    if (!types.empty() && !pattern_types.empty()) {
      for (const ElementType type : types) {
        const Case asked = made(document, type, *pattern_types.begin(), {3, 5}, {5, 3});
        right += ask_one(asked) == Came::right ? 1 : 0;
      }
      for (const ElementType type : pattern_types) {
        // All values fit in 4 bits, so every pattern type can hold them.
        const Case asked = made(document, *types.begin(), type, {2, 6}, {3, 4});
        right += ask_one(asked) == Came::right ? 1 : 0;
      }
    }
    tell("types", document, right, "declared types of data and pattern are answered");
  }

  void layouts(const Document& document) {
    const ElementTypes types = can_.element_types & document.dialect.data_types;
    const ElementTypes pattern_types = can_.pattern_types & document.dialect.pattern_types;
    const bool promises = can_.strided_input || can_.strided_output || can_.in_place || can_.views;
    if (types.empty() || pattern_types.empty() || !promises) return;
    const Case dense = made(document, *types.begin(), *pattern_types.begin(), {3, 4}, {2, 6});
    std::vector<Case> asked(5, dense);
    asked[1].request.strides = Strides{1, 3};
    asked[2].request.strides = Strides{-4, 1};
    asked[2].request.offset = 8;
    asked[3].request.out_strides = Strides{8, 1};
    asked[4].request.in_place = true;
    int right = 0;
    for (const Case& one : asked) right += ask_one(one) == Came::right ? 1 : 0;
    tell("layouts", document, right, "declared layouts (strides, in place, views) are kept");
  }

  int conclude() {
    const std::string library = shell_word(arguments_.reach.library);
    if (of_adapter_ == 0 && of_implementation_ == 0 && !refused_.empty()) {
      console_.out << fmt::format("Nothing can be said of all of it: {}\n", printable(refused_));
      return 4;
    }
    if (of_adapter_ == 0 && of_implementation_ == 0) {
      console_.out << fmt::format(
          "Nothing is wrong where this looked. Everything is asked by: reshape-conformance run -i "
          "{}\n",
          library);
      return 0;
    }
    const bool nothing_right = examples_right_ == 0 && !documents_.empty();
    if (of_adapter_ > 0 || nothing_right) {
      console_.out << fmt::format(
          "The adapter is to be mended first: {}\n",
          of_adapter_ > 0
              ? "some answers never came, or came in a form that no library is to blame "
                "for"
              : "no example is right, and no library is as wrong as that");
    } else {
      console_.out << fmt::format(
          "The adapter works; the implementation answers {} of these wrongly. All of it is asked "
          "by: reshape-conformance run -i {}\n",
          of_implementation_, library);
    }
    return 1;
  }

  const Arguments& arguments_;
  Adapter& adapter_;
  const Capabilities can_;
  Console& console_;
  std::string refused_;  // why not everything could be asked on this machine
  const bool child_;
  std::vector<const Document*> documents_;
  std::vector<Wrong> wrong_;
  int of_adapter_ = 0;
  int of_implementation_ = 0;
  int examples_right_ = 0;
};

int doctor(const Arguments& arguments, Console& console) {
  for (const std::string& name : arguments.dialects) {
    if (built_in_suite().document(name) != nullptr) continue;
    return stop(console, kBadInput, "there is no dialect '" + name + "'");
  }
  const Result<std::unique_ptr<Adapter>> adapter = start_adapter(arguments.reach);
  if (!adapter) {
    console.out << fmt::format("{:<8}{:<12}{}\n", "not ok", "starts",
                               printable(adapter.error().text()));
    return 3;
  }
  return Examination(arguments, **adapter, console).run();
}

}  // namespace

void add_doctor(CLI::App& app, Console& console) {
  CLI::App* command =
      app.add_subcommand("doctor", "Tell a broken adapter from a wrong implementation, in seconds");
  auto arguments = std::make_shared<Arguments>();
  command
      ->add_option("-i,--implementation", arguments->reach.library,
                   "shared library behind the C contract, or child:COMMAND")
      ->required()
      ->type_name("LIB");
  command
      ->add_option("-d,--dialect", arguments->dialects,
                   "only this dialect (repeatable); by default those that it declares")
      ->allow_extra_args(false)
      ->type_name("NAME");
  number_option(*command, "--deadline", arguments->reach.deadline_seconds, "for one request",
                seconds_from(0.01), "SECONDS");
  command->footer(
      "It starts the implementation, asks the examples that the documents publish, one request "
      "that must be refused, every type that was declared, and the layouts that were. Of what is "
      "wrong it says what to do about it.\n"
      "Exit codes: 0 nothing is wrong; 1 something is; 2 wrong usage; 3 it could not be started; 4 "
      "the machine had no room to ask all.");
  command->callback([arguments, &console] { console.exit_code = doctor(*arguments, console); });
}

}  // namespace reshape::conformance
