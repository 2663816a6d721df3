#include <gtest/gtest.h>

#include <limits>

#include "conformance/model/capabilities.h"
#include "conformance/model/clause.h"
#include "conformance/model/outcome.h"
#include "conformance/model/request.h"
#include "conformance/model/verdict.h"

namespace reshape::conformance {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

Request over(ElementType type, Shape shape) {
  Request request;
  request.data_type = type;
  request.data = std::move(shape);
  return request;
}

TEST(DataBytes, DenseIsCountTimesWidth) {
  EXPECT_EQ(data_bytes(over(ElementType::f32, {2, 3})), 24);
  EXPECT_EQ(data_bytes(over(ElementType::f64, {})), 8);
  EXPECT_EQ(data_bytes(over(ElementType::i4, {3})), 2);
  EXPECT_EQ(data_bytes(over(ElementType::f32, {2, 0, 3})), 0);
}

TEST(DataBytes, StridesReachFromTheFirstToTheLastElement) {
  Request request = over(ElementType::i16, {2, 3});
  request.strides = Strides{10, 2};
  EXPECT_EQ(data_bytes(request), 2 * (10 + 4 + 1));
  request.strides = Strides{-10, 0};
  request.offset = 10;
  EXPECT_EQ(data_bytes(request), 2 * 11);
  request = over(ElementType::u4, {3});
  request.strides = Strides{3};  // positions 0, 3, 6: bytes 0 to 3
  EXPECT_EQ(data_bytes(request), 4);
}

TEST(DataBytes, NothingBeyond63Bits) {
  EXPECT_EQ(data_bytes(over(ElementType::f32, {kMost, kMost})), std::nullopt);
  EXPECT_EQ(data_bytes(over(ElementType::f64, {kMost})), std::nullopt);
  EXPECT_EQ(data_bytes(over(ElementType::i8, {kMost})), kMost);
  EXPECT_EQ(data_bytes(over(ElementType::f32, {kMost, kMost, 0})), 0);
}

TEST(DataLayout, IsRowMajorWithoutStrides) {
  Request request = over(ElementType::f32, {2, 3});
  request.offset = 4;
  EXPECT_EQ(data_layout(request), (Layout{Shape{2, 3}, {3, 1}, 4}));
  request.strides = Strides{1, 2};
  EXPECT_EQ(data_layout(request), (Layout{Shape{2, 3}, {1, 2}, 4}));
}

TEST(ProbeText, SaysHowTheRunWasSetUp) {
  Probe probe;
  probe.payload = Payload::hard;
  probe.poison = 0xa5;
  probe.placement = Probe::Placement::back;
  EXPECT_EQ(text(probe), "payload=hard poison=a5 placement=back strides=null");
  probe.ask = Probe::Ask::execute_rejected;
  probe.round = 2;
  probe.explicit_strides = true;
  probe.byte_offset = true;
  probe.errno_left = true;
  probe.null_if_empty = true;
  EXPECT_EQ(text(probe),
            "ask=execute-rejected payload=hard round=2 poison=a5 placement=back strides=explicit "
            "byte_offset=data errno=ERANGE empty=null");
}

TEST(ProbeText, IsToldInWordsToPeople) {
  Probe probe;
  probe.poison = 0xa5;
  probe.placement = Probe::Placement::odd;
  probe.output_offset = true;
  EXPECT_EQ(probe_in_words(text(probe)),
            "values that tell the elements apart, an output that held the bytes a5, buffers that "
            "lie within a page, strides that are null, a byte_offset of the output");
  probe.ask = Probe::Ask::overlap;
  const auto overlap = [&](std::int64_t shift, std::uint8_t bytes) {
    probe.shift = shift;
    probe.shift_bytes = bytes;
    const std::string words = probe_in_words(text(probe));
    return words.substr(0, words.find(", values"));
  };
  const std::string begins = "an output that overlaps the data, ";
  EXPECT_NE(probe_in_words(text(probe)).find("memory around the data that held the bytes 4b"),
            std::string::npos);
  EXPECT_EQ(overlap(0, 0), begins + "from the data's start on");
  EXPECT_EQ(overlap(-1, 0), begins + "1 element before the data's start");
  EXPECT_EQ(overlap(2, 3), begins + "2 elements and 3 bytes behind the data's start");
  EXPECT_EQ(overlap(-2, 1), begins + "2 elements before the data's start, and 1 byte behind that");
  // Nothing that a probe has may be left as it is.
  for (int ask = 0; ask <= static_cast<int>(Probe::kLastAsk); ++ask) {
    for (const Payload payload : {Payload::distinct, Payload::hard, Payload::zeros}) {
      Probe all;
      all.ask = static_cast<Probe::Ask>(ask);
      all.payload = payload;
      all.round = 2;
      all.shift = -3;
      all.explicit_strides = all.byte_offset = all.errno_left = all.null_if_empty = true;
      all.one_allocation = all.over_data = true;
      EXPECT_EQ(probe_in_words(text(all)).find('='), std::string::npos) << text(all);
    }
  }
}

TEST(OutcomeText, SaysWhatCame) {
  Outcome outcome;
  outcome.kind = Outcome::Kind::produced;
  outcome.shape = {2, 5};
  EXPECT_EQ(text(outcome), "produced [2,5]");
  outcome.kind = Outcome::Kind::rejected;
  outcome.message = "volume differs";
  EXPECT_EQ(text(outcome), "rejected (volume differs)");
  outcome.message.clear();
  EXPECT_EQ(text(outcome), "rejected");
  outcome.kind = Outcome::Kind::crashed;
  outcome.during = "inference";
  outcome.message = "signal 11";
  EXPECT_EQ(text(outcome), "crashed during inference: signal 11");
}

TEST(Fingerprint, LeavesTheProbeOut) {
  Fault fault{Plane::bytes,       "content.kept",     Duty::C5,      CaughtBy::bytes,
              "element 4 is 0x1", "element 4 is 0x2", "payload=hard"};
  Fault again = fault;
  again.probe = "payload=zeros";
  EXPECT_EQ(fault.fingerprint(), again.fingerprint());
  again.answered = "element 4 is 0x3";
  EXPECT_NE(fault.fingerprint(), again.fingerprint());
  again = fault;
  again.clause = "volume.kept";
  EXPECT_NE(fault.fingerprint(), again.fingerprint());
}

TEST(Fingerprint, LeavesTheNumbersOfAMessageOut) {
  Fault fault{Plane::shape,
              "volume.kept",
              Duty::none,
              CaughtBy::shape,
              "produces [2,3]",
              "rejected (node 17 at 0x7f3a10: 6 elements)",
              ""};
  Fault again = fault;
  again.answered = "rejected (node 4 at 0x55d2c8: 6 elements)";
  EXPECT_EQ(fault.fingerprint(), again.fingerprint());
  EXPECT_EQ(fault.fingerprint(),
            "volume.kept | shape | expected produces [2,3] | rejected (node # at #: # elements)");
  again.answered = "rejected (edge 4 at 0x55d2c8: 6 elements)";
  EXPECT_NE(fault.fingerprint(), again.fingerprint());
  again.answered = "produced [2,5]";
  EXPECT_EQ(again.fingerprint(), "volume.kept | shape | expected produces [2,3] | produced [2,5]");
  EXPECT_EQ(without_message_numbers("volume.kept | shape | expected x | rejected (node 9)"),
            "volume.kept | shape | expected x | rejected (node #)");
}

TEST(Suite, FindsADocumentByItsDialect) {
  Suite suite;
  suite.documents.emplace_back();
  suite.documents.back().dialect.name = "one";
  EXPECT_EQ(suite.document("one"), &suite.documents[0]);
  EXPECT_EQ(suite.document("two"), nullptr);
}

TEST(Capabilities, KnowTheirDialects) {
  Capabilities capabilities;
  capabilities.dialects = {"one", "two"};
  EXPECT_TRUE(capabilities.has_dialect("two"));
  EXPECT_FALSE(capabilities.has_dialect("tw"));
}

TEST(Names, AreTheWordsOfTheReports) {
  EXPECT_STREQ(name(Plane::memory), "memory");
  EXPECT_STREQ(name(Status::unsupported), "unsupported");
  EXPECT_STREQ(name(Outcome::Kind::timed_out), "timed out");
  EXPECT_STREQ(name(Verdict::Kind::mistrusted), "mistrusted");
  EXPECT_STREQ(name(Verdict::PlaneState::not_asked), "not asked");
  EXPECT_STREQ(name(Level::silent), "silent");
}

}  // namespace
}  // namespace reshape::conformance
