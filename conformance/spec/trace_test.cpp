#include "conformance/spec/trace.h"

#include <gtest/gtest.h>

#include "conformance/spec/load.h"
#include "conformance/spec/read_suite.h"
#include "conformance/spec/small_specs.h"
#include "conformance/text/testing/expect_in.h"

namespace reshape::conformance {
namespace {

Suite small_suite() { return read_suite(small_specs(), "specs").suite; }

TEST(Trace, FilesEachCaseByHowItBears) {
  const Suite suite = small_suite();
  const Trace traced = trace(suite);
  EXPECT_TRUE(traced.orphans.empty());
  ASSERT_EQ(traced.documents.size(), 1u);
  const std::vector<ClauseTrace>& rows = traced.documents[0].clauses;
  ASSERT_EQ(rows.size(), 12u);
  ASSERT_EQ(rows[2].clause->id, "volume.kept");
  ASSERT_EQ(rows[2].holds.size(), 1u);
  EXPECT_EQ(rows[2].holds[0]->id, "small-reshape/infers");
  ASSERT_EQ(rows[2].breaks.size(), 1u);
  EXPECT_EQ(rows[2].breaks[0]->id, "small-reshape/other-volume");
  EXPECT_TRUE(rows[2].opens.empty());
  ASSERT_EQ(rows[3].clause->id, "minus-one.beside-copied-zero");
  ASSERT_EQ(rows[3].opens.size(), 1u);
  EXPECT_EQ(rows[3].opens[0]->id, "small-reshape/open");
}

TEST(Trace, AClauseWithoutItsCasesIsAnOrphan) {
  Suite suite = small_suite();
  std::vector<Case>& cases = suite.documents[0].cases.edit();
  cases.erase(cases.begin() + 3);
  EXPECT_EQ(trace(suite).orphans,
            (std::vector<std::string>{"the clause minus-one.beside-copied-zero of small-reshape is "
                                      "an orphan: no case opens it"}));
  cases.erase(cases.begin() + 2);
  EXPECT_EQ(trace(suite).orphans.front(),
            "the clause volume.kept of small-reshape is an orphan: no case breaks it");
  cases.erase(cases.begin());
  const std::vector<std::string> orphans = trace(suite).orphans;
  EXPECT_EQ(orphans.size(), 12u);
  EXPECT_EQ(orphans[1],
            "the clause minus-one.once of small-reshape is an orphan: no case holds it");
}

TEST(Trace, AClauseThatNothingCanBreakNeedsNoBreakingCase) {
  Suite suite = small_suite();
  suite.documents[0].clauses[2].breakable = false;
  std::vector<Case>& cases = suite.documents[0].cases.edit();
  cases.erase(cases.begin() + 2);
  EXPECT_TRUE(trace(suite).orphans.empty());
}

TEST(Trace, ACaseWithoutAClauseIsAnOrphan) {
  Suite suite = small_suite();
  Case stray = suite.documents[0].cases[0];
  stray.id = "small-reshape/stray";
  stray.clauses = {};
  suite.documents[0].cases.edit().push_back(stray);
  stray.id = "small-reshape/lost";
  stray.clauses = {"no.such"};
  suite.documents[0].cases.edit().push_back(stray);
  EXPECT_EQ(trace(suite).orphans,
            (std::vector<std::string>{"the case small-reshape/stray names no clause",
                                      "the case small-reshape/lost names no.such, a clause that "
                                      "small-reshape does not have"}));
}

TEST(Trace, AnOpenPointOfAnotherClauseHoldsThisOne) {
  Suite suite = small_suite();
  const Case& open = suite.documents[0].cases[3];
  EXPECT_EQ(bearing(open, "minus-one.beside-copied-zero"), Bearing::opens);
  EXPECT_EQ(bearing(open, "volume.kept"), Bearing::holds);
}

TEST(Guide, SaysTheDocumentAndWhatAsksForIt) {
  const Suite suite = small_suite();
  const Trace traced = trace(suite);
  const std::string page = guide_to(traced.documents[0], suite.version);
  for (const Clause& clause : suite.documents[0].clauses) {
    expect_in(page, "### " + clause.id + "\n\n*" + name(clause.level) + "*, " + clause.section);
    expect_in(page, clause.says);
    if (!clause.because.empty()) expect_in(page, "Ruling: " + clause.because);
  }
  expect_in(page, "- 1 case breaks it, such as `small-reshape/other-volume`:");
  expect_in(page, " → rejects volume.kept");
  expect_in(page, "cases of suite 1.2.3");
}

}  // namespace
}  // namespace reshape::conformance
