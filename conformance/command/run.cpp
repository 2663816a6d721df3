#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <memory>

#include "conformance/adapter/child/command_words.h"
#include "conformance/adapter/process/patience.h"
#include "conformance/command/checks.h"
#include "conformance/command/commands.h"
#include "conformance/command/progress.h"
#include "conformance/command/read_ratios.h"
#include "conformance/command/run_arguments.h"
#include "conformance/detection/diagnose.h"
#include "conformance/detection/tier.h"
#include "conformance/property/law.h"
#include "conformance/report/evidence.h"
#include "conformance/report/failure_groups.h"
#include "conformance/report/join.h"
#include "conformance/report/known_laws.h"
#include "conformance/report/report.h"
#include "conformance/run/ask_to_end.h"
#include "conformance/run/baseline.h"
#include "conformance/run/crash_frames.h"
#include "conformance/run/replays.h"
#include "conformance/run/runner.h"
#include "conformance/run/write_file.h"
#include "conformance/spec/load.h"
#include "conformance/text/glob.h"
#include "conformance/text/printable.h"

namespace reshape::conformance {
namespace {

constexpr double kLookingSeconds = 6;    // least time for finding out how failures replay
constexpr double kComparingSeconds = 3;  // see LawOptions::comparing_seconds
constexpr int kLeastLookedAt = 5;        // failures, also where fewer are printed

AdapterOptions reach_of(const RunArguments& arguments, const std::string& library) {
  return {library, arguments.options.in_process, arguments.options.deadline_seconds,
          arguments.libraries.size() == 1};
}

// All input of the run, checked before a library is loaded.
struct Prepared {
  const Suite* suite = nullptr;
  std::unique_ptr<Suite> loaded;
  Shard shard;
  std::optional<Baseline> baseline;
  std::vector<PerformanceOf> performance;
};

// A run whose cases are chosen by id, clause or type asks these cases and nothing else.
bool names_cases(const RunOptions& options) {
  return !options.filters.empty() || !options.clauses.empty() || !options.types.empty();
}

// An error for an option that has no effect in this run: its user expects one.
std::optional<Error> option_without_use(const RunArguments& arguments) {
  const RunOptions& options = arguments.options;
  const MoreOptions& more = arguments.more;
  const bool draws =
      more.generate > 0 || more.laws || (!more.any() && !more.suite_only && !names_cases(options));
  if ((more.seed || more.fresh) && !draws) {
    return Error{std::string(more.fresh ? "--fresh" : "--seed") +
                 " is about what is drawn, and this run draws nothing"};
  }
  if (!more.any()) return std::nullopt;
  // --type limits generated requests, but not laws or a bounded world.
  const bool type_is_idle = !options.types.empty() && more.generate == 0;
  // A baseline applies to generated requests and laws. A bounded run only counts wrong answers.
  const bool baseline_is_idle = !options.baseline.empty() && !more.exhaustive.empty();
  // Generated requests, too, show what a library does at its first use.
  const bool waiving_is_idle = std::ranges::any_of(options.waived, [&](const std::string& waived) {
    return more.generate == 0 || !waived.starts_with("process-start");
  });
  const std::pair<const char*, bool> of_cases[] = {{"--filter", !options.filters.empty()},
                                                   {"--clause", !options.clauses.empty()},
                                                   {"--type", type_is_idle},
                                                   {"--tier", !options.tier.empty()},
                                                   {"--waive", waiving_is_idle},
                                                   {"--baseline", baseline_is_idle},
                                                   {"--shard", !options.shard.empty()},
                                                   {"--suite-only", more.suite_only},
                                                   {"--no-laws", more.no_laws}};
  const char* asks = more.generate > 0 ? "--generate" : more.laws ? "--laws" : "--exhaustive";
  for (const auto& [name, given] : of_cases) {
    if (given) {
      return Error{std::string(name) + " is about the cases of the suite, and " + asks +
                   " asks others in their place" +
                   (waiving_is_idle && more.laws ? "; it tells no faults of each process" : "")};
    }
  }
  return std::nullopt;
}

// A bounded world calls the library millions of times, which is too slow through a child's pipes.
std::optional<Error> child_in_a_bounded_world(const RunArguments& arguments) {
  if (arguments.more.exhaustive.empty()) return std::nullopt;
  for (const std::string& library : arguments.libraries) {
    if (!names_child(library)) continue;
    return Error{
        "--exhaustive calls a shared library without anything in between, and this is a child",
        library};
  }
  return std::nullopt;
}

// Whether a waiver matches any clause or watch. One that matches none is misspelt, or its clause is
// gone, and is refused.
bool lets_something_through(const Suite& suite, const std::string& waiver) {
  if (matches(waiver, kFirstUseWaiver)) return true;
  for (const char* watch : kWatchNames) {
    if (matches(waiver, std::string(kFirstUseWaiver) + "/" + watch)) return true;
  }
  return std::ranges::any_of(suite.documents, [&](const Document& document) {
    return std::ranges::any_of(document.clauses, [&](const Clause& clause) {
      return matches(waiver, clause.id) || matches(waiver, document.dialect.name + "/" + clause.id);
    });
  });
}

Result<Prepared> prepare(const RunArguments& arguments) {
  const RunOptions& options = arguments.options;
  Prepared prepared;
  if (const std::optional<Error> child = child_in_a_bounded_world(arguments)) return *child;
  if (const std::optional<Error> idle = option_without_use(arguments)) return *idle;
  if (!arguments.mend.empty() && options.baseline.empty()) {
    return Error{"--mend-baseline needs --baseline FILE"};
  }
  if (!options.baseline.empty() && arguments.libraries.size() > 1) {
    return Error{"a baseline belongs to one implementation, and several were given"};
  }
  if (options.specs.empty()) {
    prepared.suite = &built_in_suite();
  } else {
    Result<Suite> suite = load_suite_to_ask(options.specs);
    if (!suite) return suite.error();
    prepared.loaded = std::make_unique<Suite>(std::move(*suite));
    prepared.suite = prepared.loaded.get();
  }
  if (!options.shard.empty()) {
    const Result<Shard> shard = parse_shard(options.shard);
    if (!shard) return shard.error();
    prepared.shard = *shard;
  }
  for (const std::string& waiver : options.waived) {
    if (lets_something_through(*prepared.suite, waiver)) continue;
    return Error{"no clause is called '" + waiver + "', which --waive names"};
  }
  const Selection selection{options.dialects, options.filters, options.clauses, options.types};
  // Checks the conditions. Without any, select() is skipped, because it makes all cases.
  if (selection.any()) {
    const Result<std::vector<const Case*>> cases = select(*prepared.suite, selection);
    if (!cases) return cases.error();
  }
  if (!options.baseline.empty()) {
    // A baseline that this run is to write need not exist.
    const bool fresh = !arguments.mend.empty() && access(options.baseline.c_str(), F_OK) != 0;
    Result<Baseline> baseline =
        fresh ? Result<Baseline>(Baseline{options.baseline, {}}) : load_baseline(options.baseline);
    if (!baseline) return baseline.error();
    for (const KnownFailure& entry : baseline->known) {
      if (entry.law.empty() || law_named(entry.law) != nullptr) continue;
      return Error{"there is no law '" + entry.law + "'",
                   baseline->file + ":" + std::to_string(entry.line)};
    }
    prepared.baseline = std::move(*baseline);
  }
  if (!arguments.performance.empty()) {
    if (!arguments.reports.contains("html")) {
      return Error{"--performance is about what --html draws, and there is no --html"};
    }
    Result<std::vector<PerformanceOf>> read =
        read_performance(arguments.performance, arguments.libraries);
    if (!read) return read.error();
    prepared.performance = std::move(*read);
  }
  if (!arguments.mend.empty()) {
    const Result<std::string> writable = check_writable(options.baseline);
    if (!writable) return writable.error();
  }
  return prepared;
}

// The dialects of the suite that the library declares and --dialect does not leave out. An error
// where there is none: a run without requests asserts nothing.
Result<std::vector<std::string>> asked_dialects(const Suite& suite, const RunOptions& options,
                                                const std::string& library,
                                                const Capabilities& capabilities) {
  std::vector<std::string> names;
  std::string declared;
  for (const Document& document : suite.documents) {
    const std::string& name = document.dialect.name;
    if (!capabilities.has_dialect(name)) continue;
    declared += (declared.empty() ? "" : ", ") + name;
    const std::vector<std::string>& wanted = options.dialects;
    if (wanted.empty() || std::ranges::find(wanted, name) != wanted.end()) names.push_back(name);
  }
  if (!names.empty()) return names;
  if (declared.empty()) {
    return Error{"nothing can be asked: it declares none of the dialects of this suite, but " +
                     printable(fmt::format("{}", fmt::join(capabilities.dialects, ", ")), kBriefly),
                 library};
  }
  return Error{"nothing can be asked: it declares " + declared + ", and --dialect names others",
               library};
}

// Whether the quick laws are asked beside the cases. They find what no single answer shows, above
// all mistakes of threads. The quick tier and a run of everything ask them; a run that names its
// cases does not, and --laws has asked all laws already.
bool asks_quick_laws(const RunArguments& arguments) {
  if (arguments.more.any() || arguments.more.no_laws) return false;
  return !names_cases(arguments.options) || !arguments.options.tier.empty();
}

// Asks them. A shard of the quick tier asks all of them, as one that is taken for a sample should;
// a shard of everything asks its share.
void add_quick_laws(const RunOptions& options, const LawOptions& how, const Plan& plan,
                    const std::vector<std::string>& dialects, const AdapterOptions& reach,
                    Adapter& adapter, Report& result) {
  const std::vector<std::string>& all = quick_tier().laws;
  std::vector<const Law*> laws;
  for (std::size_t at = 0; at < all.size(); ++at) {
    const bool is_ours = static_cast<int>(at) % plan.shard.count == plan.shard.index - 1;
    if (!options.tier.empty() || is_ours) laws.push_back(law_named(all[at]));
  }
  if (!laws.empty()) add_laws(laws, how, plan, dialects, reach, adapter, result);
}

// Finds out how the failures replay that are printed. If one of them cannot be replayed alone, the
// others that were not looked at are in doubt, too.
void look_at_printed(const RunArguments& arguments, AdapterOptions reach, const Bounds& bounds,
                     Report& result) {
  reach.deadline_seconds = std::min(reach.deadline_seconds, 1.0);  // for each try of a hang
  const int most = std::max(arguments.text.most_failures, kLeastLookedAt);
  std::vector<CaseResult*> failed;
  for (const CaseResult* one : printed_failures(result, most)) {
    failed.push_back(&result.cases[static_cast<std::size_t>(one - result.cases.data())]);
  }
  // A library that starts slowly gets more seconds, so that it can be started as often as others.
  constexpr double kStarts = 30, kMostSeconds = 60;
  const auto began = std::chrono::steady_clock::now();
  if (!failed.empty()) static_cast<void>(start_adapter(reach));
  const double seconds =
      std::clamp(kStarts * elapsed_seconds(began), kLookingSeconds, kMostSeconds);
  // The search for the requests that a failure depends on gets the time of the diagnosis.
  const double before = arguments.diagnoses ? arguments.diagnosis_seconds : 0;
  look_how_they_replay([&] { return start_adapter(reach); }, bounds,
                       {seconds, std::max(seconds, before)}, *result.suite, failed);
  using How = Replays::How;
  const bool stateful = std::ranges::any_of(failed, [](const CaseResult* one) {
    return one->replays.how != How::not_looked_at && one->replays.how != How::alone;
  });
  for (CaseResult& one : result.cases) {
    if (stateful && one.failed() && one.replays.how == How::not_looked_at) {
      one.replays.how = How::in_doubt;
    }
  }
}

void apply_all(const Baseline& baseline, Report& result) {
  apply(baseline, result);
  apply_to_laws(baseline, result);
}

Result<Report> run_one(const Prepared& prepared, const RunArguments& arguments,
                       const std::string& library, Adapter& adapter, Console& console) {
  const RunOptions& options = arguments.options;
  const Capabilities& capabilities = adapter.capabilities();
  const Result<std::vector<std::string>> dialects =
      asked_dialects(*prepared.suite, options, library, capabilities);
  if (!dialects) return dialects.error();
  Plan plan;
  plan.suite = prepared.suite;
  plan.shard = prepared.shard;
  plan.waived = options.waived;
  plan.jobs = options.in_process ? 1 : options.jobs;
  if (!arguments.text.quiet) {
    plan.progress = case_progress(console);
    plan.law_progress = counted_progress("laws");
  }
  Bounds bounds(options);
  plan.bounds = &bounds;
  if (prepared.baseline) {
    const std::string platform = platform_of(capabilities);
    plan.is_known = known_by(*prepared.baseline, platform);
    plan.is_known_law = [&baseline = *prepared.baseline, platform](const std::string& law) {
      return knows_law(baseline, law, platform);
    };
  }
  PlannedCases planned = planned_cases(*prepared.suite, options, capabilities);
  std::optional<Generation> generated;
  if (!arguments.more.any() && !arguments.more.suite_only && !names_cases(options)) {
    generated = add_generated(arguments.more, options.tier == "quick", *prepared.suite, *dialects,
                              capabilities, planned);
  }
  plan.cases = planned.cases;
  const AdapterOptions reach = reach_of(arguments, library);
  MoreOptions more = arguments.more;
  more.comparing_seconds = arguments.diagnoses ? kComparingSeconds : 0;
  const std::vector<std::string>& drawn_of =
      options.dialects.empty() ? capabilities.dialects : options.dialects;
  Result<Report> result = more.any() ? run_more(more, options.types, drawn_of, reach, plan, adapter)
                                     : asked_cases(plan, adapter, reach);
  if (!result) return result;
  if (!arguments.more.any()) result->own_cases = planned.own;
  if (generated) result->generated = std::move(generated);
  const bool asks_laws = asks_quick_laws(arguments);
  if (asks_laws) {
    LawOptions how;
    how.comparing_seconds = more.comparing_seconds;
    add_quick_laws(options, how, plan, *dialects, reach, adapter, *result);
  }
  result->program_version = RESHAPE_PROGRAM_VERSION;
  result->options = options;
  result->options.library = library;
  result->options.jobs = plan.jobs;
  name_crash_frames(library, result->cases);
  if (!options.shard.empty()) {
    result->whole = whole_of(plan.cases);
    if (asks_laws) result->whole->laws = static_cast<int>(quick_tier().laws.size());
  }
  if (prepared.baseline) apply_all(*prepared.baseline, *result);
  shrink_failures(bounds, reach, adapter, *result);
  if (!reach.in_process) look_at_printed(arguments, reach, bounds, *result);
  result->seconds = bounds.seconds();  // drawing and looking at failures included
  return result;
}

// Writes the mended baseline and judges the run by it, so the reports show the new verdict.
Result<bool> mend(const Prepared& prepared, int most_by_id, Report& result, Console& console) {
  if (result.library_changed) {
    console.err << "reshape-conformance run: " << prepared.baseline->file
                << " stays as it is: the library changed while it was asked\n";
    return true;
  }
  Baseline baseline = mended(*prepared.baseline, result, most_by_id);
  mend_laws(result, baseline);
  const Result<std::string> saved = save(baseline);
  if (!saved) return saved.error();
  console.err << "reshape-conformance run: " << baseline.file << " now has "
              << baseline.known.size() << (baseline.known.size() == 1 ? " entry" : " entries")
              << '\n';
  for (CaseResult& one : result.cases) {
    one.known = Known::none;
    one.known_reason.clear();
    one.known_until.clear();
  }
  for (LawResult& law : result.laws) {
    law.known.clear();
    law.known_until.clear();
  }
  result.baseline_faults.clear();
  result.unmet_causes.clear();
  result.perhaps_gone.clear();
  apply_all(baseline, result);
  return true;
}

// For a library that breaks laws about threads: finds out whether it runs calls at the same time.
void look_at_threads(const RunArguments& arguments, double seconds, Report& run) {
  AdapterOptions reach = reach_of(arguments, run.options.library);
  if (reach.in_process) return;
  reach.deadline_seconds = std::min(reach.deadline_seconds, 1.0);
  const auto began = std::chrono::steady_clock::now();
  std::vector<ThreadFinding> found =
      where_threads_differ(run.laws, [reach] { return start_adapter(reach); }, seconds);
  if (found.empty()) return;
  if (!run.law_diagnosis) run.law_diagnosis.emplace();
  run.law_diagnosis->threads = std::move(found);
  run.law_diagnosis->seconds += elapsed_seconds(began);
}

// Compares the failures with known mistakes. Called after the reports were written once: this may
// take long.
void diagnose_all(const RunArguments& arguments, std::vector<Report>& runs) {
  if (!arguments.diagnoses) return;
  DiagnosisOptions options;
  if (!arguments.text.quiet) options.progress = counted_progress("known mistakes compared");
  for (Report& run : runs) {
    const auto began = std::chrono::steady_clock::now();
    const auto left = [&] {
      return seconds_to_diagnose(arguments.diagnosis_seconds, arguments.options.time_limit,
                                 run.seconds, elapsed_seconds(began));
    };
    options.seconds = left();
    options.besides = failed_besides(run.generated, run.laws);
    run.diagnosis = diagnose(run, reach_of(arguments, run.options.library), options);
    options.seconds = left();
    run.law_diagnosis = diagnose_laws(run.laws, *run.suite, options);
    look_at_threads(arguments, left(), run);
  }
}

int run_command(const RunArguments& arguments, Console& console) {
  const Result<Prepared> prepared = prepare(arguments);
  if (!prepared) return stop(console, kBadInput, prepared.error().text());

  std::vector<std::unique_ptr<Adapter>> adapters;
  std::vector<std::string> digests;
  for (const std::string& library : arguments.libraries) {
    digests.push_back(library_digest(library));
    Result<std::unique_ptr<Adapter>> adapter = start_adapter(reach_of(arguments, library));
    if (!adapter) return not_started(console, adapter.error());
    adapters.push_back(std::move(*adapter));
  }
  heed_requests_to_end();
  std::vector<Report> runs;
  for (std::size_t index = 0; index < adapters.size(); ++index) {
    Result<Report> result =
        run_one(*prepared, arguments, arguments.libraries[index], *adapters[index], console);
    if (!result) return stop(console, kNothingAsserted, result.error().text());
    result->library_digest = std::move(digests[index]);
    result->library_changed = is_changed(*result);
    runs.push_back(std::move(*result));
  }
  for (const PerformanceOf& one : prepared->performance) {
    runs[one.library].performance.push_back(one.performance);
  }
  if (!arguments.mend.empty()) {
    const int most_by_id = arguments.mend == "causes" ? 0 : kMostMatches;
    const Result<bool> done = mend(*prepared, most_by_id, runs.front(), console);
    if (!done) return stop(console, kBadInput, done.error().text());
  }
  // Text for people goes to standard error where a report goes to standard output.
  std::ostream& people = has_standard_output(arguments.reports) ? console.err : console.out;
  people << findings_text(runs, arguments.text);
  people.flush();
  bool written = write_reports(arguments.reports, runs, false, console);
  diagnose_all(arguments, runs);
  bool more = false;  // is known than what was written
  for (Report& run : runs) {
    if (!run.diagnosis && !run.law_diagnosis) continue;
    more = true;
    run.library_changed |= is_changed(run);  // the diagnosis asked it once more
  }
  people << conclusion_text(runs, arguments.text);
  if (more || !are_replaced(arguments.reports)) {
    written = write_reports(arguments.reports, runs, true, console) && written;
  }
  if (!written) return kBadInput;
  return exit_code_of(runs);
}

}  // namespace

void add_run(CLI::App& app, Console& console) {
  CLI::App* command =
      app.add_subcommand("run", "Ask an implementation the cases, and say whether it conforms");
  const std::shared_ptr<RunArguments> arguments = add_run_options(*command);
  command->callback(
      [arguments, &console] { console.exit_code = run_command(*arguments, console); });
}

}  // namespace reshape::conformance
