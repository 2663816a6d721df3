#include <gtest/gtest.h>

#include "conformance/command/console_test.h"

namespace reshape::conformance {
namespace {

constexpr const char* kExample = "openvino-reshape-1 f32[2,5,5,24] i64[0,-1,4] special_zero=true";

Ended infer(std::vector<std::string> arguments, const std::string& input = {}) {
  return run_command(add_infer, std::move(arguments), input);
}

TEST(Infer, AnswersInTheThreeWays) {
  EXPECT_EQ(infer({kExample}).out, "produces [2,150,4]\n");
  EXPECT_EQ(infer({kExample}).exit_code, 0);
  EXPECT_EQ(infer({"openvino-reshape-1 f32[4] i64[-1,-1] special_zero=true"}).out,
            "rejects minus-one.once\n");
  EXPECT_EQ(infer({"onednn-static-reshape f32[0,3] i64[0,-1] special_zero=true"}).out,
            "unspecified minus-one.beside-copied-zero permits rejects | produces [0,*]\n");
}

TEST(Infer, AMalformedLineIsAnErrorWithItsColumn) {
  const Ended ended = infer({"openvino-reshape-1 f32[2,5,5,24] i64[0,-1,4] zero=true"});
  EXPECT_EQ(ended.exit_code, 2);
  EXPECT_EQ(ended.out, "");
  EXPECT_EQ(ended.err.substr(0, 41), "malformed: column 46: unknown word \"zero\"");
}

TEST(Infer, AnUnknownDialectIsAnErrorThatNamesTheKnownOnes) {
  const TestFolder folder(small_specs());
  const Ended ended = infer({"--specs", folder.path(), "tf-reshape f32[2] i64[2]"});
  EXPECT_EQ(ended.exit_code, 2);
  EXPECT_EQ(ended.err,
            "malformed: column 1: unknown dialect \"tf-reshape\"; known: small-reshape\n");
}

TEST(Infer, EveryLineGetsItsAnswerInOrder) {
  const std::string small = "small-reshape f32[2,3] i64[3,-1] plain_zero=no";
  const TestFolder folder(small_specs());
  const Ended ended = infer({"--specs", folder.path(), "--from", "-"},
                            "# a comment\n" + small + "\n\nnonsense\n  other f32[] i64[]\r\n \t\n" +
                                small + " in_place=true");
  EXPECT_EQ(ended.out,
            "\n"
            "produces [3,2]\n"
            "\n"
            "malformed: column 9: expected the data, as in f32[2,3], not the end of the line\n"
            "malformed: column 3: unknown dialect \"other\"; known: small-reshape\n"
            "\n"
            "produces [3,2]\n");
  EXPECT_EQ(ended.exit_code, 2);
  EXPECT_EQ(ended.err, "");
}

TEST(Infer, ReadsRequestsFromAFile) {
  const TestFolder folder({{"requests", std::string(kExample) + "\n" + kExample + "\n"}});
  const Ended ended = infer({"--from", folder.path() + "/requests"});
  EXPECT_EQ(ended.out, "produces [2,150,4]\nproduces [2,150,4]\n");
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_EQ(infer({"--from", folder.path() + "/none"}).err,
            folder.path() + "/none: cannot be read: No such file or directory\n");
  EXPECT_EQ(infer({"--from", folder.path()}).exit_code, 2);
}

TEST(Infer, NeedsARequestOrAFile) {
  EXPECT_EQ(infer({}).err, "infer needs a request or --from FILE, and not both\n");
  EXPECT_EQ(infer({kExample, "--from", "-"}).exit_code, 2);
}

TEST(Infer, ExplainsBelowTheAnswer) {
  const std::string out = infer({kExample, "--explain"}).out;
  EXPECT_EQ(out.substr(0, 21), "produces [2,150,4]\n  ");
  expect_in(out, "\n  zero.copies: ");
  expect_in(out, "\n  minus-one.inferred: ");
}

TEST(Infer, ABadFolderIsAnError) {
  const TestFolder folder(spoiled("suite.yaml", "version", "versoin"));
  const Ended ended = infer({"--specs", folder.path(), kExample});
  EXPECT_EQ(ended.exit_code, 2);
  EXPECT_EQ(ended.err, folder.path() + "/suite.yaml:1: suite.yaml needs the key \"version\"\n");
}

// An input like a pipe: it has nothing buffered until the reader asks for more, and records what
// the program had answered by then.
class Conversation : public std::streambuf {
 public:
  Conversation(std::vector<std::string> lines, const std::ostringstream& answers)
      : lines_(std::move(lines)), answers_(answers) {}
  std::vector<std::string> answered_before;

 protected:
  std::streamsize showmanyc() override { return 0; }
  int_type underflow() override {
    if (next_ == lines_.size()) return traits_type::eof();
    answered_before.push_back(answers_.str());
    std::string& line = lines_[next_++];
    setg(line.data(), line.data(), line.data() + line.size());
    return traits_type::to_int_type(line[0]);
  }

 private:
  std::vector<std::string> lines_;
  const std::ostringstream& answers_;
  std::size_t next_ = 0;
};

// Appends to `answers` only when it is flushed.
class Buffered : public std::stringbuf {
 public:
  explicit Buffered(std::ostringstream& answers) : answers_(answers) {}

 protected:
  int sync() override {
    answers_ << str();
    str("");
    return 0;
  }

 private:
  std::ostringstream& answers_;
};

TEST(Infer, AnswersBeforeItWaitsForMore) {
  std::ostringstream answers;
  Buffered buffered(answers);
  Conversation conversation({std::string(kExample) + "\n", std::string(kExample) + "\n"}, answers);
  std::ostream out(&buffered);
  std::ostringstream err;
  std::istream in(&conversation);
  Console console{out, err, in};
  CLI::App app;
  add_infer(app, console);
  app.parse(std::vector<std::string>{"-", "--from", "infer"});
  ASSERT_EQ(conversation.answered_before.size(), 2u);
  EXPECT_EQ(conversation.answered_before[1], "produces [2,150,4]\n");
}

}  // namespace
}  // namespace reshape::conformance
