// What requests beside a failure say of a known mistake, with libraries whose mistakes are known.
#include "conformance/detection/beside_failures.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "conformance/adapter/adapter.h"
#include "conformance/detection/judged.h"
#include "conformance/spec/load.h"
#include "conformance/text/line.h"
#include "reference/tensor/declared_dialects.h"

namespace reshape::conformance {
namespace {

// Beside a remainder that is forgotten at rank 5.
BesideFailures found_beside(const std::string& library, const std::string& mutant) {
  const auto adapter = start_adapter({"mutant:" + library});
  EXPECT_TRUE(adapter.ok());
  const Request request =
      *parse_line("openvino-reshape-1 f32[3,3,1,1,1] i64[2,-1] special_zero=true");
  Deaths deaths;
  const Verdict verdict =
      judged(*declared_dialect(request.dialect), request, **adapter, deaths).verdict.value();
  EXPECT_FALSE(verdict.faults.empty());
  if (verdict.faults.empty()) return {};
  const Explained explained{&request, &verdict.faults.front()};
  SeededChoices choices(0);
  return beside_failures(built_in_suite(), {&explained, 1}, {}, *self::mutant_named(mutant),
                         **adapter, choices,
                         std::chrono::steady_clock::now() + std::chrono::minutes(1));
}

TEST(BesideFailures, CountThoseThatAMutantWithANarrowerMistakeDoesNotFail) {
  const std::string narrow = "remainder-forgotten-above-rank-4";
  const BesideFailures found = found_beside("minus-one-rounds-down", narrow);
  EXPECT_GT(found.same, 2);
  EXPECT_GT(found.missed, 2);
  const BesideFailures itself = found_beside(narrow, narrow);
  EXPECT_GT(itself.same, 2);
  EXPECT_EQ(itself.missed, 0);
}

}  // namespace
}  // namespace reshape::conformance
