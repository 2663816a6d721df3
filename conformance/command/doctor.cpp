#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "conformance/adapter/child/command_words.h"
#include "conformance/command/checks.h"
#include "conformance/command/commands.h"
#include "conformance/model/judge.h"
#include "conformance/report/report.h"
#include "conformance/run/oracle.h"
#include "conformance/run/other_types.h"
#include "conformance/run/runner.h"
#include "conformance/spec/load.h"
#include "conformance/text/line.h"
#include "conformance/text/printable.h"
#include "conformance/text/shell_word.h"

namespace reshape::conformance {
namespace {

constexpr const char* kExamples = "cases/examples.yaml";
constexpr std::size_t kMostTold = 3;  // mistakes printed for one step
constexpr int kMostHangs = 2;         // further ones would take minutes and say the same

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
  std::string why = {};  // of the adapter: what to look at first, for the last line
};

Finding finding_of(const Verdict& verdict, const Ruling& right, const Outcome& outcome,
                   bool child) {
  if (verdict.kind == Verdict::Kind::pass || verdict.kind == Verdict::Kind::mistrusted) return {};
  constexpr const char* kUnreadable = "some answers came in a form that no library is to blame for";
  constexpr const char* kNoAnswer =
      "some answers never came, as it, or what it calls, crashed or hung";
  const char* protocol =
      child ? "CHILD_PROTOCOL.md gives" : "CONTRACT.md and reshape_plugin.h give";
  const std::string reject =
      std::string(child ? "answer 'rejected'" : "answer RESHAPE_REJECTED") + ": ";
  const bool to_be_refused = right.kind == Ruling::Kind::rejects;
  const Fault first = verdict.faults.empty() ? Fault() : verdict.faults.front();
  const bool answered =
      outcome.kind == Outcome::Kind::produced || outcome.kind == Outcome::Kind::rejected;
  if (answered && first.watch == CaughtBy::bytes && first.duty == Duty::C5) {
    return {Blame::adapter,
            "elements go both ways in row-major order; of 4-bit ones the earlier is the low half",
            "some elements came back as others"};
  }
  if (answered && first.duty == Duty::C20) {
    return {Blame::implementation,
            reject + "another output than the inferred one is refused (C20)"};
  }
  if (answered && first.watch != CaughtBy::shape) {
    return {Blame::implementation, fmt::format("see {} in CONTRACT.md", name(first.duty))};
  }
  switch (outcome.kind) {
    case Outcome::Kind::not_asked: return {};
    case Outcome::Kind::crashed:
      return {Blame::adapter,
              child ? "give this request to the command by hand and see why it ends"
                    : "replay it with --in-process below a debugger",
              kNoAnswer};
    case Outcome::Kind::timed_out:
      return {Blame::adapter,
              child ? "answer each line as soon as it is read, and flush the answer"
                    : "see where the call waits; --deadline gives it longer",
              kNoAnswer};
    case Outcome::Kind::malformed:
      // In the library's own words: it answered with another status.
      if (to_be_refused && outcome.message.starts_with("answered ")) {
        return {Blame::adapter, reject + "the document refuses it (C4)", kUnreadable};
      }
      return {Blame::adapter, fmt::format("answer in the form that {}", protocol), kUnreadable};
    case Outcome::Kind::unsupported:
      if (to_be_refused) {
        return {Blame::implementation, reject + "the document refuses it (C18)"};
      }
      return {Blame::adapter, "answer it, or declare less: this lies within what was declared",
              "it answers 'unsupported' to what it declares"};
    case Outcome::Kind::rejected:
      return {Blame::implementation,
              "if the message is the library's, it is wrong; if not, see what the adapter handed "
              "over"};
    case Outcome::Kind::produced: break;
  }
  return {Blame::implementation, to_be_refused
                                     ? "see that every error of the library becomes 'rejected'"
                                     : "see that pattern and flag reach the library as sent"};
}

// Whether the answer itself is right, and the contract is broken beside it.
bool answered_rightly(const Verdict& verdict) {
  return verdict.faults.front().clause.empty() &&
         std::ranges::none_of(verdict.faults, [](const Fault& fault) {
           return fault.watch == CaughtBy::shape || fault.watch == CaughtBy::process ||
                  fault.watch == CaughtBy::bytes;
         });
}

// The same for all requests that show the same fault.
std::string kind_of(const Fault& fault) {
  return fmt::format("{} {} {} {}", fault.broken(), name(fault.watch),
                     without_numbers(fault.expected), without_numbers(fault.answered));
}

// The same for what two documents call by clauses and answers of their own.
std::string kind_in_any_document(const Fault& fault) {
  return fmt::format("{} {} {}", name(fault.duty), name(fault.watch),
                     without_numbers(fault.answered));
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
      told_of_others_.insert(told_alike_.begin(), told_alike_.end());
      examples(*document);
      plain_error(*document);
      types(*document);
      layouts(*document);
    }
    end();
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
                          std::ranges::find(arguments_.dialects, name) != arguments_.dialects.end();
      if (document != nullptr && wanted) documents_.push_back(document);
    }
    if (documents_.empty()) {
      say(false, "documents", fmt::format("it declares {}", fmt::join(can_.dialects, ", ")));
      detail("do", "declare a document of 'reshape-conformance list' that it implements");
      blame_adapter("it declares none of the documents to be asked");
      return false;
    }
    std::string known;
    for (const Document* document : documents_) {
      known += (known.empty() ? "" : ", ") + document->dialect.name;
    }
    say(true, "documents", known);
    return true;
  }

  void blame_adapter(const std::string& why) {
    if (std::ranges::find(adapters_faults_, why) == adapters_faults_.end()) {
      adapters_faults_.push_back(why);
    }
  }

  // Asks one request and notes what is wrong with the answer. A request that uses something that
  // the library does not declare is not asked, and no mistake.
  enum class Came : std::uint8_t { right, wrong, not_asked };
  Came ask_one(const Case& asked) {
    if (hangs_ == kMostHangs) return Came::not_asked;
    if (why_unsupported(asked.request, expectation_of(asked), can_)) return Came::not_asked;
    Outcome outcome;
    const CaseResult result = ask(built_in_suite(), asked, adapter_, &outcome);
    if (!result.executed) {
      refused_ = result.verdict.reason;
      return Came::not_asked;
    }
    const Finding finding = finding_of(result.verdict, asked.expect, outcome, child_);
    if (finding.blame == Blame::nobody) return Came::right;
    if (outcome.kind == Outcome::Kind::timed_out) ++hangs_;
    const Fault& fault = result.verdict.faults.front();
    const bool beside = answered_rightly(result.verdict);
    if (finding.blame == Blame::adapter) blame_adapter(finding.why);
    if (finding.blame == Blame::implementation) ++(beside ? beside_right_ : wrongly_answered_);
    wrong_.push_back({print_line(asked.request), fault, handed_over(result, fault), finding.advice,
                      beside, asked, outcome.kind == Outcome::Kind::timed_out});
    return Came::wrong;
  }

  struct Wrong {
    std::string line;
    Fault fault;
    std::string output;
    std::string advice;
    bool beside = false;  // the answer is right
    Case asked = {};
    bool hung = false;
  };

  // Whether a fresh process that is asked nothing else answers wrongly as well. What hung is not
  // waited for again.
  bool fails_alone(const Wrong& one) const {
    if (one.hung) return true;
    const Result<std::unique_ptr<Adapter>> fresh = start_adapter(arguments_.reach);
    return !fresh || ask(built_in_suite(), one.asked, **fresh).failed();
  }

  void tell_fault(const Wrong& one) {
    const Fault& fault = one.fault;
    detail("asked", one.line);
    detail("expected", fault.expected);
    detail("answered", printable(fault.answered));
    if (fault.watch != CaughtBy::shape) {
      detail("fault", fmt::format("{} {}", name(fault.duty), name(fault.watch)));
    }
    if (!one.output.empty()) detail("output", one.output);
    if (!fault.probe.empty()) detail("probe", probe_in_words(fault.probe));
    detail("do", one.advice);
    const std::string library = shell_word(arguments_.reach.library);
    if (fails_alone(one)) {
      detail("again", fmt::format("reshape-conformance replay -v '{}' -i {}", one.line, library));
    } else {
      detail("again", fmt::format("alone in a fresh process it passes, so it hangs on what was "
                                  "asked before, on time or on chance; the same once more: "
                                  "reshape-conformance doctor -i {}",
                                  library));
    }
  }

  // Prints the line of a step, and its mistakes from `wrong_`, of each kind the first.
  void tell(const std::string& step, const Document& document, int right, const std::string& what) {
    const auto beside = static_cast<int>(std::ranges::count(wrong_, true, &Wrong::beside));
    const int asked = right + static_cast<int>(wrong_.size());
    if (asked == 0 && hangs_ == kMostHangs) return;
    std::string words =
        asked == 0
            ? fmt::format("{}: nothing that was declared can be asked", document.dialect.name)
            : fmt::format("{}: {} of {} {}", document.dialect.name, right + beside, asked, what);
    if (beside > 0) words += fmt::format(", {} of them with a fault beside the answer", beside);
    say(wrong_.empty(), step, words);
    std::size_t told = 0, known = 0, more = 0;
    for (const Wrong& one : wrong_) {
      const std::string kind = kind_of(one.fault);
      const std::string alike = kind_in_any_document(one.fault);
      if (told_.contains(kind) || told_of_others_.contains(alike)) {
        ++known;
      } else if (told == kMostTold) {
        ++more;
      } else {
        told_.insert(kind);
        told_alike_.insert(alike);
        ++told;
        tell_fault(one);
      }
    }
    if (known > 0) detail("alike", fmt::format("{} more, with a fault that is told above", known));
    if (more > 0) detail("and", fmt::format("{} more", more));
    wrong_.clear();
  }

  // The document that an example is taken from.
  static std::string publisher_of(const Case& example, const Document& document) {
    const std::string& section = example.source.section;
    const std::string first = section.substr(0, section.find(", "));
    return built_in_suite().document(first) != nullptr ? first : document.dialect.name;
  }

  void examples(const Document& document) {
    int right = 0;
    std::vector<std::string> publishers;
    for (const Case& one : document.cases) {
      if (!one.file.ends_with(kExamples) || one.name().find("every-type") != std::string::npos) {
        continue;
      }
      const Came came = ask_one(in_declared_types(one, document.dialect, can_).value_or(one));
      right += came == Came::right ? 1 : 0;
      const std::string publisher = publisher_of(one, document);
      if (came != Came::not_asked && std::ranges::find(publishers, publisher) == publishers.end()) {
        publishers.push_back(publisher);
      }
    }
    examples_right_ += right + static_cast<int>(std::ranges::count(wrong_, true, &Wrong::beside));
    tell("examples", document, right,
         fmt::format("examples (of {}) are answered as the document says",
                     fmt::join(publishers, ", ")));
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
    const Dialect& dialect = document.dialect;
    // Where the document leaves a type open, its elements can be wrong all the same.
    const ElementTypes types = can_.element_types & dialect.known_data_types();
    const ElementTypes plain = types & dialect.data_types;
    const ElementTypes pattern_types = can_.pattern_types & dialect.pattern_types;
    int right = 0;
    if (!types.empty() && !pattern_types.empty()) {
      for (const ElementType type : types) {
        const Case asked = made(document, type, *pattern_types.begin(), {3, 5}, {5, 3});
        right += ask_one(asked) == Came::right ? 1 : 0;
      }
      const ElementType first = plain.empty() ? *types.begin() : *plain.begin();
      for (const ElementType type : pattern_types) {
        // All values fit in 4 bits, so every pattern type can hold them.
        const Case asked = made(document, first, type, {2, 6}, {3, 4});
        right += ask_one(asked) == Came::right ? 1 : 0;
      }
    }
    std::string what = "declared types of data and pattern are answered";
    const ElementTypes not_data = can_.element_types - types;
    const ElementTypes not_pattern = can_.pattern_types - pattern_types;
    if (!not_data.empty()) what += "; not asked: data of " + not_data.text();
    if (!not_pattern.empty()) what += "; not asked: patterns of " + not_pattern.text();
    tell("types", document, right, what);
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

  // Asks the process to end, as the end of a run does.
  void end() {
    if (hangs_ == kMostHangs) {
      say(false, "stopped", fmt::format("{} requests got no answer: no more are asked", hangs_));
      return;
    }
    const std::optional<Adapter::BadEnd> bad = adapter_.end_process();
    if (!bad) return;
    say(false, "ends", "asked to end, its process " + bad->how);
    blame_adapter("its process does not end as it is asked to");
  }

  int conclude() {
    const std::string library = shell_word(arguments_.reach.library);
    const bool implementation_is_right = wrongly_answered_ == 0 && beside_right_ == 0;
    if (adapters_faults_.empty() && implementation_is_right) {
      if (!refused_.empty()) {
        console_.out << fmt::format("Nothing can be said of all of it: {}\n", printable(refused_));
        return 4;
      }
      console_.out << fmt::format(
          "Nothing is wrong where this looked. Everything is asked by: reshape-conformance run -i "
          "{}\n",
          library);
      return 0;
    }
    if (adapters_faults_.empty() && examples_right_ == 0) {
      blame_adapter("no example is right");
    }
    if (!adapters_faults_.empty()) {
      console_.out << fmt::format("The adapter is to be looked at first: {}\n",
                                  fmt::join(adapters_faults_, "; "));
      return 1;
    }
    const std::string wrong = wrongly_answered_ > 0
                                  ? fmt::format("answers {} of these wrongly", wrongly_answered_)
                                  : fmt::format(
                                        "answers rightly, and breaks the contract beside {} of "
                                        "these answers",
                                        beside_right_);
    console_.out << fmt::format(
        "The adapter works; the implementation {}. All of it is asked by: reshape-conformance run "
        "-i {}\n",
        wrong, library);
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
  std::set<std::string> told_;  // kind_of() each fault that was told
  // kind_in_any_document() of these, and of those that were told of the documents before.
  std::set<std::string> told_alike_, told_of_others_;
  std::vector<std::string> adapters_faults_;
  int wrongly_answered_ = 0;  // by the implementation, not its adapter
  int beside_right_ = 0;      // answers that are right, with a fault beside them
  int hangs_ = 0;
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
    return code_of_start(adapter.error());
  }
  return Examination(arguments, **adapter, console).run();
}

}  // namespace

void add_doctor(CLI::App& app, Console& console) {
  CLI::App* command =
      app.add_subcommand("doctor", "Tell a broken adapter from a wrong implementation, in seconds");
  auto arguments = std::make_shared<Arguments>();
  library_option(*command, arguments->reach.library,
                 "shared library behind the C contract, or child:COMMAND");
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
