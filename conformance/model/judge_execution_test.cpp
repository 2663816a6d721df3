#include <gtest/gtest.h>

#include <cstdio>
#include <utility>

#include "conformance/abi/duty.h"
#include "conformance/model/testing/judging.h"

namespace reshape::conformance {
namespace {

using testing::Kind;
using testing::State;

class JudgeExecution : public testing::Judging {};

// ---- bytes

TEST_F(JudgeExecution, TheFirstDifferenceIsToldWithIndexBitsAndCount) {
  Execution& execution = execute();
  set(execution, 3, 0x12);
  set(execution, 5, 0x13);
  EXPECT_EQ(fault().plane, Plane::bytes);
  EXPECT_EQ(fault().clause, "content.kept");
  EXPECT_EQ(fault().duty, Duty::C5);
  EXPECT_EQ(fault().watch, CaughtBy::bytes);
  EXPECT_EQ(fault().answered, "element 3 [1,1] is 0x00000012, 2 of 6 differ");
  char right[48];
  std::snprintf(
      right, sizeof right, "element 3 [1,1] is 0x%08llx",
      static_cast<unsigned long long>(payload_bits(Payload::distinct, ElementType::f32, 3)));
  EXPECT_EQ(fault().expected, right);
  EXPECT_EQ(fault().probe, "payload=distinct poison=a5 placement=front strides=null");
  EXPECT_EQ(state(Plane::bytes), State::fail);
  EXPECT_EQ(state(Plane::shape), State::pass);
}

TEST_F(JudgeExecution, EveryElementOfEveryTypeAndPayloadIsCompared) {
  for (ElementType type : kAllElementTypes) {
    request.data_type = type;
    for (Payload payload : {Payload::distinct, Payload::hard, Payload::zeros}) {
      for (std::int64_t position = 0; position < 6; ++position) {
        for (int bit = 0; bit < bits(type); ++bit) {
          produce({3, 2});
          Execution& execution = execute(payload, 1);
          const std::uint64_t right = load_element(type, execution.elements.data(), position);
          set(execution, position, right ^ (std::uint64_t{1} << bit));
          const Verdict came = verdict();
          ASSERT_EQ(came.kind, Kind::fail) << name(type) << position << ' ' << bit;
          EXPECT_NE(came.faults[0].answered.find("1 of 6 differ"), std::string::npos);
        }
      }
    }
  }
}

TEST_F(JudgeExecution, ElementsOfAnEarlierExecutionAreToldAsThat) {
  const std::vector<std::byte> kept = execute(Payload::distinct).elements;
  execute(Payload::zeros);
  execute(Payload::hard).elements = kept;
  EXPECT_EQ(fault().duty, Duty::C17);
  EXPECT_NE(fault().answered.find("differ: the elements of an earlier execution"),
            std::string::npos);
  // A cleared output does not count as an earlier answer.
  produce({3, 2});
  const std::vector<std::byte> zeros = execute(Payload::zeros).elements;
  execute(Payload::hard).elements = zeros;
  EXPECT_EQ(fault().duty, Duty::C5);
  // Nor do the elements of a later execution.
  produce({3, 2});
  const std::vector<std::byte> hard = execute(Payload::hard).elements;
  outcome.executions.clear();
  execute(Payload::distinct).elements = hard;
  execute(Payload::hard);
  EXPECT_EQ(fault().duty, Duty::C5);
}

TEST_F(JudgeExecution, TheUnusedHalfOfTheLastByteDoesNotCount) {
  request.data_type = ElementType::u4;
  request.data = {3};
  expectation.ruling = Ruling::produces({3});
  produce({3});
  Execution& execution = execute();
  execution.elements.back() |= std::byte{0xf0};
  EXPECT_EQ(verdict().kind, Kind::pass);
}

// Few bits may equal the poison by chance.
TEST_F(JudgeExecution, OfSomeWrongElementsThePoisonIsAValueLikeOthers) {
  Execution& execution = execute();
  set(execution, 2, 0xa5a5a5a5);
  set(execution, 4, 0x12345678);
  EXPECT_EQ(fault().answered,
            "element 2 [1,0] is 0xa5a5a5a5, which the output held before, too, 2 of 6 differ");
}

TEST_F(JudgeExecution, AnElementThatHoldsThePoisonWasNeverWritten) {
  set(execute(), 2, 0xa5a5a5a5);
  EXPECT_EQ(fault().answered, "element 2 [1,0] holds the poison: never written, 1 of 6 differ");
  request.data_type = ElementType::i4;
  produce({3, 2});
  Execution& execution = execute();
  const std::uint64_t right = load_element(ElementType::i4, execution.elements.data(), 0);
  execution.probe.poison = right == 5 ? 0x66 : 0x55;
  set(execution, 0, right == 5 ? 6 : 5);
  EXPECT_NE(fault().answered.find("holds the poison"), std::string::npos);
}

TEST_F(JudgeExecution, TheSameDifferenceInManyProbesIsOneFault) {
  set(execute(), 2, 7);
  Execution& other = execute();
  other.probe.placement = Probe::Placement::back;
  set(other, 2, 7);
  EXPECT_EQ(fault().probe, "payload=distinct poison=a5 placement=front strides=null");
}

TEST_F(JudgeExecution, OneGoodExecutionDoesNotHideABadOne) {
  execute();
  set(execute(Payload::hard), 5, 1);
  execute();
  EXPECT_EQ(fault().plane, Plane::bytes);
}

TEST_F(JudgeExecution, TooFewBytesFail) {
  execute().elements.pop_back();
  EXPECT_EQ(fault().expected, "24 bytes of elements");
  EXPECT_EQ(fault().answered, "23 bytes of elements");
}

TEST_F(JudgeExecution, WrittenOutElementsTakeThePlaceOfThePayload) {
  request.elements = std::vector<std::uint64_t>{1, 2, 3, 4, 5, 6};
  Execution& execution = execute();
  for (std::int64_t position = 0; position < 6; ++position) {
    set(execution, position, static_cast<std::uint64_t>(position) + 1);
  }
  EXPECT_EQ(verdict().kind, Kind::pass);
  expectation.elements =
      std::vector<std::uint64_t>{1, 2, 3, 4, 5, 7};  // the case's own answer wins
  EXPECT_EQ(fault().expected, "element 5 [2,1] is 0x00000007");
  expectation.elements = std::vector<std::uint64_t>{1, 2};
  EXPECT_EQ(fault().expected, "2 elements");
}

TEST_F(JudgeExecution, ElementsThatAreAsPlacedNeedNotBeSpelledOut) {
  capabilities.strided_input = true;
  Execution& execution = execute();
  execution.elements.clear();
  EXPECT_EQ(verdict().kind, Kind::fail);
  execution.as_placed = true;
  EXPECT_EQ(verdict().kind, Kind::pass);
  // as_placed does not apply to elements that a case writes out, or to data with a stride of 0.
  expectation.elements = {1, 2, 3, 4, 5, 6};
  EXPECT_EQ(verdict().kind, Kind::fail);
  expectation.elements.reset();
  request.strides = Strides{0, 1};
  EXPECT_EQ(fault().watch, CaughtBy::bytes);
}

// Where strides put several elements in one place, the place holds the payload of the first.
TEST_F(JudgeExecution, ASharedPlaceHoldsTheFirstOfItsElements) {
  capabilities.strided_input = true;
  struct Shared {
    Strides strides;
    std::vector<std::int64_t> first;
  };
  for (const Shared& shared :
       {Shared{{0, 1}, {0, 1, 2, 0, 1, 2}}, Shared{{1, 0}, {0, 0, 0, 3, 3, 3}},
        Shared{{1, 1}, {0, 1, 2, 1, 2, 5}}, Shared{{0, 0}, {0, 0, 0, 0, 0, 0}},
        Shared{{-1, 1}, {0, 1, 2, 3, 0, 1}}, Shared{{2, 5}, {0, 1, 2, 3, 4, 5}}}) {
    request.strides = shared.strides;
    for (int round = 0; round < 2; ++round) {
      produce({3, 2});
      Execution& execution = execute(Payload::distinct, round);
      for (std::int64_t position = 0; position < 6; ++position) {
        set(execution, position,
            payload_bits(Payload::distinct, request.data_type,
                         shared.first[static_cast<std::size_t>(position)], round));
      }
      EXPECT_EQ(verdict().kind, Kind::pass) << text_of_sizes(shared.strides);
      set(execution, 5, 0x77);
      EXPECT_EQ(verdict().kind, Kind::fail);
    }
  }
  request.strides = Strides{0, 1};
  request.elements = std::vector<std::uint64_t>{1, 2, 3, 4, 5, 6};
  produce({3, 2});
  Execution& execution = execute();
  for (std::int64_t position = 0; position < 6; ++position) {
    set(execution, position, static_cast<std::uint64_t>(position % 3) + 1);
  }
  EXPECT_EQ(verdict().kind, Kind::pass);
}

TEST_F(JudgeExecution, OfAChildNoMemoryIsAsked) {
  capabilities.in_memory = false;
  execute().probe.ask = Probe::Ask::sent;
  EXPECT_EQ(verdict().kind, Kind::pass);
  EXPECT_EQ(state(Plane::bytes), State::pass);
  EXPECT_EQ(state(Plane::memory), State::not_asked);
  set(outcome.executions.front(), 2, 0x12);
  EXPECT_EQ(fault().probe, "ask=sent payload=distinct");
}

TEST_F(JudgeExecution, InPlaceNamesItsOwnDuty) {
  Execution& execution = execute();
  execution.probe.ask = Probe::Ask::in_place;
  EXPECT_EQ(verdict().kind, Kind::pass);
  set(execution, 0, 1);
  EXPECT_EQ(fault().duty, Duty::C13);
}

// ---- the status of executions

TEST_F(JudgeExecution, ExecutionMustNotRefuseWhatInferenceProduced) {
  execute();
  answer(Probe::Ask::execute, Status::rejected);
  EXPECT_EQ(fault().duty, Duty::C17);
  EXPECT_EQ(fault().plane, Plane::bytes);
  EXPECT_EQ(fault().expected, "execution: ok, as inference produced [3,2]");
  EXPECT_EQ(fault().answered, "execution: rejected (the volume differs)");
}

TEST_F(JudgeExecution, AViewThatIsRefusedIsNoExecution) {
  produce({3, 2});
  answer(Probe::Ask::view, Status::rejected, "no strides");
  EXPECT_EQ(fault().duty, Duty::C12);
  EXPECT_EQ(fault().plane, Plane::memory);
  EXPECT_EQ(fault().expected,
            "view: ok, or unsupported where it needs a copy, as inference produced [3,2]");
  EXPECT_EQ(fault().answered, "view: rejected (no strides)");
}

TEST_F(JudgeExecution, FailedAndUnknownStatusFail) {
  for (Status status : {Status::failed, Status::unknown}) {
    for (Probe::Ask ask : {Probe::Ask::execute, Probe::Ask::in_place, Probe::Ask::view}) {
      produce({3, 2});
      answer(ask, status, "no memory");
      EXPECT_EQ(fault().duty, Duty::C5);
      EXPECT_EQ(fault().answered, std::string("execution: ") + name(status) + " (no memory)");
    }
  }
}

TEST_F(JudgeExecution, ExecutionMustRefuseWhatInferenceRefused) {
  expectation.ruling = Ruling::rejects("volume.kept");
  for (Status status : {Status::ok, Status::unsupported, Status::failed, Status::unknown}) {
    refuse();
    answer(Probe::Ask::execute_rejected, status);
    EXPECT_EQ(fault().duty, Duty::C4) << name(status);
    EXPECT_EQ(fault().plane, Plane::shape);
    EXPECT_EQ(fault().clause, "volume.kept");
    EXPECT_EQ(fault().expected, "execution: rejected, as inference answered");
  }
}

TEST_F(JudgeExecution, AWrongRefusalIsOneFaultWhateverExecutionSays) {
  refuse();
  answer(Probe::Ask::execute_rejected, Status::ok);
  EXPECT_EQ(fault().duty, Duty::C3);
}

TEST_F(JudgeExecution, ARefusalOfAWrongShapeIsNoSecondFault) {
  produce({2, 3});
  answer(Probe::Ask::execute, Status::rejected);
  EXPECT_EQ(fault().duty, Duty::C3);
}

// ---- views

TEST_F(JudgeExecution, AViewOfDenseDataMustAlias) {
  capabilities.views = true;
  execute();
  answer(Probe::Ask::view, Status::unsupported);
  EXPECT_EQ(fault().plane, Plane::memory);
  EXPECT_EQ(fault().duty, Duty::C12);
  request.strides = Strides{1, 2};
  capabilities.strided_input = true;
  EXPECT_EQ(verdict().kind, Kind::pass);
}

TEST_F(JudgeExecution, AViewIsCompared) {
  capabilities.views = true;
  execute();
  Execution& view = execute();
  view.probe.ask = Probe::Ask::view;
  EXPECT_EQ(verdict().kind, Kind::pass);
  set(view, 4, 9);
  EXPECT_EQ(fault().plane, Plane::bytes);
  EXPECT_EQ(fault().duty, Duty::C12);
  view.message = "view set the strides [1,3]";
  EXPECT_TRUE(fault().answered.ends_with(", view set the strides [1,3]")) << fault().answered;
  EXPECT_EQ(fault().probe, "ask=view payload=distinct poison=a5 placement=front strides=null");
}

// ---- watches

TEST_F(JudgeExecution, OfAViewThatIsNoneTheElementsAreNotMissedAsWell) {
  capabilities.views = true;
  Execution& view = execute();
  view.probe.ask = Probe::Ask::view;
  view.elements.clear();
  view.observations = {{CaughtBy::view, Plane::memory, Duty::C12, "it lies outside of the data"}};
  const Verdict came = verdict();
  ASSERT_EQ(came.faults.size(), 1u);
  EXPECT_EQ(came.faults[0].answered, "it lies outside of the data");
}

TEST_F(JudgeExecution, EveryObservationIsAFaultOnItsPlane) {
  for (Plane plane : {Plane::shape, Plane::bytes, Plane::memory}) {
    produce({3, 2});
    execute().observations = {
        {CaughtBy::output_gaps, plane, Duty::C8, "byte 5 changed from a5 to 00"}};
    EXPECT_EQ(fault().plane, plane);
    EXPECT_EQ(fault().watch, CaughtBy::output_gaps);
    EXPECT_EQ(fault().duty, Duty::C8);
    EXPECT_EQ(fault().clause, "");
    EXPECT_EQ(fault().expected, expects(Duty::C8));
    EXPECT_EQ(fault().answered, "byte 5 changed from a5 to 00");
    EXPECT_EQ(fault().probe, text(outcome.executions[0].probe));
    EXPECT_EQ(state(plane), State::fail);
  }
}

TEST_F(JudgeExecution, ObservationsCountOnRefusalsToo) {
  expectation.ruling = Ruling::rejects("volume.kept");
  refuse();
  outcome.observations = {{CaughtBy::shape_canary, Plane::memory, Duty::C9, "size 2 was written"}};
  EXPECT_EQ(fault().watch, CaughtBy::shape_canary);
  EXPECT_EQ(fault().probe, "");
  outcome.observations.clear();
  answer(Probe::Ask::execute_rejected, Status::rejected).observations = {
      {CaughtBy::canaries, Plane::memory, Duty::C9, "byte 0 was written"}};
  EXPECT_EQ(fault().watch, CaughtBy::canaries);
}

TEST_F(JudgeExecution, ObservationsCountWithAWrongShapeToo) {
  produce({2, 3});
  execute().observations = {
      {CaughtBy::output_gaps, Plane::memory, Duty::C7, "byte 24 was written"}};
  const Verdict came = verdict();
  ASSERT_EQ(came.faults.size(), 2u);
  EXPECT_EQ(came.faults[0].plane, Plane::shape);
  EXPECT_EQ(came.faults[1].plane, Plane::memory);
}

// A wrong volume is executed to watch the memory only: there are no right elements.
TEST_F(JudgeExecution, AWrongVolumeIsJudgedByTheMemoryAlone) {
  produce({3, 3});
  const std::string shape_alone = fault().fingerprint();
  for (const Status status : {Status::ok, Status::rejected, Status::failed, Status::unknown}) {
    produce({3, 3});
    answer(Probe::Ask::wrong_volume, status, "");
    EXPECT_EQ(fault().fingerprint(), shape_alone);
    outcome.executions[0].observations = {
        {CaughtBy::canaries, Plane::memory, Duty::C7, "wrote 12 bytes"}};
    const Verdict came = verdict();
    ASSERT_EQ(came.faults.size(), 2u);
    EXPECT_EQ(came.faults[0].fingerprint(), shape_alone);
    EXPECT_EQ(came.faults[1].plane, Plane::memory);
    EXPECT_EQ(state(Plane::memory), State::fail);
    EXPECT_EQ(state(Plane::bytes), State::not_asked);
  }
}

TEST_F(JudgeExecution, AnOutputOfAnotherShapeIsToBeRefused) {
  answer(Probe::Ask::other_output, Status::ok, "");
  EXPECT_EQ(fault().duty, Duty::C20);
  EXPECT_EQ(fault().plane, Plane::shape);
  EXPECT_EQ(fault().answered, "execution into [2,3], where inference answered [3,2]: ok");
  outcome.executions.front().message = "it takes others, too";
  EXPECT_EQ(fault().answered,
            "execution into [2,3], where inference answered [3,2]: ok; it takes others, too");
  // It is executed with gaps where the probe writes strides out and the output may have any.
  outcome.executions.front().probe.explicit_strides = true;
  EXPECT_EQ(fault().answered.find(" with gaps"), std::string::npos);
  capabilities.strided_output = true;
  EXPECT_TRUE(fault().answered.starts_with("execution into [2,3] with gaps, where inference "));
  // Or otherwise, which the inferred shape decides.
  capabilities.negative_strides = true;
  for (const auto& [shape, way] :
       {std::pair(Shape{6}, "execution into [6,1] backwards, where "),
        {Shape{1, 2, 3}, "execution into [2,1,3] with its axes in the "}}) {
    expectation.ruling = Ruling::produces(shape);
    produce(shape);
    answer(Probe::Ask::other_output, Status::ok, "");
    outcome.executions.back().probe.explicit_strides = true;
    EXPECT_TRUE(fault().answered.starts_with(way)) << fault().answered;
  }
  expectation.ruling = Ruling::produces({3, 2});
  produce({3, 2});
  outcome.executions.clear();
  for (const Status refusal : {Status::rejected, Status::unsupported}) {
    answer(Probe::Ask::other_output, refusal, "another shape");
  }
  EXPECT_TRUE(verdict().faults.empty());
  for (const Status status : {Status::failed, Status::unknown}) {
    outcome.executions.clear();
    answer(Probe::Ask::other_output, status, "another shape");
    EXPECT_EQ(fault().duty, Duty::C20);
    EXPECT_EQ(fault().expected, "an output of another shape than the inferred one is refused");
    EXPECT_EQ(fault().answered, "execution into [2,3], where inference answered [3,2]: " +
                                    std::string(name(status)) + " (another shape)");
  }
}

TEST_F(JudgeExecution, AViewInAnotherShapeIsToBeRefused) {
  answer(Probe::Ask::refused_view, Status::ok, "");
  EXPECT_EQ(fault().duty, Duty::C20);
  EXPECT_EQ(fault().answered, "a view in the shape [2,3], where inference answered [3,2]: ok");
  outcome.executions.clear();
  for (const Status refusal : {Status::rejected, Status::unsupported}) {
    answer(Probe::Ask::refused_view, refusal, "another shape");
  }
  EXPECT_TRUE(verdict().faults.empty());
}

TEST_F(JudgeExecution, TheShapeIsReadFirst) {
  produce({2, 3});
  outcome.observations = {
      {CaughtBy::arguments_unchanged, Plane::memory, Duty::C11, "size 0 was changed"}};
  const Verdict came = verdict();
  ASSERT_EQ(came.faults.size(), 2u);
  EXPECT_EQ(came.faults[0].plane, Plane::shape);
}

// ---- the duties

TEST(Duties, AreNumberedInOrder) {
  for (std::size_t number = 1; number <= kDuties.size(); ++number) {
    const Duty duty = static_cast<Duty>(number);
    EXPECT_EQ(name(duty), "C" + std::to_string(number));
    EXPECT_EQ(duty_named(name(duty)), duty);
    EXPECT_FALSE(expects(duty).empty());
  }
  EXPECT_EQ(expects(Duty::C20), "an output of another shape than the inferred one is refused");
  EXPECT_EQ(duty_named("C22"), Duty::none);
  EXPECT_EQ(expects(Duty::none), "");
}

TEST(Watches, AreNamedOnce) {
  for (std::size_t at = 1; at < kWatchNames.size(); ++at) {
    const CaughtBy watch = static_cast<CaughtBy>(at);
    EXPECT_EQ(watch_named(name(watch)), watch) << name(watch);
  }
  EXPECT_STREQ(name(CaughtBy::working_directory), "working-directory");
  EXPECT_EQ(watch_named("nobody"), CaughtBy::none);
}

}  // namespace
}  // namespace reshape::conformance
