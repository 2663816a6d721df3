#include "conformance/adapter/testing/asking.h"

namespace reshape::conformance {
namespace {
using namespace testing_adapter;

TEST(Examine, RightIsSeenAsRight) {
  for (bool in_process : {true, false}) {
    const auto adapter = start(in_process);
    const Outcome outcome = adapter->ask(request("right"));
    EXPECT_EQ(outcome.kind, Outcome::Kind::produced) << words(outcome);
    EXPECT_TRUE(all_seen(outcome).empty()) << words(outcome);
    EXPECT_EQ(outcome.executions.size(), 10u);
  }
}

}  // namespace
}  // namespace reshape::conformance
