#include "conformance/run/baseline.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <iterator>
#include <map>
#include <set>

#include "conformance/run/testing/baseline_test.h"
#include "conformance/text/testing/expect_in.h"

namespace reshape::conformance {
namespace {

using testing::right_answer;

class BaselineOf : public testing::BaselineTest {
 protected:
  std::string fingerprint(const std::string& id) const {
    for (const CaseResult& one : wrong_run().cases) {
      if (one.asked->id == id) return one.verdict.faults.at(0).fingerprint();
    }
    return "";
  }
  Baseline with(std::vector<KnownFailure> known) const { return {"known.yaml", std::move(known)}; }
  // Everything that fails in wrong_run(), as it fails.
  Baseline complete() const { return mended(with({}), wrong_run()); }

  static std::map<std::string, Known> states(const RunResult& result) {
    std::map<std::string, Known> found;
    for (const CaseResult& one : result.cases) {
      if (one.known != Known::none) found[one.asked->id] = one.known;
    }
    return found;
  }
  // The same requests, as if they had been drawn; `cases` outlives the result.
  static void make_generated(RunResult& run, std::deque<Case>& cases) {
    for (CaseResult& one : run.cases) {
      cases.push_back(*one.asked);
      cases.back().id = "generated/7/" + std::to_string(cases.size());
      one.asked = &cases.back();
    }
  }
  // A run of the cases of dialect "two" alone.
  RunResult run_of_two(testing::Answers answers) const {
    Plan plan = testing::whole(suite);
    plan.cases = *select(suite, {{"two"}, {}, {}, {}});
    testing::FakeAdapter adapter(std::move(answers));
    return *run(plan, adapter, testing::starts());
  }
};

TEST_F(BaselineOf, KnownFailuresConform) {
  EXPECT_FALSE(wrong_run().cases_conform());
  const RunResult result = held_to(complete(), wrong_run());
  EXPECT_TRUE(result.cases_conform());
  EXPECT_EQ(states(result).size(), 6u);
  EXPECT_EQ(tallies(result).all.known, 6);
}

TEST_F(BaselineOf, AnUnexpectedPassIsRed) {
  const RunResult result =
      held_to(with({{"one/plain", "because", "https://x", fingerprint("one/plain"), 3}}),
              testing::run_all(suite));
  EXPECT_EQ(states(result).at("one/plain"), Known::passes);
  EXPECT_EQ(result.cases[0].known_reason, "because, https://x");
  EXPECT_FALSE(result.cases_conform());
}

TEST_F(BaselineOf, AnotherFailureIsRed) {
  Baseline baseline = complete();
  baseline.known[0].fingerprint += "!";
  const RunResult result = held_to(baseline, wrong_run());
  EXPECT_EQ(states(result).at("one/plain"), Known::differs);
  EXPECT_FALSE(result.cases_conform());
  baseline.known[0].fingerprint.clear();
  EXPECT_EQ(states(held_to(baseline, wrong_run())).at("one/plain"), Known::differs);
}

TEST_F(BaselineOf, AnEntryOfASkippedCaseIsRed) {
  Capabilities capabilities = testing::everything();
  capabilities.element_types = {ElementType::f32, ElementType::boolean};
  RunResult result = testing::run_all(suite, right_answer, capabilities);
  ASSERT_TRUE(result.cases_conform());
  apply(with({{"one/wide", "because", "", "x", 3}}), result);
  EXPECT_EQ(states(result).at("one/wide"), Known::skipped);
  EXPECT_FALSE(result.cases_conform());
}

TEST_F(BaselineOf, AnEntryThatMatchesNothingIsRed) {
  const RunResult result =
      held_to(with({{"one/gone", "because", "", "x", 3}, {"three/*", "because", "", "x", 4}}),
              testing::run_all(suite));
  EXPECT_EQ(result.baseline_faults,
            (std::vector<std::string>{"known.yaml:3: entry 'one/gone' matches no case",
                                      "known.yaml:4: entry 'three/*' matches no case"}));
  EXPECT_FALSE(result.cases_conform());
}

TEST_F(BaselineOf, AnEntryOfAnotherShardIsNotStale) {
  const Baseline baseline = with({{"one/plain", "because", "", "x", 3}});
  EXPECT_TRUE(held_to(baseline, run_of_two(right_answer)).cases_conform());
}

// A file may hold megabytes in the place of an id.
TEST_F(BaselineOf, AnEntryIsToldInShort) {
  const RunResult held = held_to(with({{std::string(1 << 20, 'a'), "why", "", ""}}), wrong_run());
  ASSERT_EQ(held.baseline_faults.size(), 1u);
  EXPECT_LT(held.baseline_faults[0].size(), 1200u);
  expect_in(held.baseline_faults[0], "aaa...' matches no case");
}

TEST_F(BaselineOf, AGlobStandsForItsMatches) {
  const RunResult result =
      held_to(with({{"*/plain", "because", "", fingerprint("one/plain"), 3}}), wrong_run());
  EXPECT_EQ(states(result).at("one/plain"), Known::failure);
  EXPECT_EQ(states(result).at("two/plain"), Known::failure);
  EXPECT_EQ(states(result).size(), 2u);
}

TEST_F(BaselineOf, AGlobForTooManyIsRed) {
  Suite many = suite;
  Document& document = many.documents[0];
  while (document.cases.size() < 5 + kMostMatches) {
    document.cases.edit().push_back(document.cases[0]);
    document.cases.edit().back().id = "one/more-" + std::to_string(document.cases.size());
  }
  const Baseline baseline = with({{"one/more-*", "because", "", fingerprint("one/plain"), 3}});
  const auto faults = [&] {
    return held_to(baseline, testing::run_all(many, wrong_answer)).baseline_faults;
  };
  EXPECT_TRUE(faults().empty());
  document.cases.edit().push_back(document.cases[0]);
  document.cases.edit().back().id = "one/more-too";
  EXPECT_EQ(faults(), std::vector<std::string>{
                          "known.yaml:3: entry 'one/more-*' matches 21 cases, more than 20"});
}

// ---- mending

TEST_F(BaselineOf, MendingLeavesNothingToSay) {
  const std::vector<Baseline> broken = {
      with({}),
      with({{"one/gone", "why", "", "x", 1}}),
      with({{"one/empty", "why", "", "x", 1}}),
      with({{"one/plain", "why", "", "x", 1}}),
      with({{"*/plain", "why", "", "x", 1}}),
      with({{"one/*", "why", "", "x", 1}}),
      with({{"*", "why", "", "x", 1}}),
      with({{"one/plain", "why", "", "x", 1}, {"*/plain", "other", "", "x", 2}}),
      with({{"one/plain", "why", "", "x", 1}, {"*", "other", "", "x", 2}}),
  };
  for (const Baseline& baseline : broken) {
    RunResult result = held_to(baseline, wrong_run());
    EXPECT_FALSE(result.cases_conform());
    const Baseline mend = mended(baseline, result);
    result = held_to(mend, wrong_run());
    EXPECT_TRUE(result.cases_conform()) << baseline.known.size();
    std::set<std::string> ids;
    for (const KnownFailure& entry : mend.known) EXPECT_TRUE(ids.insert(entry.id).second);
    // And a second time changes nothing.
    EXPECT_EQ(mended(mend, result).known.size(), mend.known.size());
  }
}

TEST_F(BaselineOf, MendingKeepsReasonAndLink) {
  const Baseline mend =
      mended(with({{"*/plain", "known for long", "https://x", "old", 1}}), wrong_run());
  ASSERT_FALSE(mend.known.empty());
  EXPECT_EQ(mend.known[0].id, "*/plain");
  EXPECT_EQ(mend.known[0].reason, "known for long");
  EXPECT_EQ(mend.known[0].link, "https://x");
  EXPECT_EQ(mend.known[0].fingerprint, fingerprint("one/plain"));
  EXPECT_EQ(mend.known[1].reason, "not explained yet");
}

TEST_F(BaselineOf, MendingAGlobOfSeveralFailuresNamesEach) {
  const Baseline mend = mended(with({{"one/*", "why", "", "old", 1}}), wrong_run());
  for (const KnownFailure& entry : mend.known) {
    EXPECT_EQ(entry.id.find('*'), std::string::npos);
    EXPECT_EQ(entry.reason, entry.id.substr(0, 3) == "one" ? "why" : "not explained yet");
  }
}

TEST_F(BaselineOf, MendingKeepsWhatWasNotPlanned) {
  const RunResult result = run_of_two(right_answer);
  const Baseline mend =
      mended(with({{"one/plain", "why", "", "x", 1}, {"*/wide", "why", "", "y", 2}}), result);
  ASSERT_EQ(mend.known.size(), 2u);
  EXPECT_EQ(mend.known[0].id, "one/plain");
  EXPECT_EQ(mend.known[0].fingerprint, "x");
  EXPECT_EQ(mend.known[1].id, "one/wide");  // two/wide passes
  EXPECT_EQ(mend.known[1].fingerprint, "y");
}

TEST_F(BaselineOf, MendingAGlobThatWasPlannedInPartTakesItApart) {
  const RunResult result = run_of_two(wrong_answer);
  const Baseline mend = mended(with({{"*/plain", "why", "https://x", "old", 1}}), result);
  ASSERT_GE(mend.known.size(), 2u);
  EXPECT_EQ(mend.known[0].id, "two/plain");
  EXPECT_EQ(mend.known[0].fingerprint, fingerprint("two/plain"));
  EXPECT_EQ(mend.known[1].id, "one/plain");
  EXPECT_EQ(mend.known[1].fingerprint, "old");
  EXPECT_EQ(mend.known[1].link, "https://x");
}

// A run that stops at its first failure says nothing about the cases behind it.
TEST_F(BaselineOf, WhatARunWasCutShortBeforeIsNeitherBlamedNorMended) {
  RunOptions options;
  options.fail_fast = true;
  Bounds bounds(options);
  RunResult result = testing::run_all(suite, wrong_answer, testing::everything(), &bounds);
  ASSERT_EQ(tallies(result).all.executed, 1);
  Baseline known = complete();
  known.known.push_back({"*/empty", "of two that pass", "", "x", 9});
  const Baseline mend = mended(known, result);
  ASSERT_EQ(mend.known.size(), known.known.size());
  for (std::size_t at = 0; at < mend.known.size(); ++at) {
    EXPECT_EQ(mend.known[at].id, known.known[at].id);
    EXPECT_EQ(mend.known[at].reason, known.known[at].reason);
    EXPECT_EQ(mend.known[at].fingerprint, known.known[at].fingerprint);
  }
  apply(known, result);
  EXPECT_EQ(states(result), (std::map<std::string, Known>{{"one/plain", Known::failure}}));
  EXPECT_TRUE(result.cases_conform());
  EXPECT_FALSE(result.complete());
}

// ---- the file

TEST_F(BaselineOf, SavedIsReadBack) {
  Baseline baseline = complete();
  baseline.known[0].reason = "odd: \"text\" # with 'all' sorts\nof things";
  baseline.known[0].link = "https://example.org/1";
  baseline.known[1].fingerprint.clear();
  const std::vector<KnownFailure> again = read_back(baseline).known;
  ASSERT_EQ(again.size(), baseline.known.size());
  for (std::size_t index = 0; index < again.size(); ++index) {
    EXPECT_EQ(again[index].id, baseline.known[index].id);
    EXPECT_EQ(again[index].reason, baseline.known[index].reason);
    EXPECT_EQ(again[index].link, baseline.known[index].link);
    EXPECT_EQ(again[index].fingerprint, baseline.known[index].fingerprint);
  }
  EXPECT_TRUE(read_back(with({})).known.empty());
}

TEST_F(BaselineOf, MistakesAreNamedWithTheirLine) {
  EXPECT_EQ(error_of("known:\n  - id: a\n    reason: b\n"), "none");
  EXPECT_EQ(error_of("known: []\n"), "none");
  EXPECT_EQ(error_of("known:\n  - id: a\n    reason: b\n    colour: c\n"),
            ":4: unknown key 'colour'");
  EXPECT_EQ(error_of("known:\n  - reason: b\n"), ":2: an entry needs an id");
  EXPECT_EQ(error_of("known:\n  - id: a\n"), ":2: entry 'a' needs a reason");
  EXPECT_EQ(error_of("known:\n  - id: a\n    reason: b\n  - id: a\n    reason: c\n"),
            ":4: entry 'a' is there twice");
  EXPECT_EQ(error_of("known:\n  - id: a\n    reason: b\n    id: c\n"),
            ":4: the key \"id\" is given twice");
  EXPECT_EQ(error_of("known: []\nknown: []\n"), ":2: the key \"known\" is given twice");
  EXPECT_EQ(error_of("known: []\n---\nknown: [x]\n"),
            ":3: a second document begins here; a file holds one");
  EXPECT_EQ(error_of("? [known]\n: []\n"), ":1: a key is plain text");
  EXPECT_EQ(error_of("known:\n" + std::string(100000, '[')),
            ":2: lists and maps are nested too deeply here");
  EXPECT_EQ(error_of(std::string("known:\n  - id: a\n    reason: b\0c\n", 33)),
            ":3:14: a NUL, which no text holds");
  EXPECT_EQ(error_of("known:\n  - a\n"),
            ":2: an entry is a map with id, cause or law, reason, link, fingerprint, owner, "
            "platform, until");
  EXPECT_EQ(error_of("known:\n  - id: [a]\n"), ":2: 'id' is one line of text");
  EXPECT_EQ(error_of("known: 5\n"), ":1: 'known' is a list of entries");
  EXPECT_EQ(error_of("{}\n"), ":1: the key 'known' is missing");
  EXPECT_EQ(error_of("other: 5\n"), ":1: unknown key 'other'");
  EXPECT_EQ(error_of("5\n"), ":1: a baseline is a map with the key 'known'");
  expect_in(error_of("known: [\n"), ":2: ");
  for (const char* none : {",", ",x: 1\n", "\n, known: []\n"}) {
    EXPECT_NE(error_of(none), "none") << none;
  }
  EXPECT_NE(error_of(""), "none");
  std::filesystem::remove(file);
  EXPECT_EQ(load_baseline(file).error().text(),
            file + ": cannot be read: No such file or directory");
  EXPECT_FALSE(load_baseline(::testing::TempDir()));
}

// Another seed draws other requests, which fail with the same cause.
TEST_F(BaselineOf, GeneratedFailuresAreKnownByTheirCause) {
  RunResult run = wrong_run();
  std::deque<Case> drawn;
  make_generated(run, drawn);
  const Baseline mend = mended(with({}), run);
  ASSERT_FALSE(mend.known.empty());
  std::set<std::string> causes;
  for (const KnownFailure& entry : mend.known) {
    EXPECT_EQ(entry.id, "");
    EXPECT_TRUE(causes.insert(entry.cause).second) << entry.cause;
  }
  EXPECT_TRUE(causes.contains("one: output.shape | shape | produced [#]")) << *causes.begin();
  EXPECT_TRUE(causes.contains("one, i64: content.kept | bytes")) << *causes.begin();

  for (Case& one : drawn) one.id = "generated/8" + one.id.substr(11);
  apply(mend, run);
  EXPECT_TRUE(run.baseline_faults.empty());
  for (const CaseResult& one : run.cases) {
    EXPECT_EQ(one.known, one.failed() ? Known::failure : Known::none) << one.asked->id;
    EXPECT_EQ(known_by(mend, "")(one), one.failed());
  }
  EXPECT_EQ(mended(mend, run).known.size(), mend.known.size());
  // Without generated requests the entry stays.
  EXPECT_EQ(mended(mend, testing::run_all(suite)).known.size(), mend.known.size());
  // A cause that generated requests do not show any more is dropped.
  RunResult right = testing::run_all(suite);
  std::deque<Case> others;
  make_generated(right, others);
  // A run of generated requests alone is a campaign, which may have missed the cause.
  EXPECT_EQ(mended(mend, right).known.size(), mend.known.size());
  const RunResult asked = testing::run_all(suite);
  right.cases.push_back(asked.cases.front());
  EXPECT_TRUE(mended(mend, right).known.empty());
  // A partial run, or one of another dialect, does not show that a cause is gone.
  right.options.shard = "1/2";
  EXPECT_EQ(mended(mend, right).known.size(), mend.known.size());
  right.options.shard.clear();
  right.options.tier = "quick";
  EXPECT_EQ(mended(mend, right).known.size(), mend.known.size());
  right.options.tier.clear();
  right.cut_short = "the time limit was reached";
  EXPECT_EQ(mended(mend, right).known.size(), mend.known.size());
  right.cut_short.clear();
  for (Case& one : others) one.request.dialect = "another";
  EXPECT_EQ(mended(mend, right).known.size(), mend.known.size());
}

TEST(SortOfAnswer, KnowsNoSizes) {
  EXPECT_EQ(sort_of_answer("produced [2,3]"), sort_of_answer("produced [7]"));
  EXPECT_NE(sort_of_answer("produced [2,3]"), sort_of_answer("produced []"));
  EXPECT_EQ(sort_of_answer("rejected (node 9)"), "rejected");
  const std::string malformed = "malformed during inference: it inferred ";
  EXPECT_EQ(sort_of_answer(malformed + "[?]"), malformed + "[#]");
  EXPECT_EQ(sort_of_answer(malformed + "[1..-2147483647,?]"), malformed + "[#]");
  EXPECT_EQ(sort_of_answer(malformed + "[?,0,1..-21"), malformed + "[#]");
  const std::string failed = "malformed during inference: answered failed";
  EXPECT_EQ(sort_of_answer(failed + ": no memory for f32 of [2,3]"), failed);
}

TEST_F(BaselineOf, AScalarIsNoOtherCauseWhereAnyShapeIsWrong) {
  const auto causes = [&](Shape shape) {
    const RunResult run = testing::run_all(suite, [&](const Request& request) {
      return request.data == Shape{2, 3} ? testing::produced(shape) : right_answer(request);
    });
    std::map<std::string, std::string> found;
    for (const CaseResult& one : run.cases) found[one.asked->id] = cause_of(one);
    return found;
  };
  auto flat = causes({7}), scalar = causes({});
  EXPECT_EQ(flat["one/too-many"], "one: volume.kept | shape | produced [#]");
  EXPECT_EQ(flat["one/too-many"], scalar["one/too-many"]);
  EXPECT_NE(flat["one/plain"], scalar["one/plain"]);
}

// An entry for a case covers generated requests with the same cause, except for wrong bytes, whose
// cause includes a type that the fingerprint lacks.
TEST_F(BaselineOf, GeneratedFailuresAreKnownByACaseThatFailsTheSame) {
  const Baseline of_cases = complete();
  RunResult run = wrong_run();
  std::deque<Case> drawn;
  make_generated(run, drawn);
  for (CaseResult& one : run.cases) {
    for (Fault& fault : one.verdict.faults) {
      std::ranges::replace_if(
          fault.answered, [](char letter) { return letter >= '1' && letter <= '8'; }, '9');
    }
  }
  apply(of_cases, run);
  int known = 0;
  for (const CaseResult& one : run.cases) {
    if (!one.failed()) continue;
    const bool bytes = one.verdict.faults.front().plane == Plane::bytes;
    EXPECT_EQ(one.known, bytes ? Known::none : Known::failure) << one.asked->id;
    if (!bytes) ++known;
  }
  EXPECT_GT(known, 0);
  // So mending adds no entries for them.
  for (const KnownFailure& entry : mended(of_cases, run).known) {
    EXPECT_TRUE(entry.cause.empty() || entry.cause.ends_with(" | bytes")) << entry.cause;
  }
  // The entry does not apply to another document.
  for (Case& one : drawn) one.request.dialect = "another";
  RunResult elsewhere = run;
  for (CaseResult& one : elsewhere.cases) one.known = Known::none;
  apply(of_cases, elsewhere);
  for (const CaseResult& one : elsewhere.cases) EXPECT_EQ(one.known, Known::none);
}

// A cause that the entries of cases know already would be met by nothing.
TEST_F(BaselineOf, MendingWritesNoCauseThatNothingMeets) {
  RunResult run = wrong_run();
  std::deque<Case> drawn;
  RunResult generated = wrong_run();
  make_generated(generated, drawn);
  std::ranges::move(generated.cases, std::back_inserter(run.cases));
  const Baseline mend = mended(with({}), run);
  apply(mend, run);
  EXPECT_TRUE(run.baseline_faults.empty());
  EXPECT_TRUE(run.perhaps_gone.empty()) << run.perhaps_gone.front();
  for (const CaseResult& one : run.cases) {
    EXPECT_EQ(one.known, one.failed() ? Known::failure : Known::none) << one.asked->id;
  }
}

TEST_F(BaselineOf, ACauseIsReadBackAsItIsWritten) {
  const Baseline again =
      read_back(with({{.reason = "they write behind", .cause = "one: C7 | canaries"}}));
  EXPECT_EQ(again.known.at(0).cause, "one: C7 | canaries");
  EXPECT_EQ(error_of("known: [{cause: b, fingerprint: d, reason: c}]"),
            ":1: an entry has a cause or a fingerprint");
}

// An entry whose cause is gone is a fault: the same mistake could return unnoticed.
TEST_F(BaselineOf, ACauseOfWhichNothingFailsAnyMoreIsAFault) {
  const Baseline known = with({{.id = "*",
                                .reason = "elements get lost",
                                .line = 3,
                                .cause = "one, i64: content.kept | bytes"}});
  const RunResult wrong = held_to(known, wrong_run());
  EXPECT_TRUE(wrong.baseline_faults.empty());
  const RunResult right = held_to(known, testing::run_all(suite));
  ASSERT_EQ(right.baseline_faults.size(), 1u);
  EXPECT_TRUE(right.baseline_faults[0].ends_with(
      ":3: entry '*, one, i64: content.kept | bytes' is the cause of no failure any more"));
  EXPECT_FALSE(right.cases_conform());
  // A part of the suite says nothing about it.
  RunResult part = testing::run_all(suite);
  part.options.filters = {"one/plain"};
  apply(known, part);
  EXPECT_TRUE(part.baseline_faults.empty());
  // It is told as a note there, where the document was asked and nothing fails so.
  ASSERT_EQ(part.perhaps_gone.size(), 1u);
  EXPECT_TRUE(part.perhaps_gone[0].ends_with("is the cause of no failure here"));
  EXPECT_TRUE(wrong.perhaps_gone.empty());
  EXPECT_TRUE(right.perhaps_gone.empty());

  const RunResult elsewhere =
      held_to(with({{.id = "*", .reason = "b", .line = 3, .cause = "three: content.kept | bytes"}}),
              testing::run_all(suite));
  ASSERT_EQ(elsewhere.baseline_faults.size(), 1u);
  EXPECT_TRUE(elsewhere.baseline_faults[0].ends_with(" of 'three', which is no document"));
}

// What is never written is one cause in any type, and no other wrong bytes are let through with it.
TEST_F(BaselineOf, WhatIsNeverWrittenIsKnownInAnyType) {
  const auto unknown = [&](const char* answered) {
    RunResult run = wrong_run();
    for (CaseResult& one : run.cases) {
      for (Fault& fault : one.verdict.faults) {
        if (fault.watch == CaughtBy::bytes) fault.answered = answered;
      }
    }
    apply(with({{.id = "*", .reason = "b", .cause = "*: content.kept | bytes | never written"}}),
          run, "2026-11-01");
    return std::ranges::count_if(run.cases, [](const CaseResult& one) {
      return one.failed() && one.known == Known::none &&
             one.verdict.faults.front().watch == CaughtBy::bytes;
    });
  };
  EXPECT_EQ(unknown("element 0 holds the poison: never written, 1 of 1 differ"), 0);
  EXPECT_GT(unknown("element 0 is 0x12, 1 of 1 differ"), 0);
}

// Many failures with one cause become one entry, which also covers future cases of the suite.
TEST_F(BaselineOf, ManyFailuresOfOneCauseAreOneEntry) {
  const RunResult wrong = wrong_run();
  const auto failing = std::ranges::find_if(wrong.cases, [](const CaseResult& one) {
    return cause_of(one) == "one, i64: content.kept | bytes";
  });
  ASSERT_NE(failing, wrong.cases.end());
  std::deque<Case> many;
  RunResult run = testing::run_all(suite);
  for (int number = 0; number <= kMostMatches; ++number) {
    many.push_back(*failing->asked);
    many.back().id = "one/many-" + std::to_string(number);
    run.cases.push_back(*failing);
    run.cases.back().asked = &many.back();
  }
  const Baseline mend = mended(with({}), run);
  ASSERT_EQ(mend.known.size(), 1u);
  EXPECT_EQ(mend.known[0].id, "*");
  EXPECT_EQ(mend.known[0].cause, "one, i64: content.kept | bytes");

  // It survives saving and loading, and covers all of them and others with that cause.
  const Baseline loaded = read_back(mend);
  many.back().id = "one/new";
  run.cases[run.cases.size() - 2].asked = &many.back();
  apply(loaded, run);
  EXPECT_TRUE(run.baseline_faults.empty());
  EXPECT_EQ(states(run).at("one/new"), Known::failure);
  EXPECT_TRUE(run.cases_conform());
  EXPECT_EQ(text_of(mended(loaded, run)), text_of(loaded));

  // It does not cover other failures, and an entry with a fingerprint takes precedence.
  RunResult others = held_to(loaded, wrong_run());
  EXPECT_EQ(states(others).size(), 1u);
  EXPECT_FALSE(others.cases_conform());
  Baseline both = loaded;
  both.known.push_back({failing->asked->id, "another", "", "not so"});
  others = held_to(both, wrong_run());
  EXPECT_EQ(states(others).at(failing->asked->id), Known::differs);

  // A whole run without the cause drops it; a partial run keeps it.
  RunResult right = testing::run_all(suite);
  EXPECT_TRUE(mended(loaded, right).known.empty());
  right.options.tier = "quick";
  EXPECT_EQ(mended(loaded, right).known.size(), 1u);
}

// One mistake may show in several documents.
TEST_F(BaselineOf, ACauseMayBeOfSeveralDocuments) {
  const auto of = [&](const std::string& document) {
    return with({{.id = "*", .reason = "why", .cause = document + ", i64: content.kept | bytes"}});
  };
  const std::map<std::string, Known> one = {{"one/wide", Known::failure}};
  const std::map<std::string, Known> both = {{"one/wide", Known::failure},
                                             {"two/wide", Known::failure}};
  RunResult run;
  for (const auto& [documents, known] : std::map<std::string, std::map<std::string, Known>>{
           {"one", one}, {"on?", one}, {"*", both}, {"*o*", both}}) {
    run = held_to(of(documents), wrong_run());
    EXPECT_EQ(states(run), known) << documents;
    EXPECT_TRUE(run.baseline_faults.empty()) << documents;
    EXPECT_EQ(mended(of(documents), run).known.at(0).cause, of(documents).known.at(0).cause);
  }
  run = held_to(of("thr*"), wrong_run());
  EXPECT_TRUE(states(run).empty());
  EXPECT_EQ(run.baseline_faults.at(0),
            "known.yaml:0: entry '*, thr*, i64: content.kept | bytes' "
            "has a cause of 'thr*', which is no document");
  run = held_to(of("on?"), testing::run_all(suite));
  EXPECT_EQ(run.baseline_faults.at(0),
            "known.yaml:0: entry '*, on?, i64: content.kept | bytes' "
            "is the cause of no failure any more");
  EXPECT_TRUE(mended(of("on?"), run).known.empty());
}

// A run of cases leaves entries for laws as they are.
TEST_F(BaselineOf, ALawIsReadBackAsItIsWritten) {
  const Baseline again =
      read_back(with({{.reason = "no threads in a child", .law = "asked-by-a-fork"}}));
  EXPECT_EQ(again.known.at(0).law, "asked-by-a-fork");
  const RunResult run = held_to(again, testing::run_all(suite));
  EXPECT_TRUE(run.baseline_faults.empty());
  EXPECT_EQ(text_of(mended(again, run)), text_of(again));
  EXPECT_EQ(error_of("known: [{law: a, cause: b, reason: c}]"),
            ":1: an entry has a law, or an id, a cause or both of them");
}

}  // namespace
}  // namespace reshape::conformance
