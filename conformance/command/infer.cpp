#include <CLI/CLI.hpp>
#include <istream>
#include <memory>
#include <ostream>
#include <sstream>

#include "conformance/command/suite_option.h"
#include "conformance/files/plain_text.h"
#include "conformance/oracle/ruling_of.h"
#include "conformance/text/line.h"

namespace reshape::conformance {
namespace {

constexpr std::size_t kLongestLine = std::size_t{1} << 20;  // bytes; every request is shorter

// Reads the next line; false at the end of the input. Stops one byte after kLongestLine, because a
// device may never end a line.
bool next_line(std::istream& in, std::string& line) {
  line.clear();
  std::istream::int_type letter = in.get();
  if (!in) return false;
  for (; in && letter != '\n' && line.size() <= kLongestLine; letter = in.get()) {
    line += static_cast<char>(letter);
  }
  return true;
}

struct InferCommand {
  SuiteOption specs;
  std::string line;
  std::string from;
  bool explain = false;

  void run(Console& console) {
    if (line.empty() == from.empty()) {
      return refuse(console, "infer needs a request or --from FILE, and not both");
    }
    const Suite* suite = specs.open(console);
    if (suite == nullptr) return;
    if (!line.empty()) {
      const std::string malformed = answer(*suite, line, console.out);
      if (!malformed.empty()) refuse(console, malformed);
    } else if (from == "-") {
      answer_all(*suite, console.in, console);
    } else {
      constexpr std::size_t kLargest = std::size_t{256} << 20;  // bytes
      const Result<std::string> text = read_text(from, kLargest);
      if (!text) return refuse(console, text.error().text());
      std::istringstream requests(*text);
      answer_all(*suite, requests, console);
    }
  }

  void answer_all(const Suite& suite, std::istream& in, Console& console) const {
    std::string request;
    while (next_line(in, request)) {
      if (request.size() > kLongestLine) {
        return refuse(console, "a line of the input is longer than " +
                                   std::to_string(kLongestLine >> 20) + " MiB");
      }
      const std::size_t first = request.find_first_not_of(" \t\r");
      if (first == std::string::npos || request[first] == '#') {
        console.out << '\n';
      } else if (const std::string malformed = answer(suite, request, console.out);
                 !malformed.empty()) {
        console.out << malformed << '\n';
        console.exit_code = kBadInput;
      }
      // No more input is ready: its writer may be waiting for this answer.
      if (in.rdbuf()->in_avail() <= 0) console.out.flush();
    }
  }

  // Answers a line. Returns what is wrong with a malformed one.
  std::string answer(const Suite& suite, const std::string& request_line, std::ostream& out) const {
    const Result<Request> request = parse_line(request_line);
    if (!request) return "malformed: " + request.error().text();
    const Document* document = suite.document(request->dialect);
    if (document == nullptr) {
      return "malformed: column " + std::to_string(request_line.find_first_not_of(" \t\r") + 1) +
             ": " + unknown_dialect(request->dialect, suite);
    }
    reference::Derivation derivation;
    out << text(ruling_of(document->dialect, *request, explain ? &derivation : nullptr)) << '\n';
    for (const reference::Step& step : derivation) {
      out << "  " << step.clause << ": " << step.says << '\n';
    }
    return {};
  }
};

}  // namespace

void add_infer(CLI::App& app, Console& console) {
  CLI::App* command =
      app.add_subcommand("infer", "Ask the documents: the shape, the refusal, or the open point");
  auto state = std::make_shared<InferCommand>();
  command->add_option("request", state->line,
                      "As in 'openvino-reshape-1 f32[2,5,5,24] i64[0,-1,4] special_zero=true'");
  command
      ->add_option("--from", state->from, "Answer a request a line, of this file or of - (input)")
      ->type_name("FILE");
  command->add_flag("--explain", state->explain, "Show, indented, how the answer comes about");
  state->specs.add_to(*command);
  command->footer(
      "With --from every line is answered by one line, in order. An empty line and a comment (#)\n"
      "are answered by an empty line, a line that cannot be read by 'malformed: column N: why';\n"
      "then the exit code is 2 at the end. Lines of --explain are indented by two blanks.");
  command->callback([state, &console] { state->run(console); });
}

}  // namespace reshape::conformance
