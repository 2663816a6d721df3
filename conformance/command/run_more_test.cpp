// What `run` asks besides the cases of the suite, as its user sees it.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include "conformance/command/commands.h"
#include "conformance/command/console_test.h"

namespace reshape::conformance {
namespace {

Ended ask(const char* library, const std::vector<std::string>& more) {
  std::vector<std::string> arguments = {"-i", library, "--in-process"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_command(add_run, arguments);
}

TEST(Run, GeneratesFromASeedAndPrintsWhatItDrew) {
  const Ended ended = ask(RESHAPE_REFERENCE_LIBRARY, {"--generate", "200", "--seed", "77"});
  EXPECT_EQ(ended.exit_code, 0) << ended.out << ended.err;
  expect_in(ended.out, "Generated: 200 requests from seed 77");
  for (const char* facet : {"answer", "family", "layout", "type", "pattern"}) {
    expect_in(ended.out, std::string("\n  ") + facet);
  }
  expect_in(ended.out, "200 pass");
}

TEST(Run, ShrinksAGeneratedFailureToALineAndACase) {
  setenv("RESHAPE_BREAKS", "minus-one-resolves", 1);
  const Ended ended = ask(RESHAPE_LAW_BREAKER, {"--generate", "200", "--seed", "4"});
  EXPECT_EQ(ended.exit_code, 1);
  expect_in(ended.out, "Smallest request that fails like generated/4/");
  expect_in(ended.out, "replay    reshape-conformance replay '");
  expect_in(ended.out, "  generated-4-");
  expect_in(ended.out, "does not conform");
}

// A campaign over a library with known failures tells what is new.
TEST(Run, HoldsGeneratedRequestsToABaseline) {
  const std::string file = testing::TempDir() + "campaign_baseline.yaml";
  std::remove(file.c_str());
  setenv("RESHAPE_BREAKS", "minus-one-resolves", 1);
  const std::vector<std::string> drawn = {"--generate", "300", "--seed", "4", "--baseline", file};
  std::vector<std::string> mends = drawn;
  mends.emplace_back("--mend-baseline");
  ask(RESHAPE_LAW_BREAKER, mends);
  const Ended known = ask(RESHAPE_LAW_BREAKER, drawn);
  EXPECT_EQ(known.exit_code, 0) << known.out << known.err;
  // A few requests that do not meet the cause do not remove it from the baseline.
  const std::string before = text_of(file);
  expect_in(before, "cause: ");
  ask(RESHAPE_LAW_BREAKER,
      {"--generate", "1", "--seed", "5", "--baseline", file, "--mend-baseline"});
  EXPECT_EQ(text_of(file), before);
  setenv("RESHAPE_BREAKS", "idempotent", 1);
  const Ended other = ask(RESHAPE_LAW_BREAKER, drawn);
  EXPECT_EQ(other.exit_code, 1) << other.out << other.err;
}

TEST(Run, TellsWhichLawIsBrokenAndHowToSeeIt) {
  setenv("RESHAPE_BREAKS", "idempotent", 1);
  const Ended ended =
      ask(RESHAPE_LAW_BREAKER, {"--laws", "--law-requests", "10", "-d", "openvino-reshape-1"});
  EXPECT_EQ(ended.exit_code, 1);
  expect_in(ended.out, "BROKEN     idempotent");
  expect_in(ended.out, "not asked  view-aliases");
  expect_in(ended.out, "views are not promised");
  // The command that it prints repeats the trial.
  const std::string start = "replay    reshape-conformance replay --law idempotent --seed ";
  const std::size_t at = ended.out.find(start);
  ASSERT_NE(at, std::string::npos) << ended.out;
  std::string seed, line;
  std::istringstream words(ended.out.substr(at + start.size()));
  words >> seed;
  std::getline(words, line, '\'');
  std::getline(words, line, '\'');
  const std::vector<std::string> replay = {
      "--in-process", "--law", "idempotent", "--seed", seed, line, "-i", RESHAPE_LAW_BREAKER};
  const Ended again = run_command(add_replay, replay);
  EXPECT_EQ(again.exit_code, 1) << again.out << again.err;
  expect_in(again.out, "verdict   broken: ");
  setenv("RESHAPE_BREAKS", "nothing", 1);
  const Ended mended = run_command(add_replay, replay);
  EXPECT_EQ(mended.exit_code, 0) << mended.out << mended.err;
  expect_in(mended.out, "verdict   holds");
}

// Without the limit, a bounded world of all documents takes minutes.
TEST(Run, EndsABoundedWorldAtTheTimeLimit) {
  const auto began = std::chrono::steady_clock::now();
  const Ended ended =
      ask(RESHAPE_REFERENCE_LIBRARY, {"--exhaustive=full", "--time-limit", "1", "-q"});
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
  EXPECT_NE(ended.exit_code, 0) << ended.out;
  expect_in(ended.out, "not asked within 1 s (--time-limit)");
  EXPECT_LT(took.count(), 40);
}

TEST(Run, KnowsNoOtherBoundThanQuickAndFull) {
  EXPECT_EQ(ask(RESHAPE_REFERENCE_LIBRARY, {"--exhaustive=huge"}).exit_code, 2);
  EXPECT_EQ(ask(RESHAPE_REFERENCE_LIBRARY, {"--law-requests", "3"}).exit_code, 2);
}

}  // namespace
}  // namespace reshape::conformance
