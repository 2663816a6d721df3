#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <system_error>

#include "conformance/command/case_filter.h"
#include "conformance/command/output_files.h"
#include "conformance/command/suite_option.h"
#include "conformance/models/onnx_case.h"
#include "conformance/run/write_file.h"
#include "conformance/spec/suite_json.h"
#include "conformance/text/line.h"
#include "conformance/text/printable.h"

namespace reshape::conformance {

// The commit that this program was built from, with " with changes" appended where the working tree
// was not clean; "unknown" where the sources were no git checkout. Written by commit.cmake.
const char* program_commit();

namespace {

// Signals that end a program wait while this lives, so that a folder is there as a whole or not at
// all.
class SignalsHeld {
 public:
  SignalsHeld() {
    sigset_t ending;
    sigemptyset(&ending);
    for (const int signal : {SIGHUP, SIGINT, SIGTERM}) sigaddset(&ending, signal);
    pthread_sigmask(SIG_BLOCK, &ending, &before_);
  }
  SignalsHeld(const SignalsHeld&) = delete;
  ~SignalsHeld() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_ = {};
};

namespace fs = std::filesystem;

struct ExportCommand {
  SuiteOption specs;
  CaseFilter filter;
  std::string json;
  std::string onnx;

  void run(Console& console) {
    const Suite* suite = specs.open(console);
    if (suite == nullptr) return;
    if (json.empty() && onnx.empty()) {
      return refuse(console, "neither --json FILE nor --onnx FOLDER says where to");
    }
    std::error_code none;
    if (!json.empty() && !onnx.empty() &&
        fs::weakly_canonical(json, none) == fs::weakly_canonical(onnx, none)) {
      return refuse(console, "--json and --onnx name the same path, " + printable(onnx));
    }
    if (json == kStandardOutput && !onnx.empty()) {
      return refuse(console, "--json - prints the cases alone, and --onnx tells of its own");
    }
    const std::optional<std::vector<const Case*>> chosen = filter.choose(*suite, console);
    if (!chosen) return;
    if (chosen->empty()) {
      stop(console, kNothingAsserted, "no case is chosen, so nothing is written");
      return;
    }
    // The folder first: more can be in its way, and then no file is left behind.
    if (!onnx.empty()) write_onnx(*suite, *chosen, console);
    if (!json.empty() && console.exit_code != kBadInput) write_json(*suite, *chosen, console);
  }

 private:
  void write_json(const Suite& suite, const std::vector<const Case*>& cases,
                  Console& console) const {
    const std::string text =
        stamped_json_of_cases(suite, cases, {RESHAPE_PROGRAM_VERSION, program_commit()});
    if (json == kStandardOutput) {
      console.out << text;
      return;
    }
    if (!write_or_refuse(json, text, console)) return;
    console.out << cases.size() << " cases as JSON: " << printable(json) << '\n';
  }

  void write_onnx(const Suite& suite, const std::vector<const Case*>& cases,
                  Console& console) const {
    std::error_code none;
    if (fs::exists(onnx, none) && !fs::is_empty(onnx, none)) {
      return refuse(console, printable(onnx) + " is there and not empty");
    }
    // Half of the tests look like all of them, so they get the folder's name when all are there.
    fs::path whole = onnx;
    if (!whole.has_filename()) whole = whole.parent_path();  // "tests/"
    const fs::path part = whole.string() + ".part-" + std::to_string(getpid());
    const auto give_up = [&](const std::string& why) {
      fs::remove_all(part, none);
      refuse(console, why);
    };
    const SignalsHeld held;
    std::size_t count = 0;
    std::map<std::string_view, std::size_t> left;
    for (const Case* one : cases) {
      if (const auto why = no_onnx_test(*one)) {
        ++left[*why];
        continue;
      }
      const Result<OnnxTest> test = onnx_test(*one, stamp(suite, *one));
      if (!test) return give_up(test.error().text());
      const Result<std::string> written = write_test(part / folder_of(one->id), *test);
      if (!written) return give_up(written.error().text());
      ++count;
    }
    std::error_code failed;
    if (count > 0) fs::rename(part, whole, failed);
    if (failed) return give_up(printable(onnx) + ": " + failed.message());
    console.out << count << " of " << cases.size()
                << " cases as backend tests of ONNX: " << printable(onnx) << '\n';
    for (const auto& [why, number] : left) {
      console.out << "Left out, " << why << ": " << number << '\n';
    }
    if (count == 0) console.exit_code = kNothingAsserted;
  }

  static std::string stamp(const Suite& suite, const Case& one) {
    const Document& document = *suite.document(one.request.dialect);
    return fmt::format(
        "{}: {} {}\nclauses {} of {} {}, {}\nreshape-conformance {}, suite {}, commit {}", one.id,
        print_line(one.request), text(one.expect), fmt::join(one.clauses, ", "), document.publisher,
        document.versioned_name, document.version, RESHAPE_PROGRAM_VERSION, suite.version,
        program_commit());
  }

  // A name that is also a Python identifier: "test_onnx_reshape_14_copy_then_infer".
  static std::string folder_of(const std::string& id) {
    std::string name = "test_" + id;
    for (char& letter : name) {
      const bool plain = (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9');
      if (!plain) letter = '_';
    }
    return name;
  }

  static Result<std::string> write_test(const fs::path& folder, const OnnxTest& test) {
    int number = 0;
    Result<std::string> written = std::string();
    const auto write = [&](const fs::path& file, const std::string& bytes) {
      if (!written) return;
      std::error_code failed;
      fs::create_directories(file.parent_path(), failed);
      written = failed ? Result<std::string>(Error{"cannot be written: " + failed.message(),
                                                   printable(file.string())})
                       : write_file(file.string(), bytes);
    };
    // Two ids that differ only in "-" and "_" get the same folder name.
    if (fs::exists(folder)) return Error{"two cases have this folder", printable(folder.string())};
    write(folder / "model.onnx", test.model);
    for (const OnnxTest::DataSet& set : test.sets) {
      const fs::path home = folder / ("test_data_set_" + std::to_string(number++));
      int input = 0;
      for (const std::string& bytes : set.inputs) {
        write(home / ("input_" + std::to_string(input++) + ".pb"), bytes);
      }
      write(home / "output_0.pb", set.output);
    }
    return written;
  }
};

}  // namespace

void add_export(CLI::App& app, Console& console) {
  CLI::App* command = app.add_subcommand(
      "export", "Write cases for other harnesses, as JSON or backend tests of ONNX");
  auto state = std::make_shared<ExportCommand>();
  names_output(
      command->add_option("--json", state->json,
                          "Write the cases there, with where they come from; - is standard output"),
      StandardOutput::as_well);
  command
      ->add_option("--onnx", state->onnx,
                   "Write a folder for each case there, as onnx.backend.test has them")
      ->type_name("FOLDER");
  state->filter.add_to(*command);
  state->specs.add_to(*command);
  command->footer(
      "A backend test is model.onnx and test_data_set_N/input_N.pb and output_0.pb; the pattern is "
      "an\n"
      "input, or in operator set 1 an attribute. The form knows what is produced from dense "
      "tensors:\n"
      "what a document refuses or leaves open, layouts and more than 1 MiB are left out and "
      "counted.\n"
      "Exit codes: 0 written, 2 a file that cannot be written, 4 no case to be written.\n"
      "Example:\n"
      "  reshape-conformance export --onnx tests --dialect onnx-reshape-14");
  command->callback([state, &console] { state->run(console); });
}

}  // namespace reshape::conformance
