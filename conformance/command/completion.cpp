// Completion scripts for shells.
#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "conformance/command/commands.h"
#include "conformance/command/help_form.h"

namespace reshape::conformance {
namespace {

// The long names of the options. Short names are typed faster than completed.
std::string words_of(const CLI::App& command) {
  std::vector<std::string> words;
  for (const CLI::Option* option : shown_options(command)) {
    for (const std::string& name : option->get_lnames()) words.push_back("--" + name);
  }
  return CLI::detail::join(words, " ");
}

// `text` in single quotes; `quote` is what the shell wants for a quote inside of them.
std::string quoted(const std::string& text, const std::string& quote) {
  return "'" + CLI::detail::find_and_replace(text, "'", quote) + "'";
}

std::string names_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* one : shown_commands(app)) names.push_back(one->get_name());
  return CLI::detail::join(names, " ");
}

std::string for_bash(const CLI::App& app) {
  std::string cases;
  for (const CLI::App* one : shown_commands(app)) {
    cases += "    " + one->get_name() + ") words='" + words_of(*one) + "' ;;\n";
  }
  return "# Made by: reshape-conformance completion bash\n"
         "_reshape_conformance() {\n"
         "  local current=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} words=\n"
         "  COMPREPLY=()\n"
         "  if [[ $COMP_CWORD -eq 1 ]]; then\n"
         "    COMPREPLY=($(compgen -W '" +
         names_of(app) + " " + words_of(app) +
         "' -- \"$current\"))\n"
         "    return\n"
         "  fi\n"
         "  case $command in\n" +
         cases +
         "  esac\n"
         "  # What is no option is a file, which the shell completes by itself.\n"
         "  [[ $current != -* ]] || COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
         "}\n"
         "complete -o default -F _reshape_conformance reshape-conformance\n";
}

std::string for_zsh(const CLI::App& app) {
  std::string commands;
  std::string cases;
  for (const CLI::App* one : shown_commands(app)) {
    commands += "  " + quoted(one->get_name() + ":" + one->get_description(), "'\\''") + "\n";
    cases += "  " + one->get_name() + ") options=(" + words_of(*one) + ") ;;\n";
  }
  return "#compdef reshape-conformance\n"
         "# Made by: reshape-conformance completion zsh\n"
         "local -a commands options\n"
         "commands=(\n" +
         commands +
         ")\n"
         "local command=${words[2]} current=$PREFIX\n"
         "if (( CURRENT == 2 )); then\n"
         "  if [[ $current == -* ]]; then compadd -- " +
         words_of(app) +
         "; else _describe command commands; fi\n"
         "  return\n"
         "fi\n"
         "case $command in\n" +
         cases +
         "esac\n"
         "if [[ $current == -* ]]; then compadd -- $options; else _files; fi\n";
}

// A line for each long option of `command`, each beginning with `when`.
std::string options_for_fish(const std::string& when, const CLI::App& command) {
  std::string text;
  for (const CLI::Option* option : shown_options(command)) {
    for (const std::string& name : option->get_lnames()) {
      text += when + " -l " + name + (option->get_items_expected_max() > 0 ? " -r" : "") + " -d " +
              quoted(option->get_description(), "\\'") + "\n";
    }
  }
  return text;
}

std::string for_fish(const CLI::App& app) {
  const std::string program = "complete -c reshape-conformance";
  std::string text = "# Made by: reshape-conformance completion fish\n" +
                     options_for_fish(program + " -n __fish_use_subcommand", app);
  for (const CLI::App* one : shown_commands(app)) {
    text += program + " -n __fish_use_subcommand -f -a " + one->get_name() + " -d " +
            quoted(one->get_description(), "\\'") + "\n";
    text += options_for_fish(program + " -n '__fish_seen_subcommand_from " + one->get_name() + "'",
                             *one);
  }
  return text;
}

}  // namespace

void add_completion(CLI::App& app, Console& console) {
  CLI::App* command =
      app.add_subcommand("completion", "Print what a shell completes the command line by");
  auto shell = std::make_shared<std::string>();
  command->add_option("shell", *shell, "bash, zsh or fish")
      ->required()
      ->type_name("SHELL")
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  command->callback([&app, shell, &console] {
    console.out << (*shell == "bash"  ? for_bash(app)
                    : *shell == "zsh" ? for_zsh(app)
                                      : for_fish(app));
  });
}

}  // namespace reshape::conformance
