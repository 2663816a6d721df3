#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace reshape::conformance {

// The width in columns of text on standard output: that of its terminal within limits, else 100.
std::size_t text_width();

// `text` wrapped to at most `width` columns. Every line but the first is indented by `indent`
// blanks; the line ends in `text` stay.
std::string wrapped(const std::string& text, std::size_t width, std::size_t indent);

// What help shows: the subcommands and the options that are not hidden.
std::vector<const CLI::App*> shown_commands(const CLI::App& app);
std::vector<const CLI::Option*> shown_options(const CLI::App& command);

// Formats --help to the width of the terminal, and without CLI11's own marks.
class HelpForm : public CLI::Formatter {
 public:
  HelpForm();

  std::string make_option_name(const CLI::Option* option, bool is_positional) const override;
  std::string make_option(const CLI::Option* option, bool is_positional) const override;
  std::string make_subcommand(const CLI::App* command) const override;
  std::string make_description(const CLI::App* command) const override;
  std::string make_footer(const CLI::App* command) const override;

 private:
  std::string row(const std::string& left, const std::string& right) const;
  std::size_t width_;
};

}  // namespace reshape::conformance
