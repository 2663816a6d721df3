#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "conformance/command/checks.h"
#include "conformance/command/commands.h"
#include "conformance/command/run_reports.h"
#include "conformance/command/suite_option.h"
#include "conformance/files/plain_text.h"
#include "conformance/report/join.h"
#include "conformance/report/read_report.h"
#include "conformance/report/report.h"

namespace reshape::conformance {
namespace {

constexpr std::size_t kLargestReport = std::size_t{1} << 30;  // bytes

struct MergeCommand {
  std::vector<std::string> files;
  ReportFiles reports;
  TextOptions text;
  SuiteOption specs;

  // The runs of each file, one for each implementation.
  Result<std::vector<std::vector<Report>>> read(const Suite& suite) const {
    std::vector<std::vector<Report>> parts;
    for (const std::string& file : files) {
      const Result<std::string> text_of_file = read_text(file, kLargestReport);
      if (!text_of_file) return text_of_file.error();
      Result<std::vector<Report>> runs = read_report(*text_of_file, suite);
      if (!runs) return Error{runs.error().text(), file};
      if (!parts.empty() && runs->size() != parts.front().size()) {
        return Error{"it holds " + std::to_string(runs->size()) + " implementations, and " +
                         files.front() + " " + std::to_string(parts.front().size()),
                     file};
      }
      parts.push_back(std::move(*runs));
    }
    return parts;
  }

  Result<std::vector<Report>> join(const Suite& suite) const {
    Result<std::vector<std::vector<Report>>> parts = read(suite);
    if (!parts) return parts.error();
    std::vector<Report> runs;
    for (std::size_t at = 0; at < parts->front().size(); ++at) {
      std::vector<Part> of_one;
      for (std::size_t file = 0; file < files.size(); ++file) {
        of_one.push_back({files[file], std::move((*parts)[file][at])});
      }
      Result<Report> run = joined(std::move(of_one));
      if (!run) return run.error();
      runs.push_back(std::move(*run));
    }
    return runs;
  }

  int run(Console& console) {
    const Suite* suite = specs.open(console);
    if (suite == nullptr) return kBadInput;
    const Result<std::vector<Report>> runs = join(*suite);
    if (!runs) return stop(console, kBadInput, runs.error().text());
    // Text for people goes to standard error where a report goes to standard output.
    std::ostream& people = has_standard_output(reports) ? console.err : console.out;
    people << findings_text(*runs, text) << conclusion_text(*runs, text);
    return write_reports(reports, *runs, true, console) ? exit_code_of(*runs) : kBadInput;
  }
};

}  // namespace

void add_merge(CLI::App& app, Console& console) {
  CLI::App* command = app.add_subcommand(
      "merge", "Join what the shards of a run found on many machines, and say whether it conforms");
  auto state = std::make_shared<MergeCommand>();
  command
      ->add_option("shard", state->files, "what run --shard I/N --json FILE wrote, all N of them")
      ->required()
      ->type_name("FILE");
  add_report_options(*command, state->reports);
  number_option(*command, "--most-failures", state->text.most_failures,
                "printed in full, one of each kind", whole_number<int>(), "N");
  command->add_flag("-q,--quiet", state->text.quiet, "print failures and the last line only");
  state->specs.add_to(*command);
  command->footer(
      "Examples:\n"
      "  reshape-conformance run -i ./libmine.so --shard 1/2 --json 1.json\n"
      "  reshape-conformance run -i ./libmine.so --shard 2/2 --json 2.json\n"
      "  reshape-conformance merge 1.json 2.json --json report.json --junit report.xml\n\n"
      "Parts that are missing, there twice, changed, or of another run or library file are refused "
      "with exit code 2; else the exit code is that of the whole run.");
  command->callback([state, &console] { console.exit_code = state->run(console); });
}

}  // namespace reshape::conformance
