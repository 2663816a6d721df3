// A child process behind the commands: run, replay, and doctor, which knows plug-ins as well.
#include "conformance/command/shell_test.h"

namespace reshape::conformance {
namespace {

class ChildProgram : public ShellTest {
 protected:
  ChildProgram() { setenv("PYTHONPATH", RESHAPE_CHILD_SDK, 1); }
  ~ChildProgram() override { unsetenv("PYTHONPATH"); }
  static std::string child(const std::string& wrong = "") {
    return "-i \"child:python3 '" RESHAPE_PLAIN_CHILD "' " + wrong + "\"";
  }
};

// ---- run and replay

TEST_F(ChildProgram, ConformsAndTheMemoryIsNotAsked) {
  const Ran ran = shell("run " + child() + " -f 'numpy-reshape/infer-*' --no-diagnosis");
  expect_says(ran, 0, {"plain 1 conforms"});
  const std::size_t memory = ran.out.find("\n  memory  ");
  ASSERT_NE(memory, std::string::npos) << ran.out;
  const std::string row = ran.out.substr(memory + 1, ran.out.find('\n', memory + 1) - memory - 1);
  std::istringstream words(row);
  std::string plane;
  int pass = -1;
  int fail = -1;
  int not_asked = -1;
  words >> plane >> pass >> fail >> not_asked;
  EXPECT_EQ(pass, 0) << row;
  EXPECT_EQ(fail, 0) << row;
  EXPECT_GT(not_asked, 0) << row;
}

TEST_F(ChildProgram, WhatNeedsALayoutIsSkippedWithTheReason) {
  const Ran ran = shell("run " + child() + " -f '*strided*' -d numpy-reshape --no-diagnosis");
  expect_in(ran.out, "strides and offsets are not sent to a child");
  EXPECT_FALSE(has(ran.out, " 1 pass")) << ran.out;
}

// Cases are written for f32 and patterns of i64, and this child has neither.
TEST_F(ChildProgram, OfFewTypesEveryClauseIsAsked) {
  expect_says(
      shell("run " + child("narrow") + " --tier quick --suite-only --no-laws --no-diagnosis"), 0,
      {"plain 1 conforms"});
  expect_says(shell("doctor " + child("narrow")), 0,
              {"2 of 2 examples (of openvino-reshape-1, numpy-reshape)"});
}

TEST_F(ChildProgram, ACaseInOtherTypesIsKnownByItsId) {
  const std::string id = "numpy-reshape/infer-first~i8~i32-pattern";
  const std::string run = "run " + child("narrow-one-more") + " -f '*/infer-first' --no-diagnosis ";
  expect_says(shell(run), 1, {"FAIL  " + id, "reshape-conformance explain " + id});
  expect_says(shell("run " + child("narrow-one-more") + " --no-diagnosis -f " + id), 1,
              {"FAIL  " + id});
  const std::string known = "--baseline '" + file("known.yaml") + "' ";
  expect_says(shell(run + known + "--mend-baseline"), 0, {"1 known"});
  expect_in(text_of(file("known.yaml")), "id: " + id + "\n");
  const std::string part = "'" + file("part.json") + "'";
  expect_says(shell(run + known + "--shard 1/1 --json " + part), 0, {"1 known"});
  expect_says(shell("merge " + part), 0, {"1 known"});
  expect_says(shell("explain " + id), 0, {"numpy-reshape i8[", " i32["});
  expect_says(shell("replay " + id + " " + child("narrow")), 0, {"verdict   pass"});
  expect_sentence(shell("replay numpy-reshape/infer-first~i9 " + child("narrow")), 2,
                  "no case is called 'numpy-reshape/infer-first~i9'");
}

TEST_F(ChildProgram, AFailureReplaysByItsLine) {
  const Ran ran =
      shell("run " + child("one-more") + " -f 'numpy-reshape/infer-first' --no-diagnosis");
  EXPECT_EQ(ran.code, 1) << ran.out;
  expect_says(shell(advised(ran.out, "replay")), 1, {"verdict   fail (shape fail"});
}

TEST_F(ChildProgram, ADeathIsTheVerdictOfItsCase) {
  expect_says(shell("run " + child("crashes") + " -f 'numpy-reshape/infer-first' --no-diagnosis"),
              1, {"crashed during inference: the child died of SIGABRT"});
}

TEST_F(ChildProgram, ALawThatIsNotAskedSaysWhatIsNotPromised) {
  const Ran ran = shell("run --laws --law-requests 1 --no-diagnosis " + child("data-only"));
  const std::size_t law = ran.out.find("room-for-many");
  ASSERT_NE(law, std::string::npos) << ran.out;
  expect_in(ran.out.substr(law, ran.out.find('\n', law) - law),
            ": the shape alone, without the data, is not promised;");
}

TEST_F(ChildProgram, WhatCannotBeAskedOfAChildIsSaid) {
  expect_sentence(shell("run " + child() + " --exhaustive"), 2, "and this is a child");
  expect_sentence(shell("run --in-process " + child()), 3, "a child cannot live in this process");
  expect_sentence(
      shell("run -i child:/nowhere/mine"), 3,
      "child:/nowhere/mine: it cannot be run: '/nowhere/mine': No such file or directory");
}

// ---- doctor

TEST_F(ChildProgram, ADoctorFindsNothingWrongWithWhatIsRight) {
  for (const std::string& library : {kExample, child(), child("prints")}) {
    const Ran ran = shell("doctor " + library);
    expect_says(ran, 0,
                {"ok      starts", "ok      examples", "ok      refusal", "ok      types",
                 "Nothing is wrong where this looked."});
    EXPECT_FALSE(has(ran.out, "not ok")) << ran.out;
  }
}

TEST_F(ChildProgram, ADoctorKnowsABrokenAdapter) {
  const struct {
    const char* wrong;
    const char* says;
    const char* advises;
  } broken[] = {
      {"crashes", "the child died of SIGABRT", "give this request to the command by hand"},
      {"hangs", "no answer within 1 s", "and flush the answer"},
      {"no-u8", "unsupported (bytes are not done yet)", "or declare less"},
      {"backwards", "C5 bytes", "elements go both ways in row-major order"},
  };
  for (const auto& [wrong, says, advises] : broken) {
    expect_says(shell("doctor --deadline 1 " + child(wrong)), 1,
                {"not ok", says, advises, "The adapter is to be looked at first",
                 "again     reshape-conformance replay -v '"});
  }
}

TEST_F(ChildProgram, ADoctorKnowsAWrongImplementation) {
  expect_says(shell("doctor " + child("accepts-all")), 1,
              {"not ok  refusal", "see that every error of the library becomes 'rejected'",
               "The adapter works; the implementation answers 1 of these wrongly"});
  expect_says(shell("doctor -d openvino-reshape-1 " + kWrong, "writes-on-rejection"), 1,
              {"The adapter works; the implementation"});
}

TEST_F(ChildProgram, ADoctorAsksTypesThatTheDocumentLeavesOpen) {
  expect_says(shell("doctor " + child("bf16-backwards")), 1,
              {"not ok  types       numpy-reshape: 4 of 5 declared types",
               "asked     numpy-reshape bf16[3,5] i64[5,3]"});
}

TEST_F(ChildProgram, ADoctorSaysWhichDeclaredTypesItDidNotAsk) {
  expect_says(shell("doctor -d onnx-reshape-13 " + kReference), 0,
              {"declared types of data and pattern are answered; not asked: data of ",
               "; not asked: patterns of "});
  EXPECT_FALSE(has(shell("doctor " + child()).out, "not asked"));
}

TEST_F(ChildProgram, ADoctorTellsTheFaultThatARunTells) {
  const Ran ran = shell("doctor -d openvino-reshape-1 " + kWrong, "execute-refuses-without-a-word");
  expect_says(ran, 1,
              {"examples (of openvino-reshape-1, onednn-graph-static-reshape-1) are answered",
               "with a fault beside the answer", "expected  every answer but ok carries a message",
               "answered  rejected without a message", "fault     C19 message",
               "probe     execution into another shape", "alike     ", "see C19 in CONTRACT.md",
               "answers rightly, and breaks the contract beside"});
  const std::string fault = "rejected without a message";
  EXPECT_EQ(ran.out.find(fault), ran.out.rfind(fault)) << "told more than once: " << ran.out;
}

// A command that shows nothing would be taken for a mistake of the doctor's.
TEST_F(ChildProgram, ADoctorPrintsAReplayOnlyWhereItFailsAlone) {
  const Ran ran = shell("doctor -d openvino-reshape-1 " + kWrong, "call-1000-fails");
  expect_says(ran, 1,
              {"again     alone in a fresh process it passes, so it hangs on what was asked"});
  EXPECT_FALSE(has(ran.out, "replay -v")) << ran.out;
}

TEST_F(ChildProgram, ADoctorSaysThatUnsupportedIsNoRefusal) {
  expect_says(
      shell("doctor " + child("not-today")), 1,
      {"unsupported (the volume differs)", "answer 'rejected': the document refuses it (C18)",
       "The adapter works; the implementation answers 1 of these wrongly"});
}

TEST_F(ChildProgram, ADoctorStopsAfterTheSecondHang) {
  const Ran ran = shell("doctor --deadline 1 " + child("hangs"));
  expect_says(ran, 1,
              {"0 of 2 examples", "not ok  stopped     2 requests got no answer: no more are asked",
               "The adapter is to be looked at first: some answers never came"});
  EXPECT_FALSE(has(ran.out, "types")) << ran.out;
}

TEST_F(ChildProgram, ADoctorThatCannotBegin) {
  const Ran ran = shell("doctor -i 'child:false'");
  EXPECT_EQ(ran.code, 3) << ran.out;
  EXPECT_EQ(ran.out, "not ok  starts      child:false: before its hello it ended with exit(1)\n");
  EXPECT_EQ(shell("doctor -i /nowhere/libmine.so").code, 3);
  expect_sentence(shell("doctor -d none " + child()), 2, "there is no dialect 'none'");
  EXPECT_EQ(shell("doctor").code, 2);
}

}  // namespace
}  // namespace reshape::conformance
