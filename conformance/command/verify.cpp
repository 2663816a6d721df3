#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>
#include <ostream>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "conformance/adapter/process/first_description.h"
#include "conformance/command/checks.h"
#include "conformance/command/commands.h"
#include "conformance/command/output_files.h"
#include "conformance/command/run_more.h"
#include "conformance/command/run_reports.h"
#include "conformance/command/suite_option.h"
#include "conformance/files/plain_text.h"
#include "conformance/files/sha256.h"
#include "conformance/model/judge.h"
#include "conformance/report/evidence.h"
#include "conformance/report/read_report.h"
#include "conformance/report/sections.h"
#include "conformance/run/runner.h"
#include "conformance/text/counted.h"
#include "conformance/text/printable.h"
#include "conformance/text/shell_word.h"

namespace reshape::conformance {
namespace {

constexpr int kDiffers = kNotConforming;
constexpr std::size_t kLargestEvidence = std::size_t{1} << 30;  // bytes
constexpr std::size_t kMostTold = 20;                           // printed cases that differ

// The part of a verdict that must be the same in a second run. The text of a refusal is not.
std::string essence(const CaseResult& result) {
  std::string words = name(result.verdict.kind);
  if (!result.verdict.chose.empty()) words += ", chose " + printable(result.verdict.chose);
  // Only the first fault: others may depend on the machine.
  const std::vector<Fault>& faults = result.verdict.faults;
  if (!faults.empty()) words += "; " + printable(faults.front().fingerprint());
  return words;
}

// The options by which a run asked less than the suite, or let through what it found; as they are
// written on the command line, each behind a blank.
std::string narrowed_by(const RunOptions& options) {
  std::string words = options_that_choose(options);
  for (const std::string& waived : options.waived) words += " --waive " + shell_word(waived);
  if (!options.baseline.empty()) words += " --baseline " + shell_word(options.baseline);
  return printable(words);
}

// Whether this can be asked of an implementation that says so of itself.
bool is_supported(const CaseResult& one, const Capabilities& capabilities) {
  return !why_unsupported(one.asked->request, expectation_of(*one.asked), capabilities);
}

// The cases that a run with these options asks, and the evidence does not tell of.
std::vector<std::string> left_out(const Report& run, const Suite& suite) {
  std::set<std::string> told;
  for (const CaseResult& one : run.cases) told.insert(one.asked->id);
  std::vector<std::string> missing;
  if (!run.complete()) return missing;
  const Result<Shard> shard = run.options.shard.empty() ? Shard() : parse_shard(run.options.shard);
  const PlannedCases planned = planned_cases(suite, run.options, run.capabilities);
  for (const Case* one : planned.cases) {
    if ((shard && !shard->holds(one->id)) || told.contains(one->id)) continue;
    missing.push_back(one->id);
  }
  return missing;
}

// Whether it asked drawn requests, laws or a bounded world alone.
bool asked_no_case_of_the_suite(const Report& run) {
  return std::ranges::all_of(run.cases,
                             [](const CaseResult& one) { return one.asked->in_no_file(); });
}

// A line about the laws and drawn requests that were asked, and about --in-process: narrowed_by()
// does not tell of them.
std::string beside_its_cases(const Report& run) {
  const auto asked =
      std::ranges::count_if(run.laws, [](const LawResult& law) { return law.not_asked.empty(); });
  std::string words = "  beside its cases: ";
  words += asked == 0 ? "no law" : counted(static_cast<std::size_t>(asked), "law");
  if (run.generated) {
    words += fmt::format(", {} drawn by seed {}",
                         counted(static_cast<std::size_t>(run.generated->requests), "request"),
                         run.generated->seed);
  } else {
    words += ", no drawn request";
  }
  if (run.options.in_process) words += "; asked within the process of the harness";
  return words + '\n';
}

struct VerifyCommand {
  std::string file;
  std::string library;
  std::string badge;
  std::size_t sample = 200;
  std::optional<std::uint32_t> seed;
  double deadline_seconds = 10;
  SuiteOption specs;
  bool differs = false;

  void say(Console& console, const std::string& what) {
    differs = true;
    console.out << "differs  " << what << '\n';
  }

  // A random sample of the cases that were executed, or could have been, drawn by the seed, in the
  // order of the run.
  std::vector<const CaseResult*> drawn(const Report& run, const Capabilities& can) {
    std::vector<const CaseResult*> executed;
    for (const CaseResult& one : run.cases) {
      if (is_supported(one, can) && (one.executed || one.known == Known::none)) {
        executed.push_back(&one);
      }
    }
    if (!seed) seed = static_cast<std::uint32_t>(fresh_seed());
    std::vector<const CaseResult*> some;
    std::mt19937 draw(*seed);
    std::sample(executed.begin(), executed.end(), std::back_inserter(some), sample, draw);
    return some;
  }

  int ask_again(const Report& run, const Suite& suite, Console& console) {
    const AdapterOptions reach{library, false, deadline_seconds};
    const Result<std::unique_ptr<Adapter>> adapter = start_adapter(reach);
    if (!adapter) return not_started(console, adapter.error());
    const Capabilities& can = (*adapter)->capabilities();
    const auto now_declared = declared(can), told = declared(run.capabilities);
    for (std::size_t at = 0; at < told.size(); ++at) {
      const auto& [key, value] = now_declared[at];
      if (value == told[at].second) continue;
      const auto shown = [](const std::string& one) {
        return one.empty() ? "none" : printable(one);
      };
      say(console, fmt::format("the library declares {} {}, and the evidence says {}", key,
                               shown(value), shown(told[at].second)));
    }
    const std::vector<const CaseResult*> some = drawn(run, can);
    std::size_t different = 0;
    for (const CaseResult* one : some) {
      const CaseResult now = ask(suite, *one->asked, **adapter);
      if (!now.executed)
        return stop(console, kNothingAsserted, library + ": " + now.verdict.reason);
      if (essence(now) == essence(*one)) continue;
      if (++different > kMostTold) continue;
      say(console, fmt::format("{}: the evidence says {}, and now it is {}", one->asked->id,
                               essence(*one), now.executed ? essence(now) : "skipped"));
    }
    console.out << fmt::format("{} of {} cases asked again with seed {}, {} differ\n", some.size(),
                               run.cases.size(), *seed, different);
    return 0;
  }

  // The run in the evidence that is about this library.
  const Report* run_of(const std::vector<Report>& runs, const Evidence& evidence,
                       Console& console) {
    const std::string digest = library_digest(library);
    for (std::size_t at = 0; at < runs.size(); ++at) {
      if (evidence.library_digests[at] == digest && !digest.empty()) return &runs[at];
    }
    for (std::size_t at = 0; at < runs.size(); ++at) {
      if (evidence.library_digests[at].empty() && runs[at].options.library == library) {
        return &runs[at];
      }
    }
    say(console, "the library is not the file that the evidence is of: its SHA-256 is another");
    return &runs.front();
  }

  // What the cases themselves show against the evidence.
  void compare_with_its_cases(const Report& run, const Suite& suite, Console& console) {
    if (asked_no_case_of_the_suite(run)) return;
    if (const std::vector<std::string> missing = left_out(run, suite); !missing.empty()) {
      say(console,
          fmt::format("it leaves out {} of the cases that such a run asks: {}{}", missing.size(),
                      missing.front(), missing.size() > 1 ? " and others" : ""));
    }
    const auto skipped = std::ranges::count_if(run.cases, [&](const CaseResult& one) {
      return !one.executed && one.known == Known::none && is_supported(one, run.capabilities);
    });
    if (skipped > 0) {
      console.out << fmt::format(
          "note     skipped, although the implementation supports what they ask: {}\n",
          counted(static_cast<std::size_t>(skipped), "case"));
    }
  }

  int run(Console& console) {
    const Suite* suite = specs.open_to_ask(console);
    if (suite == nullptr) return kBadInput;
    const Result<std::string> text = read_text(file, kLargestEvidence);
    if (!text) return stop(console, kBadInput, text.error().text());
    const Result<Evidence> evidence = read_evidence(*text);
    if (!evidence) return stop(console, kBadInput, file + ": " + evidence.error().message);
    if (!evidence->changed.empty()) {
      say(console, evidence->changed);
      return kDiffers;  // the rest of the evidence cannot be trusted
    }
    if (evidence->suite_digest != suite_digest(*suite)) {
      say(console, "it is of another suite: the SHA-256 of this one's cases is another");
      return kDiffers;  // its cases are not those of this suite
    }
    const Result<std::vector<Report>> runs = read_report(evidence->report, *suite);
    if (!runs) {
      say(console, runs.error().text());
      return kDiffers;
    }
    const Result<std::string> program = sha256_of_file("/proc/self/exe");
    if (!program || *program != evidence->program_digest) {
      console.out << "note     it was written by another build of the program, "
                  << evidence->program_version << '\n';
    }
    if (runs->empty()) {
      say(console, "it tells of no implementation");
      return kDiffers;
    }
    if (const std::string wrong = contradiction(*evidence, *runs); !wrong.empty()) {
      say(console, wrong);
    }
    for (const Report& one : *runs) compare_with_its_cases(one, *suite, console);
    for (std::size_t at = 0; at < runs->size(); ++at) {
      const std::string& asked = (*runs)[at].options.library;
      if (evidence->library_digests[at].empty() && names_file(asked)) {
        say(console, "it does not say the SHA-256 of the library " + asked);
      }
    }
    if (!library.empty()) {
      const int code = ask_again(*run_of(*runs, *evidence, console), *suite, console);
      if (code != 0) return code;
    }
    for (const Report& one : *runs) {
      console.out << conclusion(one) << '\n';
      if (const std::string narrowed = narrowed_by(one.options); !narrowed.empty()) {
        console.out << "  of what was asked with" << narrowed << '\n';
      }
      console.out << beside_its_cases(one);
      if (asked_no_case_of_the_suite(one)) {
        console.out
            << "  of drawn requests, laws or a bounded world, and of no case of the suite\n";
      }
    }
    console.out << "on " << printable(evidence->machine) << '\n';
    if (!badge.empty() && !differs && !write_or_refuse(badge, badge_report(*runs), console)) {
      return kBadInput;
    }
    if (!differs) console.out << "The evidence is whole and of this suite.\n";
    return differs ? kDiffers : exit_code_of(*runs) == 0 ? 0 : kDiffers;
  }
};

}  // namespace

void add_verify(CLI::App& app, Console& console) {
  CLI::App* command = app.add_subcommand(
      "verify",
      "Say whether what run --evidence wrote is whole, of this suite, and true of a library");
  auto state = std::make_shared<VerifyCommand>();
  command->add_option("evidence", state->file, "what run --evidence wrote")
      ->required()
      ->type_name("FILE");
  CLI::Option* library =
      command
          ->add_option("-i,--implementation", state->library,
                       "ask a drawn sample of its cases again, of this library (see run)")
          ->type_name("LIB");
  number_option(*command, "--sample", state->sample, "so many cases",
                whole_number<int>(1'000'000, 1), "N")
      ->needs(library);
  command->add_option("--seed", state->seed, "draws the same sample again; by default a fresh one")
      ->check(whole_number<std::uint32_t>())
      ->type_name("N")
      ->needs(library);
  number_option(*command, "--deadline", state->deadline_seconds, "for one case with all its probes",
                seconds_from(0.01), "SECONDS");
  names_output(command->add_option("--badge", state->badge,
                                   "an SVG of what it says, where nothing differs"));
  state->specs.add_to(*command);
  command->footer(
      "Examples:\n"
      "  reshape-conformance run -i ./libmine.so --evidence evidence.json\n"
      "  reshape-conformance verify evidence.json\n"
      "  reshape-conformance verify evidence.json -i ./libmine.so --sample 500\n"
      "\nExit codes: 0 it is whole, of this suite, and says that the library conforms; 1 something "
      "differs, or it says that the library does not conform; 2 no evidence, such as a file that "
      "was cut off; 3 the library could not be started.");
  command->callback([state, &console] { console.exit_code = state->run(console); });
}

}  // namespace reshape::conformance
