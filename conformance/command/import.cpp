#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>
#include <set>
#include <string>
#include <system_error>
#include <vector>

#include "conformance/command/output_files.h"
#include "conformance/command/suite_option.h"
#include "conformance/models/any_model.h"
#include "conformance/models/fold.h"
#include "conformance/oracle/ruling_of.h"
#include "conformance/spec/check_case.h"
#include "conformance/spec/load.h"
#include "conformance/text/counted.h"
#include "conformance/text/line.h"
#include "conformance/text/printable.h"

namespace reshape::conformance {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestName = 80;  // bytes

// The prefix of the ids of a file's cases.
std::string stem_of(const std::string& path) {
  std::string word;
  for (const char letter : fs::path(path).stem().string()) {
    const bool upper = letter >= 'A' && letter <= 'Z';
    const char lower = upper ? static_cast<char>(letter - 'A' + 'a') : letter;
    const bool plain = (lower >= 'a' && lower <= 'z') || (lower >= '0' && lower <= '9');
    if (plain) {
      word += lower;
    } else if (!word.empty() && word.back() != '-') {
      word += '-';
    }
  }
  word = word.substr(0, 40);
  while (!word.empty() && word.back() == '-') word.pop_back();
  return word.empty() ? "model" : word;
}

// A request of the model, made a case of the suite.
struct ImportedCase {
  Case one;
  std::vector<LayerPlace> layers;
};

// What a suite has already, to which cases are added.
struct Known {
  std::set<std::string> lines;  // of requests
  std::set<std::string> names;
};

Known known_of(const Suite& suite) {
  Known known;
  for (const Document& document : suite.documents) {
    for (const Case& one : document.cases) {
      known.lines.insert(print_line(one.request));
      known.names.emplace(one.name());
    }
  }
  return known;
}

class Import {
 public:
  // Precondition: the suite has the document of each request.
  Import(const Model& model, const std::string& path, const Suite& suite, const Known& known)
      : model_(model),
        suite_(suite),
        known_(known),
        stem_(stem_of(path)),
        // Without the folder, so that the output is the same on every machine.
        file_(printable(fs::path(path).filename().string(), kLongestName)) {
    for (const FoldedReshape& folded : fold(model.reshapes)) {
      ImportedCase made = case_of(folded);
      if (known.lines.contains(print_line(made.one.request))) {
        asked_already_.insert(asked_already_.end(), made.layers.begin(), made.layers.end());
      } else {
        cases_.push_back(std::move(made));
      }
    }
  }

  bool empty() const { return cases_.empty(); }

  // The file of cases.
  std::string yaml() const {
    std::string text;
    for (const std::string& line : summary()) text += "# " + line + '\n';
    std::vector<std::string> written;
    std::size_t number = 0;
    const auto next_name = [&] {
      std::string name;
      do {
        name = stem_ + '-' + std::to_string(++number);
      } while (known_.names.contains(name));
      return name;
    };
    for (const ImportedCase& first : cases_) {
      const std::string clauses = fmt::to_string(fmt::join(first.one.clauses, ", "));
      // A key can stand only once in a YAML file, so the cases with the same clauses are written
      // together, where the most frequent of them comes.
      if (std::ranges::find(written, clauses) != written.end()) continue;
      written.push_back(clauses);
      text += '\n' + clauses + ":\n";
      for (const ImportedCase& each : cases_) {
        if (each.one.clauses != first.one.clauses) continue;
        text += yaml_of(each, next_name());
      }
    }
    return text;
  }

  // A sentence that says why there are no cases. Precondition: there are none.
  std::string nothing() const {
    const std::string from = file_ + ", " + model_.form;
    const std::size_t all = model_.reshapes.size() + model_.unstated.size();
    if (all == 0) return from + ", has no Reshape " + model_.word;
    return "of " + counted(all, "Reshape " + model_.word) + " in " + from +
           ", none states a request" +
           (asked_already_.empty() ? "" : " that the suite does not ask");
  }

  std::vector<std::string> summary() const {
    const std::size_t all = model_.reshapes.size() + model_.unstated.size();
    std::vector<std::string> lines{
        "Imported from " + file_ + ", " + model_.form + ": " + counted(cases_.size(), "case") +
        " of " + counted(model_.reshapes.size() - asked_already_.size(), "Reshape " + model_.word) +
        ", of " + std::to_string(all) + " in all; the most frequent is first."};
    add_left_out(lines);
    add_disagreements(lines);
    return lines;
  }

  void add_left_out(std::vector<std::string>& lines) const {
    if (!asked_already_.empty()) {
      lines.push_back(
          "Left out, asked by the suite already: " + counted(asked_already_.size(), model_.word) +
          ", the first is " + named(asked_already_.front()) + '.');
    }
    std::array<std::vector<const LayerPlace*>, kUnstatedKinds> left;
    for (const UnstatedReshape& one : model_.unstated) {
      left[static_cast<std::size_t>(one.why)].push_back(&one.layer);
    }
    for (std::size_t why = 0; why < kUnstatedKinds; ++why) {
      if (left[why].empty()) continue;
      lines.push_back("Left out, " + std::string(text(static_cast<Unstated>(why))) + ": " +
                      counted(left[why].size(), model_.word) + ", the first is " +
                      named(*left[why].front()) + '.');
    }
  }

 private:
  // A model states the output shape that the tool which wrote it computed. Lists the cases where
  // the document's answer is another one.
  void add_disagreements(std::vector<std::string>& lines) const {
    std::size_t count = 0;
    std::string first;
    for (const ModelReshape& reshape : model_.reshapes) {
      if (!reshape.output) continue;
      const Ruling ruling = ruling_of(document(reshape.request).dialect, reshape.request);
      if (ruling.permits(*reshape.output)) continue;
      if (count++ == 0) {
        first = named(reshape.layer) + " says " + text(*reshape.output) + ", the document " +
                text(ruling);
      }
    }
    if (count == 0) return;
    lines.push_back("Not what the document says is the output of " + counted(count, model_.word) +
                    ": the first, " + first + '.');
  }

  const Document& document(const Request& request) const {
    return *suite_.document(request.dialect);
  }

  std::string named(const LayerPlace& layer) const {
    return model_.word + ' ' + printable(layer.name, kLongestName) + " (id " +
           printable(layer.id, kLongestName) + ')';
  }

  ImportedCase case_of(const FoldedReshape& folded) const {
    const Document& document_of_it = document(folded.request);
    Case one;
    one.request = folded.request;
    one.expect = ruling_of(document_of_it.dialect, one.request);
    one.clauses = one.expect.kind == Ruling::Kind::produces
                      ? std::vector<std::string>{"output.shape", "content.kept"}
                      : std::vector<std::string>{one.expect.clause};
    // A request too large to be executed is asked for its shape only.
    if (!problems_of(one, document_of_it).empty()) {
      one.request.shape_only = true;
      if (one.expect.kind == Ruling::Kind::produces) one.clauses.pop_back();
    }
    return {std::move(one), folded.layers};
  }

  std::string yaml_of(const ImportedCase& imported, const std::string& id) const {
    const std::size_t weight = imported.layers.size();
    return "  # weight: " + counted(weight, model_.word) + "\n  " + id +
           ":\n    ask: " + print_line(imported.one.request) +
           "\n    expect: " + text(imported.one.expect) +
           // A string of JSON is one of YAML, too.
           "\n    source: " + nlohmann::json(file_ + ", " + named(imported.layers.front())).dump() +
           '\n';
  }

  const Model& model_;
  const Suite& suite_;
  const Known& known_;
  std::string stem_;
  std::string file_;
  std::vector<ImportedCase> cases_;
  std::vector<LayerPlace> asked_already_;
};

struct ImportCommand {
  std::string model;
  std::string weights;
  std::string output;
  SuiteOption specs;

  void run(Console& console) {
    const std::string beside = fs::path(model).replace_extension(".bin").string();
    if (!may_write({model, weights, beside}, console)) return;
    const Result<Model> read =
        read_model(model, weights.empty() ? std::nullopt : std::optional<std::string>(weights));
    if (!read) return refuse(console, read.error().text());
    if (!may_write(read->files, console)) return;
    const Suite* suite = specs.open(console);
    if (suite == nullptr) return;
    for (const ModelReshape& one : read->reshapes) {
      if (suite->document(one.request.dialect) != nullptr) continue;
      return refuse(console, specs.folder() + " has no document " + one.request.dialect + ", of " +
                                 one.layer.where);
    }
    const Known known = specs.built_in() ? Known() : known_of(*suite);
    const Import import(*read, model, *suite, known);
    if (import.empty()) {
      stop(console, kNothingAsserted, import.nothing() + ": nothing is written");
      std::vector<std::string> reasons;
      import.add_left_out(reasons);
      for (const std::string& reason : reasons) console.err << reason << '\n';
      return;
    }
    const std::string yaml = import.yaml();
    if (output.empty()) {
      console.out << yaml;
      return;
    }
    if (!write_or_refuse(output, yaml, console)) return;
    for (const std::string& line : import.summary()) console.out << line << '\n';
  }

  // False, with an error on the console, where the output is one of the input files.
  bool may_write(const std::vector<std::string>& inputs, Console& console) const {
    for (const std::string& input : inputs) {
      std::error_code none;
      if (output.empty() || input.empty() || !fs::equivalent(input, output, none)) continue;
      refuse(console, "-o names " + printable(output) + ", which it reads");
      return false;
    }
    return true;
  }
};

}  // namespace

void add_import(CLI::App& app, Console& console) {
  CLI::App* command =
      app.add_subcommand("import", "Every Reshape of a model as a case, from OpenVINO IR or ONNX");
  auto state = std::make_shared<ImportCommand>();
  command
      ->add_option("model", state->model,
                   "An OpenVINO IR of version 10 or 11, the XML file, or an ONNX model")
      ->required()
      ->type_name("FILE");
  command
      ->add_option("--bin", state->weights,
                   "The constants of an IR; if not given, the .bin beside it")
      ->type_name("FILE");
  names_output(command->add_option("-o,--output", state->output,
                                   "Write the cases there, and here a summary"));
  state->specs.add_to(*command);
  command->footer(
      "Writes a file of cases as they stand in specs/cases/: each request once, with the number "
      "of\n"
      "layers that ask it, the most frequent first, and the answer of the document: that of\n"
      "openvino-reshape-1, or of the ONNX operator set that the model imports. The first lines "
      "count\n"
      "what was left out because the model does not say it: dynamic dimensions, patterns that are\n"
      "computed, constants in a file that is not there. Nothing is inferred: of an ONNX model that "
      "has\n"
      "no shapes of its own values, import what onnx.shape_inference.infer_shapes makes of it.\n"
      "With --specs the cases are to be added to that suite: what it asks already is left out.\n"
      "Exit codes: 0 there are cases, 2 no such file, or one that contradicts itself, 4 no layer "
      "states\n"
      "a request that is not left out.\n"
      "Example:\n"
      "  reshape-conformance import model.onnx --specs specs -o specs/cases/model.yaml");
  command->callback([state, &console] { state->run(console); });
}

}  // namespace reshape::conformance
