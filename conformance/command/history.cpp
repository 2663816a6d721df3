#include "conformance/performance/history.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>

#include "conformance/command/checks.h"
#include "conformance/command/commands.h"
#include "conformance/command/output_files.h"
#include "conformance/command/suite_option.h"
#include "conformance/command/workload_options.h"
#include "conformance/text/counted.h"
#include "conformance/text/printable.h"

namespace reshape::conformance {
namespace {

using namespace performance;

constexpr std::int64_t kYear9999 = 253'402'300'799;  // its last second; later dates have no text

struct Arguments {
  std::string file, result, commit, machine, csv, config, html, changes;
  std::int64_t time = 0;
};

void add(const Arguments& arguments, Console& console) {
  const Result<std::string> text = file_text(arguments.result);
  if (!text) return refuse(console, text.error().text());
  const Result<ResultFile> result = read_result(*text, arguments.result);
  if (!result) return refuse(console, result.error().text());
  const Result<std::unique_ptr<History>> history = History::open(arguments.file, false);
  if (!history) return refuse(console, history.error().text());
  const Result<int> added = (*history)->add(arguments.commit, arguments.time, *result);
  if (!added) return refuse(console, added.error().text());
  console.out << "added " << counted(static_cast<std::size_t>(*added), "workload") << " of "
              << printable(arguments.commit) << " on " << printable(result->machine) << '\n';
}

// The part of a history that a subcommand uses: one machine, its results, Otava's change points.
struct Opened {
  std::string machine;
  std::vector<HistoryEntry> entries;
  std::map<std::string, std::string> units;
  std::vector<ChangePoint> changes;
};

Result<Opened> open(const Arguments& arguments) {
  const Result<std::unique_ptr<History>> history = History::open(arguments.file, true);
  if (!history) return history.error();
  Opened opened;
  opened.machine = arguments.machine;
  if (opened.machine.empty()) {
    const Result<std::vector<std::string>> machines = (*history)->machines();
    if (!machines) return machines.error();
    if (machines->empty()) return Error{"has no results yet", arguments.file};
    opened.machine = machines->front();
  }
  Result<std::vector<HistoryEntry>> entries = (*history)->entries(opened.machine);
  if (!entries) return entries.error();
  if (entries->empty())
    return Error{"has no results of machine '" + opened.machine + "'", arguments.file};
  opened.entries = std::move(*entries);
  Result<std::map<std::string, std::string>> units = (*history)->units(opened.machine);
  if (!units) return units.error();
  opened.units = std::move(*units);
  if (arguments.changes.empty()) return opened;
  const Result<std::string> text = file_text(arguments.changes);
  if (!text) return text.error();
  Result<std::vector<ChangePoint>> changes = read_change_points(*text, arguments.changes);
  if (!changes) return changes.error();
  opened.changes = std::move(*changes);
  return opened;
}

void export_csv(const Arguments& arguments, Console& console) {
  const Result<Opened> opened = open(arguments);
  if (!opened) return refuse(console, opened.error().text());
  const bool written = write_or_refuse(arguments.csv, history_csv(opened->entries), console);
  if (!written || arguments.config.empty()) return;
  write_or_refuse(arguments.config, otava_config(opened->entries, arguments.csv), console);
}

void page(const Arguments& arguments, Console& console) {
  const Result<Opened> opened = open(arguments);
  if (!opened) return refuse(console, opened.error().text());
  write_or_refuse(arguments.html,
                  history_page(opened->machine, opened->entries, opened->units, opened->changes),
                  console);
}

void table(const Arguments& arguments, Console& console) {
  const Result<Opened> opened = open(arguments);
  if (!opened) return refuse(console, opened.error().text());
  console.out << printable(opened->machine) << ", " << opened->entries.size() << " results\n"
              << history_table(opened->entries, opened->units, opened->changes);
}

}  // namespace

void add_history(CLI::App& app, Console& console) {
  CLI::App* command =
      app.add_subcommand("history", "Keep results by commit and machine, and look back");
  command->require_subcommand(1);
  auto arguments = std::make_shared<Arguments>();
  const auto part = [&](const char* name, const char* what,
                        void (*run)(const Arguments&, Console&)) {
    CLI::App* made = command->add_subcommand(name, what);
    made->add_option("history", arguments->file, "the history's file (SQLite)")
        ->required()
        ->type_name("FILE");
    made->callback([arguments, &console, run] { run(*arguments, console); });
    return made;
  };
  const auto looks_back = [&](CLI::App* made) {
    made->add_option("--machine", arguments->machine, "not the one with most results, but this")
        ->type_name("NAME");
    return made;
  };
  const auto marks = [&](CLI::App* made) {
    made->add_option("--changes", arguments->changes, "what 'otava analyze --output json' printed")
        ->type_name("FILE");
  };
  CLI::App* added = part("add", "Add the result of bench --json", add);
  added->add_option("--result", arguments->result, "the JSON of bench")
      ->required()
      ->type_name("FILE");
  added->add_option("--commit", arguments->commit, "what was measured")
      ->required()
      ->type_name("ID");
  added->add_option("--time", arguments->time, "of the commit, in seconds since 1970")
      ->required()
      ->check(whole_number<std::int64_t>(kYear9999))
      ->type_name("SECONDS");
  CLI::App* exported =
      looks_back(part("export", "Write the CSV that Apache Otava reads", export_csv));
  names_output(exported->add_option("--csv", arguments->csv, "the results, one line a commit"))
      ->required();
  names_output(
      exported->add_option("--otava-config", arguments->config, "and how Otava is to read it"));
  CLI::App* html = looks_back(part("page", "Write a page with a plot for each workload", page));
  names_output(html->add_option("--html", arguments->html, "the page"))->required();
  marks(html);
  marks(looks_back(part("table", "Print first and latest figures and change points", table)));
}

}  // namespace reshape::conformance
