#include "conformance/performance/worker_commands.h"

#include <gtest/gtest.h>

#include <limits>

#include "conformance/text/testing/expect_in.h"

namespace reshape::conformance::performance {
namespace {

Answer timed() {
  Answer answer;
  answer.nonce = "0123";
  answer.seconds = 1e-6;
  answer.blocks = {1e-6, 2e-6};
  answer.yardsticks = {{"memcpy", {1e-6}}, {"memcpy alone", {1e-6}}, {"product loop", {1e-9}}};
  return answer;
}

Result<Answer> received(const Answer& answer) { return answer_of(line_of(answer), "0123"); }

TEST(WorkerAnswer, IsReadAsItWasWritten) {
  const Result<Answer> read = received(timed());
  ASSERT_TRUE(read.ok()) << read.error().text();
  EXPECT_EQ(read->blocks, timed().blocks);
  EXPECT_EQ(read->yardsticks, timed().yardsticks);
  const Result<Answer> nothing = answer_of(line_of(Answer{}), "");
  EXPECT_TRUE(nothing.ok()) << nothing.error().text();
}

TEST(WorkerAnswer, ALineWithoutTheNonceOfTheCommandIsNone) {
  for (const std::string& line : {line_of(Answer{}), std::string("{}"), std::string("null"),
                                  std::string(), "{" + line_of(timed())}) {
    const Result<Answer> read = answer_of(line, "0123");
    ASSERT_FALSE(read.ok()) << line;
    expect_in(read.error().text(), "answers nothing");
  }
}

TEST(WorkerAnswer, ATimeThatNoCallTakesIsRefused) {
  for (const double seconds : {0.0, -1.0, 1e-320, 1e-13, std::numeric_limits<double>::infinity()}) {
    Answer block = timed(), yardstick = timed(), call = timed();
    block.blocks.push_back(seconds);
    yardstick.yardsticks["memcpy"].push_back(seconds);
    call.seconds = seconds;
    EXPECT_FALSE(received(block).ok()) << seconds;
    EXPECT_FALSE(received(yardstick).ok()) << seconds;
    EXPECT_EQ(received(call).ok(), seconds == 0) << seconds;  // 0: nothing was asked about it
  }
}

TEST(WorkerAnswer, AYardstickOfAnotherNameIsRefused) {
  Answer answer = timed();
  answer.yardsticks["mem\ncpy"] = {1e-6};
  EXPECT_FALSE(received(answer).ok());
}

TEST(WorkerAnswer, WhatItSaysIsPrintable) {
  Answer answer = timed();
  answer.why = "\x1b[31m\n::error::x";
  const Result<Answer> read = received(answer);
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->why.find_first_of("\x1b\n"), std::string::npos) << read->why;
}

}  // namespace
}  // namespace reshape::conformance::performance
