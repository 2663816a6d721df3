// The statistics of a kill matrix, with a small one that can be checked by hand.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <set>

#include "conformance/adapter/memory/sanitizers.h"
#include "conformance/detection/diagnosis_score.h"
#include "conformance/detection/random_diagnosis.h"
#include "conformance/detection/random_score.h"
#include "conformance/detection/score.h"
#include "conformance/model/judge.h"
#include "conformance/run/runner.h"
#include "conformance/run/selection.h"
#include "conformance/spec/load.h"
#include "conformance/text/testing/expect_in.h"

namespace reshape::conformance {
namespace {

// Five questions and four mutants. The first case kills mutants 0 and 1, the second 1 and 2, the
// third only one that the first kills too, the law kills 3; the fourth case kills none.
class Counted : public ::testing::Test {
 protected:
  Counted() {
    for (std::size_t at = 0; at < 4; ++at) {
      cases[at].id = std::string("d/case-") + static_cast<char>('a' + at);
      cases[at].clauses = {at == 0 ? "zero.copies" : "volume.kept"};
      matrix.questions.push_back({Question::Kind::case_of_suite, &cases[at], nullptr});
    }
    matrix.questions.push_back({Question::Kind::law, nullptr, &all_laws()[0]});
    matrix.seconds = {0.001, 0.001, 0.001, 0.001, 0.01};
    matrix.fates.resize(4);
    const auto mutants = self::all_mutants();
    for (std::size_t at = 0; at < 4; ++at) matrix.fates[at].mutant = &mutants[at];
    matrix.fates[0].killed_by = {0};
    matrix.fates[1].killed_by = {0, 1, 2};
    matrix.fates[2].killed_by = {1};
    matrix.fates[3].killed_by = {4};
  }

  Case cases[4];
  KillMatrix matrix;
};

TEST_F(Counted, EachTierHasItsScore) {
  const std::vector<Score> found = scores(matrix);
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].tier, "cases");
  EXPECT_EQ(found[0].questions, 4);
  EXPECT_EQ(found[0].killed, 3);
  EXPECT_EQ(found[1].tier, "laws");
  EXPECT_EQ(found[1].killed, 1);
  EXPECT_EQ(found[2].tier, "full");
  EXPECT_EQ(found[2].killed, 4);
  EXPECT_EQ(found[2].mutants, 4);
}

TEST_F(Counted, ACaseIsNeededWhereNoOtherKillsTheSame) {
  const Worth found = worth(matrix);
  EXPECT_EQ(found.cases, 4);
  EXPECT_EQ(found.kill_something, 3);
  EXPECT_EQ(found.needed, 2);
}

TEST_F(Counted, TheClausesOfTheKillingCasesAreCounted) {
  const auto counts = clauses_of(matrix, matrix.fates[1]);
  EXPECT_EQ(counts.at("zero.copies"), 1);
  EXPECT_EQ(counts.at("volume.kept"), 2);
}

TEST_F(Counted, TheCoverLeavesOutWhatAddsNothing) {
  const Tier tier = cover(matrix, 1);
  EXPECT_EQ(tier.cases, (std::vector<std::string>{"case-a", "case-b"}));
  EXPECT_EQ(tier.laws, std::vector<std::string>{std::string(all_laws()[0].name)});
}

// Each mutant is left out once. Every tier has cases for each clause, and laws only where they kill
// a mutant.
TEST_F(Counted, WhatIsLeftOutIsAskedATierThatWasChosenWithoutIt) {
  const LeftOut found = left_out(matrix, 4, 7);
  EXPECT_EQ(found.mutants, 4);
  EXPECT_EQ(found.killed, 3);
  EXPECT_EQ(found.alive, std::vector<const self::Mutant*>{matrix.fates[3].mutant});
  EXPECT_EQ(found.questions, 4);

  matrix.questions.push_back({Question::Kind::generated, &cases[3], nullptr});
  matrix.seconds.push_back(0.001);
  matrix.fates[3].killed_by = {5};
  EXPECT_EQ(left_out(matrix, 4, 7).killed, 4);
}

// Mutants that nothing in the matrix kills (they misread another document, say) are counted
// separately.
TEST_F(Counted, WhatNothingShowsIsToldApartFromWhatIsMissed) {
  matrix.fates[2].killed_by.clear();
  const LeftOut found = left_out(matrix, 3, 7);
  EXPECT_EQ(found.mutants, 3);
  EXPECT_EQ(found.unshown, std::vector<const self::Mutant*>{matrix.fates[2].mutant});
  EXPECT_EQ(found.alive, std::vector<const self::Mutant*>{matrix.fates[3].mutant});
}

TEST_F(Counted, TheCoverKillsTwiceWhereTwoCan) {
  matrix.fates[1].killed_by = {1, 2};
  const Tier tier = cover(matrix, 2);
  EXPECT_EQ(tier.cases, (std::vector<std::string>{"case-a", "case-b", "case-c"}));
}

// With little memory copies of 4 GiB cannot be asked, and those of 2 GiB are right.
TEST(AskMutants, WhatCouldNotBeAskedKillsNothingAndIsTold) {
  if (kSanitized) GTEST_SKIP() << "long copies are not asked beside a sanitizer";
  const self::Mutant* mutant = self::mutant_named("bytes-counted-in-32-bits");
  const Law* law = law_named("copies-beyond-32-bits");
  ASSERT_TRUE(mutant != nullptr && law != nullptr);
  const auto fate_with = [&](rlim_t memory) {
    rlimit before{};
    getrlimit(RLIMIT_AS, &before);
    const rlimit limited{std::min(memory, before.rlim_max), before.rlim_max};
    setrlimit(RLIMIT_AS, &limited);
    const KillMatrix matrix =
        ask_mutants(built_in_suite(), {{Question::Kind::law, nullptr, law}}, {&mutant, 1}, {});
    setrlimit(RLIMIT_AS, &before);
    return matrix.fates.front();
  };
  const Fate little = fate_with(rlim_t{5} << 30);
  EXPECT_FALSE(little.killed()) << little.not_started;
  // A busy machine has time for a smaller copy alone.
  const std::string told =
      "law copies-beyond-32-bits: copies of 4 GiB take too long or too "
      "much memory here; ";
  EXPECT_TRUE(little.unfinished == told + "2 GiB are right" ||
              little.unfinished == told + "1 GiB are right")
      << little.unfinished;
  const Fate enough = fate_with(RLIM_INFINITY);
  EXPECT_TRUE(enough.killed()) << enough.unfinished;
}

TEST(RandomMutant, IsTheSameForTheSameSeed) {
  const self::RandomMutant& drawn = self::random_mutant(3, 7);
  EXPECT_EQ(drawn.mutant.name, "random/3/7");
  EXPECT_EQ(self::mutant_named("random/3/7"), &drawn.mutant);
  EXPECT_TRUE(drawn.mutant.says.starts_with(drawn.step == "infer"    ? "in inference, where "
                                            : drawn.step == "refuse" ? "in execution, where "
                                                                     : "where "));
  EXPECT_NE(self::random_mutant(3, 8).mutant.says, drawn.mutant.says);
  EXPECT_NE(self::random_mutant(4, 7).mutant.says, drawn.mutant.says);
}

TEST(RandomMutant, IsNotFoundUnderAMisspeltName) {
  for (const char* name : {"random/", "random/1", "random/1/", "random//2", "random/1/2/3",
                           "random/1/x", "random/-1/2"}) {
    EXPECT_EQ(self::mutant_named(name), nullptr) << name;
  }
}

// Most conditions must be true of some requests and false of others.
TEST(RandomMutant, ConcernsSomeRequests) {
  self::Seen scalar, image;
  image.data = Shape{2, 3, 4, 5};
  image.pattern = {0, -1};
  image.special_zero = 1;
  image.strides = {60, 20, 5, -1};
  int neither = 0, one = 0;
  for (std::uint64_t number = 0; number < 200; ++number) {
    const self::RandomMutant& drawn = self::random_mutant(1, number);
    neither += !drawn.concerns(scalar) && !drawn.concerns(image);
    one += drawn.concerns(scalar) != drawn.concerns(image);
  }
  EXPECT_GT(one, 20);
  EXPECT_GT(neither, 20);
}

TEST(RandomScore, TellsSharesByStepAndByFrequency) {
  RandomScore score;
  score.seed = 9;
  score.drawn = 3;
  const self::RandomMutant& drawn = self::random_mutant(9, 0);
  score.fates = {{&drawn, "a line", 0.5, true, true, ""},
                 {&drawn, "another line", 0.00005, false, true, "law round-trip"}};
  const std::string told = text(score);
  EXPECT_TRUE(told.starts_with("seed 9: 3 mutants drawn, 2 of them with a witness\n")) << told;
  expect_in(told, "all              2 mutants   quick  50.0 %   full 100.0 %");
  expect_in(told, "  under 1e-4     1 mutants   quick   0.0 %   full 100.0 %");
  expect_in(told, "  above 1e-1     1 mutants   quick 100.0 %   full 100.0 %");
  expect_in(told, "not quick, by law round-trip: random/9/0");
  EXPECT_EQ(told.find("a line\n"), told.rfind("a line\n")) << told;
  expect_in(json(score), "\"witness\": \"another line\"");
}

TEST(DiagnosisScore, TellsRightFromNearFromMisleading) {
  const self::Mutant* mutant = self::mutant_named("minus-one-rounds-down");
  ASSERT_NE(mutant, nullptr);
  ASSERT_EQ(name(mutant->breaks), "minus-one.divides");
  const auto named = [&](std::vector<std::string> breaks) {
    return HeldOut{mutant, 5, breaks.empty() ? "" : "a sentence", std::move(breaks)};
  };
  const DiagnosisScore score{
      4,
      "a-document",
      {named({"minus-one.divides", "C4"}), named({"zero.copies", "minus-one.inferred", "C3"}),
       named({"volume.kept", "C4"}), named({"C17"}), named({})}};
  expect_in(text(score),
            "5 mistakes, each left out of the ledger in its turn: the first cause named is of the "
            "right kind for 1 (20.0 %), another clause of the same subject for 1 (20.0 %), "
            "misleading for 2 (40.0 %), and none is named for 1 (20.0 %)");
  EXPECT_EQ(text(score.held_out[0]), "");
  EXPECT_TRUE(text(score.held_out[1]).starts_with("  NEAR")) << text(score.held_out[1]);
  EXPECT_TRUE(text(score.held_out[2])
                  .starts_with("  MISLEADS  minus-one-rounds-down breaks minus-one.divides"))
      << text(score.held_out[2]);
  EXPECT_TRUE(text(score.held_out[4]).starts_with("  SILENT")) << text(score.held_out[4]);
}

// A diagnosis is held against what other requests show: what they refute is no matter of opinion.
TEST(RandomDiagnosis, IsTrueOrRefutedByOtherRequests) {
  using Fate = CheckedDiagnosis::Fate;
  const self::RandomMutant& drawn = self::random_mutant(9, 0);
  ASSERT_FALSE(drawn.by_sequence);
  CheckedDiagnosis one;
  one.drawn = &drawn;
  EXPECT_EQ(one.fate(), Fate::not_found);
  one.failures = 7;
  EXPECT_EQ(one.fate(), Fate::silent);
  EXPECT_TRUE(text(one).starts_with("  SILENT ")) << text(one);
  one.says = "elements are wrong";
  one.narrow = {3, 40};
  EXPECT_EQ(one.fate(), Fate::wide);
  one.where = {"strided data"};
  one.covered = {20, 20};
  one.narrow = {30, 40};
  EXPECT_EQ(one.fate(), Fate::told);
  EXPECT_EQ(text(one), "");
  one.covered = {10, 20};
  EXPECT_EQ(one.fate(), Fate::refuted);
  expect_in(text(one), "of 20 other requests that are answered wrongly 10 have that");
  one.covered = {20, 20};
  one.cause = "the last element is lost";
  one.alike = {4, 9};
  EXPECT_EQ(one.fate(), Fate::refuted);
  expect_in(text({one, one}), "refuted for 2 (100.0 %)");
}

TEST(Tier, IsReadAsItIsWritten) {
  const Result<Tier> tier = parse_tier("# why\n\ncase a/b\nlaw round-trip\n", "x.txt");
  ASSERT_TRUE(tier.ok());
  EXPECT_EQ(text(*tier), "case a/b\nlaw round-trip\n");
}

TEST(Tier, TellsTheLineOfAMistake) {
  EXPECT_EQ(parse_tier("case a/b\nlaw nobody\n", "x.txt").error().text(),
            "x.txt:2: there is no law \"nobody\"");
  EXPECT_EQ(parse_tier("cases\n", "x.txt").error().text(),
            "x.txt:1: a line of a tier is \"case NAME\" or \"law NAME\"");
}

std::vector<const Case*> all_cases(const Suite& suite, const Capabilities& able) {
  std::vector<const Case*> cases;
  for (const Document& document : suite.documents) {
    if (!able.has_dialect(document.dialect.name)) continue;
    for (const Case& one : document.cases) cases.push_back(&one);
  }
  return cases;
}

std::set<std::string> clauses_asked(const std::vector<const Case*>& cases,
                                    const Capabilities& able) {
  std::set<std::string> asked;
  for (const Case* one : cases) {
    if (why_unsupported(one->request, expectation_of(*one), able)) continue;
    for (const std::string& clause : one->clauses) asked.insert(one->request.dialect + clause);
  }
  return asked;
}

TEST(QuickTier, NamesCasesOfTheSuite) {
  EXPECT_FALSE(quick_tier().cases.empty());
  std::set<std::string_view> names;
  for (const Case* one : cases_that_meet(built_in_suite(), {})) names.insert(one->name());
  for (const std::string& name : quick_tier().cases) EXPECT_TRUE(names.contains(name)) << name;
}

// Also for a library with one dialect and one type, the tier covers every clause that a full run
// covers.
TEST(QuickTier, LeavesNoClauseUnaskedThatAllCasesAsk) {
  const Suite& suite = built_in_suite();
  for (const Document& document : suite.documents) {
    for (const ElementType type : {ElementType::u8, ElementType::f32, ElementType::i64}) {
      Capabilities able;
      able.dialects = {document.dialect.name};
      able.element_types.insert(type);
      able.pattern_types.insert(document.dialect.pattern_types.contains(ElementType::i64)
                                    ? ElementType::i64
                                    : ElementType::i32);
      able.shape_only = type != ElementType::u8;
      const std::vector<const Case*> all = all_cases(suite, able);
      const std::vector<const Case*> quick = cases_of(quick_tier(), all, &able);
      EXPECT_EQ(clauses_asked(quick, able), clauses_asked(all, able)) << document.dialect.name;
    }
  }
}

TEST(QuickTier, IsASmallPartOfTheSuite) {
  const std::vector<const Case*> all = cases_that_meet(built_in_suite(), {});
  EXPECT_LT(cases_of(quick_tier(), all, nullptr).size(), all.size() / 3);
}

TEST(QuickTier, AsksEachSmallLineOfTheSuite) {
  const auto lines = [](const std::vector<const Case*>& cases, std::int64_t most_bytes) {
    std::set<std::string> found;
    for (const Case* one : cases) {
      if (data_bytes(one->request).value_or(0) > most_bytes) continue;
      const std::string_view name = one->name();
      const std::size_t dot = name.rfind('.');
      const bool typed = dot != name.npos && element_type_named(name.substr(dot + 1));
      found.emplace(typed ? name.substr(0, dot) : name);
    }
    return found;
  };
  for (const char* dialect : {"openvino-reshape-1", "onednn-static-reshape"}) {
    Capabilities able;
    able.dialects = {dialect};
    able.element_types = able.pattern_types = ElementTypes::all();
    able.shape_only = able.strided_input = able.strided_output = able.negative_strides = true;
    std::vector<const Case*> all = all_cases(built_in_suite(), able);
    std::erase_if(all, [&](const Case* one) {
      return why_unsupported(one->request, expectation_of(*one), able).has_value();
    });
    const std::vector<const Case*> quick = cases_of(quick_tier(), all, &able);
    const std::set<std::string> asked = lines(quick, INT64_MAX);
    for (const std::string& line : lines(all, 4096)) {
      EXPECT_TRUE(asked.contains(line)) << dialect << '/' << line;
    }
  }
}

// Otherwise a new line would change the types in which others are asked, and invalidate baselines.
TEST(QuickTier, IsTheSameForAllOthersWhereALineIsNew) {
  std::vector<const Case*> cases = cases_that_meet(built_in_suite(), {});
  std::vector<const Case*> with = cases_of(quick_tier(), cases, nullptr);
  const auto of_the_line = [](const Case* one) {
    return one->name().starts_with("windows-two-apart");
  };
  std::erase_if(cases, of_the_line);
  // Once in each type of a pattern.
  EXPECT_EQ(std::erase_if(with, of_the_line), 2u);
  EXPECT_EQ(cases_of(quick_tier(), cases, nullptr), with);
}

TEST(QuickTier, AsksInAnotherTypeWhereTheNamedOneIsNotPromised) {
  Capabilities able;
  able.dialects = {"openvino-reshape-1"};
  able.element_types.insert(ElementType::u8);
  able.pattern_types = ElementTypes::all();
  const std::vector<const Case*> cases =
      cases_of({{"dense-10.f32"}, {}}, all_cases(built_in_suite(), able), &able);
  EXPECT_NE(std::ranges::find(cases, "dense-10.u8", &Case::name), cases.end());
}

}  // namespace
}  // namespace reshape::conformance
