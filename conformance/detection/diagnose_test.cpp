// The diagnosis of libraries whose mistakes are known.
#include "conformance/detection/diagnose.h"

#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/adapter/memory/sanitizers.h"
#include "conformance/detection/comparable.h"
#include "conformance/oracle/ruling_of.h"
#include "conformance/run/runner.h"
#include "conformance/spec/load.h"
#include "conformance/text/line.h"
#include "reference/tensor/declared_dialects.h"

namespace reshape::conformance {
namespace {

// A run of requests by a mutant, which is then diagnosed.
class OfAMutant : public ::testing::Test {
 protected:
  explicit OfAMutant(const std::string& name) : library_{"mutant:" + name} {
    Result<std::unique_ptr<Adapter>> adapter = start_adapter(library_);
    EXPECT_TRUE(adapter.ok());
    adapter_ = std::move(*adapter);
    run_.suite = &built_in_suite();
  }

  void add(const std::string& line) {
    Case& one = cases_.emplace_back();
    one.id = "openvino-reshape-1/case-" + std::to_string(cases_.size());
    one.request = *parse_line(line);
    one.expect = ruling_of(*declared_dialect(one.request.dialect), one.request);
    one.clauses = {one.expect.kind == Ruling::Kind::rejects ? one.expect.clause : "output.shape"};
    run_.cases.push_back(ask(*run_.suite, one, *adapter_));
  }

  Diagnosis diagnosed(std::string_view without) const {
    DiagnosisOptions options;
    options.seconds = 60;
    options.without = without;
    return *diagnose(run_, library_, options);
  }

 private:
  AdapterOptions library_;
  std::unique_ptr<Adapter> adapter_;
  std::deque<Case> cases_;
  RunResult run_;
};

class WhereAnyZeroPastTheRankIsOne : public OfAMutant {
 protected:
  WhereAnyZeroPastTheRankIsOne() : OfAMutant("copied-index-unchecked") {
    // More than are compared with each mistake.
    constexpr int kFirst = 80, kOthers = 40;
    const auto add_for = [&](int size, const std::string& behind) {
      const std::string count = std::to_string(size);
      add("openvino-reshape-1 u8[" + count + "] i64[" + count + behind + "] special_zero=true");
    };
    for (int size = 2; size < 2 + kFirst; ++size) add_for(size, ",0");
    for (int size = 2; size < 2 + kOthers; ++size) add_for(size, ",1,0");
    for (int size = 2; size < 2 + kOthers; ++size) add_for(size, "");
  }
};

// It answers those that are compared as the library does: the 0 is right behind the last size.
TEST_F(WhereAnyZeroPastTheRankIsOne, NoNarrowerMistakeIsNamed) {
  for (const Diagnosis::Cause& cause : diagnosed("copied-index-unchecked").causes) {
    EXPECT_NE(cause.mutant, "copied-index-off-by-one");
  }
}

TEST_F(WhereAnyZeroPastTheRankIsOne, TheMistakeItselfIsNamed) {
  const std::vector<Diagnosis::Cause> causes = diagnosed("").causes;
  ASSERT_FALSE(causes.empty());
  EXPECT_EQ(causes.front().mutant, "copied-index-unchecked");
}

// Of larger data a leak beside plain executions is not looked for.
TEST(Comparable, OfMemoryThatGrowsAreThoseThatAreLookedAtForIt) {
  if (kSanitized) GTEST_SKIP() << "memory is not counted beside a sanitizer";
  const auto adapter = start_adapter({"mutant:leaks-in-place"});
  ASSERT_TRUE(adapter.ok());
  const auto asked = [&](const char* line) {
    Case one;
    one.request = *parse_line(line);
    one.expect = ruling_of(*declared_dialect(one.request.dialect), one.request);
    return std::pair(one, ask(built_in_suite(), one, **adapter).verdict);
  };
  const auto [small, fails] =
      asked("openvino-reshape-1 u8[1024] i64[-1] special_zero=true in_place=true");
  const auto [large, passes] =
      asked("openvino-reshape-1 u8[1025] i64[-1] special_zero=true in_place=true");
  ASSERT_FALSE(fails.faults.empty());
  EXPECT_EQ(fails.faults.front().watch, CaughtBy::memory_growth);
  EXPECT_EQ(passes.kind, Verdict::Kind::pass);
  Comparable comparable;
  comparable.add(small, fails);
  EXPECT_TRUE(comparable.contains(small));
  EXPECT_FALSE(comparable.contains(large));
}

TEST(FailedBesides, AreTheSmallestAndTheLastOfEachLawThatDoesNotHold) {
  Generation generated;
  generated.smallest.push_back({"generated/1/2", "a", "", ""});
  LawResult holds, broken, undecided;
  holds.lines = {"b"};
  broken.broken = undecided.broken = "it is not so";
  broken.lines = {"c", "d"};
  undecided.undecided = true;
  undecided.lines = {"e", "f"};
  const std::vector<LawResult> laws = {holds, broken, undecided};
  EXPECT_EQ(failed_besides(generated, laws), (std::vector<std::string>{"a", "d", "e"}));
  EXPECT_TRUE(failed_besides(std::nullopt, {}).empty());
}

}  // namespace
}  // namespace reshape::conformance
