#include <CLI/CLI.hpp>
#include <memory>

#include "conformance/command/checks.h"
#include "conformance/command/commands.h"
#include "conformance/command/suite_option.h"
#include "conformance/model/judge.h"
#include "conformance/property/law.h"
#include "conformance/report/report.h"
#include "conformance/run/crash_frames.h"
#include "conformance/run/oracle.h"
#include "conformance/run/runner.h"
#include "conformance/text/line.h"

namespace reshape::conformance {
namespace {

struct Arguments {
  // The last is judged; those before it are asked in the same process.
  std::vector<std::string> lines;
  std::uint64_t times = 1;  // how often the last one is asked
  AdapterOptions reach;
  SuiteOption specs;
  bool verbose = false;
  // The law to try with the last line; empty where no law is replayed.
  std::string law;
  std::uint64_t seed = 1;
};

// The suite's case of this request, if there is one, so that its id and its written answer are
// used; else a case whose answer comes from the oracle.
Result<Case> case_of(const Suite& suite, const Request& request) {
  for (const Document& document : suite.documents) {
    for (const Case& one : document.cases) {
      if (one.request == request) return one;
    }
  }
  const Result<Expectation> expectation = oracle(suite, request);
  if (!expectation) return expectation.error();
  const Ruling& right = expectation->ruling;
  if (right.kind == Ruling::Kind::produces && output_overlaps(request, right.shape)) {
    return Error{"out_strides let elements of the output " + text(right.shape) + " overlap"};
  }
  Case asked;
  asked.id = "replay";
  asked.request = request;
  asked.expect = right;
  return asked;
}

// The case for `words`: the line of a request, or the id of a case.
Result<Case> asked_by(const Suite& suite, const std::string& words) {
  const bool is_id = words.find(' ') == std::string::npos && words.find('/') != std::string::npos;
  if (!is_id) {
    const Result<Request> request = parse_line(words);
    return request ? case_of(suite, *request) : Result<Case>(request.error());
  }
  std::optional<Case> asked = case_named(words, suite);
  return asked ? Result<Case>(*std::move(asked)) : Error{"no case is called '" + words + "'"};
}

void print_planes(std::ostream& out, const Verdict& verdict) {
  for (Plane plane : {Plane::shape, Plane::bytes, Plane::memory}) {
    out << (plane == Plane::shape ? "" : ", ") << name(plane) << ' '
        << name(verdict.planes[static_cast<std::size_t>(plane)]);
  }
}

void print_observations(std::ostream& out, const std::vector<Observation>& observations) {
  for (const Observation& seen : observations) {
    out << "        " << name(seen.watch) << " (" << name(seen.plane) << ", " << name(seen.duty)
        << "): " << printable(seen.saw) << '\n';
  }
}

void print_probes(std::ostream& out, const Outcome& outcome) {
  out << "\n  inference: " << printable(text(outcome)) << '\n';
  print_observations(out, outcome.observations);
  for (const Execution& execution : outcome.executions) {
    out << "  " << probe_in_words(text(execution.probe)) << ": " << name(execution.status);
    if (!execution.message.empty()) out << " (" << printable(execution.message) << ')';
    out << '\n';
    print_observations(out, execution.observations);
  }
}

// Repeats the trial of a law. Exit code 1: the law is broken; 4: the law does not apply to the
// line.
int replay_law(const Arguments& arguments, const Suite& suite, const Request& input,
               Adapter& adapter, Console& console) {
  const Law& law = *law_named(arguments.law);
  const Document* document = suite.document(input.dialect);
  if (document == nullptr)
    return stop(console, kBadInput, "there is no dialect '" + input.dialect + "'");
  const Tried tried = try_law(law, document->dialect, input, adapter, arguments.seed);
  console.out << "law       " << law.name << ": " << law.says << '\n';
  for (const std::string& line : tried.lines) console.out << "asked     " << line << '\n';
  switch (tried.trial.kind) {
    case Trial::Kind::held: console.out << "verdict   holds\n"; return 0;
    case Trial::Kind::broken:
      console.out << "verdict   broken: " << printable(tried.trial.says) << '\n';
      return 1;
    case Trial::Kind::discarded:
    case Trial::Kind::unfinished: break;
  }
  console.out << "verdict   not asked: " << printable(tried.trial.says) << '\n';
  return 4;
}

int replay(Arguments& arguments, Console& console) {
  const Suite* opened = arguments.specs.open_to_ask(console);
  if (opened == nullptr) return kBadInput;
  const Suite& suite = *opened;
  std::vector<Case> before;
  for (const std::string& words : arguments.lines) {
    Result<Case> one = asked_by(suite, words);
    if (!one) return stop(console, kBadInput, one.error().text());
    before.push_back(*std::move(one));
  }
  const Case asked = std::move(before.back());
  before.pop_back();
  const Result<std::unique_ptr<Adapter>> adapter = start_adapter(arguments.reach);
  if (!adapter) return not_started(console, adapter.error());

  if (!arguments.law.empty()) {
    return replay_law(arguments, suite, asked.request, **adapter, console);
  }
  for (const Case& one : before) {
    console.out << "before    " << print_line(one.request) << '\n';
    const Outcome outcome = (*adapter)->ask(one.request);
    console.out << "answered  " << printable(text(outcome)) << '\n';
  }
  for (std::uint64_t time = 1; time < arguments.times; ++time) (*adapter)->ask(asked.request);
  const std::optional<std::string> outside = why_unsupported(
      asked.request, {asked.expect, asked.expect_elements}, (*adapter)->capabilities());
  console.out << "asked     " << print_line(asked.request) << "\nexpected  " << text(asked.expect)
              << '\n';
  if (outside) {
    console.out << "verdict   unsupported: " << printable(*outside) << '\n';
    return 4;
  }
  Outcome outcome;
  Report run;
  run.capabilities = (*adapter)->capabilities();
  run.options.library = arguments.reach.library;
  run.options.specs = arguments.specs.folder();
  run.cases.push_back(ask(suite, asked, **adapter, &outcome));
  name_crash_frames(run.options.library, run.cases);
  const CaseResult& result = run.cases.front();
  console.out << "answered  " << printable(text(outcome)) << "\nverdict   "
              << name(result.verdict.kind);
  if (!result.verdict.reason.empty()) console.out << ": " << printable(result.verdict.reason);
  console.out << " (";
  print_planes(console.out, result.verdict);
  console.out << ")\n";
  if (result.failed()) console.out << '\n' << failure_text(run, result);
  for (const Observation& seen : result.at_first_use) {
    console.out << "once      in each process, and no fault of this request: "
                << printable(seen.saw) << " (" << name(seen.watch) << ", " << name(seen.duty)
                << ")\n";
  }
  if (arguments.verbose) print_probes(console.out, outcome);
  if (result.failed()) return 1;
  return result.verdict.kind == Verdict::Kind::mistrusted || !result.executed ? 4 : 0;
}

}  // namespace

void add_replay(CLI::App& app, Console& console) {
  CLI::App* command = app.add_subcommand(
      "replay", "Ask an implementation a request, given as a line or by the id of a case");
  auto arguments = std::make_shared<Arguments>();
  command
      ->add_option(
          "line", arguments->lines,
          "the request as a failure prints it, or the id of a case; of several the last is "
          "judged, and those before it are asked first, in the same process")
      ->required()
      ->type_name("LINE ...");
  library_option(*command, arguments->reach.library,
                 "shared library behind the C contract, or child:COMMAND");
  constexpr std::uint64_t kMostTimes = 1'000'000;
  CLI::Option* times =
      number_option(*command, "--times", arguments->times,
                    "ask the last request so often in the same process, and judge the last answer",
                    whole_number<std::uint64_t>(kMostTimes, 1), "N");
  command->add_flag("-v,--verbose", arguments->verbose, "print every probe and what was seen");
  command->add_flag("--in-process", arguments->reach.in_process, "no host process");
  number_option(*command, "--deadline", arguments->reach.deadline_seconds,
                "for all probes together", seconds_from(0.01), "SECONDS");
  std::vector<std::string> laws;
  for (const Law& law : all_laws()) laws.emplace_back(law.name);
  CLI::Option* law = command
                         ->add_option("--law", arguments->law,
                                      "try this law with the line, as a broken law prints it")
                         ->check(CLI::IsMember(laws).description(""))
                         ->excludes(times)
                         ->type_name("NAME");
  number_option(*command, "--seed", arguments->seed, "of what the law adds to the line",
                whole_number<std::uint64_t>(), "N")
      ->needs(law);
  arguments->specs.add_to(*command, "the documents and cases of this folder");
  command->footer(
      "Exit codes: 0 a pass, or the law holds; 1 a failure; 2 wrong usage or a request that cannot "
      "be read; 3 the implementation could not be started; 4 nothing is asserted: the request lies "
      "outside of what the implementation declares, or the verdict is mistrusted, which is a pass "
      "that proves little, such as that of a library without execute, whose shape alone could be "
      "looked at.");
  command->callback([arguments, &console] { console.exit_code = replay(*arguments, console); });
}

}  // namespace reshape::conformance
