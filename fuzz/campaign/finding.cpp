#include "fuzz/engine/finding.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>

#include "conformance/adapter/adapter.h"
#include "conformance/model/judge.h"
#include "conformance/oracle/ruling_of.h"
#include "conformance/property/generator.h"
#include "conformance/text/line.h"
#include "fuzz/campaign/commands.h"
#include "fuzz/campaign/files.h"
#include "fuzz/campaign/finding_text.h"
#include "fuzz/input/decode.h"
#include "reference/tensor/declared_dialects.h"

namespace reshape::fuzz {
namespace {

namespace fs = std::filesystem;
using conformance::Adapter;
using conformance::Request;
using conformance::Verdict;

// Asks a library in a host process, so that a crash or a hang is only an answer.
class Court {
 public:
  explicit Court(std::unique_ptr<Adapter> adapter) : adapter_(std::move(adapter)) {}

  // The token of the fault in the answer to `request`; empty where there is none.
  std::string token(const Request& request) {
    const conformance::Expectation expectation = expected(request);
    const auto& capabilities = adapter_->capabilities();
    if (why_unsupported(request, expectation, capabilities)) return "";
    const conformance::Outcome outcome = adapter_->ask(request);
    const Verdict verdict = judge(request, expectation, capabilities, outcome);
    if (verdict.kind != Verdict::Kind::fail) return "";
    return text(judged_token(capabilities.name, request, outcome, verdict.faults.front()));
  }

  // Shrinks `request` to the simplest one that still has the token `wanted`.
  Request smallest(Request request, const std::string& wanted, int most) {
    const Dialect& dialect = *declared_dialect(request.dialect);
    for (bool smaller = true; smaller && most > 0;) {
      smaller = false;
      for (const Request& candidate : simpler(dialect, request)) {
        if (--most < 0) break;
        if (token(candidate) != wanted) continue;
        request = candidate;
        smaller = true;
        break;
      }
    }
    return request;
  }

  static conformance::Expectation expected(const Request& request) {
    return {conformance::ruling_of(*declared_dialect(request.dialect), request), std::nullopt};
  }

 private:
  std::unique_ptr<Adapter> adapter_;
};

struct Judged {
  std::string input;
  std::string library;
  std::string minimised;
  double deadline = 2;
  int most = 300;
};

int judge_input(const Judged& asked) {
  // Said so that NaN is refused as well, which CLI11's own check of a range accepts.
  if (!(asked.deadline >= 0.001 && asked.deadline <= 86400)) {
    return stop(2, "--deadline is a number of seconds from 0.001 to 86400");
  }
  const Result<Input> input = read_input(asked.input);
  if (!input) return stop(2, input.error().text());
  conformance::AdapterOptions options;
  options.library = asked.library;
  options.deadline_seconds = asked.deadline;
  Result<std::unique_ptr<Adapter>> adapter = start_adapter(options);
  if (!adapter) return stop(3, adapter.error().text());
  Court court(std::move(adapter).value());
  Request request = decode(*input);
  const std::string token = court.token(request);
  if (token.empty()) {
    std::printf("nothing is wrong with the answer to %s\n",
                conformance::print_line(request).c_str());
    return 0;
  }
  if (!asked.minimised.empty()) {
    request = court.smallest(std::move(request), token, asked.most);
    const auto bytes = encode(request);
    if (!bytes || !write_input(asked.minimised, *bytes)) {
      return stop(2, "cannot write " + asked.minimised);
    }
  }
  std::printf("asked     %s\nDEDUP_TOKEN: %s\n", conformance::print_line(request).c_str(),
              token.c_str());
  return 1;
}

struct Kept {
  std::string input;
  std::string target;
  std::string token;
  std::string library;
  std::string folder;
  bool bytes = false;  // the input is raw bytes (a text, a message), no request
};

int keep(const Kept& kept) {
  const Result<Input> input = read_input(kept.input);
  if (!input) return stop(2, input.error().text());
  FindingTexts texts;
  if (kept.bytes) {
    texts = texts_of_bytes(kept.token, kept.target, *input);
  } else {
    const Request request = decode(*input);
    texts = texts_of_request(kept.token, kept.target, request, Court::expected(request).ruling,
                             kept.library);
  }
  const fs::path folder = fs::path(kept.folder) / texts.name;
  const bool well = write_input(folder / "input", *input) &&
                    (texts.yaml.empty() || write_text(folder / "finding.yaml", texts.yaml)) &&
                    write_text(folder / "replay.txt", texts.replay) &&
                    write_text(folder / "regression_test.cpp", texts.test) &&
                    write_text(folder / "token.txt", kept.token + '\n');
  if (!well) return stop(2, "cannot write below " + folder.string());
  std::printf("%s\n", folder.c_str());
  return 0;
}

int write_simpler(const std::string& file, const std::string& folder) {
  const Result<Input> input = read_input(file);
  if (!input) return stop(2, input.error().text());
  const Request request = decode(*input);
  int number = 0;
  for (const Request& candidate : simpler(*declared_dialect(request.dialect), request)) {
    const auto bytes = encode(candidate);
    if (!bytes) continue;
    char name[16];
    std::snprintf(name, sizeof name, "%05d", number++);
    if (!write_input(fs::path(folder) / name, *bytes))
      return stop(2, "cannot write below " + folder);
  }
  std::printf("%d\n", number);
  return 0;
}

}  // namespace

void add_simpler(CLI::App& app, Ending& ending) {
  CLI::App* command = app.add_subcommand(
      "simpler", "Write inputs that mean simpler requests of the same class of answer");
  auto names = std::make_shared<std::pair<std::string, std::string>>();
  command->add_option("input", names->first)->required();
  command->add_option("folder", names->second)->required();
  command->callback(
      [names, &ending] { ending.exit_code = write_simpler(names->first, names->second); });
}

void add_judge(CLI::App& app, Ending& ending) {
  CLI::App* command = app.add_subcommand(
      "judge", "Ask a library what an input means, in a process of its own; 1 when it is wrong");
  auto judged = std::make_shared<Judged>();
  command->add_option("input", judged->input)->required();
  command->add_option("-i,--implementation", judged->library)->required();
  command->add_option("--minimise", judged->minimised, "write the smallest such input here");
  command->add_option("--deadline", judged->deadline, "seconds for one request");
  command->add_option("--most", judged->most, "requests to try when minimising")
      ->check(CLI::Range(0, 1000000));
  command->callback([judged, &ending] { ending.exit_code = judge_input(*judged); });
}

void add_finding(CLI::App& app, Ending& ending) {
  CLI::App* command = app.add_subcommand(
      "finding", "Write a finding as a case, a replay line and a unit test; prints its folder");
  auto kept = std::make_shared<Kept>();
  command->add_option("input", kept->input)->required();
  command->add_option("--target", kept->target)->required();
  command->add_option("--token", kept->token)->required();
  command->add_option("-i,--implementation", kept->library);
  command->add_option("--into", kept->folder)->required();
  command->add_flag("--bytes", kept->bytes, "the input is no request");
  command->callback([kept, &ending] { ending.exit_code = keep(*kept); });
}

}  // namespace reshape::fuzz
