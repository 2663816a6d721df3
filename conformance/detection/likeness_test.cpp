#include "conformance/detection/likeness.h"

#include <gtest/gtest.h>

#include <utility>

#include "conformance/detection/request_traits.h"
#include "conformance/model/answered_after.h"

namespace reshape::conformance {
namespace {

Outcome produced(const char* message) {
  Outcome outcome;
  outcome.kind = Outcome::Kind::produced;
  outcome.shape = Shape({2, 3});
  outcome.message = message;
  outcome.executions.resize(1);
  outcome.executions[0].elements = {std::byte{1}, std::byte{2}};
  return outcome;
}

TEST(SameAnswer, IsNotAboutWords) {
  EXPECT_TRUE(same_answer(produced("yes"), produced("of course")));
}

TEST(SameAnswer, IsNotAboutWhatAWrongVolumeIsExecutedTo) {
  Outcome writes;
  writes.kind = Outcome::Kind::produced;
  writes.shape = {9};
  writes.executions.resize(1);
  writes.executions[0].probe.ask = Probe::Ask::wrong_volume;
  Outcome refuses = writes;
  refuses.executions[0].status = Status::rejected;
  EXPECT_TRUE(same_answer(writes, refuses));
}

TEST(SameAnswer, IsAboutEveryPlane) {
  Outcome shape = produced(""), bytes = produced(""), memory = produced(""), status = produced("");
  shape.shape = Shape({3, 2});
  bytes.executions[0].elements[1] = std::byte{3};
  memory.executions[0].observations.push_back(
      {CaughtBy::canaries, Plane::memory, Duty::C7, "a byte"});
  status.executions[0].status = Status::rejected;
  for (const Outcome& other : {shape, bytes, memory, status}) {
    EXPECT_FALSE(same_answer(produced(""), other));
  }
  Outcome refused;
  refused.kind = Outcome::Kind::rejected;
  EXPECT_FALSE(same_answer(produced(""), refused));
}

TEST(MultipliesBeyond64Bits, CountsWhatIsNamedCopiedOrGiven) {
  const auto of = [](std::vector<PatternValue> values, Shape data = {}) {
    Request request;
    request.data = std::move(data);
    request.pattern.values = std::move(values);
    return multiplies_beyond_64_bits(request);
  };
  const PatternValue half = PatternValue{1} << 32;
  EXPECT_TRUE(of({65536, 65536, -1, 65536, 65536}));
  EXPECT_TRUE(of({half, 0, half}));
  EXPECT_TRUE(of({PatternValue{1} << 63}));
  EXPECT_FALSE(of({half, -1, half / 4}));
  EXPECT_FALSE(of({-1, 0, 2}));
  const std::int64_t large = std::int64_t{1} << 40;
  EXPECT_TRUE(of({-1, 3}, {large, large}));
  EXPECT_TRUE(of({0, large, -1}, {large, 3}));
  EXPECT_FALSE(of({0, large, -1}, {3, large}));
  EXPECT_FALSE(of({}));
}

Outcome that_saw(CaughtBy watch, const std::string& saw) {
  Outcome outcome;
  outcome.observations = {{watch, Plane::memory, Duty::none, saw}};
  return outcome;
}

Outcome broke_down(Outcome::Kind kind, const char* message) {
  Outcome outcome;
  outcome.kind = kind;
  outcome.message = message;
  return outcome;
}

TEST(SameAnswer, IsAboutWhichOutputsOfAnotherShapeAreTaken) {
  Outcome ones = produced("");
  ones.executions[0].probe.ask = Probe::Ask::other_output;
  ones.executions[0].message =
      "of outputs it takes 2 of 2, of those that differ in other sizes 0 of 1";
  Outcome all = ones;
  all.executions[0].message =
      "of outputs it takes 2 of 2, of those that differ in other sizes 1 of 1";
  EXPECT_FALSE(same_answer(ones, all));
  EXPECT_FALSE(tells_little(ones));
  all.executions[0].message = "of outputs it takes 2 of 2";
  EXPECT_TRUE(tells_little(all));
  EXPECT_FALSE(tells_little(produced("")));
}

TEST(SameAnswer, IsAboutWhatIsSaidOfAViewThatIsNone) {
  const auto view = [](const char* saw) {
    Outcome outcome = produced("");
    outcome.executions[0].observations.push_back({CaughtBy::view, Plane::memory, Duty::C12, saw});
    return outcome;
  };
  EXPECT_TRUE(same_answer(view("12 bytes behind"), view("60 bytes behind")));
  EXPECT_FALSE(same_answer(view("12 bytes behind"), view("outside")));
}

// One that replaces the pointer to the strides is no other that changes the type.
TEST(SameAnswer, IsAboutWhichArgumentIsChanged) {
  const auto changed = [](const char* saw) { return that_saw(CaughtBy::arguments_unchanged, saw); };
  const Outcome dtype = changed("byte 1 changed from 20 to 08 of the dtype in the tensor");
  EXPECT_TRUE(same_answer(
      dtype, changed("byte 0 changed from 02 to 01 (2 bytes in all) of the dtype in the tensor")));
  EXPECT_FALSE(same_answer(
      dtype, changed("byte 1 changed from 20 to 08 of the strides pointer in the tensor")));
}

// One that reads past the pattern is no other that reads past the dialect's name.
TEST(SameAnswer, IsAboutWhichBufferIsOverrun) {
  const auto overran = [](const char* saw) { return that_saw(CaughtBy::guard_page, saw); };
  const Outcome pattern = overran("read 1 byte past the end of the pattern");
  EXPECT_TRUE(same_answer(pattern, overran("read 8 bytes past the end of the pattern")));
  EXPECT_FALSE(same_answer(pattern, overran("read 1 byte past the end of the dialect's name")));
  EXPECT_FALSE(same_answer(pattern, overran("read 1 byte before the start of the pattern")));
  EXPECT_FALSE(same_answer(pattern, overran("wrote 1 byte past the end of the pattern")));
  // Far away the nearest buffer says nothing.
  const Outcome far =
      overran("read 70000 bytes past the end of the pattern, the nearest that it was given");
  EXPECT_TRUE(same_answer(
      far,
      overran("read 90000 bytes before the start of the data, the nearest that it was given")));
  EXPECT_FALSE(same_answer(pattern, far));
  const auto spilt = [](const char* saw) { return that_saw(CaughtBy::canaries, saw); };
  const Outcome output =
      spilt("wrote 1 byte behind the output, the nearest at a distance of 1 byte");
  EXPECT_TRUE(same_answer(
      output, spilt("wrote 9 bytes behind the output, the nearest at a distance of 7 bytes")));
  EXPECT_FALSE(same_answer(
      output, spilt("wrote 1 byte behind the message, the nearest at a distance of 1 byte")));
}

TEST(SameAnswer, IsAboutWhichSettingIsChanged) {
  const auto left = [](const char* saw) { return that_saw(CaughtBy::process_settings, saw); };
  EXPECT_TRUE(same_answer(left("the priority of the process changed from 0 to 5"),
                          left("the priority of the process changed from 0 to 9")));
  EXPECT_FALSE(same_answer(left("the umask was changed"), left("a child process was left behind")));
  EXPECT_TRUE(
      same_answer(left("the thread was named reshape"), left("the thread was named worker")));
  const auto blocked = [](const char* saw) { return that_saw(CaughtBy::signal_mask, saw); };
  EXPECT_FALSE(same_answer(blocked("signal 40 was blocked"), blocked("signal 41 was blocked")));
  const auto opened = [](const char* saw) { return that_saw(CaughtBy::open_files, saw); };
  const Outcome file = opened("file 7 (/tmp/a) was left open");
  EXPECT_TRUE(same_answer(file, opened("file 9 (pipe:[12]) was left open")));
  EXPECT_FALSE(same_answer(file, opened("file 0 was put in the place of another")));
}

Outcome that_answers(const std::string& then) {
  Outcome outcome = that_saw(CaughtBy::same_answer, "inference answered [2], and " + then);
  outcome.observations.front().plane = Plane::shape;
  return outcome;
}

// The words that go with it are the implementation's own.
TEST(SameAnswer, IsAboutTheFormInWhichAnotherAnswerComes) {
  const Outcome offset = that_answers("rejected (no) where the pattern has a byte_offset");
  EXPECT_TRUE(
      same_answer(offset, that_answers("rejected (2, and 3) where the pattern has a byte_offset")));
  EXPECT_FALSE(
      same_answer(offset, that_answers("rejected (no) where the data has a pointer and strides")));
}

// One that refuses after a refusal is no other that answers another shape then.
TEST(SameAnswer, IsAboutWhatIsAnsweredThen) {
  const std::string kBetween = kAfterAnother + "openvino-reshape-1 f32[5] i64[5]";
  const Outcome refuses = that_answers("rejected" + kBetween);
  EXPECT_TRUE(same_answer(refuses, refuses));
  EXPECT_FALSE(same_answer(refuses, that_answers("[2,1]" + kBetween)));
  EXPECT_FALSE(same_answer(that_answers("[3]" + kBetween), that_answers("[2,1]" + kBetween)));
  EXPECT_FALSE(same_answer(refuses, that_answers("rejected after it was executed")));
  EXPECT_TRUE(same_answer(that_answers("the sizes [-5] when it was asked again"),
                          that_answers("the sizes [-7] when it was asked again")));
}

TEST(SameAnswer, IsAboutHowItCrashed) {
  const auto crashed = [](const char* message) {
    return broke_down(Outcome::Kind::crashed, message);
  };
  const Outcome null = crashed("died of SIGSEGV (bad): read through a null pointer");
  EXPECT_TRUE(same_answer(
      null, crashed("died of SIGSEGV (bad): read through a null pointer; it printed last: a")));
  EXPECT_FALSE(same_answer(null, crashed("died of SIGSEGV (bad): the stack overflowed")));
  EXPECT_FALSE(same_answer(null, crashed("died of SIGSEGV (bad)")));
  EXPECT_TRUE(same_answer(crashed("died of SIGABRT (abort); it printed last: a: b"),
                          crashed("died of SIGABRT (abort); it printed last: a: c")));
}

// A buffer of the output's size and a megabyte are not the same because both are kept.
TEST(SameAnswer, IsAboutHowMuchIsKeptByEachCall) {
  const auto grew = [](const char* bytes) {
    return that_saw(CaughtBy::memory_growth,
                    "each of 12 rounds of equal calls left more memory in use, " +
                        std::string(bytes) + " bytes a call");
  };
  EXPECT_TRUE(same_answer(grew("4096"), grew("4160")));
  EXPECT_TRUE(same_answer(grew("4096"), grew("8192")));
  EXPECT_FALSE(same_answer(grew("4096"), grew("1048576")));
  EXPECT_FALSE(same_answer(grew("1048576"), grew("4096")));
  EXPECT_FALSE(same_answer(
      grew("1048576"),
      that_saw(CaughtBy::memory_growth,
               "after thousands of equal calls each still leaves 16 bytes more in use")));
}

TEST(SameAnswer, IsAboutWhatIsMalformedAndNotAboutItsNumbers) {
  const auto malformed = [](const char* message) {
    return broke_down(Outcome::Kind::malformed, message);
  };
  EXPECT_TRUE(
      same_answer(malformed("answered the sizes [-5]"), malformed("answered the sizes [-7]")));
  EXPECT_TRUE(same_answer(malformed("answered failed: node 3"), malformed("answered failed: bad")));
  EXPECT_FALSE(same_answer(malformed("answered the sizes [-5]"),
                           malformed("answered the status 17, which the contract does not have")));
}

// A wrong view cannot be compared with an outcome without views.
Verdict wrong(const std::string& answered) {
  Verdict verdict;
  verdict.kind = Verdict::Kind::fail;
  Fault& fault = verdict.faults.emplace_back();
  fault.plane = Plane::bytes;
  fault.clause = "content.kept";
  fault.watch = CaughtBy::bytes;
  fault.answered = answered;
  return verdict;
}

// What was in memory before varies.
TEST(WrongAlike, IsAboutWhichElementsAreWrongAndNotAboutWhatTheyHold) {
  const auto alike = [](const char* one, const char* other) {
    return wrong_alike(wrong(one), produced(""), wrong(other), produced(""));
  };
  EXPECT_TRUE(alike("element 2 is 0x4b, 2 of 9 differ", "element 2 is 0x17, 2 of 9 differ"));
  EXPECT_TRUE(alike("element 2 [0,2] is 0x4b, 2 of 9 differ",
                    "element 2 [0,2] holds the poison: never written, 2 of 9 differ"));
  EXPECT_FALSE(alike("element 2 is 0x4b, 2 of 9 differ", "element 3 is 0x4b, 2 of 9 differ"));
  EXPECT_FALSE(alike("element 2 is 0x4b, 2 of 9 differ", "element 2 is 0x4b, 3 of 9 differ"));
  Outcome refused;
  refused.kind = Outcome::Kind::rejected;
  const Verdict one = wrong("element 2 is 0x4b, 2 of 9 differ");
  EXPECT_FALSE(wrong_alike(one, produced(""), one, refused));
  Outcome other = produced("");
  other.shape = Shape({3, 2});
  EXPECT_FALSE(wrong_alike(one, produced(""), one, other));
  EXPECT_FALSE(wrong_alike(one, produced(""), Verdict(), produced("")));
}

TEST(ReachesFault, WhereTheSetUpOfTheFaultWasAskedToo) {
  Verdict verdict;
  verdict.faults.resize(1);
  const Outcome other = produced("");
  verdict.faults[0].probe = text(other.executions[0].probe);
  EXPECT_TRUE(reaches_fault(verdict, other));
  Probe view = other.executions[0].probe;
  view.ask = Probe::Ask::view;
  verdict.faults[0].probe = text(view);
  EXPECT_FALSE(reaches_fault(verdict, other));
  verdict.faults[0].probe.clear();  // of inference
  EXPECT_TRUE(reaches_fault(verdict, other));
}

constexpr int kMany = 20;

std::vector<Compared> cases(const char* trait, const char* broken) {
  return std::vector<Compared>(kMany, Compared{{trait}, {broken}});
}

Mistake mistake(const char* name, const char* breaks, Answer failures, Answer passes) {
  return {name,
          name,
          breaks,
          "",
          std::vector<Answer>(kMany, failures),
          std::vector<Answer>(kMany, passes)};
}

using Names = std::vector<std::string>;

Names names(const std::vector<Diagnosis::Cause>& causes) {
  Names all;
  for (const Diagnosis::Cause& cause : causes) all.push_back(cause.mutant);
  return all;
}

TEST(Causes, AreWrongWhereTheImplementationIs) {
  const auto found =
      causes_of(cases("a", "C1"), cases("a", ""),
                std::vector{mistake("wrong-elsewhere", "C1", Answer::same, Answer::same),
                            mistake("alike", "C1", Answer::same, Answer::right),
                            mistake("right", "C1", Answer::right, Answer::right),
                            mistake("otherwise", "C1", Answer::otherwise, Answer::right)});
  ASSERT_EQ(names(found), Names{"alike"});
  EXPECT_EQ(found[0].same, kMany);
  EXPECT_EQ(found[0].passes, kMany);
  EXPECT_EQ(found[0].otherwise + found[0].beyond, 0);
  EXPECT_LT(found[0].chance, 0.01);
  EXPECT_TRUE(found[0].where.empty());
}

TEST(Causes, AreNotNamedWhereAnotherExplainsAsMuch) {
  const auto one = mistake("one", "C1", Answer::same, Answer::right);
  const auto kin = mistake("kin", "C1", Answer::same, Answer::right);
  const auto other = mistake("other", "C2", Answer::same, Answer::right);
  EXPECT_EQ(names(causes_of(cases("a", "C9"), cases("a", ""), std::vector{one, kin})),
            Names{"one"});
  EXPECT_EQ(names(causes_of(cases("a", "C9"), cases("a", ""), std::vector{one, other})), Names{});
  // The mistake that breaks what the failures are about is preferred.
  EXPECT_EQ(names(causes_of(cases("a", "C2"), cases("a", ""), std::vector{one, other})),
            Names{"other"});
}

// A single failure may be similar by coincidence, and says nothing without passes.
TEST(Causes, AreNotNamedWhereItIsAsLikelyChance) {
  Mistake one = mistake("one", "C1", Answer::same, Answer::right);
  one.failures.resize(1);
  one.passes.clear();
  std::vector<Compared> failure = cases("a", "C1");
  failure.resize(1);
  EXPECT_EQ(names(causes_of(failure, {}, std::vector{one})), Names{});
}

TEST(Causes, TellTheTraitUnderWhichTheyAreMade) {
  const auto found =
      causes_of(cases("data of i16", "C1"), cases("data of f32", ""),
                std::vector{mistake("in-all", "C1", Answer::same, Answer::otherwise)});
  // No pass has the trait, so there is only the similarity of few failures, which may be
  // coincidence.
  EXPECT_EQ(names(found), Names{});
  std::vector<Compared> passes = cases("data of f32", "");
  Mistake partly = mistake("in-all", "C1", Answer::same, Answer::otherwise);
  for (std::size_t at = 0; at < kMany / 2; ++at) {
    passes[at].traits = {"data of i16"};
    partly.passes[at] = Answer::right;
  }
  const auto narrowed = causes_of(cases("data of i16", "C1"), passes, std::vector{partly});
  ASSERT_EQ(names(narrowed), Names{"in-all"});
  EXPECT_EQ(narrowed[0].where, Names{"data of i16"});
  EXPECT_EQ(narrowed[0].beyond, 0);
  EXPECT_EQ(narrowed[0].passes, kMany / 2);
}

// Of two traits that exclude the passes, the more general one agrees with more passes.
TEST(Causes, TellTheWidestTraitThatExplainsAsMuch) {
  std::vector<Compared> failures = cases("", "C1"), passes = cases("", "");
  for (Compared& one : failures) one.traits = {"a last size", "rank 2"};
  Mistake partly = mistake("in-all", "C1", Answer::same, Answer::otherwise);
  for (std::size_t at = 0; at < kMany / 2; ++at) {
    passes[at].traits = {"rank 2"};
    partly.passes[at] = Answer::right;
  }
  passes.front().traits = {"a last size", "rank 2"};
  const auto found = causes_of(failures, passes, std::vector{partly});
  ASSERT_EQ(names(found), Names{"in-all"});
  EXPECT_EQ(found[0].where, Names{"rank 2"});
}

TEST(Causes, TellNoTraitThatFailuresBesideTheRunDoWithout) {
  std::vector<Compared> failures = cases("", "C1"), passes = cases("", "");
  for (Compared& one : failures) one.traits = {"a last size", "rank 2"};
  Mistake partly = mistake("in-all", "C1", Answer::same, Answer::otherwise);
  for (std::size_t at = 0; at < kMany / 2; ++at) {
    passes[at].traits = {"a last size", "rank 2"};
    partly.passes[at] = Answer::right;
  }
  passes.front().traits = {"a last size"};
  ASSERT_EQ(causes_of(failures, passes, std::vector{partly}).at(0).where, Names{"a last size"});
  partly.beside = {{"rank 2"}, {"dense data", "rank 2"}};
  const auto found = causes_of(failures, passes, std::vector{partly});
  ASSERT_EQ(names(found), Names{"in-all"});
  EXPECT_EQ(found[0].where, Names{"rank 2"});
}

// Four of five numbers are no multiple of 5.
TEST(Causes, TellNoTraitThatFewFailuresShareByChance) {
  std::vector<Compared> failures = cases("no multiple", "C1"), passes;
  Mistake partly = mistake("in-all", "C1", Answer::same, Answer::right);
  partly.passes.clear();
  for (int at = 0; at < 10 * kMany; ++at) {
    const bool multiple = at % 5 == 0;
    passes.push_back({{multiple ? "multiple" : "no multiple"}, {}});
    partly.passes.push_back(multiple ? Answer::otherwise : Answer::right);
  }
  EXPECT_EQ(names(causes_of(failures, passes, std::vector{partly})), Names{"in-all"});
  failures.resize(3);
  partly.failures.resize(3);
  EXPECT_EQ(names(causes_of(failures, passes, std::vector{partly})), Names{});
}

// Where the implementation fails in the same way, and the mutant does not, its mistake is wider.
TEST(Causes, AreNotNamedWhereTheyAreTooNarrow) {
  Mistake narrow = mistake("narrow", "C1", Answer::same, Answer::right);
  narrow.failures[3] = narrow.failures[7] = Answer::right;
  std::vector<Compared> failures = cases("a", "C1");
  for (Compared& one : failures) one.subject = "the -1";
  EXPECT_EQ(names(causes_of(failures, cases("a", ""), std::vector{narrow})), Names{});
  // Those are about something else.
  failures[3].subject = failures[7].subject = "a 0";
  EXPECT_EQ(names(causes_of(failures, cases("a", ""), std::vector{narrow})), Names{"narrow"});
}

TEST(Causes, AreNotNamedWhereFailuresBesideTheRunShowThatTheyAreTooNarrow) {
  Mistake narrow = mistake("narrow", "C1", Answer::same, Answer::right);
  narrow.same_beside = 2 * kMany;
  narrow.missed_beside = 3;
  EXPECT_EQ(names(causes_of(cases("a", "C1"), cases("a", ""), std::vector{narrow})),
            Names{"narrow"});
  narrow.missed_beside = 4;
  EXPECT_EQ(names(causes_of(cases("a", "C1"), cases("a", ""), std::vector{narrow})), Names{});
}

// Each mistake explains half of the failures, and they do not contradict each other.
TEST(Causes, AreSeveralWhereTheFailuresAre) {
  std::vector<Mistake> halves = {mistake("first", "C1", Answer::same, Answer::right),
                                 mistake("second", "C2", Answer::same, Answer::right)};
  std::vector<Compared> failures = cases("a", "C1");
  for (std::size_t at = 0; at < kMany; ++at) {
    const bool is_first = at < kMany * 3 / 5;
    halves[is_first ? 1 : 0].failures[at] = Answer::right;
    if (!is_first) failures[at].broken = {"C2"};
  }
  EXPECT_EQ(names(causes_of(failures, cases("a", ""), halves)), (Names{"first", "second"}));
}

// Computed by hand: of 4 failing and 4 passing cases, 1 of 70 choices of 4 is all the failing ones.
TEST(Chance, IsFishersExactTest) {
  EXPECT_NEAR(chance_of(4, 4, 0, 4), 1.0 / 70, 1e-12);
  EXPECT_NEAR(chance_of(3, 4, 1, 4), 17.0 / 70, 1e-12);
  EXPECT_NEAR(chance_of(0, 4, 4, 4), 1, 1e-12);
  EXPECT_LT(chance_of(44, 48, 1, 24), 1e-10);
  EXPECT_GT(chance_of(5, 48, 3, 24), 0.3);
  EXPECT_EQ(chance_of(0, 0, 0, 0), 1);
}

// What stands at a far axis stands there by coincidence; that there are so many values tells more.
TEST(Traits, OfALongPatternAreItsLengthAndNotWhatStandsAtAFarAxis) {
  Request request;
  request.data = {1};
  request.pattern.values.assign(70, 1);
  const std::vector<std::string> traits = words_about(request);
  EXPECT_TRUE(has_trait(traits, "65 pattern values or more"));
  EXPECT_TRUE(has_trait(traits, "9 pattern values or more"));
  EXPECT_FALSE(has_trait(traits, "129 pattern values or more"));
  EXPECT_TRUE(has_trait(traits, "a 1 at axis 2 of the pattern"));
  EXPECT_FALSE(has_trait(traits, "a 1 at axis 66 of the pattern"));
}

TEST(Traits, AreTheWordsForARequest) {
  Request request;
  request.dialect = "openvino-reshape-1";
  request.data_type = ElementType::i4;
  request.data = Shape({1, 300});
  request.pattern.values = {-1, 0};
  request.strides = Strides{300, -1};
  request.special_zero = true;
  const std::vector<std::string> traits = words_about(request);
  for (const char* trait :
       {"data of i4", "elements of 4 bits", "data of signed integers", "data of rank 2",
        "as many pattern values as axes", "a -1 in the pattern", "a 0 in the pattern",
        "strided data", "a negative stride of the data", "the flag set", "an axis of size 1",
        "a size of at least 2^8", "at least 2^6 elements", "2 pattern values"}) {
    EXPECT_TRUE(has_trait(traits, trait)) << trait;
  }
  EXPECT_FALSE(has_trait(traits, "at least 2^12 elements"));
  EXPECT_EQ(common_traits(traits, {"data of i4", "data of rank 3"}), Names{"data of i4"});
}

// Asked again among others it may fail as a mistake does that it does not make in a fresh process.
TEST(Likeness, WhatHangsOnEarlierRequestsIsNotWhatItFailsInWhenItIsAskedAgain) {
  CaseResult failed;
  failed.verdict.faults.emplace_back().watch = CaughtBy::same_answer;
  Verdict again;
  again.faults.emplace_back().watch = CaughtBy::shape;
  EXPECT_TRUE(hangs_on_earlier_requests(failed, again));
  again.faults.front().watch = CaughtBy::same_answer;
  EXPECT_FALSE(hangs_on_earlier_requests(failed, again));  // it is seen again, and can be compared
  failed.replays.how = Replays::How::after;
  EXPECT_TRUE(hangs_on_earlier_requests(failed, again));
  failed = {};
  failed.verdict.faults.emplace_back().watch = CaughtBy::shape;
  EXPECT_FALSE(hangs_on_earlier_requests(failed, again));
}

}  // namespace
}  // namespace reshape::conformance
