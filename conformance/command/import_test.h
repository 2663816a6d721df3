#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "conformance/command/console_test.h"
#include "conformance/models/testing/ir_text.h"
#include "conformance/spec/load.h"
#include "conformance/spec/read_suite.h"

namespace reshape::conformance {

// Runs `import` on models that a test writes.
class Import : public testing::Test {
 protected:
  static Ended import(std::vector<std::string> arguments) {
    return run_command(add_import, std::move(arguments));
  }

  // What it prints, where it ends well.
  static std::string output_of(std::vector<std::string> arguments) {
    const Ended ended = import(std::move(arguments));
    EXPECT_EQ(ended.exit_code, 0) << ended.err;
    return ended.out;
  }

  // The files of our documents, without cases.
  static std::vector<SpecFile> documents() {
    std::vector<SpecFile> files;
    for (const EmbeddedSpec& spec : kEmbeddedSpecs) {
      const std::string path = spec.path;
      if (path.starts_with("cases/") || path.starts_with("regressions/")) continue;
      files.push_back({path, spec.text()});
    }
    return files;
  }

  // The cases of an imported file, loaded by the suite's own reader beside our documents.
  static std::vector<Case> cases_of(const std::string& yaml) {
    std::vector<SpecFile> files = documents();
    files.push_back({"cases/imported.yaml", yaml});
    const SuiteReading reading = read_suite(files, "specs");
    for (const Error& problem : reading.problems) ADD_FAILURE() << problem.text() << '\n' << yaml;
    std::vector<Case> cases;
    for (const Document& document : reading.suite.documents) {
      cases.insert(cases.end(), document.cases.begin(), document.cases.end());
    }
    return cases;
  }

  // A folder of our documents without cases.
  std::string documents_alone() const {
    for (const SpecFile& document : documents()) {
      const std::filesystem::path file = folder_.path("specs/" + document.path);
      std::filesystem::create_directories(file.parent_path());
      std::ofstream(file) << document.text;
    }
    std::filesystem::create_directories(folder_.path("specs/cases"));
    return folder_.path("specs");
  }

  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path("."))) {
      names.push_back(entry.path().filename());
    }
    std::ranges::sort(names);
    return names;
  }

  ModelFolder folder_;
};

}  // namespace reshape::conformance
