#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

#include "conformance/run/baseline.h"
#include "conformance/run/testing/small_suite.h"

namespace reshape::conformance::testing {

// A test of baselines, with a file of its own.
class BaselineTest : public ::testing::Test {
 protected:
  ~BaselineTest() override { std::filesystem::remove(file); }

  // A run of an implementation that is right, except that every f32[2,3] becomes [3,3] and every
  // i64 loses a bit.
  RunResult wrong_run() const { return run_all(suite, wrong_answer); }
  static Outcome wrong_answer(const Request& request) {
    if (request.data == Shape{2, 3}) return produced({3, 3});
    Outcome outcome = right_answer(request);
    if (request.data_type == ElementType::i64) outcome.executions[0].elements[0] ^= std::byte{1};
    return outcome;
  }

  // The run with the entries of `baseline` applied.
  static RunResult held_to(const Baseline& baseline, RunResult run,
                           const std::string& day = today()) {
    apply(baseline, run, day);
    return run;
  }

  Result<Baseline> loaded(const std::string& text) const {
    std::ofstream(file) << text;
    return load_baseline(file);
  }
  // What `baseline` is once it was written and read again.
  Baseline read_back(Baseline baseline) const {
    baseline.file = file;
    EXPECT_TRUE(save(baseline));
    Result<Baseline> again = load_baseline(file);
    EXPECT_TRUE(again.ok()) << again.error().text();
    return again ? *std::move(again) : Baseline();
  }
  // Why a file with this text cannot be read, behind its name.
  std::string error_of(const std::string& text) const {
    const Result<Baseline> read = loaded(text);
    if (read) return "none";
    const std::string said = read.error().text();
    EXPECT_EQ(said.substr(0, file.size()), file);
    return said.substr(file.size());
  }

  const Suite suite = small_suite();
  const std::string file = ::testing::TempDir() +
                           ::testing::UnitTest::GetInstance()->current_test_info()->name() +
                           ".yaml";
};

}  // namespace reshape::conformance::testing
