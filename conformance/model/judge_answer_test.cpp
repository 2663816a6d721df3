#include <gtest/gtest.h>

#include "conformance/model/testing/judging.h"

namespace reshape::conformance {
namespace {

using testing::Kind;
using testing::State;

class JudgeAnswer : public testing::Judging {};

// ---- the shape

TEST_F(JudgeAnswer, RightShapeAndRightBytesPass) {
  execute();
  execute(Payload::hard);
  execute(Payload::zeros);
  EXPECT_EQ(verdict().kind, Kind::pass);
  EXPECT_EQ(state(Plane::shape), State::pass);
  EXPECT_EQ(state(Plane::bytes), State::pass);
  EXPECT_EQ(state(Plane::memory), State::pass);
  EXPECT_EQ(verdict().chose, "");
}

TEST_F(JudgeAnswer, WrongShapeFails) {
  produce({2, 3});
  execute();
  EXPECT_EQ(fault().plane, Plane::shape);
  EXPECT_EQ(fault().clause, "output.shape");
  EXPECT_EQ(fault().duty, Duty::C3);
  EXPECT_EQ(fault().watch, CaughtBy::shape);
  EXPECT_EQ(fault().expected, "produces [3,2]");
  EXPECT_EQ(fault().answered, "produced [2,3]");
  EXPECT_EQ(fault().probe, "");
  EXPECT_EQ(state(Plane::shape), State::fail);
  EXPECT_EQ(state(Plane::bytes), State::not_asked);
  EXPECT_EQ(state(Plane::memory), State::pass);
}

TEST_F(JudgeAnswer, WrongRankFails) {
  for (const Shape& shape : {Shape{6}, Shape{3, 2, 1}, Shape{}}) {
    produce(shape);
    EXPECT_EQ(fault().plane, Plane::shape);
  }
}

TEST_F(JudgeAnswer, RefusingWhatTheDocumentProducesFails) {
  refuse();
  EXPECT_EQ(fault().clause, "output.shape");
  EXPECT_EQ(fault().answered, "rejected (the volume differs)");
  EXPECT_EQ(state(Plane::bytes), State::not_asked);
}

TEST_F(JudgeAnswer, ProducingWhatTheDocumentRejectsFails) {
  expectation.ruling = Ruling::rejects("volume.kept");
  execute();
  EXPECT_EQ(fault().plane, Plane::shape);
  EXPECT_EQ(fault().clause, "volume.kept");
  EXPECT_EQ(fault().duty, Duty::C4);
  EXPECT_EQ(fault().expected, "rejects volume.kept");
  EXPECT_EQ(fault().answered, "produced [3,2]");
}

TEST_F(JudgeAnswer, RefusingWhatTheDocumentRejectsPasses) {
  expectation.ruling = Ruling::rejects("volume.kept");
  refuse();
  answer(Probe::Ask::execute_rejected, Status::rejected);
  EXPECT_EQ(verdict().kind, Kind::pass);
  EXPECT_EQ(state(Plane::shape), State::pass);
  EXPECT_EQ(state(Plane::bytes), State::not_asked);
  EXPECT_EQ(state(Plane::memory), State::pass);
}

TEST_F(JudgeAnswer, AShapeOnlyRequestNeedsNoExecution) {
  request.shape_only = true;
  EXPECT_EQ(verdict().kind, Kind::pass);
  EXPECT_EQ(state(Plane::bytes), State::not_asked);
  EXPECT_EQ(state(Plane::memory), State::not_asked);
}

// ---- open points

TEST_F(JudgeAnswer, AnOpenPointRecordsWhatWasChosen) {
  expectation.ruling = Ruling::unspecified("minus-one.beside-copied-zero", true,
                                           {PermittedShape{{3, std::nullopt}}});
  execute();
  EXPECT_EQ(verdict().kind, Kind::pass);
  EXPECT_EQ(verdict().chose, "produced [3,2]");
  refuse();
  EXPECT_EQ(verdict().kind, Kind::pass);
  EXPECT_EQ(verdict().chose, "rejected");
}

TEST_F(JudgeAnswer, AnOpenPointIsNotOpenToAnything) {
  expectation.ruling = Ruling::unspecified("minus-one.beside-copied-zero", false,
                                           {PermittedShape{{0, std::nullopt}}});
  EXPECT_EQ(fault().clause, "minus-one.beside-copied-zero");
  EXPECT_EQ(fault().duty, Duty::C3);
  EXPECT_EQ(fault().expected, "unspecified minus-one.beside-copied-zero permits produces [0,*]");
  refuse();
  EXPECT_EQ(fault().clause, "minus-one.beside-copied-zero");
}

TEST_F(JudgeAnswer, BytesAreComparedAtAnOpenPointToo) {
  expectation.ruling =
      Ruling::unspecified("data.type-open", true, {PermittedShape::exactly({3, 2})});
  set(execute(), 1, 0);
  EXPECT_EQ(fault().plane, Plane::bytes);
}

// ---- unsupported

TEST_F(JudgeAnswer, UnsupportedInsideTheDescriptionFails) {
  refuse(Outcome::Kind::unsupported);
  EXPECT_EQ(fault().plane, Plane::shape);
  EXPECT_EQ(fault().duty, Duty::C18);
  EXPECT_EQ(fault().answered, "unsupported (the volume differs)");
}

TEST_F(JudgeAnswer, UnsupportedForWhatMustBeRefusedFails) {
  expectation.ruling = Ruling::rejects("data.type");
  capabilities.element_types = {ElementType::f16};
  refuse(Outcome::Kind::unsupported);
  EXPECT_EQ(fault().clause, "data.type");
  EXPECT_EQ(fault().duty, Duty::C18);
}

TEST_F(JudgeAnswer, UnsupportedOutsideTheDescriptionIsNoFailure) {
  capabilities.element_types = {ElementType::f16};
  refuse(Outcome::Kind::unsupported);
  EXPECT_EQ(verdict().kind, Kind::unsupported);
  EXPECT_EQ(verdict().reason, "element type f32 is not declared");
  EXPECT_EQ(state(Plane::shape), State::not_asked);
}

TEST_F(JudgeAnswer, UnsupportedExecutionCountsLikeUnsupportedInference) {
  answer(Probe::Ask::execute, Status::unsupported);
  EXPECT_EQ(fault().duty, Duty::C18);
  EXPECT_EQ(fault().plane, Plane::bytes);
  EXPECT_EQ(fault().watch, CaughtBy::status);
  capabilities.element_types = {ElementType::f16};
  EXPECT_EQ(verdict().kind, Kind::unsupported);
}

// ---- messages

TEST_F(JudgeAnswer, ARefusalNeedsAMessage) {
  expectation.ruling = Ruling::rejects("volume.kept");
  for (const char* blank : {"", "   "}) {
    refuse();
    outcome.message = blank;
    EXPECT_EQ(fault().duty, Duty::C19);
    EXPECT_EQ(fault().answered, "rejected without a message");
  }
  refuse();
  answer(Probe::Ask::execute_rejected, Status::rejected, "");
  EXPECT_EQ(fault().duty, Duty::C19);
}

TEST_F(JudgeAnswer, UnsupportedNeedsAMessage) {
  capabilities.element_types = {ElementType::f16};
  refuse(Outcome::Kind::unsupported);
  outcome.message.clear();
  EXPECT_EQ(fault().duty, Duty::C19);
}

// ---- breakdowns

TEST_F(JudgeAnswer, ABreakdownDuringInferenceIsOnTheShapePlane) {
  for (Outcome::Kind kind :
       {Outcome::Kind::crashed, Outcome::Kind::timed_out, Outcome::Kind::malformed}) {
    for (const Ruling& ruling : {Ruling::produces({3, 2}), Ruling::rejects("volume.kept"),
                                 Ruling::unspecified("data.scalar", true, {PermittedShape{}})}) {
      expectation.ruling = ruling;
      refuse(kind);
      outcome.during = "inference";
      outcome.message = "signal 11";
      EXPECT_EQ(fault().plane, Plane::shape);
      const Duty answer = ruling.kind == Ruling::Kind::rejects ? Duty::C4 : Duty::C3;
      EXPECT_EQ(fault().duty, kind == Outcome::Kind::malformed ? answer : Duty::C16);
      EXPECT_EQ(fault().watch, CaughtBy::process);
      EXPECT_EQ(fault().answered, std::string(name(kind)) + " during inference: signal 11");
      EXPECT_EQ(verdict().chose, "");
    }
  }
}

TEST_F(JudgeAnswer, ABreakdownDuringExecutionIsOnTheBytesPlane) {
  execute();
  outcome.kind = Outcome::Kind::crashed;
  outcome.during = "payload=hard poison=5a placement=back strides=null";
  outcome.message = "signal 11";
  EXPECT_EQ(fault().plane, Plane::bytes);
  EXPECT_EQ(fault().duty, Duty::C16);
  EXPECT_EQ(fault().probe, outcome.during);
  EXPECT_EQ(fault().answered, "crashed during execution: signal 11");
  EXPECT_EQ(state(Plane::shape), State::pass);
  outcome.kind = Outcome::Kind::malformed;
  EXPECT_EQ(fault().duty, Duty::C5);
}

TEST_F(JudgeAnswer, TheFrameOfACrashIsTold) {
  outcome.kind = Outcome::Kind::crashed;
  outcome.message = "signal 11";
  EXPECT_EQ(verdict().frame(), nullptr);
  const std::string fingerprint = fault().fingerprint();
  outcome.crashed_at = 0x1a2b;
  const Verdict came = verdict();
  ASSERT_NE(came.frame(), nullptr);
  EXPECT_EQ(came.frame()->address, 0x1a2bu);
  EXPECT_EQ(text(*came.frame(), "/there/libmine.so"), "libmine.so+0x1a2b");
  // The address moves with every build of the library, so a baseline does not include it.
  EXPECT_EQ(fault().fingerprint(), fingerprint);
}

TEST_F(JudgeAnswer, WhatTheCrashHandlerSawTellsThePlane) {
  outcome.kind = Outcome::Kind::crashed;
  outcome.during = "payload=hard poison=5a placement=back strides=null";
  outcome.message = "signal 11";
  outcome.observations = {
      {CaughtBy::guard_page, Plane::memory, Duty::C7, "wrote 1 byte behind the output"}};
  const Verdict came = verdict();
  EXPECT_EQ(came.kind, Kind::fail);
  ASSERT_EQ(came.faults.size(), 2u);
  EXPECT_EQ(came.faults[0].watch, CaughtBy::guard_page);
  EXPECT_EQ(came.faults[1].watch, CaughtBy::process);
  EXPECT_EQ(came.faults[1].plane, Plane::memory);
  EXPECT_EQ(state(Plane::memory), State::fail);
  EXPECT_EQ(state(Plane::bytes), State::not_asked);
}

TEST_F(JudgeAnswer, ExecutionsBeforeABreakdownAreJudged) {
  set(execute(), 0, 1);
  outcome.kind = Outcome::Kind::timed_out;
  outcome.during = "payload=hard poison=5a placement=back strides=null";
  const Verdict came = verdict();
  ASSERT_EQ(came.faults.size(), 2u);
  EXPECT_EQ(came.faults[0].watch, CaughtBy::process);
  EXPECT_EQ(came.faults[1].watch, CaughtBy::bytes);
}

TEST_F(JudgeAnswer, ABreakdownOnTheWayToARefusalHasNoShapeToCompare) {
  expectation.ruling = Ruling::rejects("volume.kept");
  execute();
  outcome.kind = Outcome::Kind::crashed;
  outcome.during = "ask=execute-rejected";
  EXPECT_EQ(fault().watch, CaughtBy::process);
  EXPECT_EQ(state(Plane::shape), State::not_asked);
}

// ---- passes that prove little

TEST_F(JudgeAnswer, APassWithoutAnyExecutionIsMistrusted) {
  EXPECT_EQ(verdict().kind, Kind::mistrusted);
  EXPECT_EQ(verdict().reason, "only the shape was asked: no execution was compared");
  capabilities.shape_only = true;
  EXPECT_EQ(verdict().kind, Kind::mistrusted);
  EXPECT_EQ(verdict().reason, "only the shape was asked: there is no execute");
}

TEST_F(JudgeAnswer, EmptyDataHasNothingToProve) {
  request.data = {0, 3};
  expectation.ruling = Ruling::produces({3, 0});
  produce({3, 0});
  EXPECT_EQ(verdict().kind, Kind::pass);
}

TEST_F(JudgeAnswer, ZerosAloneAreMistrusted) {
  execute(Payload::zeros);
  EXPECT_EQ(verdict().kind, Kind::mistrusted);
  execute(Payload::hard);
  EXPECT_EQ(verdict().kind, Kind::pass);
}

TEST_F(JudgeAnswer, FaultsOutweighMistrust) {
  set(execute(Payload::zeros), 0, 1);
  EXPECT_EQ(verdict().kind, Kind::fail);
}

}  // namespace
}  // namespace reshape::conformance
