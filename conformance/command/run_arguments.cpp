#include "conformance/command/run_arguments.h"

#include "conformance/command/checks.h"
#include "conformance/command/output_files.h"

namespace reshape::conformance {

std::shared_ptr<RunArguments> add_run_options(CLI::App& command) {
  auto arguments = std::make_shared<RunArguments>();
  RunOptions& options = arguments->options;
  options.jobs = default_jobs();
  command
      .add_option("-i,--implementation", arguments->libraries,
                  "shared library behind the C contract, child:COMMAND (see CHILD_PROTOCOL.md), or "
                  "python:MODULE:FUNCTION; several are shown side by side")
      ->required()
      ->allow_extra_args(false)
      ->type_name("LIB");
  const auto list = [&](const char* flag, std::vector<std::string>& values, const char* type,
                        const char* says) {
    return command.add_option(flag, values, says)->allow_extra_args(false)->type_name(type);
  };
  list("-d,--dialect", options.dialects, "NAME",
       "only this dialect (repeatable); by default those that the implementation declares");
  list("-f,--filter", options.filters, "GLOB", "only cases whose id matches, with * and ?");
  list("-c,--clause", options.clauses, "ID", "only cases of this clause");
  list("-t,--type", options.types, "TYPE", "only data of this element type; with --generate too");
  list("--waive", options.waived, "CLAUSE",
       "CLAUSE or DIALECT/CLAUSE, with * and ?, may stay unasked; process-start lets through what "
       "the library does to a process at its first use or end");
  command
      .add_option("--tier", options.tier,
                  "only the cases and laws that find every mistake of the ledger (see mutants), "
                  "one of each other small line, and fewer generated requests")
      ->check(CLI::IsMember({"quick"}).description(""))
      ->type_name("quick");
  command.add_option("--shard", options.shard, "the I-th of N parts of the cases")
      ->type_name("I/N");
  CLI::Option* in_process = command.add_flag(
      "--in-process", options.in_process,
      "no host process, for a debugger: a crash or a hang of the implementation is the run's");
  command.add_option("-j,--jobs", options.jobs, "cases asked at the same time")
      ->check(whole_number<int>(1024, 1))
      ->type_name("N")
      ->excludes(in_process);
  number_option(command, "--deadline", options.deadline_seconds, "for one case with all its probes",
                seconds_from(0.01), "SECONDS");
  command.add_flag("--fail-fast", options.fail_fast,
                   "ask nothing more after the first failure that is not known");
  number_option(command, "--most-hangs", options.most_hangs,
                "ask nothing more after so many requests that were not answered; 0: go on",
                whole_number<int>(1'000'000, 0), "N");
  command
      .add_option("--time-limit", options.time_limit,
                  "ask nothing more after so long, and diagnose for what is left of it, or 2 "
                  "seconds; the exit code is then 1 or 4")
      ->check(seconds_from(0.01))
      ->type_name("SECONDS");
  command.add_option("--specs", options.specs, "the documents and cases of this folder")
      ->type_name("DIR");
  command.add_option("--baseline", options.baseline, "known failures, as YAML")->type_name("FILE");
  command
      .add_flag("--mend-baseline{cases}", arguments->mend,
                "rewrite the baseline so that it says what this run found; =causes for an entry "
                "for each cause, however few cases have it")
      ->check(CLI::IsMember({"cases", "causes"}).description(""))
      ->type_name("[=causes]");
  add_report_options(command, arguments->reports);
  list("--performance", arguments->performance, "FILE",
       "what compare --json or bench --json wrote of the same library: its ratios are drawn by "
       "--html");
  number_option(command, "--most-failures", arguments->text.most_failures,
                "printed in full, one of each kind", whole_number<int>(), "N");
  add_more_options(command, arguments->more);
  command.add_flag("!--no-diagnosis", arguments->diagnoses,
                   "do not compare failures with the mistakes of the ledger (see mutants)");
  number_option(command, "--diagnosis-seconds", arguments->diagnosis_seconds,
                "for comparing failures with the mistakes of the ledger", seconds_from(0.01),
                "SECONDS");
  command.add_flag("-q,--quiet", arguments->text.quiet, "print failures and the last line only");
  command.footer(
      "Examples:\n"
      "  reshape-conformance run -i ./libmine.so\n"
      "  reshape-conformance run -i ./libmine.so --tier quick --json report.json\n"
      "  reshape-conformance run -i ./libmine.so --baseline known.yaml --mend-baseline\n"
      "\nA case is mistrusted where nothing wrong was seen and little was looked at, such as the "
      "shape alone of a library without execute. What is skipped is counted, with the reason.\n"
      "\nExit codes: 0 as expected; 1 not conforming, also where every case of a clause that binds "
      "was skipped; 2 wrong usage or a bad file; 3 the implementation could not be started; 4 "
      "nothing could be asserted: it declares none of the dialects asked for, nothing was executed "
      "and no clause that binds was skipped, the time limit or Ctrl-C came first, or the library's "
      "file changed meanwhile.");
  return arguments;
}

}  // namespace reshape::conformance
