// The terms of a known failure: its owner, its platform, and its last day.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "conformance/run/testing/baseline_test.h"
#include "conformance/text/testing/expect_in.h"

namespace reshape::conformance {
namespace {

class BaselineTerms : public testing::BaselineTest {
 protected:
  // Everything that fails in wrong_run(), on the terms of `entry`.
  Baseline complete(const KnownFailure& entry) const {
    Baseline baseline = mended({"known.yaml", {}}, wrong_run());
    for (KnownFailure& one : baseline.known) {
      one.reason = "the volume is not checked";
      one.owner = entry.owner;
      one.platform = entry.platform;
      one.until = entry.until;
    }
    return baseline;
  }
  RunResult judged(const Baseline& baseline, const std::string& day) const {
    return held_to(baseline, wrong_run(), day);
  }
};

const CaseResult& first_failure(const RunResult& result) {
  return *std::ranges::find_if(result.cases, [](const CaseResult& one) { return one.failed(); });
}

TEST_F(BaselineTerms, AFailureIsKnownOnItsLastDayAndNotAfter) {
  const Baseline baseline = complete({.owner = "ana", .until = "2026-11-01"});
  const RunResult in_time = judged(baseline, "2026-11-01");
  EXPECT_TRUE(in_time.cases_conform());
  EXPECT_EQ(first_failure(in_time).known_reason, "the volume is not checked (owner ana)");
  EXPECT_EQ(first_failure(in_time).known_until, "");

  for (const char* day : {"2026-11-02", "2026-12-01", "2027-01-01"}) {
    const RunResult late = judged(baseline, day);
    EXPECT_FALSE(late.cases_conform()) << day;
    EXPECT_EQ(tallies(late).all.known, 0);
    EXPECT_EQ(first_failure(late).known, Known::expired);
    EXPECT_EQ(first_failure(late).known_until, "2026-11-01 (owner ana)");
    EXPECT_EQ(first_failure(late).known_reason,
              "known until 2026-11-01 (owner ana): the volume is not checked");
    EXPECT_FALSE(known_by(baseline, "", day)(first_failure(late)));
  }
  EXPECT_TRUE(known_by(baseline, "", "2026-11-01")(first_failure(in_time)));
}

TEST_F(BaselineTerms, WithoutADayItIsKnownForGood) {
  EXPECT_TRUE(judged(complete({.owner = "ana"}), "9999-12-31").cases_conform());
}

// A failure that differs from the recorded one is reported as such, even after the last day.
TEST_F(BaselineTerms, AnotherFailureIsToldBeforeTheDay) {
  Baseline baseline = complete({.until = "2026-11-01"});
  for (KnownFailure& one : baseline.known) one.fingerprint += "!";
  EXPECT_EQ(first_failure(judged(baseline, "2027-01-01")).known, Known::differs);
}

TEST_F(BaselineTerms, OnAnotherPlatformAnEntrySaysNothing) {
  const std::string platform = platform_of(wrong_run().capabilities);
  const std::string processor = platform.substr(0, platform.find(' '));
  for (const std::string& there : {std::string("*"), platform, processor + " *"}) {
    EXPECT_TRUE(judged(complete({.platform = there}), "2026-11-01").cases_conform()) << there;
  }
  const RunResult elsewhere = judged(complete({.platform = "pdp11 *"}), "2026-11-01");
  EXPECT_FALSE(elsewhere.cases_conform());
  EXPECT_EQ(first_failure(elsewhere).known, Known::none);
  EXPECT_TRUE(elsewhere.baseline_faults.empty());
  // Nor is a case that passes here stale there.
  EXPECT_TRUE(held_to(complete({.platform = "pdp11 *"}), testing::run_all(suite), "2026-11-01")
                  .cases_conform());
}

TEST_F(BaselineTerms, PlatformNamesProcessorLibraryAndVersion) {
  Capabilities capabilities;
  capabilities.name = "mine";
  capabilities.version = "1.2";
  const std::string platform = platform_of(capabilities);
  EXPECT_TRUE(platform.ends_with(" mine 1.2")) << platform;
  EXPECT_GT(platform.size(), std::string(" mine 1.2").size());
}

TEST_F(BaselineTerms, ADayThatNoCalendarHasIsAnError) {
  const auto with_day = [](const std::string& day) {
    return "known:\n  - id: a\n    reason: b\n    until: " + day + "\n";
  };
  EXPECT_EQ(error_of(with_day("2026-11-01")), "none");
  EXPECT_EQ(error_of(with_day("2028-02-29")), "none");
  for (const std::string day : {"2026-02-29", "2026-13-01", "2026-1-1", "01.11.2026", "2026-11-01x",
                                "tomorrow", "-2026-11-1", "2026-11--1", "2026--1-01"}) {
    EXPECT_EQ(error_of(with_day(day)),
              ":4: 'until' is a day such as 2026-11-01, not '" + day + "'");
  }
  EXPECT_EQ(error_of(with_day("")), ":4: 'until' is a day such as 2026-11-01, not ''");
}

TEST_F(BaselineTerms, OneCaseMayHaveAnEntryForEachPlatform) {
  const std::string entry = "  - id: a\n    reason: b\n    platform: ";
  EXPECT_EQ(error_of("known:\n" + entry + "x\n" + entry + "y\n"), "none");
  EXPECT_EQ(error_of("known:\n" + entry + "x\n" + entry + "x\n"), ":5: entry 'a' is there twice");
}

TEST_F(BaselineTerms, MendingKeepsTermsAndComments) {
  const std::string written =
      "# ours\nknown:\n"
      "  # this one hurts\n"
      "  - id: one/plain\n    reason: because\n    fingerprint: other than it was\n"
      "    owner: ana\n    until: 2026-11-01\n    platform: \"* *\"\n"
      "  - id: one/wide\n    reason: elsewhere  # seen on the board\n    platform: pdp11 *\n"
      "    until: 2025-01-01\n";
  const Result<Baseline> before = loaded(written);
  ASSERT_TRUE(before) << before.error().text();
  const Baseline again = read_back(mended(*before, wrong_run()));
  std::ostringstream written_again;
  written_again << std::ifstream(file).rdbuf();
  const std::string text = written_again.str();
  expect_in(text, "# ours\n");
  expect_in(text, "  # this one hurts\n  - id: one/plain\n");
  expect_in(text, "elsewhere  # seen on the board\n    platform: pdp11 *\n");
  EXPECT_EQ(again.known.at(0).owner, "ana");
  EXPECT_EQ(again.known.at(0).until, "2026-11-01");
  EXPECT_EQ(again.known.at(0).platform, "* *");
  EXPECT_NE(again.known.at(0).fingerprint, "other than it was");
  EXPECT_EQ(again.known.at(1).until, "2025-01-01");
  // Mending does not extend the last day.
  EXPECT_EQ(first_failure(judged(again, "2026-11-02")).known, Known::expired);
}

TEST_F(BaselineTerms, MendingKeepsTextsAndCommentsWhereTheyStand) {
  const auto mended_text = [&](const std::string& written) {
    const Result<Baseline> before = loaded(written);
    EXPECT_TRUE(before) << before.error().text();
    read_back(mended(*before, wrong_run()));
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
  };
  // The last line of a reason may look like a comment, and one may stand behind a key.
  const std::string entry =
      "known:\n  - id: one/plain  # ask ana\n    reason: |\n      see\n      #42 of the board\n";
  const std::string first = mended_text(entry);
  EXPECT_EQ(first.rfind(entry + "    fingerprint: ", 0), 0u) << first;
  EXPECT_EQ(mended_text(first), first);
  // A fingerprint that is not true any more is replaced where it stands.
  const std::string again =
      mended_text(entry + "    fingerprint: old  # since spring\n    owner: ana\n");
  EXPECT_EQ(again.rfind(entry + "    fingerprint: ", 0), 0u) << again;
  expect_in(again, "  # since spring\n    owner: ana\n");
  EXPECT_EQ(again.find("old"), std::string::npos) << again;
  // However it was quoted, and on however many lines.
  for (const char* old : {"\"a # \\\"b\"", "'it''s # c'", "folded\n      over two"}) {
    const std::string folded =
        mended_text(entry + "    fingerprint: " + old + "  # d\n    owner: ana  # e\n");
    EXPECT_EQ(folded.rfind(entry + "    fingerprint: ", 0), 0u) << folded;
    expect_in(folded, "\n    owner: ana  # e\n");
    EXPECT_EQ(folded.find("  # d\n") == std::string::npos, old[0] == 'f') << folded;
    EXPECT_EQ(folded.find(old), std::string::npos) << folded;
  }
  // In braces, and in a list of another form, the comments stay above.
  expect_in(mended_text("known:\n  - {id: one/plain, reason: b} # why\n"),
            "  # why\n  - id: one/plain\n");
  const std::string flow =
      mended_text("known: [\n  # ask ana\n  {id: one/plain, reason: b},\n  # and\n]\n");
  EXPECT_EQ(flow.rfind("# ask ana\n# and\nknown:\n", 0), 0u) << flow;
  // So do those behind its values, wherever they stand, and no others.
  const std::string behind = mended_text(
      "known: [  # ours\n  {id: one/plain,  # ask ana\n   reason: \"b # c\",\n"
      "   owner: 'd''s # e'},  # why\n]  # end\n");
  EXPECT_EQ(behind.rfind("# ours\n# ask ana\n# why\n# end\nknown:\n", 0), 0u) << behind;
  const std::string braces =
      mended_text("known:\n  - {id: one/plain,  # ask ana\n     reason: dogs' # b\n    } # why\n");
  expect_in(braces, "known:\n  # ask ana\n  # b\n  # why\n  - id: one/plain\n");
}

TEST_F(BaselineTerms, WhatAGlobStoodForKeepsItsTerms) {
  const Baseline mend = mended({"known.yaml",
                                {{.id = "one/*",
                                  .reason = "why",
                                  .fingerprint = "old",
                                  .owner = "ana",
                                  .platform = "*",
                                  .until = "2026-11-01"}}},
                               wrong_run());
  ASSERT_FALSE(mend.known.empty());
  EXPECT_EQ(mend.known[0].id.find('*'), std::string::npos);
  EXPECT_EQ(mend.known[0].owner, "ana");
  EXPECT_EQ(mend.known[0].platform, "*");
  EXPECT_EQ(mend.known[0].until, "2026-11-01");
}

}  // namespace
}  // namespace reshape::conformance
