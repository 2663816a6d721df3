#include "conformance/translation/port.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>

#include "conformance/command/suite_option.h"
#include "conformance/text/line.h"
#include "conformance/text/number.h"

namespace reshape::conformance {
namespace {

// Parses a partial shape, such as "[?,3,?]".
Result<PartialShape> parse_form(std::string_view form) {
  constexpr std::size_t kMostRank = 8;
  const Error wrong{"--data takes sizes and question marks, as in [?,3,?], not " +
                    std::string(form)};
  if (form.size() < 2 || form.front() != '[' || form.back() != ']') return wrong;
  form = form.substr(1, form.size() - 2);
  PartialShape shape;
  while (!form.empty()) {
    const std::size_t comma = form.find(',');
    const std::string_view entry = form.substr(0, comma);
    form = comma == std::string_view::npos ? std::string_view() : form.substr(comma + 1);
    if (comma != std::string_view::npos && form.empty()) return wrong;
    const std::optional<std::int64_t> size = number_in<std::int64_t>(entry);
    if (size ? *size < 0 : entry != "?") return wrong;
    shape.push_back(size);
  }
  if (shape.size() > kMostRank) return Error{"--data takes at most 8 sizes"};
  return shape;
}

// The pattern and the flag of a request, in the form of a request's line.
std::string pattern_of(const Request& request) {
  Request plain = request;
  plain.shape_only = false;
  plain.data = Shape{};
  const std::string data = std::string(name(request.data_type)) + "[] ";
  return print_line(plain).substr(request.dialect.size() + 1 + data.size());
}

struct PortCommand {
  SuiteOption specs;
  std::string pattern;
  std::string from;
  std::string to;
  std::string form;
  std::string type = "f32";
  bool valid_only = false;

  void run(Console& console) {
    const Suite* suite = specs.open(console);
    if (suite == nullptr) return;
    const Document* source = document_of(from, *suite, console);
    const Document* target = source != nullptr ? document_of(to, *suite, console) : nullptr;
    if (target == nullptr) return;
    if (!element_type_named(type)) {
      return refuse(console,
                    "unknown element type \"" + type + "\"; known: " + ElementTypes::all().text());
    }
    const Result<Request> asked = parse_line(type + "[] " + pattern, from);
    if (!asked) {
      return refuse(console, "the pattern '" + pattern + "' cannot be read, as in 'i64[0,-1] " +
                                 "special_zero=true': " + asked.error().message);
    }
    PortQuestion question{*asked, std::nullopt, valid_only};
    if (!form.empty()) {
      const Result<PartialShape> shape = parse_form(form);
      if (!shape) return refuse(console, shape.error().text());
      question.data = *shape;
    }
    const Result<Port> found = port(source->dialect, target->dialect, question);
    if (!found) return refuse(console, found.error().text());
    tell(*found, console.out);
    console.exit_code = found->request ? 0 : 1;
  }

  void tell(const Port& found, std::ostream& out) const {
    const std::string data = form.empty() ? "data" : "data " + form;
    if (found.request) {
      out << pattern_of(*found.request) << "\n  answers in " << to << " what " << from
          << " permits, for all " << found.shapes << " shapes of " << data
          << " tried: " << found.world << '\n';
      if (!found.refused_for.empty()) {
        out << "  but " << from << " refuses it for all of them: " << found.refused_for << '\n';
      } else if (!found.target_refuses_for.empty()) {
        out << "  but " << to << " refuses it for all of them, which " << from
            << " permits: " << found.target_refuses_for << '\n';
      }
      return;
    }
    out << "none: at data " << text(found.at) << ' ' << from << ' ' << text(found.source_answers)
        << ", and of the patterns of " << to
        << " that could be right each fails there or at a smaller shape\n";
    if (found.nearest) {
      out << "  the last to fail, " << pattern_of(*found.nearest) << ", "
          << text(found.nearest_answers) << '\n';
    }
    out << "  tried: " << found.candidates << " patterns over " << found.shapes << " shapes of "
        << data << ": " << found.world << '\n';
  }
};

}  // namespace

void add_port(CLI::App& app, Console& console) {
  CLI::App* command = app.add_subcommand(
      "port", "What a pattern of one document has to be in another, for the same answers");
  auto state = std::make_shared<PortCommand>();
  command
      ->add_option("pattern", state->pattern,
                   "Pattern and flag in the words of --from, as in 'i64[0,-1] special_zero=true'")
      ->required();
  command->add_option("--from", state->from, "The document that the pattern is written for")
      ->type_name("DIALECT")
      ->required();
  command->add_option("--to", state->to, "The document that it is to be written for")
      ->type_name("DIALECT")
      ->required();
  command->add_option("--data", state->form, "Only for data of this form, as in [?,3,?]")
      ->type_name("FORM");
  command->add_option("-t,--type", state->type, "The element type of the data; f32 if not given")
      ->type_name("TYPE");
  command->add_flag(
      "--valid", state->valid_only,
      "Only for data that --from gives a shape; what it refuses or leaves open may be answered in "
      "any way");
  state->specs.add_to(*command);
  command->footer(
      "Prints the pattern and the flag for --to that answer nothing but what --from permits, for "
      "every\n"
      "data shape tried: the same shape, and a refusal where --from refuses. Where there is none, "
      "prints\n"
      "the smallest data shape by which every pattern that could be right has failed. Data shapes "
      "are all\n"
      "of small rank (or of --data) with sizes 0 to 3 and those that the pattern names, their "
      "product and\n"
      "divisors (where these are many, on two axes only), so an answer is proven for these and for "
      "no\n"
      "others.\n"
      "Exit codes: 0 there is one, 1 there is none, 2 wrong usage.\n"
      "Examples:\n"
      "  reshape-conformance port 'i64[0,-1] allowzero=0' --from onnx-reshape-14 --to "
      "openvino-reshape-1\n"
      "  reshape-conformance port 'i64[0,-1]' --from onnx-reshape-13 --to numpy-reshape --data "
      "'[2,?,?]'");
  command->callback([state, &console] { state->run(console); });
}

}  // namespace reshape::conformance
