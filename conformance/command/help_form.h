#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace reshape::conformance {

// How wide text is set on standard output: as its terminal is, within reason, and 100 columns without one.
std::size_t text_width();

// `text` in lines of at most `width`, each behind `indent` blanks but the first; its own line ends stay.
std::string wrapped(const std::string& text, std::size_t width, std::size_t indent);

// How --help is set: in lines as long as the terminal is wide, and without the parser's own marks.
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
