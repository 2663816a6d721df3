#include <gtest/gtest.h>

#include "conformance/command/console_test.h"

namespace reshape::conformance {
namespace {

Ended differ(std::vector<std::string> arguments) {
  return run_command(add_differ, std::move(arguments), {});
}

Ended port(std::vector<std::string> arguments) {
  return run_command(add_port, std::move(arguments), {});
}

TEST(Differ, TellsALineACauseAndTheSum) {
  const Ended ended = differ({"onnx-reshape-13", "numpy-reshape"});
  EXPECT_EQ(ended.exit_code, 1);
  expect_in(ended.out,
            "f32[1] i64[0]: onnx-reshape-13 produces [1] (zero.copies), "
            "numpy-reshape rejects volume.kept (zero.literal); ");
  expect_in(ended.out, "\nin all: ");
}

TEST(Differ, WritesEachRequestInTheWordsOfItsDocument) {
  const Ended ended = differ({"onnx-reshape-14", "openvino-reshape-1"});
  expect_in(ended.out, " allowzero=0 | ");
  expect_in(ended.out, " special_zero=true");
}

TEST(Differ, DocumentsThatAnswerAlikeEndWithZero) {
  const Ended ended = differ({"onnx-reshape-13", "onnx-reshape-13"});
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_EQ(ended.out.substr(0, 19), "the same: 0 causes ");
}

TEST(Differ, AnUnknownDialectIsAnErrorThatNamesTheKnownOnes) {
  const Ended ended = differ({"onnx-reshape-13", "tf"});
  EXPECT_EQ(ended.exit_code, 2);
  EXPECT_EQ(ended.out, "");
  EXPECT_EQ(ended.err.substr(0, 29), "unknown dialect \"tf\"; known: ");
}

TEST(Port, SaysWhereNoneCan) {
  const Ended ended =
      port({"i64[0,-1]", "--from", "onnx-reshape-13", "--to", "numpy-reshape", "--valid"});
  EXPECT_EQ(ended.exit_code, 1);
  EXPECT_EQ(ended.out.substr(0, 51), "none: at data [1,0] onnx-reshape-13 produces [1,0],")
      << ended.out;
  expect_in(ended.out, "\n  the last to fail, i64[-1,1], produces [0,1]\n");
}

TEST(Port, TakesAFormOfTheData) {
  const Ended ended = port({"i64[0,-1]", "--from", "onnx-reshape-13", "--to", "numpy-reshape",
                            "--data", "[?,7]", "--valid"});
  EXPECT_EQ(ended.exit_code, 0) << ended.out << ended.err;
  EXPECT_EQ(ended.out.substr(0, ended.out.find('\n')), "i64[-1,7]");
}

TEST(Port, MistakesAreOneSentence) {
  const auto error = [](const std::string& pattern, const std::string& form,
                        const std::string& to) {
    const Ended ended = port({pattern, "--from", "onnx-reshape-13", "--to", to, "--data", form});
    EXPECT_EQ(ended.exit_code, 2);
    EXPECT_EQ(ended.out, "");
    return ended.err;
  };
  for (const char* form : {"[?,]", "?,3", "[-1]", "[3 ]", "[,]", "[a]", "["}) {
    EXPECT_EQ(
        error("i64[0]", form, "numpy-reshape"),
        "--data takes sizes and question marks, as in [?,3,?], not " + std::string(form) + "\n");
  }
  EXPECT_EQ(error("i64[0]", "[?,?,?,?,?,?,?,?,?]", "numpy-reshape"),
            "--data takes at most 8 sizes\n");
  EXPECT_EQ(error("i64[0", "[?]", "numpy-reshape").substr(0, 34),
            "the pattern 'i64[0' cannot be read");
  EXPECT_EQ(error("i64[0]", "[?]", "numpy").substr(0, 32), "unknown dialect \"numpy\"; known: ");
  EXPECT_EQ(error("i64[1,1,1,1,1,1,1,1,1,1,1,1,1]", "[?]", "numpy-reshape"),
            "a pattern of 13 values is longer than 12\n");
}

}  // namespace
}  // namespace reshape::conformance
