#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <optional>
#include <ostream>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

#include "conformance/command/checks.h"
#include "conformance/command/commands.h"
#include "conformance/command/output_files.h"
#include "conformance/command/suite_option.h"
#include "conformance/run/write_file.h"
#include "conformance/text/printable.h"

namespace reshape::conformance {
namespace {

namespace fs = std::filesystem;

constexpr const char* kGithubFile = ".github/workflows/reshape-conformance.yml";
constexpr const char* kGitlabFile = ".gitlab/reshape-conformance.yml";

// {0}: the build command, {1}: the library, {2}: the baseline, {3}: where this program is fetched
// from, {4}: further options of `run`.
constexpr const char* kGithub =
    R"(# Written by `reshape-conformance init-ci`: does our Reshape do what the specifications say?
name: reshape conformance
on:
  pull_request:
  push:
    branches: [main]
permissions:
  contents: read
jobs:
  gate:
    runs-on: ubuntu-latest
    timeout-minutes: 60
    steps:
      - uses: actions/checkout@v4
      - name: build
        run: {0}
      - uses: {3}
        with:
          library: {1}
          baseline: {2}
          arguments: {4}
)";
constexpr const char* kGitlab =
    R"(# Written by `reshape-conformance init-ci`; include it in .gitlab-ci.yml:
#   include: {{local: .gitlab/reshape-conformance.yml}}
include:
  - project: {3}
    file: conformance/run/ci/gitlab.yml
reshape-conformance:
  extends: .reshape-conformance
  before_script:
    - {0}
  variables:
    RESHAPE_LIBRARY: {1}
    RESHAPE_BASELINE: {2}
    RESHAPE_ARGUMENTS: {4}
)";

struct InitCi {
  std::string library;
  std::string build = "make";
  std::string baseline = "reshape-known-failures.yaml";
  std::string from;
  std::string arguments;
  bool gitlab = false;
};

// A YAML string in single quotes; only single quotes have to be escaped in it.
std::string quoted(const std::string& text) {
  return "'" + CLI::detail::find_and_replace(text, "'", "''") + "'";
}

std::string workflow(const InitCi& asked) {
  const std::string from = !asked.from.empty() ? asked.from
                           : asked.gitlab
                               ? "OWNER/reshape-conformance"
                               : "OWNER/reshape-conformance/.github/actions/conformance-gate@main";
  return fmt::format(fmt::runtime(asked.gitlab ? kGitlab : kGithub), quoted(asked.build),
                     quoted(asked.library), quoted(asked.baseline), quoted(from),
                     quoted(asked.arguments));
}

// An error where `file` could not be created: its folder, or the nearest parent folder that exists,
// is not writable.
std::optional<Error> cannot_write(const std::string& file) {
  std::error_code failure;
  fs::path folder = fs::path(file).parent_path();
  while (!folder.empty() && !fs::exists(folder, failure)) folder = folder.parent_path();
  const Result<std::string> writable =
      check_writable((folder / fs::path(file).filename()).string());
  if (writable) return std::nullopt;
  return Error{writable.error().message, file};
}

void init(const InitCi& asked, Console& console) {
  for (const std::string& text :
       {asked.library, asked.build, asked.baseline, asked.from, asked.arguments}) {
    // YAML has no controls and nothing but UTF-8, and what deceives a reader has no place there.
    if (text.find('\n') != std::string::npos || printable_lines(text) != text) {
      return refuse(console,
                    "a value holds the end of a line, a control, an invisible character or "
                    "bytes that are no UTF-8: " +
                        text);
    }
  }
  const std::string file = asked.gitlab ? kGitlabFile : kGithubFile;
  std::error_code failure;
  for (const std::string& there : {file, asked.baseline}) {
    if (fs::exists(there, failure)) {
      return refuse(console, "it is there already and stays as it is: " + there);
    }
    if (const std::optional<Error> wrong = cannot_write(there)) {
      return refuse(console, wrong->text());
    }
  }
  // The same run as the gate in CI makes, so that the baseline fits it.
  std::vector<std::string> run = {
      "run",           "-q", "-i", asked.library, "--baseline", asked.baseline, "--mend-baseline",
      "--no-diagnosis"};
  std::istringstream words(asked.arguments);
  for (std::string word; words >> word;) run.push_back(word);
  console.exit_code = 0;
  const int code = command_line(run, console);
  console.command = "init-ci";
  if (code > 1) {
    fs::remove(asked.baseline, failure);  // an empty baseline, written by the run
    if (code == kNothingAsserted) stop(console, code, "nothing is written");
    console.exit_code = code;  // the run has printed its own error for any other code
    return;
  }
  fs::create_directories(fs::path(file).parent_path(), failure);
  if (!write_or_refuse(file, workflow(asked), console)) {
    fs::remove(asked.baseline, failure);
    return;
  }
  console.out << "written: " << file << '\n';
  if (fs::exists(asked.baseline, failure)) console.out << "written: " << asked.baseline << '\n';
  if (asked.from.empty()) console.out << "Put the owner of your copy in the place of OWNER.\n";
  // Failures that no baseline can hold, such as a broken law.
  if (code == 1) console.out << "The gate is red until what stands above is mended.\n";
  console.exit_code = 0;
}

}  // namespace

void add_init_ci(CLI::App& app, Console& console) {
  CLI::App* command = app.add_subcommand(
      "init-ci", "Write a CI workflow that gates a library, and what fails today as known");
  auto state = std::make_shared<InitCi>();
  library_option(*command, state->library, "What to gate, as run -i takes it");
  command->add_option("--build", state->build, "The command that builds it")
      ->type_name("COMMAND")
      ->capture_default_str();
  command->add_option("--baseline", state->baseline, "The file of known failures")
      ->type_name("FILE")
      ->capture_default_str();
  command->add_option("--from", state->from, "Where the action or the template lies")
      ->type_name("REPOSITORY");
  command
      ->add_option("--arguments", state->arguments,
                   "More options of run, parted at blanks: '--dialect openvino-reshape-1'")
      ->type_name("OPTIONS");
  command->add_flag("--gitlab", state->gitlab, "For GitLab in place of GitHub");
  command->footer("Files that are there already are left alone, with exit code 2.");
  command->callback([state, &console] { init(*state, console); });
}

}  // namespace reshape::conformance
