#include "conformance/command/help_form.h"

#include <unistd.h>

#include <algorithm>
#include <sstream>

#include "conformance/command/terminal.h"

namespace reshape::conformance {

constexpr std::size_t kColumn = 34;

std::size_t text_width() {
  constexpr std::size_t kNone = 100;
  return std::clamp<std::size_t>(columns_of(STDOUT_FILENO, kNone), 60, 120);
}

std::string wrapped(const std::string& text, std::size_t width, std::size_t indent) {
  std::istringstream lines(text);
  std::string made;
  for (std::string line; std::getline(lines, line);) {
    if (!made.empty()) made += '\n' + std::string(indent, ' ');
    // The indentation of a line is kept.
    const std::size_t blanks = std::min(line.find_first_not_of(' '), line.size());
    std::size_t column = indent + blanks;
    made += std::string(blanks, ' ');
    std::istringstream words(line);
    bool first = true;
    for (std::string word; words >> word;) {
      if (!first && column + 1 + word.size() > width) {
        made += '\n' + std::string(indent + blanks, ' ');
        column = indent + blanks;
        first = true;
      }
      if (!first) made += ' ';
      made += word;
      column += word.size() + (first ? 0 : 1);
      first = false;
    }
  }
  return made;
}

std::vector<const CLI::App*> shown_commands(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* one) { return !one->get_group().empty(); });
}

std::vector<const CLI::Option*> shown_options(const CLI::App& command) {
  return command.get_options([](const CLI::Option* one) { return !one->get_group().empty(); });
}

HelpForm::HelpForm() : width_(text_width()) { column_width(kColumn); }

std::string HelpForm::row(const std::string& left, const std::string& right) const {
  std::string text = "  " + left;
  if (text.size() + 1 < kColumn) {
    text.resize(kColumn, ' ');
  } else {
    text += '\n' + std::string(kColumn, ' ');
  }
  return text + wrapped(right, width_, kColumn) + '\n';
}

// Removes the default value that CLI11 shows behind the name of a flag: --exhaustive{quick}.
std::string HelpForm::make_option_name(const CLI::Option* option, bool is_positional) const {
  std::string name = CLI::Formatter::make_option_name(option, is_positional);
  for (std::size_t open = name.find('{'); open != std::string::npos; open = name.find('{')) {
    name.erase(open, name.find('}', open) + 1 - open);
  }
  return name;
}

std::string HelpForm::make_option(const CLI::Option* option, bool is_positional) const {
  return row(make_option_name(option, is_positional) + make_option_opts(option),
             make_option_desc(option));
}

std::string HelpForm::make_subcommand(const CLI::App* command) const {
  return row(command->get_name(), command->get_description());
}

std::string HelpForm::make_description(const CLI::App* command) const {
  const std::string text = command->get_description();
  return text.empty() ? text : wrapped(text, width_, 0) + '\n';
}

std::string HelpForm::make_footer(const CLI::App* command) const {
  const std::string text = command->get_footer();
  return text.empty() ? text : '\n' + wrapped(text, width_, 0) + '\n';
}

}  // namespace reshape::conformance
