#include "conformance/run/replays.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/adapter/examine/request_between.h"
#include "conformance/run/testing/small_suite.h"
#include "conformance/text/line.h"
#include "conformance/text/testing/expect_in.h"

namespace reshape::conformance {
namespace {

using Lines = std::vector<std::string>;

const auto kNever = [] { return false; };

bool holds_all(const Lines& lines, const Lines& wanted) {
  return std::ranges::all_of(
      wanted, [&](const std::string& one) { return std::ranges::find(lines, one) != lines.end(); });
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

// What it does otherwise where it is wrong, and nothing was asked before; or where something was.
enum class Alone : std::uint8_t { as_ever, dies, changes_its_answer, answers_the_last };

// Records what it is asked, as a process's history; `wrong` decides from request and history.
class Remembering final : public Adapter {
 public:
  using Wrong = std::function<bool(const Lines& before, const std::string& line)>;
  using Refused = std::function<bool(const Request&)>;
  explicit Remembering(Wrong wrong, Refused refused = {}, Alone alone = Alone::as_ever)
      : wrong_(std::move(wrong)), refused_(std::move(refused)), alone_(alone) {}

  const Capabilities& capabilities() const override { return capabilities_; }
  AskedBefore asked_before() const override { return {asked_, asked_->size() - 1}; }
  Outcome ask(const Request& request) override {
    const std::string line = print_line(request);
    Outcome outcome = testing::right_answer(request);
    if (refused_ && refused_(request)) outcome.kind = Outcome::Kind::rejected;
    if (wrong_(*asked_, line)) {
      const Alone here = asked_->empty() ? alone_ : Alone::as_ever;
      if (here == Alone::changes_its_answer) {
        outcome.observations = {
            {CaughtBy::same_answer, Plane::shape, Duty::C17, "another the second time"}};
      } else {
        outcome.shape = Shape{12345};
      }
      if (here == Alone::dies) outcome.kind = Outcome::Kind::crashed;
      if (alone_ == Alone::answers_the_last && !asked_->empty()) {
        outcome.shape = testing::right_answer(*parse_line(asked_->back())).shape;
      }
    }
    asked_->push_back(line);
    return outcome;
  }

 private:
  Wrong wrong_;
  Refused refused_;
  Alone alone_;
  Capabilities capabilities_ = testing::everything();
  std::shared_ptr<Lines> asked_ = std::make_shared<Lines>();
};

// Of a case that is wrong, the last one whose answer is a shape.
class HowItReplays : public ::testing::Test {
 protected:
  const Case& asked(std::size_t number) const {
    return suite.documents[number / 5].cases[number % 5];
  }
  std::string line(std::size_t number) const { return print_line(asked(number).request); }

  // `wrong` says whether the case is wrong, by what its process was asked before.
  Replays replays_where(const std::function<bool(const Lines& before)>& wrong,
                        const Bounds& bounds = Bounds(RunOptions()),
                        const Remembering::Refused& refused = {},
                        Alone alone = Alone::as_ever) const {
    const auto fails = [&](const Lines& before, const std::string& one) {
      return one == bad && wrong(before);
    };
    const StartAdapter start = testing::starts_a<Remembering>(fails, refused, alone);
    Remembering adapter(fails, refused, alone);
    RunResult result = *run(testing::whole(suite), adapter, start);
    std::vector<CaseResult*> failed;
    for (CaseResult& one : result.cases) {
      if (one.failed()) failed.push_back(&one);
    }
    look_how_they_replay(start, bounds, {5, 5}, suite, failed);
    EXPECT_TRUE(result.cases[last].failed());
    return result.cases[last].replays;
  }

  // The same where it is wrong after any request that `does` it.
  Replays replays_after(const std::function<bool(const Request& before)>& does) const {
    return replays_where([&](const Lines& before) { return any(before, does); });
  }
  // For what no case of the suite does: it is wrong at the first time as well.
  Replays replays_at_first_and_after(const std::function<bool(const Request& before)>& does) const {
    bool first = true;
    return replays_where(
        [&](const Lines& before) { return std::exchange(first, false) || any(before, does); });
  }
  static bool any(const Lines& before, const std::function<bool(const Request&)>& does) {
    return std::ranges::any_of(before,
                               [&](const std::string& one) { return does(*parse_line(one)); });
  }
  static bool is_refused(const Request& request) {
    return testing::right_answer(request).kind == Outcome::Kind::rejected;
  }

  const Suite suite = testing::small_suite();
  const std::size_t last = [this] {
    std::size_t number = 9;
    while (asked(number).expect.kind != Ruling::Kind::produces) --number;
    return number;
  }();
  const std::string bad = line(last);
};

TEST_F(HowItReplays, AloneWhereTheRequestIsEnough) {
  const Replays replays = replays_where([](const Lines&) { return true; });
  EXPECT_EQ(replays.how, Replays::How::alone);
  EXPECT_EQ(replays.alone, "");
}

// Where the data lies decides whether it touches a guard page or dies of something else.
TEST_F(HowItReplays, AloneWhereItFailsThereInAnotherWay) {
  const auto always = [](const Lines&) { return true; };
  const Replays replays = replays_where(always, Bounds(RunOptions()), {}, Alone::dies);
  EXPECT_EQ(replays.how, Replays::How::alone);
  EXPECT_TRUE(replays.alone.starts_with("process: ")) << replays.alone;
}

// A library that takes what is missing from the request before answers right at first.
TEST_F(HowItReplays, AfterAnotherWhereTheFirstAnswerAloneIsRight) {
  const auto always = [](const Lines&) { return true; };
  const Replays replays =
      replays_where(always, Bounds(RunOptions()), {}, Alone::changes_its_answer);
  EXPECT_EQ(replays.how, Replays::How::after);
  EXPECT_EQ(replays.lines.size(), 1u);
  EXPECT_EQ(replays.alone, "same-answer: another the second time");
}

TEST_F(HowItReplays, AloneWhereNothingBeforeMakesItFailAsItDid) {
  int times = 0;
  const auto first = [&](const Lines& before) { return before.empty() || times++ == 0; };
  const Replays replays = replays_where(first, Bounds(RunOptions()), {}, Alone::changes_its_answer);
  EXPECT_EQ(replays.how, Replays::How::alone);
  EXPECT_EQ(replays.alone, "same-answer: another the second time");
}

TEST_F(HowItReplays, OnlyAfterTheTwoRequestsThatItNeeds) {
  const Lines needed = {line(1), line(last - 1)};
  const Replays replays =
      replays_where([&](const Lines& before) { return holds_all(before, needed); });
  EXPECT_EQ(replays.how, Replays::How::after);
  EXPECT_EQ(replays.lines, needed);
}

TEST_F(HowItReplays, AfterItselfWhereTheNumberOfCallsIsWhatMatters) {
  const Replays replays = replays_where([](const Lines& before) { return before.size() > 4; });
  EXPECT_EQ(replays.how, Replays::How::after);
  EXPECT_EQ(replays.lines, Lines(5, bad));
}

TEST_F(HowItReplays, AtTimesWhereItFailsAloneInSomeProcesses) {
  int times = 0;
  const Replays replays = replays_where([&](const Lines&) { return times++ % 3 != 1; });
  EXPECT_EQ(replays.how, Replays::How::at_times);
  EXPECT_TRUE(replays.lines.empty());
}

TEST_F(HowItReplays, NotAfterAnotherWhereItFailsAloneAsWell) {
  int alone = 0;  // it fails alone after it passed a few times, and always after another
  const Replays replays =
      replays_where([&](const Lines& before) { return !before.empty() || ++alone > 3; });
  EXPECT_EQ(replays.how, Replays::How::at_times);
}

TEST_F(HowItReplays, AfterARefusalWhereNoRequestWithAnAnswerDoesIt) {
  const Replays replays = replays_after(is_refused);
  EXPECT_EQ(replays.how, Replays::How::after);
  EXPECT_TRUE(replays.after_refusal) << replays.says;
  expect_in(replays.says, "that is refused");
  expect_in(replays.says, "after none of");
}

// Of refusals only one does it: it is not that it was refused.
TEST_F(HowItReplays, AfterNoRefusalWhereMostOfThemDoNotDoIt) {
  const std::optional<bool> flag = asked(last).request.special_zero;
  const Replays replays = replays_at_first_and_after(
      [&](const Request& before) { return before.special_zero != flag && is_refused(before); });
  EXPECT_EQ(replays.how, Replays::How::after);
  expect_in(replays.says, "that is refused");
  EXPECT_FALSE(replays.after_refusal) << replays.says;
}

// A refused request that differs in more comes first.
TEST_F(HowItReplays, AfterTheOneThatDiffersInLess) {
  Request other = asked(last).request;
  const std::optional<bool> flag = std::exchange(other.special_zero, std::nullopt);
  const Replays replays = replays_at_first_and_after(
      [&](const Request& before) { return before.special_zero != flag; });
  EXPECT_EQ(replays.how, Replays::How::after);
  EXPECT_EQ(replays.lines, Lines{print_line(other)});
  expect_in(replays.says, "one that differs from it only in the flag");
}

// An answer that is another request's is wrong in no way of its own.
TEST_F(HowItReplays, TellsThatItIsTheAnswerToTheOneBefore) {
  const Request& request = asked(last).request;
  const auto other = [&](const Request& before) {
    const Outcome right = testing::right_answer(before);
    return right.kind == Outcome::Kind::produced && right.shape.rank() != request.data.rank() &&
           right.shape != testing::right_answer(request).shape;
  };
  const auto replays_with = [&](Alone alone) {
    bool first = true;
    return replays_where(
        [&](const Lines& before) {
          return std::exchange(first, false) ||
                 (!before.empty() && other(*parse_line(before.back())));
        },
        Bounds(RunOptions()), {}, alone);
  };
  const Replays its = replays_with(Alone::answers_the_last);
  ASSERT_EQ(its.how, Replays::How::after);
  expect_in(its.says, kItsAnswer);
  EXPECT_EQ(replays_with(Alone::as_ever).says.find(kItsAnswer), std::string::npos);
}

// After requests with its data, whatever else they have: what differs in one of them says nothing.
TEST_F(HowItReplays, DoesNotBlameADifferenceThatOthersDoWithout) {
  const Request& request = asked(last).request;
  const Replays replays = replays_at_first_and_after(
      [&](const Request& before) { return before.data == request.data && before != request; });
  EXPECT_EQ(replays.how, Replays::How::after);
  EXPECT_TRUE(replays.others_too) << replays.says;
  EXPECT_EQ(replays.says.find("differs from it"), std::string::npos) << replays.says;
  EXPECT_EQ(how_alike_before(replays, request), "");
}

// Else only those with another flag have the layout, and the flag seems to matter.
TEST(MadeUpBefore, HasTheLayoutWithOtherElementsAnotherTypeAndRefused) {
  const Request request = *parse_line("one f32[4] i64[4] special_zero=true strides=[-1] offset=3");
  const std::vector<Request> all =
      made_up_before(testing::small_suite(), request, testing::everything());
  const auto some = [&](const std::function<bool(const Request&)>& does) {
    return std::ranges::any_of(all, [&](const Request& one) {
      return one.strides == request.strides && one.special_zero == request.special_zero &&
             does(one);
    });
  };
  EXPECT_TRUE(some([&](const Request& one) { return one.payload != request.payload; }));
  EXPECT_TRUE(some([&](const Request& one) { return one.data_type != request.data_type; }));
  EXPECT_TRUE(some([](const Request& one) {
    return testing::right_answer(one).kind == Outcome::Kind::rejected;
  }));
}

// Fails after refusals of the other document, and not after those of its own.
TEST_F(HowItReplays, AfterAnotherDocumentWhereItsOwnRefusalsDoNotDoIt) {
  const Replays replays = replays_after(
      [](const Request& before) { return before.dialect == "one" && is_refused(before); });
  EXPECT_EQ(replays.how, Replays::How::after);
  EXPECT_FALSE(replays.after_refusal) << replays.says;
}

// Refusals cause it only where what is refused is the request itself with another flag.
TEST_F(HowItReplays, AfterOneThatIsAlikeWhereOtherRefusalsDoNotDoIt) {
  const Request request = *parse_line(bad);
  const auto with_its_flag = [&](Request asked) {
    asked.special_zero = request.special_zero;
    return asked;
  };
  const auto refused = [=](const Request& asked) { return asked != with_its_flag(asked); };
  const Replays replays = replays_where(
      [&](const Lines& before) {
        return any(before, [&](const Request& asked) {
          return print_line(asked) == line(3) ||
                 (refused(asked) && with_its_flag(asked) == request);
        });
      },
      Bounds(RunOptions()), refused);
  EXPECT_EQ(replays.how, Replays::How::after);
  EXPECT_FALSE(replays.after_refusal) << replays.says;
  expect_in(replays.says, "one that is refused");
  expect_in(replays.says, "and that differs from it only in the flag");
}

TEST_F(HowItReplays, AfterNoRefusalWhereAnyRequestDoesIt) {
  const Replays replays = replays_where([&](const Lines& before) { return !before.empty(); });
  EXPECT_EQ(replays.how, Replays::How::after);
  EXPECT_EQ(replays.lines, Lines{bad});
  EXPECT_FALSE(replays.after_refusal) << replays.says;
}

TEST_F(HowItReplays, AfterTheSameByAnotherDocument) {
  const Replays replays =
      replays_after([](const Request& before) { return before.dialect == "one"; });
  EXPECT_EQ(replays.how, Replays::How::after);
  expect_in(replays.says, "differs from it only in the dialect");
}

// Each examination also infers another request, with the other flag. A library that this one
// confuses does not confuse flags.
TEST_F(HowItReplays, AfterWhatEachExaminationInfersAndNotAfterTheOtherFlag) {
  const Request& request = asked(last).request;
  Request between = request_between(request);
  between.special_zero = request.special_zero;
  const Replays replays = replays_at_first_and_after([&](const Request& before) {
    return before == between || request_between(before) == between;
  });
  EXPECT_EQ(replays.how, Replays::How::after);
  EXPECT_EQ(replays.lines, Lines{print_line(between)}) << replays.says;
}

// An examination of the request infers it with the other flag as well.
TEST_F(HowItReplays, AfterTheOtherFlagAndNotAfterItself) {
  const std::optional<Request> other = with_other_flag(asked(last).request);
  ASSERT_TRUE(other);
  const Replays replays = replays_at_first_and_after([&](Request before) {
    if (before == asked(last).request) return true;
    before.shape_only = false;
    return before == *other;
  });
  EXPECT_EQ(replays.how, Replays::How::after);
  EXPECT_EQ(replays.lines, Lines{print_line(*other)}) << replays.says;
}

TEST_F(HowItReplays, NotAgainWhereItWasChance) {
  int times = 0;
  const Replays replays = replays_where([&](const Lines&) { return times++ == 0; });
  EXPECT_EQ(replays.how, Replays::How::not_again);
  EXPECT_TRUE(replays.lines.empty());
}

TEST_F(HowItReplays, NotAloneWhereTheBoundCameBeforeWhatItNeeds) {
  RunOptions options;
  options.fail_fast = true;
  Bounds bounds(options);
  const Replays replays = replays_where(
      [&](const Lines& before) {
        if (before.empty()) bounds.saw(true, false);
        return !before.empty();
      },
      bounds);
  EXPECT_EQ(replays.how, Replays::How::not_alone);
}

}  // namespace
}  // namespace reshape::conformance
