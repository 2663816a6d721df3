// A child dies, hangs, floods or answers nonsense, and the next request gets a new one.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "conformance/adapter/testing/asking.h"
#include "conformance/adapter/testing/processes.h"
#include "conformance/model/judge.h"
#include "conformance/text/testing/expect_in.h"

namespace reshape::conformance {
namespace {
using namespace testing_adapter;
using Kind = Outcome::Kind;

const std::string kChild = std::string("child:python3 '") + RESHAPE_HOSTILE_CHILD + "'";

std::unique_ptr<Adapter> start_hostile(double deadline_seconds = 10, const std::string& how = "") {
  return start(false, deadline_seconds, kChild + (how.empty() ? "" : " " + how));
}

TEST(Child, AnswersWithShapeAndEveryPayload) {
  const Outcome outcome = start_hostile()->ask(request("right"));
  EXPECT_EQ(outcome.kind, Kind::produced) << words(outcome);
  EXPECT_EQ(outcome.shape, (Shape{3, 2}));
  ASSERT_EQ(outcome.executions.size(), 2u);
  EXPECT_EQ(text(outcome.executions[0].probe), "ask=sent payload=distinct");
  EXPECT_EQ(text(outcome.executions[1].probe), "ask=sent payload=hard");
  EXPECT_EQ(outcome.executions[0].elements.size(), 24u);
  EXPECT_NE(outcome.executions[0].elements, outcome.executions[1].elements);
}

TEST(Child, NarrowTypesAreSentInAllTheirRounds) {
  const auto adapter = start_hostile();
  const Outcome outcome = adapter->ask(request("right", "u8[300] i64[-1] special_zero=true"));
  ASSERT_EQ(outcome.executions.size(), 3u) << words(outcome);
  EXPECT_EQ(outcome.executions[1].probe.round, 1);
  const Outcome halves = adapter->ask(request("right", "i4[3] i64[-1] elements=[1,-2,3]"));
  ASSERT_EQ(halves.executions.size(), 1u) << words(halves);
  EXPECT_EQ(halves.executions[0].elements, (std::vector{std::byte{0xe1}, std::byte{0x03}}));
}

TEST(Child, TheShapeAloneIsAskedWithoutData) {
  const Outcome outcome = start_hostile()->ask(
      request("right", "f32[4611686018427387904] i64[-1] special_zero=true shape_only=true"));
  EXPECT_EQ(outcome.kind, Kind::produced) << words(outcome);
  EXPECT_TRUE(outcome.executions.empty());
}

TEST(Child, ALargeRequestAndALargeAnswerPass) {
  const Outcome outcome = start_hostile(60)->ask(request("right", "f32[3000001] i64[-1,1]"));
  ASSERT_EQ(outcome.kind, Kind::produced) << words(outcome);
  EXPECT_TRUE(outcome.executions.front().as_placed);
}

TEST(Child, TheMemoryIsNeverSaidToBeLookedAt) {
  const auto adapter = start_hostile();
  const Request asked = request("right");
  const Verdict verdict =
      judge(asked, {Ruling::produces({3, 2}), {}}, adapter->capabilities(), adapter->ask(asked));
  EXPECT_EQ(verdict.kind, Verdict::Kind::pass);
  EXPECT_EQ(verdict.planes[static_cast<std::size_t>(Plane::memory)],
            Verdict::PlaneState::not_asked);
}

// --- wrong answers ------------------------------------------------------------------------------

struct Wrong {
  const char* dialect;
  Kind kind;
  const char* says;
};
void PrintTo(const Wrong& one, std::ostream* out) { *out << one.dialect; }

class Answers : public testing::TestWithParam<Wrong> {};

TEST_P(Answers, AndTheNextRequestIsAnsweredByANewChild) {
  const Wrong& one = GetParam();
  const auto adapter = start_hostile(2);
  const Outcome outcome = adapter->ask(request(one.dialect));
  EXPECT_EQ(outcome.kind, one.kind) << words(outcome);
  EXPECT_NE(outcome.message.find(one.says), std::string::npos) << words(outcome);
  EXPECT_EQ(outcome.during, "inference");
  const Outcome next = adapter->ask(request("right"));
  EXPECT_EQ(next.kind, Kind::produced) << words(next);
}

// A second answer is noticed at once or with the next question, depending on how quickly it is
// written.
TEST(Child, ASecondAnswerIsMetWheneverItComes) {
  const auto adapter = start_hostile(2);
  const Outcome outcome = adapter->ask(request("twice"));
  EXPECT_EQ(outcome.kind, Kind::malformed) << words(outcome);
  EXPECT_TRUE(has(outcome.message, "it wrote more than one line as its answer") ||
              has(outcome.message, "its answer has id 1000003, and was asked 2000006") ||
              has(outcome.message, "it wrote a line before it had read a question"))
      << words(outcome);
  const Outcome next = adapter->ask(request("right"));
  EXPECT_EQ(next.kind, Kind::produced) << words(next);
}

INSTANTIATE_TEST_SUITE_P(
    Ways, Answers,
    testing::Values(
        Wrong{"crash", Kind::crashed,
              "the child died of SIGSEGV (a bad memory access) instead of answering; it printed "
              "last: assertion failed: the sky is blue"},
        Wrong{"abort", Kind::crashed, "the child died of SIGABRT"},
        Wrong{"exit-0", Kind::crashed, "the child ended with exit(0) instead of answering"},
        Wrong{"exit-7", Kind::crashed, "the child ended with exit(7) instead of answering"},
        Wrong{"kill-group", Kind::crashed, "the child died of SIGKILL"},
        Wrong{"kill-parent", Kind::crashed, "the child died of SIGKILL"},
        Wrong{"stop-parent", Kind::crashed,
              "the child stopped the process that started it, and was ended instead of answering"},
        Wrong{"half-a-line", Kind::crashed, "the child ended with exit(0) instead of answering"},
        Wrong{"close-output", Kind::timed_out,
              "the child closed its standard output instead of answering, and did not end"},
        Wrong{"hang", Kind::timed_out, "no answer within 2 s"},
        Wrong{"flood", Kind::malformed, "its answer is longer than 1048640 bytes"},
        Wrong{"garbage", Kind::malformed, "its answer is no JSON: "},
        Wrong{"empty-line", Kind::malformed, "its answer is no JSON: "},
        Wrong{"nul", Kind::malformed, "its answer holds a NUL, which no text does, as its byte "},
        Wrong{"list", Kind::malformed, "its answer is no JSON object"},
        Wrong{"two-shapes", Kind::malformed,
              "its answer can be read in two ways: the key \"shape\" is given twice in produced"},
        Wrong{"nothing", Kind::malformed,
              "its answer says none of produced, rejected and unsupported"},
        Wrong{"both", Kind::malformed, "its answer says more than one of produced, rejected"},
        Wrong{"wrong-id", Kind::malformed, "its answer has id 1000004, and was asked 1000003"},
        Wrong{"text-id", Kind::malformed,
              "its answer has 'id' \"1000003\", which is no integer of 63 bits"},
        Wrong{"negative", Kind::malformed, "its answer has 'shape[0]' -2, which is below 0"},
        Wrong{"huge", Kind::malformed,
              "its answer has 'shape[0]' 1.1805916207174113e+21, which is no integer"},
        Wrong{"above-int64", Kind::malformed,
              "its answer has 'shape[0]' 9223372036854775808, which is above 9223372036854775807"},
        Wrong{"fraction", Kind::malformed,
              "its answer has 'shape[0]' 2.5, which is no integer of 63 bits"},
        Wrong{"overflow", Kind::malformed,
              "its answer is no JSON: number overflow parsing '1e400'"},
        Wrong{"no-list", Kind::malformed, "its answer has 'shape', which is no list"},
        Wrong{"no-shape", Kind::malformed, "its answer has no 'shape'"},
        Wrong{"no-base64", Kind::malformed, "its answer has 'data' that is no base64: "},
        Wrong{"no-data", Kind::malformed, "its answer has no 'data', and data was sent"},
        Wrong{"short-data", Kind::malformed,
              "its answer has 'data' of 20 bytes, where 6 elements of f32 take 24"},
        Wrong{"no-message", Kind::malformed, "its answer has no 'message'"}));

TEST(Child, ARefusalIsAnAnswer) {
  const auto adapter = start_hostile();
  const Outcome rejected = adapter->ask(request("rejects"));
  EXPECT_EQ(rejected.kind, Kind::rejected);
  EXPECT_EQ(rejected.message, "it differs \\u202e");  // printable
  EXPECT_TRUE(rejected.executions.empty());
  EXPECT_EQ(adapter->ask(request("unsupported")).kind, Kind::unsupported);
}

TEST(Child, AWrongVolumeIsItsAnswerAndNoElementsAreCompared) {
  const Outcome outcome = start_hostile()->ask(request("wrong-volume"));
  EXPECT_EQ(outcome.kind, Kind::produced) << words(outcome);
  EXPECT_EQ(outcome.shape, (Shape{3, 3}));
  EXPECT_TRUE(outcome.executions.empty());
}

// In JSON -0 is an integer, and not negative.
TEST(Child, MinusNothingIsNothing) {
  const Outcome outcome = start_hostile()->ask(request("minus-nothing"));
  EXPECT_EQ(outcome.kind, Kind::produced) << words(outcome);
  EXPECT_EQ(outcome.shape, (Shape{0, 3}));
}

TEST(Child, WhatItAnsweredBeforeADeathIsKept) {
  const Outcome outcome = start_hostile()->ask(request("second-crashes"));
  EXPECT_EQ(outcome.kind, Kind::crashed);
  EXPECT_EQ(outcome.during, "ask=sent payload=hard");
  EXPECT_EQ(outcome.shape, (Shape{3, 2}));
  EXPECT_EQ(outcome.executions.size(), 1u);
}

TEST(Child, AnotherAnswerToOtherDataIsSeen) {
  const auto adapter = start_hostile();
  const Outcome outcome = adapter->ask(request("second-differs"));
  EXPECT_TRUE(
      saw(outcome, CaughtBy::same_answer, Duty::C17, "it answered [3,2], and to other data [2,3]"))
      << words(outcome);
  const Outcome refused = adapter->ask(request("second-rejects"));
  ASSERT_EQ(refused.executions.size(), 2u) << words(refused);
  EXPECT_EQ(refused.executions[1].status, Status::rejected);
}

TEST(Child, WhatClosesItsInputIsToldAtTheNextRequest) {
  const auto adapter = start_hostile(2);
  Request one = request("close-input");
  one.payload = Payload::hard;
  EXPECT_EQ(adapter->ask(one).kind, Kind::produced);
  usleep(200'000);
  const Outcome next = adapter->ask(request("right"));
  EXPECT_EQ(next.kind, Kind::timed_out);
  EXPECT_NE(next.message.find("closed its standard input"), std::string::npos) << words(next);
  EXPECT_EQ(adapter->ask(request("right")).kind, Kind::produced);
}

TEST(Child, WhatClosesItsOutputBehindAnAnswerIsAHangOfTheNextRequest) {
  const auto adapter = start_hostile(2);
  Request one = request("close-output-behind");
  one.payload = Payload::hard;
  EXPECT_EQ(adapter->ask(one).kind, Kind::produced);
  usleep(200'000);
  const Outcome next = adapter->ask(request("right"));
  EXPECT_EQ(next.kind, Kind::timed_out);
  EXPECT_NE(next.message.find("closed its standard output, and did not end"), std::string::npos)
      << words(next);
  EXPECT_EQ(adapter->ask(request("right")).kind, Kind::produced);
}

// A checker around the child tells what it found by the code with which it exits.
TEST(Child, HasToEndWellWhenItsInputEnds) {
  const auto end_of = [](const char* way) {
    const auto adapter = start_hostile(2);
    const Outcome outcome = adapter->ask(request(way));
    EXPECT_EQ(outcome.kind, Kind::produced) << words(outcome);
    const auto bad = adapter->end_process();
    EXPECT_EQ(adapter->ask(request("right")).kind, Kind::produced);  // of a new child
    return bad ? bad->how : "";
  };
  EXPECT_EQ(end_of("right"), "");
  EXPECT_EQ(end_of("77-at-the-end"), "ended with exit(77)");
  EXPECT_EQ(end_of("aborts-at-the-end"), "died of SIGABRT (abort)");
  EXPECT_EQ(end_of("hangs-at-the-end"), "had not ended after 2 s");
  EXPECT_EQ(end_of("talks-at-the-end"), "wrote a line behind its last answer");
}

TEST(Child, AFloodOfWordsIsReadAndForgotten) {
  EXPECT_EQ(start_hostile(60)->ask(request("flood-errors")).kind, Kind::produced);
}

TEST(Child, ALayoutIsNotSent) {
  const Outcome outcome = start_hostile()->ask(request("right", "f32[2,3] i64[3,2] strides=[1,2]"));
  EXPECT_EQ(outcome.kind, Kind::unsupported);
}

TEST(Child, WhatItWasAskedBeforeIsKept) {
  const auto adapter = start_hostile();
  adapter->ask(request("right"));
  adapter->ask(request("rejects"));
  const AskedBefore before = adapter->asked_before();
  ASSERT_EQ(before.count, 1u);
  EXPECT_EQ(before.lines->at(0), "right f32[2,3] i64[3,-1] special_zero=true");
}

// --- starting -----------------------------------------------------------------------------------

TEST(ChildStart, EveryFailureIsOneSentence) {
  const auto hostile = [](const std::string& how) {
    const std::string error = start_error(kChild + " " + how);
    const std::string place = kChild + " " + how + ": ";
    EXPECT_EQ(error.find(place), 0u) << error;
    return error.substr(std::min(place.size(), error.size()));
  };
  EXPECT_EQ(start_error("child:"), "child:: it names no program");
  EXPECT_EQ(start_error("child:python3 'a"), "child:python3 'a: the quote ' never ends");
  EXPECT_EQ(start_error("child:/nowhere/mine"),
            "child:/nowhere/mine: it cannot be run: '/nowhere/mine': No such file or directory");
  EXPECT_EQ(start_error("child:/tmp"), "child:/tmp: it cannot be run: '/tmp': Permission denied");
  EXPECT_EQ(start_error("child:true"), "child:true: before its hello it ended with exit(0)");
  EXPECT_EQ(hostile("exit"), "before its hello it ended with exit(3)");
  EXPECT_EQ(hostile("banner").find("its first line, which is to be its hello, is no JSON: "), 0u);
  EXPECT_EQ(hostile("flood"),
            "its first line, which is to be its hello, is longer than 65536 bytes");
  const std::string hello = "its first line, which is to be its hello, ";
  EXPECT_EQ(hostile("protocol"), hello + "speaks protocol 2, and this program speaks 1");
  EXPECT_EQ(hostile("no-name"), hello + "has no 'name'");
  EXPECT_EQ(hostile("blank-name"), hello + "has an empty 'name'");
  EXPECT_EQ(hostile("signal"), "before its hello it died of SIGUSR1 (a signal for users)");
  EXPECT_EQ(hostile("deep"), hello + "has 'name' [...], which is no text");
  EXPECT_EQ(hostile("type"), hello + "has the unknown type 'float' in 'element_types'");
  EXPECT_EQ(hostile("pattern-type"),
            hello + "has 'f32' in 'pattern_types', which is no integer type");
  EXPECT_EQ(hostile("rank"), hello + "has 'max_rank' -1, which is below 0");
  EXPECT_EQ(hostile("answers"), hello + "has the unknown word 'views' in 'answers'");
  EXPECT_EQ(hostile("talks-on"), "it says more than its hello before it is asked");
}

TEST(ChildStart, ACommandThatCannotBeRunSaysWhatIsMissing) {
  const std::string folder = ::testing::TempDir() + "commands-" + std::to_string(getpid());
  std::filesystem::create_directory(folder);
  const auto script = [&](const std::string& name, const std::string& text) {
    const std::string path = folder + "/" + name;
    std::ofstream(path) << text;
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    return path;
  };
  const auto says = [](const std::string& command, const std::string& what) {
    const std::string error = start_error("child:" + command);
    EXPECT_NE(error.find("it cannot be run: " + what), std::string::npos) << error;
  };
  const std::string missing = script("missing.py", "#!/nowhere/python3 -u\n");
  says(missing, "'" + missing + "' is there, and '/nowhere/python3', which its #! line names");
  const std::string bare = script("bare.py", "import sys\n");
  says(bare, "'" + bare + "' is no program and has no #! line");
  const std::string returns = script("returns.py", "#!/usr/bin/env python3\r\n");
  says(returns, "the first line of '" + returns + "' ends with a carriage return");
  const std::string parted = script("my child.py", "#!/bin/sh\n");
  says(parted,
       "'" + folder + "/my': No such file or directory; there is '" + parted + "': quote it");
  says("nosuchprogram a", "no folder of PATH has 'nosuchprogram'");
  says("cd /tmp && true", "no folder of PATH has 'cd'; no shell is started: name one");
  says("A=b true", "no folder of PATH has 'A=b'; no shell is started: a variable is set by");
  says("~/x.py", "'~/x.py': No such file or directory; no shell is started, and nothing is");
  std::filesystem::remove_all(folder);
}

TEST(ChildStart, TheHelloSaysWhatIsAsked) {
  const auto adapter = start_hostile();
  const Capabilities& can = adapter->capabilities();
  EXPECT_EQ(can.name, "hostile");
  EXPECT_EQ(can.element_types.text(), "f32 i4 u8");
  EXPECT_TRUE(can.infers_alone);
  EXPECT_FALSE(can.in_memory || can.shape_only || can.strided_input || can.in_place || can.views);
  const auto shapes = start_hostile(10, "shapes-only");
  EXPECT_TRUE(shapes->capabilities().shape_only);
  EXPECT_TRUE(shapes->ask(request("right")).executions.empty());
  const auto data = start_hostile(10, "data-only");
  EXPECT_FALSE(data->capabilities().infers_alone);
  EXPECT_EQ(data->ask(request("right", "f32[2,3] i64[3,2] shape_only=true")).kind,
            Kind::unsupported);
  EXPECT_EQ(data->capabilities().max_rank, 8);
  EXPECT_EQ(data->capabilities().max_bytes, 64);
}

TEST(ChildStart, ALaterChildIsHeldToTheFirstHello) {
  const auto adapter = start_hostile();
  EXPECT_TRUE(adapter->ask(request("right")).at_first_use.empty());
  setenv("RESHAPE_HELLO", R"({"element_types": ["u8"], "answers": ["shapes"]})", 1);
  adapter->ask(request("exit-7"));
  const Outcome later = adapter->ask(request("right"));
  unsetenv("RESHAPE_HELLO");
  EXPECT_FALSE(adapter->capabilities().shape_only);
  EXPECT_EQ(later.executions.size(), 2u) << words(later);
  ASSERT_EQ(later.at_first_use.size(), 1u);
  EXPECT_EQ(later.at_first_use[0].saw,
            "a later start of it declares element_types u8, and the first f32 i4 u8");
}

// --- what is left -------------------------------------------------------------------------------

class ChildLeaves : public testing::Test {
 protected:
  ChildLeaves() {
    std::filesystem::remove(path);
    setenv("RESHAPE_PID_FILE", path.c_str(), 1);
  }
  ~ChildLeaves() override { unsetenv("RESHAPE_PID_FILE"); }
  const std::string path = testing::TempDir() + "child-pid";
};

TEST_F(ChildLeaves, NoDaemonBehind) {
  auto adapter = start_hostile();
  Request one = request("daemon");
  one.payload = Payload::hard;
  EXPECT_EQ(adapter->ask(one).kind, Kind::produced);
  const pid_t daemon = pid_in(path);
  ASSERT_GT(daemon, 0);
  EXPECT_EQ(kill(daemon, 0), 0);
  adapter.reset();
  EXPECT_TRUE(comes_true([&] { return kill(daemon, 0) != 0; })) << daemon;
}

TEST_F(ChildLeaves, WithARunnerThatIsKilled) {
  const pid_t runner = fork();
  if (runner == 0) {
    start_hostile(600)->ask(request("hang"));
    _exit(0);
  }
  const pid_t child = pid_in(path);
  ASSERT_GT(child, 0);
  kill(runner, SIGKILL);
  waitpid(runner, nullptr, 0);
  EXPECT_TRUE(comes_true([&] { return kill(child, 0) != 0; })) << child;
}

TEST_F(ChildLeaves, NoFilesOpen) {
  const auto before = open_files();
  {
    const auto adapter = start_hostile();
    for (int turn = 0; turn < 5; ++turn) adapter->ask(request("exit-7"));
    start_error("child:/nowhere/mine");
  }
  EXPECT_EQ(open_files(), before);
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);  // nobody is left to wait for
}

}  // namespace
}  // namespace reshape::conformance
