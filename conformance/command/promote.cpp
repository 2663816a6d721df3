#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <ostream>
#include <string>
#include <system_error>
#include <vector>

#include "conformance/command/output_files.h"
#include "conformance/command/suite_option.h"
#include "conformance/files/plain_text.h"
#include "conformance/spec/lint.h"
#include "conformance/spec/names.h"
#include "conformance/spec/read_suite.h"
#include "conformance/spec/spec_file.h"

namespace reshape::conformance {
namespace {

namespace fs = std::filesystem;

// A finding is such a file, or a folder that contains a finding.yaml. The regression gets the name
// of the file or the folder.
struct FindingFile {
  fs::path file;
  std::string name;
};

fs::path without_slash(const fs::path& path) {
  const fs::path normal = path.lexically_normal();
  return normal.filename().empty() ? normal.parent_path() : normal;
}

FindingFile finding_at(const std::string& path) {
  const fs::path finding = without_slash(path);
  std::error_code none;
  // "." and "finding.yaml" say nothing of the folder that gives the name.
  const fs::path named = without_slash(fs::absolute(path, none));
  if (fs::is_directory(finding, none)) {
    return {finding / "finding.yaml", named.filename().string()};
  }
  return {finding, named.stem() == "finding" ? named.parent_path().filename().string()
                                             : named.stem().string()};
}

class Promotion {
 public:
  Promotion(std::string folder, Console& console) : folder_(std::move(folder)), console_(console) {}

  void promote(const std::string& path) {
    const FindingFile finding = finding_at(path);
    if (!is_name(finding.name)) {
      return refuse(console_, no_name("a regression", finding.name));
    }
    constexpr std::size_t kLargest = std::size_t{16} << 20;  // bytes
    const Result<std::string> read = read_text(finding.file.string(), kLargest);
    if (!read) return refuse(console_, read.error().text());
    const std::string& text = *read;
    Result<std::vector<SpecFile>> files = read_spec_files(folder_);
    if (!files) return refuse(console_, files.error().text());
    const std::string below = "regressions/" + finding.name + ".yaml";
    const bool there =
        std::ranges::any_of(*files, [&](const SpecFile& file) { return file.path == below; });
    if (there) return keep_out(folder_ + '/' + below + " is there already");
    if (const auto why = problem_with(*std::move(files), {below, text}, finding.file.string())) {
      return why->ill_formed ? refuse(console_, why->says) : keep_out(why->says);
    }
    move(finding.file, below, text);
  }

 private:
  struct Problem {
    std::string says;
    bool ill_formed = false;  // it is no case at all
  };

  // The finding linted with all other cases: it must be readable and no duplicate, and its answer
  // must be the rules' answer. Mistakes in other files are ignored. `lies_at`: its place until it
  // is promoted.
  std::optional<Problem> problem_with(std::vector<SpecFile> files, SpecFile added,
                                      const std::string& lies_at) const {
    const std::string place = folder_ + '/' + added.path;
    files.push_back(std::move(added));
    std::ranges::sort(files, {}, &SpecFile::path);
    const LintReport report = lint(files, folder_);
    for (const Error& problem : report.problems) {
      std::string said = problem.text();
      std::size_t at = said.find(place);
      if (at == std::string::npos) continue;
      for (; at != std::string::npos; at = said.find(place, at + lies_at.size())) {
        said.replace(at, place.size(), lies_at);
      }
      const auto same = [&](const Error& other) { return other.text() == problem.text(); };
      return Problem{std::move(said), std::ranges::any_of(report.ill_formed, same)};
    }
    return std::nullopt;
  }

  void keep_out(const std::string& why) { stop(console_, kNotConforming, why); }

  void move(const fs::path& from, const std::string& below, const std::string& text) {
    const fs::path to = fs::path(folder_) / below;
    std::error_code failure;
    fs::create_directories(to.parent_path(), failure);
    if (failure) return refuse(console_, failure.message() + ": " + to.string());
    if (!write_or_refuse(to.string(), text, console_)) return;
    fs::remove(from, failure);
    console_.out << "promoted: " << to.string()
                 << "\nRaise the last number of `version` in suite.yaml, and build again.\n";
  }

  std::string folder_;
  Console& console_;
};

}  // namespace

void add_promote(CLI::App& app, Console& console) {
  CLI::App* command = app.add_subcommand(
      "promote", "Move a finding of a fuzz campaign into specs/regressions/, as a case for good");
  struct State {
    std::string finding;
    std::string specs = "specs";
  };
  auto state = std::make_shared<State>();
  command->add_option("finding", state->finding, "its folder, or its YAML file")
      ->required()
      ->type_name("FINDING");
  command->add_option("--specs", state->specs, "the folder of documents and cases")
      ->type_name("DIR")
      ->capture_default_str();
  command->footer(
      "Exit code 1, and nothing is moved, where another case asks the same or where the rules do "
      "not answer what the finding expects; 2 where it is no case.");
  command->callback(
      [state, &console] { Promotion(state->specs, console).promote(state->finding); });
}

}  // namespace reshape::conformance
