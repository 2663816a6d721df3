#include "conformance/model/judge.h"

#include <gtest/gtest.h>

#include <cstdio>

#include "conformance/model/duty.h"
#include "conformance/model/payload.h"
#include "reference/tensor/tensor_view.h"

namespace reshape::conformance {
namespace {

using Kind = Verdict::Kind;
using State = Verdict::PlaneState;

// f32[2,3] reshaped to [3,2], and hand-made outcomes over it.
class Judge : public testing::Test {
 protected:
  Judge() {
    request.dialect = "one";
    request.data = {2, 3};
    request.pattern.values = {3, 2};
    expectation.ruling = Ruling::produces({3, 2});
    capabilities.dialects = {"one"};
    capabilities.element_types = ElementTypes::all();
    capabilities.pattern_types = ElementTypes::integers();
    produce({3, 2});
  }

  void produce(Shape shape) {
    outcome = Outcome();
    outcome.kind = Outcome::Kind::produced;
    outcome.shape = std::move(shape);
  }
  void refuse(Outcome::Kind kind = Outcome::Kind::rejected) {
    outcome = Outcome();
    outcome.kind = kind;
    outcome.message = "the volume differs";
  }

  Execution& execute(Payload payload = Payload::distinct, int round = 0) {
    Execution execution;
    execution.probe.payload = payload;
    execution.probe.round = round;
    execution.probe.poison = 0xa5;
    const std::int64_t count = element_count(outcome.shape).value();
    execution.elements.resize(static_cast<std::size_t>(bytes_for(request.data_type, count)));
    for (std::int64_t position = 0; position < count; ++position) {
      store_element(request.data_type, execution.elements.data(), position,
                    payload_bits(payload, request.data_type, position, round));
    }
    outcome.executions.push_back(std::move(execution));
    return outcome.executions.back();
  }
  Execution& answer(Probe::Ask ask, Status status, std::string message = "the volume differs") {
    Execution execution;
    execution.probe.ask = ask;
    execution.status = status;
    execution.message = std::move(message);
    outcome.executions.push_back(std::move(execution));
    return outcome.executions.back();
  }
  void set(Execution& execution, std::int64_t position, std::uint64_t value) {
    store_element(request.data_type, execution.elements.data(), position, value);
  }

  Verdict verdict() const { return judge(request, expectation, capabilities, outcome); }
  State state(Plane plane) const { return verdict().planes[static_cast<std::size_t>(plane)]; }
  // The one fault of a failing verdict.
  Fault fault() const {
    const Verdict came = verdict();
    EXPECT_EQ(came.kind, Kind::fail);
    EXPECT_EQ(came.faults.size(), 1u);
    return came.faults.empty() ? Fault() : came.faults.front();
  }

  Request request;
  Expectation expectation;
  Capabilities capabilities;
  Outcome outcome;
};

// ---- the shape

TEST_F(Judge, RightShapeAndRightBytesPass) {
  execute();
  execute(Payload::hard);
  execute(Payload::zeros);
  EXPECT_EQ(verdict().kind, Kind::pass);
  EXPECT_EQ(state(Plane::shape), State::pass);
  EXPECT_EQ(state(Plane::bytes), State::pass);
  EXPECT_EQ(state(Plane::memory), State::pass);
  EXPECT_EQ(verdict().chose, "");
}

TEST_F(Judge, WrongShapeFails) {
  produce({2, 3});
  execute();
  EXPECT_EQ(fault().plane, Plane::shape);
  EXPECT_EQ(fault().clause, "output.shape");
  EXPECT_EQ(fault().duty, "C3");
  EXPECT_EQ(fault().watch, "shape");
  EXPECT_EQ(fault().expected, "produces [3,2]");
  EXPECT_EQ(fault().answered, "produced [2,3]");
  EXPECT_EQ(fault().probe, "");
  EXPECT_EQ(state(Plane::shape), State::fail);
  EXPECT_EQ(state(Plane::bytes), State::not_asked);
  EXPECT_EQ(state(Plane::memory), State::pass);
}

TEST_F(Judge, WrongRankFails) {
  for (const Shape& shape : {Shape{6}, Shape{3, 2, 1}, Shape{}}) {
    produce(shape);
    EXPECT_EQ(fault().plane, Plane::shape);
  }
}

TEST_F(Judge, RefusingWhatTheDocumentProducesFails) {
  refuse();
  EXPECT_EQ(fault().clause, "output.shape");
  EXPECT_EQ(fault().answered, "rejected (the volume differs)");
  EXPECT_EQ(state(Plane::bytes), State::not_asked);
}

TEST_F(Judge, ProducingWhatTheDocumentRejectsFails) {
  expectation.ruling = Ruling::rejects("volume.kept");
  execute();
  EXPECT_EQ(fault().plane, Plane::shape);
  EXPECT_EQ(fault().clause, "volume.kept");
  EXPECT_EQ(fault().duty, "C4");
  EXPECT_EQ(fault().expected, "rejects volume.kept");
  EXPECT_EQ(fault().answered, "produced [3,2]");
}

TEST_F(Judge, RefusingWhatTheDocumentRejectsPasses) {
  expectation.ruling = Ruling::rejects("volume.kept");
  refuse();
  answer(Probe::Ask::execute_rejected, Status::rejected);
  EXPECT_EQ(verdict().kind, Kind::pass);
  EXPECT_EQ(state(Plane::shape), State::pass);
  EXPECT_EQ(state(Plane::bytes), State::not_asked);
  EXPECT_EQ(state(Plane::memory), State::pass);
}

TEST_F(Judge, AShapeOnlyRequestNeedsNoExecution) {
  request.shape_only = true;
  EXPECT_EQ(verdict().kind, Kind::pass);
  EXPECT_EQ(state(Plane::bytes), State::not_asked);
  EXPECT_EQ(state(Plane::memory), State::not_asked);
}

// ---- open points

TEST_F(Judge, AnOpenPointRecordsWhatWasChosen) {
  expectation.ruling = Ruling::unspecified("minus-one.beside-copied-zero", true,
                                           {PermittedShape{{3, std::nullopt}}});
  execute();
  EXPECT_EQ(verdict().kind, Kind::pass);
  EXPECT_EQ(verdict().chose, "produced [3,2]");
  refuse();
  EXPECT_EQ(verdict().kind, Kind::pass);
  EXPECT_EQ(verdict().chose, "rejected");
}

TEST_F(Judge, AnOpenPointIsNotOpenToAnything) {
  expectation.ruling = Ruling::unspecified("minus-one.beside-copied-zero", false,
                                           {PermittedShape{{0, std::nullopt}}});
  EXPECT_EQ(fault().clause, "minus-one.beside-copied-zero");
  EXPECT_EQ(fault().duty, "C3");
  EXPECT_EQ(fault().expected, "unspecified minus-one.beside-copied-zero permits produces [0,*]");
  refuse();
  EXPECT_EQ(fault().clause, "minus-one.beside-copied-zero");
}

TEST_F(Judge, BytesAreComparedAtAnOpenPointToo) {
  expectation.ruling =
      Ruling::unspecified("data.type-open", true, {PermittedShape::exactly({3, 2})});
  set(execute(), 1, 0);
  EXPECT_EQ(fault().plane, Plane::bytes);
}

// ---- unsupported

TEST_F(Judge, UnsupportedInsideTheDescriptionFails) {
  refuse(Outcome::Kind::unsupported);
  EXPECT_EQ(fault().plane, Plane::shape);
  EXPECT_EQ(fault().duty, "C18");
  EXPECT_EQ(fault().answered, "unsupported (the volume differs)");
}

TEST_F(Judge, UnsupportedForWhatMustBeRefusedFails) {
  expectation.ruling = Ruling::rejects("data.type");
  capabilities.element_types = {ElementType::f16};
  refuse(Outcome::Kind::unsupported);
  EXPECT_EQ(fault().clause, "data.type");
  EXPECT_EQ(fault().duty, "C18");
}

TEST_F(Judge, UnsupportedOutsideTheDescriptionIsNoFailure) {
  capabilities.element_types = {ElementType::f16};
  refuse(Outcome::Kind::unsupported);
  EXPECT_EQ(verdict().kind, Kind::unsupported);
  EXPECT_EQ(verdict().reason, "element type f32 is not declared");
  EXPECT_EQ(state(Plane::shape), State::not_asked);
}

TEST_F(Judge, UnsupportedExecutionCountsLikeUnsupportedInference) {
  answer(Probe::Ask::execute, Status::unsupported);
  EXPECT_EQ(fault().duty, "C18");
  EXPECT_EQ(fault().plane, Plane::bytes);
  EXPECT_EQ(fault().watch, "status");
  capabilities.element_types = {ElementType::f16};
  EXPECT_EQ(verdict().kind, Kind::unsupported);
}

// ---- bytes

TEST_F(Judge, TheFirstDifferenceIsToldWithIndexBitsAndCount) {
  Execution& execution = execute();
  set(execution, 3, 0x12);
  set(execution, 5, 0x13);
  EXPECT_EQ(fault().plane, Plane::bytes);
  EXPECT_EQ(fault().clause, "content.kept");
  EXPECT_EQ(fault().duty, "C5");
  EXPECT_EQ(fault().watch, "bytes");
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

TEST_F(Judge, EveryElementOfEveryTypeAndPayloadIsCompared) {
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

TEST_F(Judge, TheUnusedHalfOfTheLastByteDoesNotCount) {
  request.data_type = ElementType::u4;
  request.data = {3};
  expectation.ruling = Ruling::produces({3});
  produce({3});
  Execution& execution = execute();
  execution.elements.back() |= std::byte{0xf0};
  EXPECT_EQ(verdict().kind, Kind::pass);
}

TEST_F(Judge, AnElementThatHoldsThePoisonWasNeverWritten) {
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

TEST_F(Judge, TheSameDifferenceInManyProbesIsOneFault) {
  set(execute(), 2, 7);
  Execution& other = execute();
  other.probe.placement = Probe::Placement::back;
  set(other, 2, 7);
  EXPECT_EQ(fault().probe, "payload=distinct poison=a5 placement=front strides=null");
}

TEST_F(Judge, OneGoodExecutionDoesNotHideABadOne) {
  execute();
  set(execute(Payload::hard), 5, 1);
  execute();
  EXPECT_EQ(fault().plane, Plane::bytes);
}

TEST_F(Judge, TooFewBytesFail) {
  execute().elements.pop_back();
  EXPECT_EQ(fault().expected, "24 bytes of elements");
  EXPECT_EQ(fault().answered, "23 bytes of elements");
}

TEST_F(Judge, WrittenOutElementsTakeThePlaceOfThePayload) {
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

// Where strides put several elements in one place, the place holds the payload of the first.
TEST_F(Judge, ASharedPlaceHoldsTheFirstOfItsElements) {
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

TEST_F(Judge, InPlaceNamesItsOwnDuty) {
  Execution& execution = execute();
  execution.probe.ask = Probe::Ask::in_place;
  EXPECT_EQ(verdict().kind, Kind::pass);
  set(execution, 0, 1);
  EXPECT_EQ(fault().duty, "C13");
}

// ---- the status of executions

TEST_F(Judge, ExecutionMustNotRefuseWhatInferenceProduced) {
  execute();
  answer(Probe::Ask::execute, Status::rejected);
  EXPECT_EQ(fault().duty, "C17");
  EXPECT_EQ(fault().plane, Plane::bytes);
  EXPECT_EQ(fault().expected, "execution: ok, as inference produced [3,2]");
  EXPECT_EQ(fault().answered, "execution: rejected (the volume differs)");
}

TEST_F(Judge, FailedAndUnknownStatusFail) {
  for (Status status : {Status::failed, Status::unknown}) {
    for (Probe::Ask ask : {Probe::Ask::execute, Probe::Ask::in_place, Probe::Ask::view}) {
      produce({3, 2});
      answer(ask, status, "no memory");
      EXPECT_EQ(fault().duty, "C5");
      EXPECT_EQ(fault().answered, std::string("execution: ") + name(status) + " (no memory)");
    }
  }
}

TEST_F(Judge, ExecutionMustRefuseWhatInferenceRefused) {
  expectation.ruling = Ruling::rejects("volume.kept");
  for (Status status : {Status::ok, Status::unsupported, Status::failed, Status::unknown}) {
    refuse();
    answer(Probe::Ask::execute_rejected, status);
    EXPECT_EQ(fault().duty, "C4") << name(status);
    EXPECT_EQ(fault().plane, Plane::shape);
    EXPECT_EQ(fault().clause, "volume.kept");
    EXPECT_EQ(fault().expected, "execution: rejected, as inference answered");
  }
}

TEST_F(Judge, AWrongRefusalIsOneFaultWhateverExecutionSays) {
  refuse();
  answer(Probe::Ask::execute_rejected, Status::ok);
  EXPECT_EQ(fault().duty, "C3");
}

TEST_F(Judge, ARefusalOfAWrongShapeIsNoSecondFault) {
  produce({2, 3});
  answer(Probe::Ask::execute, Status::rejected);
  EXPECT_EQ(fault().duty, "C3");
}

// ---- messages

TEST_F(Judge, ARefusalNeedsAMessage) {
  expectation.ruling = Ruling::rejects("volume.kept");
  refuse();
  outcome.message.clear();
  EXPECT_EQ(fault().duty, "C19");
  EXPECT_EQ(fault().answered, "rejected without a message");
  refuse();
  answer(Probe::Ask::execute_rejected, Status::rejected, "");
  EXPECT_EQ(fault().duty, "C19");
}

TEST_F(Judge, UnsupportedNeedsAMessage) {
  capabilities.element_types = {ElementType::f16};
  refuse(Outcome::Kind::unsupported);
  outcome.message.clear();
  EXPECT_EQ(fault().duty, "C19");
}

// ---- views

TEST_F(Judge, AViewOfDenseDataMustAlias) {
  capabilities.views = true;
  execute();
  answer(Probe::Ask::view, Status::unsupported);
  EXPECT_EQ(fault().plane, Plane::memory);
  EXPECT_EQ(fault().duty, "C12");
  request.strides = Strides{1, 2};
  capabilities.strided_input = true;
  EXPECT_EQ(verdict().kind, Kind::pass);
}

TEST_F(Judge, AViewIsComparedAndMustNotRefuse) {
  capabilities.views = true;
  execute();
  Execution& view = execute();
  view.probe.ask = Probe::Ask::view;
  EXPECT_EQ(verdict().kind, Kind::pass);
  set(view, 4, 9);
  EXPECT_EQ(fault().plane, Plane::bytes);
  EXPECT_EQ(fault().probe, "ask=view payload=distinct poison=a5 placement=front strides=null");
  outcome.executions.pop_back();
  answer(Probe::Ask::view, Status::rejected);
  EXPECT_EQ(fault().duty, "C17");
}

// ---- watches

TEST_F(Judge, EveryObservationIsAFaultOnItsPlane) {
  for (Plane plane : {Plane::shape, Plane::bytes, Plane::memory}) {
    produce({3, 2});
    execute().observations = {{"output-gaps", plane, "C8", "byte 5 changed from a5 to 00"}};
    EXPECT_EQ(fault().plane, plane);
    EXPECT_EQ(fault().watch, "output-gaps");
    EXPECT_EQ(fault().duty, "C8");
    EXPECT_EQ(fault().clause, "");
    EXPECT_EQ(fault().expected, expects("C8"));
    EXPECT_EQ(fault().answered, "byte 5 changed from a5 to 00");
    EXPECT_EQ(fault().probe, text(outcome.executions[0].probe));
    EXPECT_EQ(state(plane), State::fail);
  }
}

TEST_F(Judge, ObservationsCountOnRefusalsToo) {
  expectation.ruling = Ruling::rejects("volume.kept");
  refuse();
  outcome.observations = {{"shape-canary", Plane::memory, "C9", "size 2 was written"}};
  EXPECT_EQ(fault().watch, "shape-canary");
  EXPECT_EQ(fault().probe, "");
  outcome.observations.clear();
  answer(Probe::Ask::execute_rejected, Status::rejected).observations = {
      {"output-canary", Plane::memory, "C9", "byte 0 was written"}};
  EXPECT_EQ(fault().watch, "output-canary");
}

TEST_F(Judge, ObservationsCountWithAWrongShapeToo) {
  produce({2, 3});
  execute().observations = {{"output-gaps", Plane::memory, "C7", "byte 24 was written"}};
  const Verdict came = verdict();
  ASSERT_EQ(came.faults.size(), 2u);
  EXPECT_EQ(came.faults[0].plane, Plane::shape);
  EXPECT_EQ(came.faults[1].plane, Plane::memory);
}

TEST_F(Judge, TheShapeIsReadFirst) {
  produce({2, 3});
  outcome.observations = {{"arguments", Plane::memory, "C11", "size 0 was changed"}};
  const Verdict came = verdict();
  ASSERT_EQ(came.faults.size(), 2u);
  EXPECT_EQ(came.faults[0].plane, Plane::shape);
}

// ---- breakdowns

TEST_F(Judge, ABreakdownDuringInferenceIsOnTheShapePlane) {
  for (Outcome::Kind kind :
       {Outcome::Kind::crashed, Outcome::Kind::timed_out, Outcome::Kind::malformed}) {
    for (const Ruling& ruling : {Ruling::produces({3, 2}), Ruling::rejects("volume.kept"),
                                 Ruling::unspecified("data.scalar", true, {PermittedShape{}})}) {
      expectation.ruling = ruling;
      refuse(kind);
      outcome.during = "inference";
      outcome.message = "signal 11";
      EXPECT_EQ(fault().plane, Plane::shape);
      const char* answer = ruling.kind == Ruling::Kind::rejects ? "C4" : "C3";
      EXPECT_EQ(fault().duty, kind == Outcome::Kind::malformed ? answer : "C16");
      EXPECT_EQ(fault().watch, "process");
      EXPECT_EQ(fault().answered, std::string(name(kind)) + " during inference: signal 11");
      EXPECT_EQ(verdict().chose, "");
    }
  }
}

TEST_F(Judge, ABreakdownDuringExecutionIsOnTheBytesPlane) {
  execute();
  outcome.kind = Outcome::Kind::crashed;
  outcome.during = "payload=hard poison=5a placement=back strides=null";
  outcome.message = "signal 11";
  EXPECT_EQ(fault().plane, Plane::bytes);
  EXPECT_EQ(fault().duty, "C16");
  EXPECT_EQ(fault().probe, outcome.during);
  EXPECT_EQ(fault().answered, "crashed during execution: signal 11");
  EXPECT_EQ(state(Plane::shape), State::pass);
  outcome.kind = Outcome::Kind::malformed;
  EXPECT_EQ(fault().duty, "C5");
}

TEST_F(Judge, WhatTheCrashHandlerSawTellsThePlane) {
  outcome.kind = Outcome::Kind::crashed;
  outcome.during = "payload=hard poison=5a placement=back strides=null";
  outcome.message = "signal 11";
  outcome.observations = {{"guard-page", Plane::memory, "C7", "wrote 1 byte behind the output"}};
  const Verdict came = verdict();
  EXPECT_EQ(came.kind, Kind::fail);
  ASSERT_EQ(came.faults.size(), 2u);
  EXPECT_EQ(came.faults[0].watch, "guard-page");
  EXPECT_EQ(came.faults[1].watch, "process");
  EXPECT_EQ(came.faults[1].plane, Plane::memory);
  EXPECT_EQ(state(Plane::memory), State::fail);
  EXPECT_EQ(state(Plane::bytes), State::not_asked);
}

TEST_F(Judge, ExecutionsBeforeABreakdownAreJudged) {
  set(execute(), 0, 1);
  outcome.kind = Outcome::Kind::timed_out;
  outcome.during = "payload=hard poison=5a placement=back strides=null";
  const Verdict came = verdict();
  ASSERT_EQ(came.faults.size(), 2u);
  EXPECT_EQ(came.faults[0].watch, "process");
  EXPECT_EQ(came.faults[1].watch, "bytes");
}

TEST_F(Judge, ABreakdownOnTheWayToARefusalHasNoShapeToCompare) {
  expectation.ruling = Ruling::rejects("volume.kept");
  execute();
  outcome.kind = Outcome::Kind::crashed;
  outcome.during = "ask=execute-rejected";
  EXPECT_EQ(fault().watch, "process");
  EXPECT_EQ(state(Plane::shape), State::not_asked);
}

// ---- passes that prove little

TEST_F(Judge, APassWithoutAnyExecutionIsMistrusted) {
  EXPECT_EQ(verdict().kind, Kind::mistrusted);
  EXPECT_EQ(verdict().reason, "only the shape was asked: no execution was compared");
  capabilities.shape_only = true;
  EXPECT_EQ(verdict().kind, Kind::mistrusted);
  EXPECT_EQ(verdict().reason, "only the shape was asked: there is no execute");
}

TEST_F(Judge, EmptyDataHasNothingToProve) {
  request.data = {0, 3};
  expectation.ruling = Ruling::produces({3, 0});
  produce({3, 0});
  EXPECT_EQ(verdict().kind, Kind::pass);
}

TEST_F(Judge, ZerosAloneAreMistrusted) {
  execute(Payload::zeros);
  EXPECT_EQ(verdict().kind, Kind::mistrusted);
  execute(Payload::hard);
  EXPECT_EQ(verdict().kind, Kind::pass);
}

TEST_F(Judge, FaultsOutweighMistrust) {
  set(execute(Payload::zeros), 0, 1);
  EXPECT_EQ(verdict().kind, Kind::fail);
}

// ---- the duties

TEST(Duties, AreNumberedInOrder) {
  int number = 0;
  for (const Duty& duty : kDuties) EXPECT_EQ(duty.id.substr(1), std::to_string(++number));
  EXPECT_EQ(number, 19);
  EXPECT_EQ(expects("C20"), "");
}

}  // namespace
}  // namespace reshape::conformance
