#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "conformance/adapter/process/channel.h"
#include "conformance/adapter/process/message.h"
#include "conformance/spec/load.h"
#include "conformance/spec/small_specs.h"
#include "conformance/text/line.h"
#include "fuzz/campaign/commands.h"
#include "fuzz/campaign/files.h"
#include "fuzz/campaign/model_seeds.h"
#include "fuzz/input/decode.h"

namespace reshape::fuzz {
namespace {

namespace fs = std::filesystem;
using conformance::Case;
using conformance::Document;
using conformance::Suite;

// Writes a folder of seed inputs for each target, made from the suite.
class Seeds {
 public:
  explicit Seeds(fs::path folder) : folder_(std::move(folder)) {}

  // Takes one case for each document, subject and list of clauses: similar seeds do not help a
  // fuzzer.
  void take(const Suite& suite) {
    constexpr int kAlike = 1;
    std::map<std::string, int> alike;
    for (const Document& document : suite.documents) {
      for (const Case& one : document.cases) {
        std::string subject = one.request.dialect + ' ' + one.file;
        for (const std::string& clause : one.clauses) subject += ' ' + clause;
        // All regressions are kept.
        const bool regression = one.file.starts_with("regressions/");
        if (alike[subject]++ >= kAlike && !regression) continue;
        take(one);
      }
    }
    take_messages(suite);
    take_descriptions();
    take_specs();
    take_baselines();
    for (const std::string& model : ir_seeds()) add("import_ir", bytes_of(model));
    for (const std::string& model : onnx_seeds()) add("import_onnx", bytes_of(model));
  }

  bool well() const { return well_; }
  const std::map<std::string, int>& counts() const { return counts_; }

 private:
  void add(const std::string& target, const Input& bytes) {
    char name[16];
    std::snprintf(name, sizeof name, "%05d", counts_[target]++);
    well_ = write_input(folder_ / target / name, bytes) && well_;
  }
  void add_text(const std::string& target, const std::string& text) {
    if (texts_.insert(target + text).second) add(target, bytes_of(text));
  }

  void take(const Case& one) {
    add_text("line", conformance::print_line(one.request));
    add_text("ruling", text(one.expect));
    const std::optional<Input> bytes = encode(one.request);
    if (!bytes) return;
    add("resolve", *bytes);
    add("plugin", *bytes);
    if (one.expect.kind == Ruling::Kind::rejects || one.request.shape_only) return;
    add("plan", *bytes);
    add("execute", *bytes);
  }

  // `kind` is the first byte of the input: see targets/host_message.cpp.
  void add_message(char kind, const std::string& message) {
    add("host_message", bytes_of(std::string(1, kind) + message));
    add("host_message",
        bytes_of(std::string(1, 3) + conformance::frame_head(7, message.size()) + message));
  }

  void take_messages(const Suite& suite) {
    using namespace conformance;  // NOLINT(google-build-using-namespace)
    const Case& one = suite.documents.front().cases.front();
    Outcome outcome;
    outcome.kind = Outcome::Kind::produced;
    outcome.shape = Shape{2, 3};
    add_message(0, encode_answer(outcome, conformance::Answer::interim));
    outcome.observations.push_back({CaughtBy::canaries, Plane::memory, Duty::C7, "wrote 4 bytes"});
    Execution& execution = outcome.executions.emplace_back();
    execution.elements.assign(24, std::byte{7});
    execution.message = "a message";
    outcome.executions.push_back(execution);
    add_message(0, encode_answer(outcome, conformance::Answer::last));
    outcome.kind = Outcome::Kind::rejected;
    outcome.message = "volume differs";
    add_message(0, encode_answer(outcome, conformance::Answer::last));
    Capabilities capabilities;
    capabilities.name = "mine";
    capabilities.version = "1.0";
    capabilities.dialects = {one.request.dialect};
    capabilities.element_types = ElementTypes::all();
    capabilities.pattern_types = ElementTypes::integers();
    add_message(1, encode_greeting(capabilities));
    add_message(1, encode_greeting(Error{"no such file", "libmine.so"}));
    add_message(2, encode_command({{print_line(one.request), print_line(one.request)}, 3, false}));
    add_message(2, encode_command({{}, 0, true}));
    add_message(2, encode_command({.lines = {print_line(one.request)}}));
  }

  // Inputs of the target `description`: form, numbers, then five lines (name, version, dialects,
  // element types, pattern types).
  void take_descriptions() {
    const std::string words =
        "mine\n1.0\nopenvino-reshape-1 onednn-static-reshape\nf32 f16 i4 boolean\ni32 i64";
    add("description", bytes_of(std::string("\0\x7f\0\0", 4) + words));
    add("description", bytes_of(std::string("\4\x3f\0\0\0\x08\x40", 7) + words));
    add("description", bytes_of(std::string("\x30\x40\0\0", 4) + words));
  }

  // A small folder of specs as one text, each file after its path: see targets/spec_yaml.cpp. Once
  // as it is and once with a regression.
  void take_specs() {
    std::string text;
    for (const conformance::SpecFile& file : conformance::small_specs()) {
      const bool first = file.path == "suite.yaml";
      text.insert(first ? 0 : text.size(), (first ? "" : "#: " + file.path + '\n') + file.text);
    }
    add_text("spec_yaml", text);
    add_text("spec_yaml", text + R"(#: regressions/found.yaml
volume.kept:
  found-1: {ask: "small-reshape f32[2] i64[$N] plain_zero=yes", expect: rejects volume.kept, N: [3, 5..7]}
)");
  }

  void take_baselines() {
    add_text("baseline", "known:\n");
    add_text("baseline", R"(known:
  - id: openvino-reshape-1/zero-copies-then-mismatch
    reason: the volume check is off with special_zero
    link: https://example.org/1
    fingerprint: volume.kept | shape | expected rejects volume.kept | produced [2,5]
  - id: onednn-*/volume
    reason: "counts wrap"
)");
  }

  fs::path folder_;
  std::map<std::string, int> counts_;
  std::set<std::string> texts_;
  bool well_ = true;
};

}  // namespace

void add_seeds(CLI::App& app, Ending& ending) {
  CLI::App* command =
      app.add_subcommand("seeds", "Write a first corpus for each target, from the suite's cases");
  auto folder = std::make_shared<std::string>();
  command->add_option("folder", *folder, "gets a folder for each target")->required();
  command->callback([folder, &ending] {
    Seeds seeds(*folder);
    seeds.take(conformance::built_in_suite());
    for (const auto& [target, count] : seeds.counts()) {
      std::printf("%-14s %5d\n", target.c_str(), count);
    }
    if (!seeds.well()) ending.exit_code = stop(2, "cannot write below " + *folder);
  });
}

}  // namespace reshape::fuzz
