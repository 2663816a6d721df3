#include "fuzz/engine/finding.h"

#include <gtest/gtest.h>

#include "conformance/text/line.h"

namespace reshape::fuzz {
namespace {

using conformance::Fault;
using conformance::Outcome;

std::string token(Outcome::Kind kind, const Fault& fault) {
  const auto request =
      conformance::parse_line("openvino-reshape-1 f32[2,3] i64[6] special_zero=true");
  Outcome outcome;
  outcome.kind = kind;
  return text(judged_token("mine", *request, outcome, fault));
}

// A fuzzer calls the library in its own process, `reshape-fuzz judge` in another one. Both must
// give the same bug the same token, so that it is reported once.
TEST(JudgedToken, SaysHowTheProcessBrokeDownAndElseWhichWatchSawIt) {
  Fault broken_down;
  broken_down.clause = "output.shape";
  broken_down.watch = conformance::CaughtBy::process;
  EXPECT_EQ(token(Outcome::Kind::malformed, broken_down),
            "mine|openvino-reshape-1|output.shape|shape|malformed");
  EXPECT_EQ(token(Outcome::Kind::crashed, broken_down),
            "mine|openvino-reshape-1|output.shape|shape|crashed");
  Fault seen;
  seen.plane = conformance::Plane::memory;
  seen.duty = conformance::Duty::C7;
  seen.watch = conformance::CaughtBy::canaries;
  EXPECT_EQ(token(Outcome::Kind::produced, seen), "mine|openvino-reshape-1|C7|memory|canaries");
}

}  // namespace
}  // namespace reshape::fuzz
