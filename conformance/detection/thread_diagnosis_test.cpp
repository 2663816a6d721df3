// Whether another thread is enough, or calls at the same time are needed.
#include "conformance/detection/thread_diagnosis.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "conformance/text/testing/expect_in.h"

namespace reshape::conformance {
namespace {

// Answers correctly on the thread that loaded it, and on another thread as `wrong` says, depending
// on whether the first one has asked before.
class OnTwoThreads final : public Adapter {
 public:
  using Wrong = bool (*)(bool asked_here_before);
  explicit OnTwoThreads(Wrong wrong) : wrong_(wrong) {}
  const Capabilities& capabilities() const override { return capabilities_; }
  Outcome ask(const Request&) override {
    asked_here_ = true;
    return answer(false);
  }
  std::vector<Outcome> ask_together(const std::vector<Request>& requests, int) override {
    return std::vector<Outcome>(requests.size(), answer(wrong_(asked_here_)));
  }

 private:
  static Outcome answer(bool wrong) {
    Outcome outcome;
    outcome.kind = Outcome::Kind::produced;
    outcome.shape = wrong ? Shape{3} : Shape{6};
    return outcome;
  }
  Wrong wrong_;
  Capabilities capabilities_;
  bool asked_here_ = false;
};

std::vector<ThreadFinding> found(OnTwoThreads::Wrong wrong,
                                 std::vector<std::string> laws = {"two-at-once"},
                                 bool in_a_fresh_process = true) {
  std::vector<LawResult> broken;
  for (const std::string& name : laws) {
    LawResult law;
    law.name = name;
    law.broken = "it differs";
    law.lines = {"openvino-reshape-1 f32[2,3] i64[6] special_zero=true"};
    if (in_a_fresh_process) law.input = law.lines.front();
    broken.push_back(law);
  }
  return where_threads_differ(
      broken,
      [=]() -> Result<std::unique_ptr<Adapter>> {
        return std::unique_ptr<Adapter>(std::make_unique<OnTwoThreads>(wrong));
      },
      10);
}

TEST(ThreadDiagnosis, SaysThatAnotherThreadIsEnough) {
  const auto findings = found([](bool) { return true; }, {"two-at-once", "odd-threads"});
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].laws, (std::vector<std::string>{"two-at-once", "odd-threads"}));
  expect_in(findings[0].says, "that did not load the library is answered otherwise");
  EXPECT_EQ(findings[0].line, "openvino-reshape-1 f32[2,3] i64[6] special_zero=true");
}

TEST(ThreadDiagnosis, SaysThatItComesOfARequestOnTheLoadingThread) {
  const auto findings = found([](bool asked_here_before) { return asked_here_before; });
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_TRUE(findings[0].says.starts_with("after a request on the thread that loaded"))
      << findings[0].says;
}

TEST(ThreadDiagnosis, SaysThatOneCallAtATimeIsAnsweredAlike) {
  const auto findings = found([](bool) { return false; });
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_TRUE(findings[0].says.starts_with("each of its requests, asked with no other call"))
      << findings[0].says;
  EXPECT_TRUE(findings[0].line.empty());
}

TEST(ThreadDiagnosis, SaysNothingOfWhatMayComeOfEarlierRequests) {
  const auto right = [](bool) { return false; };
  EXPECT_TRUE(found(right, {"two-at-once"}, false).empty());
  EXPECT_TRUE(found(right, {"loaded-here-run-there"}).empty());
}

TEST(ThreadDiagnosis, SaysNothingOfOtherLaws) {
  EXPECT_TRUE(found([](bool) { return true; }, {"round-trip"}).empty());
}

}  // namespace
}  // namespace reshape::conformance
