#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "conformance/command/console_test.h"

namespace reshape::conformance {
namespace {

namespace fs = std::filesystem;

const std::string kFinding = R"(# Found by fuzzing.
volume.kept:
  mine-kept:
    ask: small-reshape f32[2,3] i64[7] plain_zero=no
    expect: rejects volume.kept
)";

std::string with(std::string text, const std::string& from, const std::string& to) {
  text.replace(text.find(from), from.size(), to);
  return text;
}

// A folder of specs beside a finding.
class Promote : public testing::Test {
 protected:
  Ended promote(const std::string& text) {
    fs::create_directories(finding_);
    std::ofstream(finding_ / "finding.yaml") << text;
    return run_command(add_promote, {finding_.string(), "--specs", specs_.path()});
  }
  fs::path promoted() const { return fs::path(specs_.path()) / "regressions/mine-kept.yaml"; }

  TestFolder specs_{small_specs()};
  fs::path finding_ = fs::path(specs_.path()) / ".findings" / "mine-kept";
};

TEST_F(Promote, MovesTheFindingWhereTheSuiteReadsIt) {
  const Ended ended = promote(kFinding);
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  expect_in(ended.out, "regressions/mine-kept.yaml");
  EXPECT_FALSE(fs::exists(finding_ / "finding.yaml"));
  EXPECT_EQ(text_of(promoted()), kFinding);
  // From now on it is part of the suite, which has eight other cases.
  const Ended linted = run_command(add_lint, {"--specs", specs_.path()});
  expect_in(linted.out, "9 cases: clean");
}

TEST_F(Promote, KeepsOutWhatWouldBeNoCaseOfTheSuite) {
  struct KeptOut {
    std::string text;
    const char* why;
    int exit_code;
  };
  const KeptOut kept_out[] = {
      {with(kFinding, "i64[7]", "i64[4]"), "other-volume", 1},  // another case asks it
      {with(kFinding, "i64[7]", "i64[6]"), "produces [6]", 1},  // the rules answer otherwise
      // What is no case is a bad file.
      {with(kFinding, "expect: rejects volume.kept", "expect: nothing"), "finding.yaml:4: ", 2},
      {with(kFinding, "ask: ", "ask: [") + "\n", "finding.yaml:", 2},
      {"asked: once\n", "finding.yaml:1: a file of cases has a case besides asked", 2}};
  for (const auto& [text, why, exit_code] : kept_out) {
    const Ended ended = promote(text);
    EXPECT_EQ(ended.exit_code, exit_code) << text;
    expect_in(ended.err, why);
    EXPECT_FALSE(fs::exists(promoted())) << text;
    EXPECT_TRUE(fs::exists(finding_ / "finding.yaml")) << text;
  }
}

TEST_F(Promote, KeepsOutTheSameFindingTwice) {
  EXPECT_EQ(promote(kFinding).exit_code, 0);
  const Ended again = promote(kFinding);
  EXPECT_EQ(again.exit_code, 1);
  expect_in(again.err, "there already");
}

// From within its folder a finding is ".", and has the folder's name all the same.
TEST_F(Promote, NamesTheFindingAfterItsFolderFromWithin) {
  fs::create_directories(finding_);
  const fs::path before = fs::current_path();
  for (const std::string path : {".", "./", "finding.yaml", "../mine-kept", "../mine-kept/"}) {
    std::ofstream(finding_ / "finding.yaml") << kFinding;
    fs::current_path(finding_);
    const Ended ended = run_command(add_promote, {path, "--specs", specs_.path()});
    fs::current_path(before);
    EXPECT_EQ(ended.exit_code, 0) << path << ": " << ended.err;
    EXPECT_TRUE(fs::remove(promoted())) << path;
    EXPECT_FALSE(fs::exists(finding_ / "finding.yaml")) << path;
  }
}

// The suite reads no hidden file: the finding would be lost.
TEST_F(Promote, RefusesAHiddenName) {
  finding_ = finding_.parent_path() / ".mine-kept";
  const Ended ended = promote(kFinding);
  EXPECT_EQ(ended.exit_code, 2);
  expect_in(ended.err, "a regression is written with a-z, 0-9, _, . and -");
  EXPECT_TRUE(fs::exists(finding_ / "finding.yaml"));
  EXPECT_FALSE(fs::exists(fs::path(specs_.path()) / "regressions"));
}

TEST_F(Promote, RefusesWhatIsNotThere) {
  const Ended ended =
      run_command(add_promote, {specs_.path() + "/nowhere", "--specs", specs_.path()});
  EXPECT_EQ(ended.exit_code, 2);
  expect_in(ended.err, "cannot be read: No such file");
}

}  // namespace
}  // namespace reshape::conformance
