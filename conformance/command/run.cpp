#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <thread>

#include "conformance/command/commands.h"
#include "conformance/command/run_more.h"
#include "conformance/detection/diagnosis.h"
#include "conformance/detection/tier.h"
#include "conformance/property/law.h"
#include "conformance/report/report.h"
#include "conformance/run/baseline.h"
#include "conformance/run/runner.h"
#include "conformance/run/write_file.h"
#include "conformance/spec/load.h"

namespace reshape::conformance {
namespace {

enum Exit {
  kAsExpected = 0,
  kNotConforming = 1,
  kBadInput = 2,
  kNotStarted = 3,
  kNothingAsked = 4
};

struct Arguments {
  std::vector<std::string> libraries;
  RunOptions options;
  MoreOptions more;
  bool mend = false;
  bool diagnoses = true;
  TextOptions text;
  std::map<std::string, std::string> reports;  // form -> file
};

int default_jobs() { return static_cast<int>(std::max(1u, std::thread::hardware_concurrency())); }

int stop(Console& console, int code, const Error& error) {
  console.err << "reshape-conformance run: " << error.text() << '\n';
  return code;
}

// One line that is written over and over.
std::function<void(const Progress&)> progress_line(Console& console) {
  return [&console, last = -1](const Progress& progress) mutable {
    const int percent = progress.done * 100 / std::max(progress.planned, 1);
    if (percent == last && progress.done != progress.planned) return;
    last = percent;
    console.out << "\r  " << progress.done << " of " << progress.planned << " cases";
    if (progress.failed > 0) console.out << ", " << progress.failed << " failed";
    if (progress.done == progress.planned) console.out << "\r\x1b[K";
    console.out.flush();
  };
}

// Everything that can be wrong before an implementation is touched.
struct Prepared {
  const Suite* suite = nullptr;
  std::unique_ptr<Suite> loaded;
  Selection selection;
  Shard shard;
  std::optional<Baseline> baseline;
};

std::vector<const Case*> quick_of(std::vector<const Case*> cases) {
  const std::set<std::string> quick(quick_tier().cases.begin(), quick_tier().cases.end());
  std::erase_if(cases, [&](const Case* one) { return !quick.contains(one->id); });
  return cases;
}

Result<Prepared> prepare(const Arguments& arguments) {
  const RunOptions& options = arguments.options;
  Prepared prepared;
  if (arguments.mend && options.baseline.empty()) {
    return Error{"--mend-baseline needs --baseline FILE"};
  }
  if (!options.baseline.empty() && arguments.libraries.size() > 1) {
    return Error{"a baseline belongs to one implementation, and several were given"};
  }
  if (options.specs.empty()) {
    prepared.suite = &built_in_suite();
  } else {
    Result<Suite> suite = load_suite(options.specs);
    if (!suite) return suite.error();
    prepared.loaded = std::make_unique<Suite>(std::move(*suite));
    prepared.suite = prepared.loaded.get();
  }
  if (!options.shard.empty()) {
    const Result<Shard> shard = parse_shard(options.shard);
    if (!shard) return shard.error();
    prepared.shard = *shard;
  }
  prepared.selection = {options.dialects, options.filters, options.clauses, options.types};
  // Without a condition there is nothing to be wrong about, and no case is made that is not asked.
  if (prepared.selection.any()) {
    const Result<std::vector<const Case*>> cases = select(*prepared.suite, prepared.selection);
    if (!cases) return cases.error();
    if (options.tier == "quick" && quick_of(*cases).empty()) {
      return Error{"the quick tier has none of these cases"};
    }
  }
  if (!options.baseline.empty()) {
    // A file that is to be written may be new.
    const bool fresh = arguments.mend && access(options.baseline.c_str(), F_OK) != 0;
    Result<Baseline> baseline =
        fresh ? Result<Baseline>(Baseline{options.baseline, {}}) : load_baseline(options.baseline);
    if (!baseline) return baseline.error();
    prepared.baseline = std::move(*baseline);
  }
  std::vector<std::string> outputs;
  for (const auto& [form, file] : arguments.reports) outputs.push_back(file);
  if (arguments.mend) outputs.push_back(options.baseline);
  for (const std::string& file : outputs) {
    const Result<std::string> writable = check_writable(file);
    if (!writable) return writable.error();
  }
  return prepared;
}

// Without --dialect an implementation is asked what it declares, and no more.
std::vector<const Case*> cases_for(const Prepared& prepared, const RunOptions& options,
                                   const Capabilities& capabilities) {
  Selection selection = prepared.selection;
  if (selection.dialects.empty()) {
    for (const Document& document : prepared.suite->documents) {
      const std::string& name = document.dialect.name;
      if (capabilities.has_dialect(name)) selection.dialects.push_back(name);
    }
    if (selection.dialects.empty()) return {};
  }
  // What was wrong with the conditions is told before; here none may be met by this library.
  std::vector<const Case*> cases = cases_that_meet(*prepared.suite, selection);
  // What the quick tier names is asked where it names it.
  if (options.tier == "quick") return quick_of(cases);
  ask_once(cases);
  return cases;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::vector<std::string> asked_dialects(const Plan& plan, const RunOptions& options,
                                        const Adapter& adapter) {
  std::vector<std::string> names;
  for (const Document& document : plan.suite->documents) {
    const std::string& name = document.dialect.name;
    const bool wanted = options.dialects.empty() || contains(options.dialects, name);
    if (wanted && adapter.capabilities().has_dialect(name)) names.push_back(name);
  }
  return names;
}

// What an implementation does not declare it cannot be asked, and a run that asks nothing says nothing.
std::optional<Error> nothing_to_ask(const Prepared& prepared, const RunOptions& options,
                                    const std::string& library, const Capabilities& capabilities) {
  std::string named;
  for (const Document& document : prepared.suite->documents) {
    const std::string& name = document.dialect.name;
    if (!capabilities.has_dialect(name)) continue;
    if (options.dialects.empty() || contains(options.dialects, name)) return std::nullopt;
    named += (named.empty() ? "" : ", ") + name;
  }
  if (named.empty()) {
    return Error{"nothing can be asked: it declares none of the dialects of this suite", library};
  }
  return Error{"nothing can be asked: it declares " + named + ", and --dialect names others",
               library};
}

Result<RunResult> run_one(const Prepared& prepared, const Arguments& arguments,
                          const std::string& library, Adapter& adapter, Console& console) {
  if (const std::optional<Error> nothing =
          nothing_to_ask(prepared, arguments.options, library, adapter.capabilities())) {
    return *nothing;
  }
  Plan plan;
  plan.suite = prepared.suite;
  plan.cases = cases_for(prepared, arguments.options, adapter.capabilities());
  plan.shard = prepared.shard;
  plan.waived = arguments.options.waived;
  plan.jobs = arguments.options.in_process ? 1 : arguments.options.jobs;
  if (console.terminal && !arguments.text.quiet) plan.progress = progress_line(console);
  const AdapterOptions reach{library, arguments.options.in_process,
                             arguments.options.deadline_seconds};
  Result<RunResult> result =
      arguments.more.any()
          ? run_more(arguments.more,
                     arguments.options.dialects.empty() ? adapter.capabilities().dialects
                                                        : arguments.options.dialects,
                     reach, plan, adapter)
          : run(plan, adapter, [&] { return start_adapter(reach); });
  if (!result) return result;
  // With --laws all of them have been asked.
  if (!arguments.options.tier.empty() && !arguments.more.laws) {
    for (const std::string& law : quick_tier().laws) {
      result->laws.push_back(ask_law(*law_named(law), *prepared.suite,
                                     asked_dialects(plan, arguments.options, adapter), adapter,
                                     {}));
      result->seconds += result->laws.back().seconds;
    }
  }
  result->program_version = RESHAPE_PROGRAM_VERSION;
  result->options = arguments.options;
  result->options.library = library;
  result->options.jobs = plan.jobs;
  if (prepared.baseline) apply(*prepared.baseline, *result);
  if (arguments.diagnoses) result->diagnosis = diagnose(*result, reach);
  return result;
}

// The mended baseline takes effect at once: the reports tell the run as it is judged by it.
Result<bool> mend(const Prepared& prepared, RunResult& result, Console& console) {
  Baseline baseline = mended(*prepared.baseline, result);
  const Result<std::string> saved = save(baseline);
  if (!saved) return saved.error();
  console.err << "reshape-conformance run: " << baseline.file << " now has "
              << baseline.known.size() << " known failures\n";
  for (CaseResult& one : result.cases) {
    one.known = Known::none;
    one.known_reason.clear();
  }
  result.baseline_faults.clear();
  apply(baseline, result);
  return true;
}

int exit_code(const std::vector<RunResult>& runs) {
  bool nothing = false;
  for (const RunResult& run : runs) {
    if (!run.conforming()) return kNotConforming;
    nothing |= !run.executed();
  }
  return nothing ? kNothingAsked : kAsExpected;
}

int run_command(const Arguments& arguments, Console& console) {
  const Result<Prepared> prepared = prepare(arguments);
  if (!prepared) return stop(console, kBadInput, prepared.error());

  std::vector<std::unique_ptr<Adapter>> adapters;
  for (const std::string& library : arguments.libraries) {
    Result<std::unique_ptr<Adapter>> adapter =
        start_adapter({library, arguments.options.in_process, arguments.options.deadline_seconds});
    if (!adapter) return stop(console, kNotStarted, adapter.error());
    adapters.push_back(std::move(*adapter));
  }
  std::vector<RunResult> runs;
  for (std::size_t index = 0; index < adapters.size(); ++index) {
    Result<RunResult> result =
        run_one(*prepared, arguments, arguments.libraries[index], *adapters[index], console);
    if (!result) return stop(console, kNothingAsked, result.error());
    runs.push_back(std::move(*result));
  }
  if (arguments.mend) {
    const Result<bool> done = mend(*prepared, runs.front(), console);
    if (!done) return stop(console, kBadInput, done.error());
  }
  console.out << text_report(runs, arguments.text);
  for (const ReportForm& form : report_forms()) {
    const auto wanted = arguments.reports.find(form.name);
    if (wanted == arguments.reports.end()) continue;
    const Result<std::string> written = write_file(wanted->second, form.render(runs));
    if (!written) return stop(console, kBadInput, written.error());
  }
  return exit_code(runs);
}

}  // namespace

void add_run(CLI::App& app, Console& console) {
  CLI::App* command =
      app.add_subcommand("run", "Ask an implementation the cases, and say whether it conforms");
  auto arguments = std::make_shared<Arguments>();
  RunOptions& options = arguments->options;
  options.jobs = default_jobs();
  command
      ->add_option("-i,--implementation", arguments->libraries,
                   "shared library behind the C contract; several are shown side by side")
      ->required()
      ->allow_extra_args(false)
      ->type_name("LIB");
  const auto list = [&](const char* flag, std::vector<std::string>& values, const char* type,
                        const char* says) {
    return command->add_option(flag, values, says)->allow_extra_args(false)->type_name(type);
  };
  list("-d,--dialect", options.dialects, "NAME",
       "only this dialect (repeatable); by default those that the implementation declares");
  list("-f,--filter", options.filters, "GLOB", "only cases whose id matches, with * and ?");
  list("-c,--clause", options.clauses, "ID", "only cases of this clause");
  list("-t,--type", options.types, "TYPE", "only data of this element type");
  list("--waive", options.waived, "CLAUSE",
       "CLAUSE or DIALECT/CLAUSE, with * and ?, may stay unasked");
  command
      ->add_option(
          "--tier", options.tier,
          "only the few cases and laws that find every mistake of the ledger (see mutants)")
      ->check(CLI::IsMember({"quick"}))
      ->type_name("quick");
  command->add_option("--shard", options.shard, "the I-th of N parts of the cases")
      ->type_name("I/N");
  CLI::Option* in_process =
      command->add_flag("--in-process", options.in_process,
                        "no host process: faster, but a crash of the implementation ends the run");
  command->add_option("-j,--jobs", options.jobs, "cases asked at the same time")
      ->check(CLI::Range(1, 1024))
      ->type_name("N")
      ->excludes(in_process);
  command->add_option("--deadline", options.deadline_seconds, "for one case with all its probes")
      ->check(CLI::Range(0.01, 86400.0))
      ->type_name("SECONDS")
      ->capture_default_str();
  command->add_option("--specs", options.specs, "the documents and cases of this folder")
      ->type_name("DIR");
  command->add_option("--baseline", options.baseline, "known failures, as YAML")->type_name("FILE");
  command->add_flag("--mend-baseline", arguments->mend,
                    "rewrite the baseline so that it says what this run found");
  for (const ReportForm& form : report_forms()) {
    const std::string name = form.name;
    command
        ->add_option_function<std::string>(
            "--" + name,
            [arguments, name](const std::string& file) { arguments->reports[name] = file; },
            form.says)
        ->type_name("FILE");
  }
  command->add_option("--most-failures", arguments->text.most_failures, "printed in full")
      ->check(CLI::NonNegativeNumber)
      ->type_name("N")
      ->capture_default_str();
  add_more_options(*command, arguments->more);
  command->add_flag("!--no-diagnosis", arguments->diagnoses,
                    "do not compare failures with the mistakes of the ledger (see mutants)");
  command->add_flag("-q,--quiet", arguments->text.quiet, "print failures and the last line only");
  command->callback(
      [arguments, &console] { console.exit_code = run_command(*arguments, console); });
}

}  // namespace reshape::conformance
