#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>

#include "conformance/adapter/not_tried.h"
#include "conformance/command/commands.h"
#include "conformance/command/help_form.h"
#include "conformance/command/output_files.h"
#include "conformance/command/printable_stream.h"
#include "conformance/run/result.h"
#include "conformance/spec/load.h"
#include "conformance/text/printable.h"

namespace reshape::conformance {
namespace {

std::string versions() {
  return std::string("reshape-conformance ") + RESHAPE_PROGRAM_VERSION + "\ncase suite " +
         built_in_suite().version + "\ncontract " + kContractVersion;
}

// Some errors of CLI11 have several lines. Ours are one line, which scripts can show.
std::string one_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  std::ranges::replace(text, '\n', ' ');
  return text;
}

// A file or a request given in the place of a name would fill the terminal.
std::string with_short_words(const std::string& sentence) {
  constexpr std::size_t kLongest = 1000;
  std::string result;
  for (std::size_t at = 0; at < sentence.size();) {
    const std::size_t end = std::min(sentence.find(' ', at), sentence.size() - 1) + 1;
    const std::size_t length = end - at;
    result += length <= kLongest ? sentence.substr(at, length)
                                 : printable(sentence.substr(at, length), kBriefly) + " (" +
                                       std::to_string(length) + " bytes) ";
    at = end;
  }
  return result;
}

// An empty value is mostly a variable that a script forgot to set.
void refuse_empty_values(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& value : option->results()) {
      if (value.empty()) throw CLI::ValidationError(option->get_name(), "its value is empty");
    }
  }
}

// "--json -q" comes of a file name that was forgotten: the report would go to a file of that name, and
// the option would not count. What follows a "--" is meant.
void refuse_options_as_values(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_positional()) continue;
    for (const std::string& value : option->results()) {
      const std::string name = value.substr(0, value.find('='));  // "--html=report.html", too
      if (!value.starts_with('-') || command.get_option_no_throw(name) == nullptr) continue;
      throw CLI::ValidationError(option->get_name(),
                                 "'" + value + "' is an option, and no value of this one");
    }
  }
}

bool names_a_command(CLI::App& app, const std::string& name) {
  const std::vector<CLI::App*> commands = app.get_subcommands({});
  return std::ranges::any_of(commands,
                             [&](const CLI::App* command) { return command->get_name() == name; });
}

// Turns "help run" into "run --help", and "help history add" likewise.
std::vector<std::string> as_options(std::vector<std::string> arguments) {
  if (arguments.empty() || arguments[0] != "help") return arguments;
  std::erase(arguments, "--help");
  arguments.erase(arguments.begin());
  arguments.emplace_back("--help");
  return arguments;
}

// What stands beside a request for help or for the versions, which CLI11 would ignore.
std::optional<std::string> asked_in_vain(CLI::App& app, const std::vector<std::string>& arguments) {
  if (arguments.size() < 2) return std::nullopt;
  if (arguments[0] == "--version" || arguments[0] == "-V") return arguments[1];
  if (arguments[0] != "help") return std::nullopt;
  CLI::App* at = &app;
  for (auto word = arguments.begin() + 1; word != arguments.end(); ++word) {
    if (*word == "--help") continue;
    if (!names_a_command(*at, *word)) return *word;
    at = at->get_subcommand(*word);
  }
  return std::nullopt;
}

// Checks the values of every subcommand that was named, before it runs.
void look_at_values(CLI::App& app, const std::string& name, Console& console) {
  for (CLI::App* command : app.get_subcommands({})) {
    const std::string whole = name + (name.empty() ? "" : " ") + command->get_name();
    command->parse_complete_callback([command, whole, &console] {
      console.command = whole;
      refuse_empty_values(*command);
      refuse_options_as_values(*command);
      refuse_lost_files(*command);
      refuse_unwritable_files(*command);
    });
    look_at_values(*command, whole, console);
  }
}

}  // namespace

int stop(Console& console, int code, const std::string& sentence) {
  if (!console.command.empty()) console.err << "reshape-conformance " << console.command << ": ";
  console.err << printable(with_short_words(sentence)) << '\n';
  return console.exit_code = code;
}

void refuse(Console& console, const std::string& sentence) { stop(console, kBadInput, sentence); }

int code_of_start(const Error& error) {
  const bool tried = !error.message.starts_with(kNoHost) && !error.message.starts_with(kNoChild);
  return tried ? kNotStarted : kNothingAsserted;
}

int not_started(Console& console, const Error& error) {
  return stop(console, code_of_start(error), error.text());
}

int command_line(const std::vector<std::string>& arguments, Console& console) {
  CLI::App app{"Checks implementations of tensor Reshape against the documents that define it.",
               "reshape-conformance"};
  app.set_version_flag("-V,--version", versions);
  app.require_subcommand(1);
  app.formatter(std::make_shared<HelpForm>());
  app.footer(
      "reshape-conformance help COMMAND says more of one of them.\n"
      "Exit codes: 0 as expected; 1 not conforming; 2 wrong usage or a bad file; 3 an "
      "implementation could not be started; 4 nothing could be asserted.");
  for (auto add : {add_run,     add_replay,  add_doctor,  add_list,       add_trace,  add_lint,
                   add_infer,   add_explain, add_mutants, add_promote,    add_bench,  add_compare,
                   add_count,   add_history, add_differ,  add_port,       add_import, add_export,
                   add_init_ci, add_merge,   add_manual,  add_completion, add_verify}) {
    add(app, console);
  }
  look_at_values(app, "", console);
  const std::vector<std::string> options = as_options(arguments);
  const std::string first = options.empty() ? "-" : options[0];
  if (!first.starts_with('-') && !names_a_command(app, first)) {
    console.err << "reshape-conformance: there is no command '" << with_short_words(first)
                << "'; reshape-conformance --help says more\n";
    return kBadInput;
  }
  if (const std::optional<std::string> beside = asked_in_vain(app, arguments)) {
    console.err << "reshape-conformance: " << arguments[0] << " does not take '"
                << printable(with_short_words(*beside))
                << "'; reshape-conformance --help says more\n";
    return kBadInput;
  }
  // CLI11 expects its vector of arguments in reverse order.
  std::vector<std::string> reversed(options.rbegin(), options.rend());
  try {
    app.parse(reversed);
  } catch (const CLI::Success& asked) {
    app.exit(asked, console.out, console.err);
    return 0;
  } catch (const CLI::ParseError& wrong) {
    const std::vector<CLI::App*> chosen = app.get_subcommands();
    const std::string program =
        "reshape-conformance" + (chosen.empty() ? "" : " " + chosen.front()->get_name());
    console.err << program << ": "
                << with_short_words(
                       one_line(without_lines_of(words_of_lines(arguments), wrong.what())));
    const bool of_a_file = dynamic_cast<const CLI::FileError*>(&wrong) != nullptr;
    console.err << (of_a_file ? "" : "; " + program + " --help says more") << '\n';
    return kBadInput;
  }
  return console.exit_code;
}

}  // namespace reshape::conformance
