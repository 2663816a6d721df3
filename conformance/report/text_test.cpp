#include <gtest/gtest.h>

#include <algorithm>

#include "conformance/report/failure_groups.h"
#include "conformance/report/report.h"
#include "conformance/report/sections.h"
#include "conformance/report/testing/sample_runs.h"
#include "conformance/run/replays.h"
#include "conformance/text/line.h"

namespace reshape::conformance {
namespace {

class Text : public testing::ReportTest {
 protected:
  std::string last_line(const std::string& text) {
    const std::string body = text.substr(0, text.size() - 1);
    return body.substr(body.rfind('\n') + 1);
  }
  static const CaseResult& case_of(const Report& run, const std::string& id) {
    return *std::ranges::find(run.cases, id, [](const CaseResult& one) { return one.asked->id; });
  }
};

TEST_F(Text, NamesVersionsImplementationAndEveryPublishedExample) {
  const std::string text = text_report(good);
  expect_in(text, "reshape-conformance 1.2.3, case suite 9.8.7, contract 1.1\n");
  expect_in(text, "\nfake 0.1 (./libfake.so)\n");
  expect_in(text, "  pass        one/plain");
  expect_in(text, "f32[2,3] i64[3,2] special_zero=true -> produces [3,2]\n");
  expect_in(text, "  pass        two/plain");
  EXPECT_FALSE(has(text, "  pass        one/wide"));
}

TEST_F(Text, CountsAndConcludes) {
  const std::string text = text_report(good);
  expect_in(text, "  one                                      5       5       0");
  expect_in(text, "  all                                     10      10       0");
  expect_in(last_line(text),
            "fake 0.1 conforms: 10 planned = 10 executed + 0 skipped, 10 pass, in ");
}

TEST_F(Text, AnOpenPointThatDialectsAnswerAlikeIsOneLine) {
  const std::string open =
      "Where the documents leave it open, this implementation\n"
      "  produced   data.type-open                 2 dialects                      ";
  const std::string text = text_report(good);
  expect_in(text, open);
  EXPECT_EQ(text.find("data.type-open"), text.rfind("data.type-open"));
  Report alone = good[0];
  std::erase_if(alone.cases,
                [](const CaseResult& result) { return result.asked->request.dialect != "one"; });
  expect_in(text_report(std::vector<Report>{alone}),
            "  produced   data.type-open                 one  ");
}

TEST_F(Text, TellsWhatIsDoneAtTheFirstUseOnce) {
  const std::string report = text_report(bad);
  expect_in(
      report,
      "\nOnce in each process, whatever it is asked\n"
      "  RED     threads (C14): 4 more threads \\x01\n"
      "  waived  signal-handlers (C14): SIGSEGV was taken\n"
      "  It is let through by --waive process-start, or process-start/WATCH; a law that finds "
      "it again, as on each further thread, breaks all the same.\n");
  EXPECT_EQ(findings_text(bad, {.quiet = true}).find("SIGSEGV was taken"), std::string::npos);
}

TEST_F(Text, SaysWhyARunDoesNotConform) {
  EXPECT_EQ(conclusion(bad[0]),
            "wrong\\x1b[31m 0.1 does not conform: 3 failed, 3 clauses not asked, 1 fault of each "
            "process; 10 planned = 4 executed + 6 skipped");
  EXPECT_EQ(conclusion(known[0]),
            "wrong\\x1b[31m 0.1 does not conform: 1 failed not as the baseline says, 1 passed "
            "against the baseline, 1 known to fail but not executed, 1 fault of the baseline, 3 "
            "clauses not asked, 1 fault of each process; 10 planned = 4 executed + 6 skipped");
}

TEST_F(Text, ADiagnosisTellsWhatIsAroundAFailure) {
  Diagnosis& diagnosis = bad[0].diagnosis.emplace();
  diagnosis.failures = 1;
  diagnosis.findings.emplace_back().failures = 1;
  EXPECT_FALSE(has(diagnosis_text(bad[0]), "differ little"));
  Diagnosis::Around& around = diagnosis.findings.front().around;
  around = {.asked = 90, .failed = 0, .passed = 88, .passes = 400};
  expect_in(diagnosis_text(bad[0]),
            "      of 90 requests that differ little from it, none fails\n");
  EXPECT_FALSE(has(diagnosis_text(bad[0]), "that fail have"));
  around = {.asked = 90,
            .failed = 20,
            .passed = 68,
            .where = {"data of f32", "no flag"},
            .failures = 21,
            .failures_there = 21,
            .passes = 400};
  expect_in(diagnosis_text(bad[0]),
            "      of 90 requests that differ little from it, 20 fail as well\n"
            "      all 21 that fail have data of f32 and no flag; of 400 that pass none has\n");
}

TEST_F(Text, ADiagnosisTellsWhatMostFailuresHaveWhereAllHaveNothing) {
  Diagnosis& diagnosis = bad[0].diagnosis.emplace();
  diagnosis.failures = 20;
  Diagnosis::Finding& finding = diagnosis.findings.emplace_back();
  finding.failures = 20;
  finding.passes = 400;
  finding.mostly = "strided data";
  finding.failures_mostly = 18;
  finding.passes_mostly = 7;
  const char* told =
      "most of them (18) have strided data; of 400 passing cases that it could have met 7 have\n";
  expect_in(diagnosis_text(bad[0]), told);
  finding.around = {.asked = 90, .failed = 20, .where = {"no flag"}, .failures = 21};
  EXPECT_FALSE(has(diagnosis_text(bad[0]), told));
}

// A command whose outcome is another than the one that is told says so.
TEST_F(Text, AFailureThatFailsAloneInAnotherWaySaysSo) {
  CaseResult result = case_of(bad[0], "one/too-many");
  result.replays = {.how = Replays::How::alone, .alone = "same-answer: another the second time"};
  const std::string alone =
      "alone in a fresh process it fails in another way: same-answer: another the second time\n";
  expect_in(failure_text(bad[0], result), "      again     " + alone);
  result.replays.how = Replays::How::after;
  result.replays.lines = {"one f32[2] i64[2]"};
  result.replays.says = "only after another request in the same process";
  expect_in(failure_text(bad[0], result),
            "      again     only after another request in the same process; " + alone);
}

// Only the run shows it again.
TEST_F(Text, OfWhatPassesAloneTheRunIsTheReplay) {
  CaseResult result = case_of(bad[0], "one/too-many");
  expect_in(failure_text(bad[0], result), "      replay    ");
  for (const Replays::How how : {Replays::How::not_alone, Replays::How::not_again}) {
    result.replays.how = how;
    const std::string text = failure_text(bad[0], result);
    expect_in(text, "again     it passes alone in a fresh process");
    EXPECT_FALSE(has(text, "reshape-conformance replay "));
    expect_in(text, "      replay    reshape-conformance run -i ");
  }
}

TEST_F(Text, WhatADocumentPermitsIsSaidOnce) {
  CaseResult result = case_of(bad[0], "one/too-many");
  Case open = *result.asked;
  open.expect = Ruling::unspecified("data.type-open", true, {PermittedShape::exactly({2})});
  result.asked = &open;
  result.verdict.faults[0].expected = "unspecified data.type-open permits rejects | produces [2]";
  result.because = "the document leaves it open: rejects | produces [2]";
  expect_in(failure_text(bad[0], result), "expected  " + result.verdict.faults[0].expected + "\n");
}

// The conditions of a few failures would read as a second cause.
TEST_F(Text, OfWhatMayComeOfTheSameAsTheFirstNoConditionsAreTold) {
  Diagnosis& diagnosis = bad[0].diagnosis.emplace();
  diagnosis.failures = diagnosis.compared = 101;
  for (const int failures : {100, 1}) {
    Diagnosis::Finding& finding = diagnosis.findings.emplace_back();
    finding.failures = finding.failures_there = failures;
    finding.passes = 1;
    finding.where = {failures == 1 ? "no flag" : "data of f32"};
  }
  const char* same = "1 of 101 failures, which may come of the same as the first: ";
  EXPECT_FALSE(has(diagnosis_text(bad[0]), same));
  expect_in(diagnosis_text(bad[0]), "them have no flag");
  diagnosis.findings[1].as_the_first = true;
  expect_in(diagnosis_text(bad[0]), same);
  expect_in(diagnosis_text(bad[0]), "them have data of f32");
  EXPECT_FALSE(has(diagnosis_text(bad[0]), "them have no flag"));
}

TEST_F(Text, ADiagnosisTellsTheFailuresOfAMistakeOnceBesideOthers) {
  Diagnosis& diagnosis = bad[0].diagnosis.emplace();
  diagnosis.failures = diagnosis.compared = 21;
  diagnosis.mistakes = diagnosis.mistakes_asked = 1;
  Diagnosis::Cause& cause = diagnosis.causes.emplace_back();
  cause.breaks = "pattern.one-dimensional";
  cause.same = 20;
  diagnosis.findings.resize(2);
  diagnosis.findings[0].clause = cause.breaks;
  diagnosis.findings[0].says = "it is answered";
  diagnosis.findings[0].failures = 20;
  diagnosis.findings[1].clause = "zero.past-rank";
  diagnosis.findings[1].failures = 1;
  EXPECT_FALSE(has(diagnosis_text(bad[0]), "20 of 21 failures"));
  expect_in(diagnosis_text(bad[0]), "      it is answered; plainest: ");
  expect_in(diagnosis_text(bad[0]), "  1 of 21 failures: ");
  // Where not all were compared, these may be others.
  diagnosis.compared = 20;
  expect_in(diagnosis_text(bad[0]), "  20 of 21 failures: it is answered\n");
}

TEST_F(Text, ThatNoKnownMistakeExplainsThemComesLast) {
  Diagnosis& diagnosis = bad[0].diagnosis.emplace();
  diagnosis.failures = diagnosis.compared = diagnosis.mistakes = diagnosis.mistakes_asked = 3;
  diagnosis.findings.emplace_back().failures = 3;
  const std::string text = diagnosis_text(bad[0]);
  const std::string none =
      "  no known mistake explains the 3 failures compared better than all others\n";
  EXPECT_TRUE(text.ends_with(none)) << text;
}

TEST_F(Text, LawsThatAreNotAskedForOneReasonAreOneLine) {
  good[0].laws.clear();
  for (const auto& [name, why] :
       {std::pair("law-a", "it is a child"), {"law-b", "no views"}, {"law-c", "it is a child"}}) {
    good[0].laws.push_back({.name = name, .not_asked = why});
  }
  const std::string text = text_report(good);
  expect_in(text, "  not asked  law-a, law-c: it is a child\n");
  expect_in(text, "  not asked  law-b   ");
  EXPECT_EQ(text.find("not asked  law-c"), std::string::npos);
  expect_in(text, " and 3 could not be asked (law-a, law-b, law-c)");
}

TEST_F(Text, ADiagnosisCountsOneAndMany) {
  Diagnosis& diagnosis = bad[0].diagnosis.emplace();
  diagnosis.failures = 12;
  diagnosis.compared = diagnosis.mistakes = diagnosis.mistakes_asked = 1;
  diagnosis.unstable = 1;
  const std::string text = diagnosis_text(bad[0]);
  expect_in(text, "no known mistake explains the failure compared better");
  expect_in(text, "of the 2 failures asked again 1 is wrong in another way\n");
  diagnosis.compared = 4;
  diagnosis.unstable = 3;
  diagnosis.right_again = 2;
  expect_in(diagnosis_text(bad[0]),
            "of the 7 failures asked again 2 are right then, and 1 is wrong in another way\n");
  diagnosis.right_later = 2;
  expect_in(diagnosis_text(bad[0]),
            "2 are right then, though wrong the first time in the same process, and 1 is wrong");
  diagnosis.right_later = 1;
  expect_in(diagnosis_text(bad[0]),
            "2 are right then, 1 of these wrong the first time in the same process, and 1 is");
}

TEST_F(Text, NothingExecutedIsNoConformance) {
  Report& none = good[0];
  for (CaseResult& result : none.cases) result.executed = false;
  EXPECT_EQ(conclusion(none), "nothing was executed: 10 planned = 0 executed + 10 skipped");
  none.unasked = {{"one", "volume.kept", Level::must, 10, "skipped", false}};
  EXPECT_EQ(conclusion(none),
            "nothing was executed and 1 clause not asked: 10 planned = 0 executed + 10 skipped");
}

TEST_F(Text, AFailureIsToldInOneScreen) {
  const CaseResult& result = case_of(bad[0], "one/too-many");
  EXPECT_EQ(failure_text(bad[0], result),
            "FAIL  one/too-many                                            "
            "shape plane, clause volume.kept, duty C4\n"
            "      asked     f32[2,3] i64[2,5] special_zero=true\n"
            "      expected  rejects volume.kept: " +
                result.because +
                "\n"
                "      answered  produced [2,5]\n"
                "      wrong     the pattern's sizes, whose volume is not the data's\n"
                "      replay    reshape-conformance replay 'one f32[2,3] i64[2,5] "
                "special_zero=true' -i ./libfake.so\n"
                "      explain   reshape-conformance explain one/too-many\n");
}

// In every form the commands ask the suite that the run asked.
TEST_F(Text, CommandsNameTheSuite) {
  bad[0].options.specs = "my specs";
  const CaseResult& failed = case_of(bad[0], "one/too-many");
  const std::string replay =
      "reshape-conformance replay 'one f32[2,3] i64[2,5] special_zero=true' -i ./libfake.so "
      "--specs 'my specs'";
  const std::string explain = "reshape-conformance explain one/too-many --specs 'my specs'";
  EXPECT_EQ(replay_command(bad[0], failed), replay);
  EXPECT_EQ(explain_command(bad[0], failed), explain);
  expect_in(failure_text(bad[0], failed),
            "replay    " + replay + "\n      explain   " + explain + "\n");
  for (const std::string& form : {json_report(bad), sarif_report(bad)}) expect_in(form, replay);
  expect_in(json_report(bad), explain);
  LawResult law{
      .name = "idempotent", .broken = "it differs", .input = "one f32[2] i64[2]", .seed = 3};
  EXPECT_EQ(replay_command(bad[0], law),
            "reshape-conformance replay --law idempotent --seed 3 'one f32[2] i64[2]' "
            "-i ./libfake.so --specs 'my specs'");
  law.undecided = true;
  law.lines = {"one f32[2] i64[3]"};
  EXPECT_EQ(replay_command(bad[0], law),
            "reshape-conformance replay 'one f32[2] i64[3]' -i ./libfake.so --specs 'my specs'");
  bad[0].options.specs.clear();
  EXPECT_EQ(replay_command(bad[0], law),
            "reshape-conformance replay 'one f32[2] i64[3]' -i ./libfake.so");
}

TEST_F(Text, WhyLawsAreUndecidedIsToldOnce) {
  good[0].laws.clear();
  const auto add = [&](const char* name, const char* broken) {
    good[0].laws.push_back({.name = name, .tried = 20, .broken = broken, .undecided = true});
  };
  add("law-a", "1 draw was answered wrongly already when it was asked; the first: one");
  add("law-b", "2 draws were answered wrongly already when it was asked; the first: another");
  add("law-c", "2 draws were answered wrongly also by one thread; the first: third");
  const std::string text = text_report(good);
  expect_in(text, "the first: one\n");
  EXPECT_EQ(text.find("another"), std::string::npos);
  expect_in(text, "the first: third\n");
  expect_in(text, "  UNDECIDED  law-b ");
  expect_in(text, "  undecided for a reason told above: law-b; --json FILE has each\n");
}

TEST_F(Text, AReplayOfALawAboutThreadsIsToldToBeChance) {
  LawResult law{.name = "two-at-once", .broken = "it differs", .input = "one f32[2] i64[2]"};
  const char* chance = "how threads meet is chance";
  expect_in(law_text(good[0], law), chance);
  law.name = "round-trip";
  EXPECT_EQ(law_text(good[0], law).find(chance), std::string::npos);
}

TEST_F(Text, AWatchAndItsProbeAreNamed) {
  const std::string text = text_report(bad);
  expect_in(
      text,
      ", dense\n      watch     bytes\n      probe     values that tell the elements apart, an "
      "output that held the bytes a5, ");
  expect_in(text, "also      memory plane, duty C8, watch output-gaps: byte 5 changed");
  expect_in(text, "watch     process\n");
}

// The document says nothing of a crash, nor of a call that says that it failed.
TEST_F(Text, AClauseIsNamedOnlyWhereTheAnswerBreaksIt) {
  CaseResult result = case_of(bad[0], "one/too-many");
  Fault& fault = result.verdict.faults.front();
  fault = {Plane::bytes,
           "content.kept",
           Duty::C5,
           CaughtBy::status,
           "execution: ok",
           "execution: failed (no room)",
           ""};
  expect_in(failure_text(bad[0], result), "bytes plane, duty C5\n");
  fault.watch = CaughtBy::bytes;
  fault.answered = "element 0 is 0x00";
  expect_in(failure_text(bad[0], result), "bytes plane, clause content.kept, duty C5\n");
  fault = {Plane::shape,
           "output.shape",
           Duty::C3,
           CaughtBy::process,
           "produces [2]",
           "malformed during inference: its answer has id 41, and was asked 4137",
           ""};
  expect_in(failure_text(bad[0], result), "shape plane, duty C3\n");
  fault.answered = "malformed during inference: its answer has 'shape[1]' -2, which is below 0";
  expect_in(failure_text(bad[0], result), "shape plane, clause output.shape, duty C3\n");
}

TEST_F(Text, OfTheAnswerToAnotherRequestTheSizesAreNotExplained) {
  CaseResult result = case_of(bad[0], "one/too-many");
  result.verdict.faults.front().watch = CaughtBy::shape;
  result.wrong_shape = WrongShape{"size 3 is 1", {}};
  expect_in(failure_text(bad[0], result), "      wrong     size 3 is 1\n");
  result.replays.how = Replays::How::after;
  result.replays.says = std::string("only after another request") + kItsAnswer;
  EXPECT_FALSE(has(failure_text(bad[0], result), "size 3 is 1"));
}

TEST_F(Text, AViewIsHandedNoStrides) {
  const auto wrong = std::ranges::find_if(bad[0].cases, [](const CaseResult& one) {
    return !one.verdict.faults.empty() && one.verdict.faults.front().watch == CaughtBy::bytes;
  });
  ASSERT_NE(wrong, bad[0].cases.end());
  CaseResult result = *wrong;
  Fault& fault = result.verdict.faults.front();
  fault.duty = Duty::C12;
  fault.probe = "ask=view payload=distinct poison=a5 placement=front strides=null";
  expect_in(failure_text(bad[0], result), ", strides left to view\n");
}

// One watch that saw much does not hide what the others saw.
TEST_F(Text, EachWatchIsNamedBeforeMoreOfOne) {
  CaseResult result = bad[0].cases[1];
  result.verdict.faults.clear();
  for (const CaughtBy watch :
       {CaughtBy::process_settings, CaughtBy::process_settings, CaughtBy::process_settings,
        CaughtBy::process_settings, CaughtBy::signal_mask, CaughtBy::locale}) {
    const std::string answered = "change " + std::to_string(result.verdict.faults.size() + 1);
    result.verdict.faults.push_back({Plane::memory, "", Duty::C14, watch, "", answered, ""});
  }
  expect_in(failure_text(bad[0], result),
            "      also      memory plane, duty C14, watch signal-mask: change 5\n"
            "      also      memory plane, duty C14, watch locale: change 6\n"
            "      also      memory plane, duty C14, watch process-settings: change 2\n"
            "      also      2 more\n");
}

TEST_F(Text, OfManyMistakesThatAgreeAlikeNoneIsTheCause) {
  LawDiagnosis& diagnosis = bad[0].law_diagnosis.emplace();
  diagnosis.alike = {{"a", "first", "C17", "", 13, 13}, {"b", "second", "C17", "", 13, 13}};
  expect_in(text_report(bad), "  the laws are broken as if: first\n      breaks C17; mutant a; ");
  diagnosis.alike.push_back({"c", "third", "C17", "", 13, 13});
  diagnosis.alike.push_back({"d", "fourth", "C17", "", 26, 26});
  expect_in(
      text_report(bad),
      "  4 known mistakes break the laws in the same way, and the trials do not tell them "
      "apart:\n      first; mutant a\n      second; mutant b\n      third; mutant c\n      and "
      "1 more\n");
}

TEST_F(Text, LibrariesAreQuotedForTheShell) {
  bad[0].options.library = "./it's mine.so";
  expect_in(failure_text(bad[0], bad[0].cases[1]), "-i './it'\\''s mine.so'\n");
}

TEST_F(Text, ManyFailuresAreCapped) {
  const std::string text = text_report(bad, {.most_failures = 1});
  expect_in(text, "FAIL  one/wide");
  EXPECT_FALSE(has(text, "FAIL  one/empty"));
  expect_in(text, "\n3 failures of 3 kinds, the most frequent first\n");
  expect_in(text, "\n2 more kinds of failures are not printed; ");
  EXPECT_FALSE(has(text_report(bad), "kinds"));
  expect_in(text_report(bad, {.most_failures = 2}), "\n1 more kind of failures is not printed; ");
}

// However few they are.
TEST_F(Text, TwoFailuresOfOneKindArePrintedOnce) {
  bad[0].cases.push_back(CaseResult(case_of(bad[0], "one/empty")));
  const std::string text = text_report(bad);
  expect_in(text, "\n4 failures of 3 kinds, the most frequent first\n");
  const std::size_t first = text.find("FAIL  one/empty");
  ASSERT_NE(first, std::string::npos);
  EXPECT_EQ(text.find("FAIL  one/empty", first + 1), std::string::npos);
  expect_in(text, "      alike     1 more, in ");
}

// A mistake that explains all failures and a finding about them are one thing.
TEST_F(Text, ADiagnosisTellsTheSameFailuresOnce) {
  Diagnosis& diagnosis = bad[0].diagnosis.emplace();
  diagnosis.failures = diagnosis.compared = 12;
  diagnosis.mistakes = diagnosis.mistakes_asked = 1;
  Diagnosis::Cause& cause = diagnosis.causes.emplace_back();
  cause.mutant = "leaks-on-refusal";
  cause.says = "what was allocated is not freed";
  cause.breaks = "C15";
  cause.same = 12;
  Diagnosis::Finding& finding = diagnosis.findings.emplace_back();
  finding.duty = Duty::C15;
  finding.says = "memory grows by the call";
  finding.failures = finding.failures_there = 12;
  finding.passes = 40;
  finding.where = {"a shape alone to answer"};
  finding.example = "one/plain";
  const std::string text = diagnosis_text(bad[0]);
  expect_in(text, "mutant leaks-on-refusal\n");
  EXPECT_FALSE(has(text, "12 of 12 failures"));
  expect_in(
      text,
      "      memory grows by the call; plainest: one/plain\n"
      "      all of them have a shape alone to answer; of 40 passing cases that it could have "
      "met none has\n");
  diagnosis.causes.front().same = 11;
  expect_in(diagnosis_text(bad[0]),
            "  12 of 12 failures: memory grows by the call\n      breaks C15;");
  // A mistake that explains most comes first, and one that explains some does not.
  const auto first = [&](const char* words) { return diagnosis_text(bad[0]).find(words); };
  EXPECT_LT(first("answered exactly as if"), first("12 of 12 failures"));
  diagnosis.causes.front().same = 6;
  EXPECT_GT(first("answered exactly as if"), first("12 of 12 failures"));
}

// Thirty failures of one kind come first and do not hide the two others.
TEST_F(Text, ManyFailuresAreGroupedByWhatIsAlike) {
  std::vector<CaseResult> copies(30, case_of(bad[0], "one/empty"));
  for (std::size_t at = 0; at < copies.size(); ++at) {
    copies[at].verdict.faults[0].answered = "crashed at 0x" + std::to_string(1000 + at);
    copies[at].verdict.faults[0].expected = "produces [" + std::to_string(at) + ",7]";
  }
  bad[0].cases.insert(bad[0].cases.end(), copies.begin(), copies.end());
  const std::string text = text_report(bad);
  expect_in(text, "\n33 failures of 4 kinds, the most frequent first\n");
  expect_in(text, "answered  crashed at 0x1000\n");
  EXPECT_FALSE(has(text, "answered  crashed at 0x1001\n"));
  expect_in(text, "      alike     29 more, in f32: one/empty, one/empty and 27 more\n");
  expect_in(text, "FAIL  one/wide");
  expect_in(text, "\nOne failure of each kind is printed; ");
}

// Wrong elements of five types, with an index and (for one axis) without.
class GroupsByType : public ::testing::Test {
 protected:
  GroupsByType() {
    for (const ElementType type : {ElementType::f32, ElementType::u8, ElementType::i4,
                                   ElementType::f64, ElementType::boolean}) {
      add(type, {2, 3}, "element 4 [1,1]");
      add(type, {7}, "element 4");
    }
  }

  void add(ElementType type, Shape data, const std::string& where) {
    Case& asked = cases_.emplace_back();
    asked.id = "one/" + std::to_string(cases_.size());
    asked.request.dialect = "one";
    asked.request.data_type = type;
    asked.request.data = std::move(data);
    CaseResult& result = run_.cases.emplace_back();
    result.asked = &asked;
    result.executed = true;
    const auto bytes = static_cast<std::size_t>(Plane::bytes);
    result.verdict.planes[bytes] = Verdict::PlaneState::pass;
    if (where.empty()) return;
    result.verdict.kind = Verdict::Kind::fail;
    result.verdict.planes[bytes] = Verdict::PlaneState::fail;
    result.verdict.faults.push_back({Plane::bytes, "content.kept", Duty::C5, CaughtBy::bytes,
                                     where + " is 0x40", where + " is 0x00, 3 of 6 differ", ""});
  }

  std::deque<Case> cases_;
  RunResult run_;
};

TEST_F(GroupsByType, WhatIsWrongInEveryTypeIsOneKindAndShownByThePlainest) {
  const std::vector<FailureGroup> groups = failure_groups(run_);
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].cases.size(), 10u);
  EXPECT_EQ(groups[0].cases.front()->asked->request.data, Shape{7});
}

TEST_F(GroupsByType, WhereOneTypeIsRightTheOthersAreKindsOfTheirOwn) {
  add(ElementType::bf16, {2}, "");
  const std::vector<FailureGroup> groups = failure_groups(run_);
  ASSERT_EQ(groups.size(), 5u);
  EXPECT_EQ(groups[0].cases.size(), 2u);
}

TEST_F(GroupsByType, WhatHoldsOtherThingsInSomeTypesIsOfSeveralKinds) {
  const auto hold = [&](const CaseResult& one) -> std::string {
    switch (one.asked->request.data_type) {
      case ElementType::f32:
      case ElementType::f64: return "is 0";
      case ElementType::u8: return "is inverted";
      default: return "";  // nothing is known
    }
  };
  for (const ElementType type : {ElementType::f32, ElementType::u8, ElementType::f64}) {
    add(type, {8}, "element 4");
  }
  const auto tell = [&](auto values) {
    for (CaseResult& one : run_.cases) {
      one.wrong = WrongElements();
      if (!values(one).empty()) one.wrong->values = {{values(one), 0.1}};
    }
    return failure_groups(run_);
  };
  const std::vector<FailureGroup> groups = tell(hold);
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].cases.size(), 10u);  // of f32 and f64, and what nothing is known of
  EXPECT_EQ(groups[1].cases.size(), 3u);
  EXPECT_EQ(groups[1].cases.front()->asked->request.data_type, ElementType::u8);
  EXPECT_EQ(tell([](const CaseResult&) { return std::string("is 0"); }).size(), 1u);
}

TEST_F(GroupsByType, TypesOfWhichTheSameIsToldAreOneKind) {
  add(ElementType::bf16, {2}, "");
  for (const ElementType type : {ElementType::f32, ElementType::u8}) add(type, {8}, "element 4");
  for (CaseResult& one : run_.cases) {
    if (!one.failed()) continue;
    one.wrong = WrongElements();
    one.wrong->places = {{"the last element", 0.1}};
  }
  const std::vector<FailureGroup> groups = failure_groups(run_);
  ASSERT_EQ(groups.size(), 4u);  // of the others too few failed to tell
  EXPECT_EQ(groups[0].cases.size(), 6u);
}

// A library that confuses two requests fails in as many ways as these have answers.
TEST_F(GroupsByType, WhatFailsAfterTheSameKindOfRequestIsOneKind) {
  add(ElementType::bf16, {2}, "");
  const std::size_t kinds = failure_groups(run_).size();
  ASSERT_EQ(kinds, 5u);
  const auto fail_after = [&](ElementType type, const char* says) {
    for (CaseResult& one : run_.cases) {
      if (!one.failed() || one.asked->request.data_type != type) continue;
      Request before = one.asked->request;
      before.data_type = ElementType::i16;
      one.replays = {.how = Replays::How::after, .lines = {print_line(before)}, .says = says};
    }
  };
  const char* type_only =
      "only after another request in the same process, one that differs from it only in the "
      "elements' type; of others it fails after none of 14 that are refused";
  fail_after(ElementType::f32, type_only);
  EXPECT_EQ(failure_groups(run_).size(), kinds);
  fail_after(ElementType::u8, type_only);
  EXPECT_EQ(failure_groups(run_).size(), kinds - 1);
  // Others cause it as well: what is confused is not known.
  fail_after(ElementType::u8, "only after another request in the same process");
  EXPECT_EQ(failure_groups(run_).size(), kinds);
  fail_after(ElementType::u8, type_only);
  for (CaseResult& one : run_.cases) {
    if (one.asked->request.data_type == ElementType::u8) one.replays.how = Replays::How::alone;
  }
  EXPECT_EQ(failure_groups(run_).size(), kinds);
}

// The values of changed bytes, and signs in a list, vary by accident and must not split a group.
TEST_F(GroupsByType, WhatDiffersInBytesOrSignsOnlyIsOneKind) {
  for (std::size_t at = 0; at < run_.cases.size(); ++at) {
    Fault& fault = run_.cases[at].verdict.faults[0];
    fault.plane = Plane::memory;
    fault.expected = at % 2 == 0 ? "strides [3,1]" : "strides [-3,1]";
    fault.answered = "byte 7 changed from a5 to " + std::string(at % 3 == 0 ? "3c" : "ff");
  }
  EXPECT_EQ(failure_groups(run_).size(), 1u);
}

TEST(WithoutNumbers, TakesAListForOneNumber) {
  EXPECT_EQ(without_numbers("produced [2,3,4] of rank 3"), "produced [#] of rank #");
  EXPECT_EQ(without_numbers("a, b"), "a, b");
  EXPECT_EQ(without_numbers("element 1 [0,1] is 0xef8fe07f, 6 of 9 differ"),
            "element # [#] is # # of # differ");
  EXPECT_EQ(without_numbers("0x and 12"), "# and #");
}

TEST_F(Text, SkipsAndUnaskedClausesAreTold) {
  const std::string text = text_report(bad);
  expect_in(text, "      5  dialect two is not declared\n");
  expect_in(text, "  RED     two/volume.kept (must): all 1 skipped, dialect two");
  expect_in(text, "  open    one/data.type-open (silent): all 1 skipped");
  expect_in(text, "--waive");
  EXPECT_FALSE(has(text_report(good), "--waive"));
  expect_in(text, "only the shape was asked: no execution was compared");
}

TEST_F(Text, TheBaselineIsHeldToTheTruthAndItsMendingPrinted) {
  const std::string text = text_report(known);
  expect_in(text, "  one/plain: unexpected pass (fails no more)\n");
  expect_in(text, "  two/plain: known failure, not executed (not promised any more)\n");
  expect_in(text, "  known.yaml:9: entry 'one/gone' matches no case\n");
  expect_in(text, "baseline  known to fail, but differently: not explained yet\n");
  EXPECT_FALSE(has(text, "FAIL  one/wide"));  // as the baseline says
  expect_in(text, "  one                                      5       0       1       2 ");
  expect_in(text,
            "  mend it   reshape-conformance run -i ./libfake.so --baseline known.yaml "
            "--mend-baseline\n");
}

// The last line names expired failures, their last day and owner.
TEST_F(Text, TheLastLineTellsWhatIsPastItsDay) {
  Baseline baseline = mended({"known.yaml", {}}, bad[0]);
  for (KnownFailure& one : baseline.known) one.until = "2026-11-01";
  baseline.known[0].owner = "ana";
  Report& late = bad[0];
  late.options.baseline = "known.yaml";
  apply(baseline, late, "2026-11-02");
  expect_in(conclusion(late),
            "does not conform: 2 failed, known until 2026-11-01, 1 failed, known until "
            "2026-11-01 (owner ana), ");
  expect_in(text_report(bad), "baseline  known until 2026-11-01 (owner ana): not explained yet\n");
  // No command mends what a person has to decide.
  EXPECT_EQ(mending_command(late), "");
}

TEST_F(Text, TheMendingCommandAsksTheSame) {
  Report run = known[0];
  run.options.tier = "quick";
  run.options.dialects = {"one"};
  run.options.filters = {"*/w*"};
  run.options.shard = "1/2";
  run.options.in_process = true;
  EXPECT_EQ(mending_command(run),
            "reshape-conformance run -i ./libfake.so --tier quick --dialect one --filter '*/w*' "
            "--shard 1/2 --in-process --baseline known.yaml --mend-baseline");
  run.baseline_faults.clear();
  EXPECT_NE(mending_command(run), "");  // for the cases that are not as the baseline says
  EXPECT_EQ(mending_command(bad[0]), "");
  Report fails = bad[0];
  fails.options.baseline = "known.yaml";
  EXPECT_NE(mending_command(fails), "");  // for new failures
  fails.cut_short = "not asked after the first failure (--fail-fast)";
  EXPECT_EQ(mending_command(fails), "");  // half of the answers
  Report fine = good[0];
  fine.options.baseline = "known.yaml";
  EXPECT_EQ(mending_command(fine), "");
}

TEST_F(Text, SeveralImplementationsStandSideBySide) {
  const std::string text = text_report(std::vector<Report>{good[0], bad[0]});
  expect_in(text, "  one                                                    5/5");
  expect_in(text, "0/4\n");
  expect_in(text, "fake 0.1 conforms");
  expect_in(last_line(text), "does not conform");
}

TEST_F(Text, QuietSaysWhatIsWrongAndTheConclusion) {
  const std::string text = text_report(good, {.quiet = true});
  EXPECT_EQ(text.find('\n'), text.size() - 1);
  const std::string wrong = text_report(bad, {.quiet = true});
  expect_in(wrong, "FAIL  one/wide");
  expect_in(wrong, "RED");
  EXPECT_FALSE(has(wrong, "data.type-open"));
  EXPECT_FALSE(has(wrong, "planned    pass"));
}

TEST_F(Text, HoldsNoEscapes) { EXPECT_FALSE(has(text_report(bad), "\x1b")); }

}  // namespace
}  // namespace reshape::conformance
