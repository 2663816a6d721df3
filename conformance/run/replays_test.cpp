#include "conformance/run/replays.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "conformance/adapter/examine/request_between.h"
#include "conformance/run/testing/small_suite.h"
#include "conformance/text/line.h"

namespace reshape::conformance {
namespace {

using Lines = std::vector<std::string>;

const auto kNever = [] { return false; };

bool holds_all(const Lines& lines, const Lines& wanted) {
  return std::all_of(wanted.begin(), wanted.end(), [&](const std::string& one) {
    return std::find(lines.begin(), lines.end(), one) != lines.end();
  });
}

RC_GTEST_PROP(Fewest, KeepsWhatIsNeededAndNothingElse, ()) {
  Lines lines;
  const int count = *rc::gen::inRange(1, 60);
  for (int line = 0; line < count; ++line) lines.push_back(std::to_string(line));
  Lines wanted;
  for (const std::string& line : lines) {
    if (*rc::gen::inRange(0, count) < 3) wanted.push_back(line);
  }
  if (wanted.empty()) wanted.push_back(lines.front());
  const Lines found =
      fewest(lines, [&](const Lines& some) { return holds_all(some, wanted); }, kNever);
  RC_ASSERT(found == wanted);
}

TEST(Fewest, EndsWhenTheTimeIsOver) {
  const Lines lines(1000, "a");
  int tries = 0;
  const Lines left = fewest(lines, [&](const Lines&) { return true; }, [&] { return ++tries > 3; });
  EXPECT_GT(left.size(), 1u);
  EXPECT_LT(left.size(), lines.size());
}

// Records what it is asked, as a process's history; `wrong` decides from request and history.
class Remembering final : public Adapter {
 public:
  using Wrong = std::function<bool(const Lines& before, const std::string& line)>;
  explicit Remembering(Wrong wrong) : wrong_(std::move(wrong)) {}

  const Capabilities& capabilities() const override { return capabilities_; }
  AskedBefore asked_before() const override { return {asked_, asked_->size() - 1}; }
  Outcome ask(const Request& request) override {
    const std::string line = print_line(request);
    Outcome outcome = testing::right_answer(request);
    if (wrong_(*asked_, line)) outcome.shape = Shape{12345};
    asked_->push_back(line);
    return outcome;
  }

 private:
  Wrong wrong_;
  Capabilities capabilities_ = testing::everything();
  std::shared_ptr<Lines> asked_ = std::make_shared<Lines>();
};

class HowItReplays : public ::testing::Test {
 protected:
  const Suite suite = testing::small_suite();

  const Case& asked(std::size_t number) const {
    return suite.documents[number / 5].cases[number % 5];
  }
  std::string line(std::size_t number) const { return print_line(asked(number).request); }

  // The index of the last case whose answer is a shape.
  std::size_t last_produced() const {
    std::size_t number = 9;
    while (asked(number).expect.kind != Ruling::Kind::produces) --number;
    return number;
  }

  RunResult run_on(const Remembering::Wrong& wrong,
                   const Bounds& bounds = Bounds(RunOptions())) const {
    Remembering adapter(wrong);
    const StartAdapter start = [wrong]() -> Result<std::unique_ptr<Adapter>> {
      return std::unique_ptr<Adapter>(std::make_unique<Remembering>(wrong));
    };
    RunResult result = *run(testing::whole(suite), adapter, start);
    std::vector<CaseResult*> failed;
    for (CaseResult& one : result.cases) {
      if (one.failed()) failed.push_back(&one);
    }
    look_how_they_replay(start, bounds, {5, 5}, suite, failed);
    return result;
  }
};

TEST_F(HowItReplays, AloneWhereTheRequestIsEnough) {
  const std::string bad = line(last_produced());
  const RunResult result =
      run_on([bad](const Lines&, const std::string& asked) { return asked == bad; });
  ASSERT_TRUE(result.cases[last_produced()].failed());
  EXPECT_EQ(result.cases[last_produced()].replays.how, Replays::How::alone);
}

TEST_F(HowItReplays, OnlyAfterTheTwoRequestsThatItNeeds) {
  const std::string bad = line(last_produced());
  const Lines needed = {line(1), line(last_produced() - 1)};
  const RunResult result = run_on([&](const Lines& before, const std::string& asked) {
    return asked == bad && holds_all(before, needed);
  });
  ASSERT_TRUE(result.cases[last_produced()].failed());
  EXPECT_EQ(result.cases[last_produced()].replays.how, Replays::How::after);
  EXPECT_EQ(result.cases[last_produced()].replays.lines, needed);
}

TEST_F(HowItReplays, AfterItselfWhereTheNumberOfCallsIsWhatMatters) {
  const std::string bad = line(last_produced());
  const RunResult result = run_on([&](const Lines& before, const std::string& asked) {
    return asked == bad && before.size() > 4;
  });
  ASSERT_TRUE(result.cases[last_produced()].failed());
  EXPECT_EQ(result.cases[last_produced()].replays.how, Replays::How::after);
  EXPECT_EQ(result.cases[last_produced()].replays.lines, Lines(5, bad));
}

TEST_F(HowItReplays, AtTimesWhereItFailsAloneInSomeProcesses) {
  const std::string bad = line(last_produced());
  int times = 0;
  const RunResult result = run_on(
      [&](const Lines&, const std::string& asked) { return asked == bad && times++ % 3 != 1; });
  ASSERT_TRUE(result.cases[last_produced()].failed());
  EXPECT_EQ(result.cases[last_produced()].replays.how, Replays::How::at_times);
  EXPECT_TRUE(result.cases[last_produced()].replays.lines.empty());
}

TEST_F(HowItReplays, NotAfterAnotherWhereItFailsAloneAsWell) {
  const std::string bad = line(last_produced());
  int alone = 0;  // it fails alone after it passed a few times, and always after another
  const RunResult result = run_on([&](const Lines& before, const std::string& asked) {
    return asked == bad && (!before.empty() || ++alone > 3);
  });
  ASSERT_TRUE(result.cases[last_produced()].failed());
  EXPECT_EQ(result.cases[last_produced()].replays.how, Replays::How::at_times);
}

TEST_F(HowItReplays, AfterARefusalWhereNoRequestWithAnAnswerDoesIt) {
  const std::string bad = line(last_produced());
  const RunResult result = run_on([&](const Lines& before, const std::string& asked) {
    return asked == bad && std::ranges::any_of(before, [](const std::string& one) {
             return testing::right_answer(*parse_line(one)).kind == Outcome::Kind::rejected;
           });
  });
  const Replays& replays = result.cases[last_produced()].replays;
  EXPECT_EQ(replays.how, Replays::How::after);
  EXPECT_TRUE(replays.after_refusal) << replays.says;
  EXPECT_NE(replays.says.find("that is refused"), std::string::npos) << replays.says;
  EXPECT_NE(replays.says.find("after 0 of"), std::string::npos) << replays.says;
}

// Fails after refusals of the other document, and not after those of its own.
TEST_F(HowItReplays, AfterAnotherDocumentWhereItsOwnRefusalsDoNotDoIt) {
  const std::string bad = line(last_produced());
  const RunResult result = run_on([&](const Lines& before, const std::string& asked) {
    return asked == bad && std::ranges::any_of(before, [](const std::string& one) {
             return one.starts_with("one ") &&
                    testing::right_answer(*parse_line(one)).kind == Outcome::Kind::rejected;
           });
  });
  const Replays& replays = result.cases[last_produced()].replays;
  EXPECT_EQ(replays.how, Replays::How::after);
  EXPECT_FALSE(replays.after_refusal) << replays.says;
}

TEST_F(HowItReplays, AfterNoRefusalWhereAnyRequestDoesIt) {
  const std::string bad = line(last_produced());
  const RunResult result = run_on([&](const Lines& before, const std::string& asked) {
    return asked == bad && !before.empty();
  });
  const Replays& replays = result.cases[last_produced()].replays;
  EXPECT_EQ(replays.how, Replays::How::after);
  EXPECT_EQ(replays.lines, Lines{bad});
  EXPECT_FALSE(replays.after_refusal) << replays.says;
}

TEST_F(HowItReplays, AfterTheSameByAnotherDocument) {
  const std::string bad = line(last_produced());
  const RunResult result = run_on([&](const Lines& before, const std::string& asked) {
    return asked == bad && std::ranges::any_of(before, [](const std::string& one) {
             return one.starts_with("one ");
           });
  });
  const Replays& replays = result.cases[last_produced()].replays;
  EXPECT_EQ(replays.how, Replays::How::after);
  EXPECT_NE(replays.says.find("differs from it only in the dialect"), std::string::npos)
      << replays.says;
}

// Each examination also infers another request, with the other flag. A library that this one
// confuses does not confuse flags.
TEST_F(HowItReplays, AfterWhatEachExaminationInfersAndNotAfterTheOtherFlag) {
  const Request& request = asked(last_produced()).request;
  const std::string bad = print_line(request);
  Request between = request_between(request);
  between.special_zero = request.special_zero;
  bool first = true;  // no case has the other flag
  const RunResult result = run_on([&](const Lines& before, const std::string& asked) {
    if (asked != bad) return false;
    return std::exchange(first, false) || std::ranges::any_of(before, [&](const std::string& one) {
             const Request other = *parse_line(one);
             return other == between || request_between(other) == between;
           });
  });
  const Replays& replays = result.cases[last_produced()].replays;
  EXPECT_EQ(replays.how, Replays::How::after);
  EXPECT_EQ(replays.lines, Lines{print_line(between)}) << replays.says;
}

TEST_F(HowItReplays, NotAgainWhereItWasChance) {
  const std::string bad = line(last_produced());
  int times = 0;
  const RunResult result =
      run_on([&](const Lines&, const std::string& asked) { return asked == bad && times++ == 0; });
  ASSERT_TRUE(result.cases[last_produced()].failed());
  EXPECT_EQ(result.cases[last_produced()].replays.how, Replays::How::not_again);
  EXPECT_TRUE(result.cases[last_produced()].replays.lines.empty());
}

TEST_F(HowItReplays, NotAloneWhereTheBoundCameBeforeWhatItNeeds) {
  const std::string bad = line(last_produced());
  RunOptions options;
  options.fail_fast = true;
  Bounds bounds(options);
  const RunResult result = run_on(
      [&](const Lines& before, const std::string& asked) {
        if (asked == bad && before.empty()) bounds.saw(true, false);
        return asked == bad && !before.empty();
      },
      bounds);
  ASSERT_TRUE(result.cases[last_produced()].failed());
  EXPECT_EQ(result.cases[last_produced()].replays.how, Replays::How::not_alone);
}

}  // namespace
}  // namespace reshape::conformance
