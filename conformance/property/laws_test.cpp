// Every law holds on the implementations that come with the project, and every law can fail: for each
// there is a library that breaks it.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <set>
#include <string>

#include "conformance/adapter/adapter.h"
#include "conformance/property/generated_cases.h"
#include "conformance/property/law.h"
#include "conformance/spec/load.h"
#include "conformance/text/line.h"
#include "reference/tensor/declared_dialects.h"

namespace reshape::conformance {
namespace {

// The settings of RapidCheck come from here, unless the caller set others. The seed is fixed, so that
// what lands is what was tested; RC_PARAMS="seed=N max_success=200" looks elsewhere.
const int kFewTrials = setenv("RC_PARAMS", "seed=20 max_success=12 max_discard_ratio=200", 0);

std::unique_ptr<Adapter> adapter_to(const char* library) {
  auto adapter = start_adapter({library, true, 10});
  EXPECT_TRUE(adapter.ok()) << adapter.error().text();
  return adapter.ok() ? std::move(adapter).value() : nullptr;
}

std::string test_name(std::string_view law) {
  std::string name(law);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

std::vector<std::string> all_dialects() {
  std::vector<std::string> names;
  for (const Document& document : built_in_suite().documents) {
    names.push_back(document.dialect.name);
  }
  return names;
}

TEST(Laws, AreNamedOnceAndSayWhatTheyMean) {
  std::set<std::string_view> names;
  for (const Law& law : all_laws()) {
    EXPECT_TRUE(names.insert(law.name).second) << law.name;
    EXPECT_FALSE(law.says.empty()) << law.name;
    EXPECT_FALSE(law.clause.empty()) << law.name;
    EXPECT_NE(law.check, nullptr) << law.name;
    EXPECT_EQ(law_named(law.name), &law);
  }
  EXPECT_EQ(law_named("no-such-law"), nullptr);
}

class EachLaw : public testing::TestWithParam<std::string_view> {};

TEST_P(EachLaw, CanFail) {
  setenv("RESHAPE_BREAKS", std::string(GetParam()).c_str(), 1);
  unsetenv("RESHAPE_BREAKER_WAS_HERE");
  const auto adapter = adapter_to(RESHAPE_LAW_BREAKER);
  ASSERT_NE(adapter, nullptr);
  const LawResult result =
      ask_law(*law_named(GetParam()), built_in_suite(), all_dialects(), *adapter, {1, 40});
  EXPECT_FALSE(result.holds()) << "tried " << result.tried << " requests; " << result.not_asked;
  ASSERT_FALSE(result.lines.empty());
  for (const std::string& line : result.lines) {
    EXPECT_TRUE(parse_line(line).ok()) << line;
  }
}

TEST_P(EachLaw, HoldsWhereNothingIsBroken) {
  setenv("RESHAPE_BREAKS", "nothing", 1);
  unsetenv("RESHAPE_BREAKER_WAS_HERE");
  const auto adapter = adapter_to(RESHAPE_LAW_BREAKER);
  ASSERT_NE(adapter, nullptr);
  const LawResult result =
      ask_law(*law_named(GetParam()), built_in_suite(), all_dialects(), *adapter, {1, 15});
  EXPECT_TRUE(result.holds()) << result.broken << "\n  "
                              << (result.lines.empty() ? "" : result.lines.back());
  EXPECT_EQ(result.tried == 0, !result.not_asked.empty());
  if (GetParam() != "view-aliases") {
    EXPECT_GT(result.tried, 0) << result.not_asked;
  }
}

// Two crashes are equal, and so are two hangs: neither is an answer.
TEST_P(EachLaw, IsBrokenByWhatNeverAnswers) {
  for (const char* way : {"crashes-always", "hangs-always"}) {
    setenv("RESHAPE_BREAKS", way, 1);
    unsetenv("RESHAPE_BREAKER_WAS_HERE");
    auto adapter = start_adapter({RESHAPE_LAW_BREAKER, false, 0.5});
    ASSERT_TRUE(adapter.ok()) << adapter.error().text();
    LawOptions few{1, 2};
    few.shrinks = false;
    const LawResult result =
        ask_law(*law_named(GetParam()), built_in_suite(), all_dialects(), **adapter, few);
    EXPECT_EQ(result.holds(), !result.not_asked.empty()) << way << ", tried " << result.tried;
  }
}

std::vector<std::string_view> law_names() {
  std::vector<std::string_view> names;
  for (const Law& law : all_laws()) names.push_back(law.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Laws, EachLaw, testing::ValuesIn(law_names()),
                         [](const auto& asked) { return test_name(asked.param); });

// A premise as RapidCheck carries it about.
struct Premise {
  Request request;
  const Dialect* dialect = nullptr;
  std::uint64_t seed = 0;
};

void showValue(const Premise& premise, std::ostream& out) {
  out << print_line(premise.request) << " (seed " << premise.seed << ')';
}

// Seeds in, requests out; what shrinks is the request, by our own rules, within its class.
rc::Gen<Premise> premises(const Law& law, const Abilities& abilities) {
  const auto seeds =
      rc::gen::noShrink(rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<std::uint64_t>()));
  const auto drawn = rc::gen::map(seeds, [&law, abilities](std::uint64_t seed) {
    SeededChoices choices(seed);
    const auto dialects = declared_dialects();
    const Dialect& dialect = dialects[static_cast<std::size_t>(seed % dialects.size())];
    return Premise{draw_premise(law, dialect, abilities, choices), &dialect, seed};
  });
  return rc::gen::shrink(drawn, [](const Premise& premise) {
    std::vector<Premise> smaller;
    for (Request& request : simpler(*premise.dialect, premise.request)) {
      smaller.push_back({std::move(request), premise.dialect, premise.seed});
    }
    return rc::seq::fromContainer(std::move(smaller));
  });
}

using Where = std::tuple<std::string_view, const char*>;
class LawOn : public testing::TestWithParam<Where> {};

TEST_P(LawOn, Holds) {
  const Law& law = *law_named(std::get<0>(GetParam()));
  const auto adapter = adapter_to(std::get<1>(GetParam()));
  ASSERT_NE(adapter, nullptr);
  if (law.pointless != nullptr && law.pointless(adapter->capabilities())) {
    GTEST_SKIP() << *law.pointless(adapter->capabilities());
  }
  int left = 40 / law.cost;
  EXPECT_TRUE(rc::check(std::string(law.says), [&] {
    const Premise premise = *premises(law, abilities_of(adapter->capabilities()));
    if (left-- <= 0) return;  // costly laws get fewer trials
    const Tried tried = try_law(law, *premise.dialect, premise.request, *adapter, premise.seed);
    RC_PRE(tried.trial.kind != Trial::Kind::moot);
    if (tried.trial.kind == Trial::Kind::broken) RC_FAIL(tried.trial.says);
  }));
}

INSTANTIATE_TEST_SUITE_P(Implementations, LawOn,
                         testing::Combine(testing::ValuesIn(law_names()),
                                          testing::Values(RESHAPE_REFERENCE_LIBRARY,
                                                          RESHAPE_OPTIMIZED_LIBRARY)),
                         [](const auto& asked) {
                           const std::string library = std::get<1>(asked.param);
                           return test_name(std::get<0>(asked.param)) + "_on_" +
                                  (library.find("optimized") != std::string::npos ? "optimized"
                                                                                  : "reference");
                         });

}  // namespace
}  // namespace reshape::conformance
