// The diagnosis of laws that a known mistake breaks.
#include "conformance/detection/law_diagnosis.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "conformance/adapter/contract/plugin_library.h"
#include "conformance/adapter/memory/sanitizers.h"
#include "conformance/detection/ask_ledger.h"
#include "conformance/property/law.h"
#include "conformance/self/mutant.h"
#include "conformance/spec/load.h"

namespace reshape::conformance {
namespace {

// The host processes are this program too, and load mutants by name.
[[maybe_unused]] const bool kOffered = [] {
  offer_built_in("mutant", self::table_of);
  return true;
}();

LawTrial trial(const char* type, int rows, const char* broken) {
  return {std::string("openvino-reshape-1 ") + type + "[" + std::to_string(rows) +
              ",3] i64[-1] special_zero=true",
          1, broken};
}

// A law that is broken exactly by data of f64.
LawResult broken_by_f64() {
  LawResult law;
  law.name = "worn-by-use";  // too costly to be repeated with mutants
  law.broken = "it differs";
  for (int rows = 1; rows <= 12; ++rows) {
    law.trials.push_back(trial("f64", rows, "it differs"));
    law.trials.push_back(trial(rows % 2 == 0 ? "f32" : "i64", rows, ""));
  }
  law.input = law.trials.front().input;
  return law;
}

TEST(LawDiagnosis, TellsWhatTheTrialsThatBreakALawHaveInCommon) {
  const auto diagnosis = diagnose_laws(std::vector{broken_by_f64()}, built_in_suite());
  ASSERT_TRUE(diagnosis);
  ASSERT_EQ(diagnosis->findings.size(), 1u);
  const LawDiagnosis::Finding& found = diagnosis->findings.front();
  EXPECT_EQ(found.law, "worn-by-use");
  EXPECT_EQ(found.where, std::vector<std::string>{"data of f64"});
  EXPECT_EQ(found.broken, 12);
  EXPECT_EQ(found.broken_there, 12);
  EXPECT_EQ(found.held, 12);
  EXPECT_EQ(found.held_there, 0);
}

// What few trials have in common is mostly due to the law itself.
TEST(LawDiagnosis, SaysNothingOfFewTrialsThatBreakALaw) {
  LawResult law = broken_by_f64();
  for (std::size_t at = 10; at < law.trials.size(); at += 2) law.trials[at] = law.trials[at + 1];
  const auto diagnosis = diagnose_laws(std::vector{law}, built_in_suite());
  ASSERT_TRUE(diagnosis);
  ASSERT_EQ(diagnosis->findings.size(), 1u);
  EXPECT_EQ(diagnosis->findings[0].broken, 5);
  EXPECT_EQ(diagnosis->findings[0].where, std::vector<std::string>{});
}

TEST(LawDiagnosis, IsOfLawsThatAreBrokenAndShown) {
  const auto without = [](auto change) {
    LawResult law = broken_by_f64();
    change(law);
    return diagnose_laws(std::vector{law}, built_in_suite()).has_value();
  };
  EXPECT_TRUE(without([](LawResult&) {}));
  EXPECT_FALSE(without([](LawResult& law) { law.broken.clear(); }));
  EXPECT_FALSE(without([](LawResult& law) { law.known = "for long"; }));
  EXPECT_FALSE(without([](LawResult& law) { law.undecided = true; }));
  EXPECT_FALSE(without([](LawResult& law) { law.input.clear(); }));
}

TEST(LawDiagnosis, NamesTheMistakeThatBreaksThemInTheSameWay) {
  if (kSanitized) GTEST_SKIP() << "a hundred processes take long beside a sanitizer";
  const self::Mutant* mutant = self::mutant_named("refuses-another-type");
  ASSERT_NE(mutant, nullptr);
  LawOptions options;
  options.requests = 4;
  options.comparing_seconds = 2;
  options.start = [&] { return start_adapter(reach(*mutant, 5)); };
  const auto adapter = options.start();
  ASSERT_TRUE(adapter.ok()) << adapter.error().text();
  const LawResult law = ask_law(*law_named("other-type-between"), built_in_suite(),
                                {"openvino-reshape-1"}, **adapter, options);
  ASSERT_FALSE(law.holds());
  const auto diagnosis = diagnose_laws(std::vector{law}, built_in_suite(), {.seconds = 300});
  ASSERT_TRUE(diagnosis);
  EXPECT_TRUE(std::ranges::any_of(diagnosis->alike, [&](const auto& one) {
    return one.mutant == mutant->name && one.agrees == one.trials;
  }));
}

// With a race, one trial is broken and many are kept: a mutant that breaks nothing agrees in all
// but one.
TEST(LawDiagnosis, NamesNoMistakeThatBreaksNothingOfWhatIsBroken) {
  if (kSanitized) GTEST_SKIP() << "a hundred processes take long beside a sanitizer";
  std::vector<LawResult> laws;
  for (const char* name : {"empty-between", "rejected-between", "other-type-between"}) {
    LawResult& law = laws.emplace_back();
    law.name = name;
    for (int rows = 1; rows <= 4; ++rows) law.trials.push_back(trial("f64", rows, ""));
  }
  LawResult& broken = laws.front();
  broken.broken = "it answered as no known mistake does";
  broken.trials.push_back(trial("f64", 5, broken.broken.c_str()));
  broken.input = broken.trials.back().input;
  const auto diagnosis = diagnose_laws(laws, built_in_suite(), {.seconds = 60});
  ASSERT_TRUE(diagnosis);
  EXPECT_EQ(diagnosis->broken_compared, 1);
  EXPECT_EQ(diagnosis->held_compared, 12);
  EXPECT_EQ(diagnosis->alike.size(), 0u);
}

}  // namespace
}  // namespace reshape::conformance
