#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>
#include <sstream>
#include <string>

#include "conformance/command/commands.h"
#include "conformance/command/help_form.h"

namespace reshape::conformance {
namespace {

// Escapes text for a manual page: no line becomes a roff request, and "-" stays an ASCII hyphen.
std::string roff(const std::string& text) {
  std::string form;
  bool begins = true;  // a line
  for (const char c : text) {
    if (begins && (c == '.' || c == '\'')) form += "\\&";
    if (c == '\\') {
      form += "\\e";
    } else if (c == '-') {
      form += "\\-";
    } else {
      form += c;
    }
    begins = c == '\n';
  }
  return form;
}

// Lines that begin with blanks are set without filling; any other one flows, on a line of its own.
std::string paragraphs(const std::string& text) {
  std::istringstream lines(text);
  std::string form;
  bool set = false;
  for (std::string line; std::getline(lines, line);) {
    const bool meant = line.starts_with(' ');
    if (meant != set) form += meant ? ".nf\n" : ".fi\n";
    if (!meant && !form.empty() && !set && !form.ends_with("\n.fi\n")) form += ".br\n";
    set = meant;
    form += roff(line) + '\n';
  }
  return set ? form + ".fi\n" : form;
}

std::string heading(const CLI::Option& option) {
  std::string form;
  const auto add = [&](const std::string& name) {
    form += (form.empty() ? "" : ", ") + ("\\fB" + roff(name) + "\\fR");
  };
  if (option.get_positional()) add(option.get_name(true));
  for (const std::string& name : option.get_snames()) add("-" + name);
  for (const std::string& name : option.get_lnames()) add("--" + name);
  if (option.get_items_expected_max() > 0 && !option.get_positional()) {
    form += " \\fI" + roff(option.get_type_name()) + "\\fR";
  }
  return form;
}

std::string options_of(const CLI::App& command) {
  std::string list;
  for (const CLI::Option* option : shown_options(command)) {
    list += ".TP\n" + heading(*option) + '\n' + roff(option->get_description()) + '\n';
  }
  return list;
}

std::string page_of(const CLI::App& app, const CLI::App& command) {
  const bool whole = &app == &command;
  const std::string program = app.get_name();
  const std::string name = whole ? program : program + "-" + command.get_name();
  std::string page = ".TH \"" + roff(name) + "\" 1 \"\" \"" + program + "\" \"User Commands\"\n";
  page += ".SH NAME\n" + roff(name) + " \\- " + roff(command.get_description()) + '\n';
  page += ".SH SYNOPSIS\n.B " + roff(whole ? program : program + ' ' + command.get_name()) + '\n' +
          (whole || !shown_commands(command).empty() ? "\\fICOMMAND\\fR [\\fIOPTION\\fR...]\n"
                                                     : "[\\fIOPTION\\fR...]\n");
  if (whole) {
    page += ".SH COMMANDS\n";
    for (const CLI::App* one : shown_commands(app)) {
      page += ".TP\n\\fB" + roff(one->get_name()) + "\\fR\n" + roff(one->get_description()) + '\n';
    }
  }
  page += ".SH OPTIONS\n" + options_of(command);
  if (!whole) {
    for (const CLI::App* part : shown_commands(command)) {
      page += ".SH \"" + roff(part->get_name()) + "\"\n" + roff(part->get_description()) + '\n' +
              options_of(*part);
    }
  }
  if (const std::string footer = command.get_footer(); !footer.empty()) {
    page += ".SH NOTES\n" + paragraphs(footer);
  }
  return page;
}

}  // namespace

void add_manual(CLI::App& app, Console& console) {
  CLI::App* command = app.add_subcommand("manual", "Print the manual page of a command");
  auto wanted = std::make_shared<std::string>();
  auto names = std::make_shared<bool>(false);
  CLI::Option* const list =
      command->add_flag("--list", *names, "Print the names of the commands instead");
  command->add_option("command", *wanted, "the command; without it, the program")
      ->type_name("COMMAND")
      ->excludes(list);
  command->callback([&app, wanted, names, &console] {
    if (*names) {
      for (const CLI::App* one : shown_commands(app)) console.out << one->get_name() << '\n';
      return;
    }
    if (wanted->empty()) {
      console.out << page_of(app, app);
      return;
    }
    for (const CLI::App* one : shown_commands(app)) {
      if (one->get_name() != *wanted) continue;
      console.out << page_of(app, *one);
      return;
    }
    refuse(console, "there is no command '" + *wanted + "'");
  });
}

}  // namespace reshape::conformance
