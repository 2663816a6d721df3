// Generated cases and bounded-exhaustive runs, with correct implementations and ones with one
// mistake.
#include <getopt.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "conformance/adapter/adapter.h"
#include "conformance/model/judge.h"
#include "conformance/property/bounded_exhaustive.h"
#include "conformance/property/covering.h"
#include "conformance/property/generated_cases.h"
#include "conformance/property/shape_pairs.h"
#include "conformance/run/runner.h"
#include "conformance/spec/load.h"
#include "conformance/text/line.h"
#include "reference/tensor/declared_dialects.h"

namespace reshape::conformance {
namespace {

std::unique_ptr<Adapter> adapter_to(const std::string& library) {
  auto adapter = start_adapter({library, true, 10});
  EXPECT_TRUE(adapter.ok()) << adapter.error().text();
  return adapter.ok() ? std::move(adapter).value() : nullptr;
}

std::unique_ptr<Adapter> breaker(const char* breaks) {
  setenv("RESHAPE_BREAKS", breaks, 1);
  optopt = 0;  // see law_breaker.cpp
  return adapter_to(RESHAPE_LAW_BREAKER);
}

// Starts the breaker again, with fresh state.
Result<std::unique_ptr<Adapter>> start_breaker() {
  optopt = 0;  // see law_breaker.cpp
  return start_adapter({RESHAPE_LAW_BREAKER, true, 10});
}

const std::vector<std::string>& dialects() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> made;
    for (const Document& document : built_in_suite().documents) {
      made.push_back(document.dialect.name);
    }
    return made;
  }();
  return names;
}

TEST(GeneratedCases, DependOnTheirNumberAndNotOnTheCount) {
  const auto adapter = adapter_to(RESHAPE_REFERENCE_LIBRARY);
  const auto few = generated_cases(built_in_suite(), dialects(), adapter->capabilities(), 5, 20);
  const auto many = generated_cases(built_in_suite(), dialects(), adapter->capabilities(), 5, 60);
  const auto other = generated_cases(built_in_suite(), dialects(), adapter->capabilities(), 6, 20);
  int same = 0;
  for (std::size_t at = 0; at < few.cases.size(); ++at) {
    EXPECT_EQ(few.cases[at].request, many.cases[at].request);
    same += few.cases[at].request == other.cases[at].request ? 1 : 0;
  }
  EXPECT_LT(same, 4);
  EXPECT_EQ(few.cases[7].id, "generated/5/7");
}

// The sum of new combinations over all requests.
std::int64_t asked_together(Drawing drawing) {
  const auto adapter = adapter_to(RESHAPE_REFERENCE_LIBRARY);
  Covering covering;
  std::int64_t news = 0;
  for (const Case& one : generated_cases(built_in_suite(), {"openvino-reshape-1"},
                                         adapter->capabilities(), 11, 2600, drawing)
                             .cases) {
    const auto answer = static_cast<std::size_t>(one.expect.kind);
    news += covering.news(one.request, answer, one.expect.shape);
    covering.add(one.request, answer, one.expect.shape);
    EXPECT_EQ(covering.news(one.request, answer, one.expect.shape), 0);
  }
  return news;
}

TEST(GeneratedCases, BringMoreTogetherThanRequestsAsTheyCome) {
  const std::int64_t as_they_come = asked_together(Drawing::as_it_comes);
  EXPECT_GT(as_they_come, 0);
  EXPECT_GT(asked_together(Drawing::covering), as_they_come + as_they_come / 5);
}

TEST(GeneratedCases, CountEveryFamilyAnswerLayoutAndType) {
  constexpr int kMany = 20000;
  const auto adapter = adapter_to(RESHAPE_REFERENCE_LIBRARY);
  const Generation made =
      generated_cases(built_in_suite(), dialects(), adapter->capabilities(), 3, kMany).generation;
  const auto counted = [&](const char* facet) {
    int sum = 0;
    for (const auto& [name, times] : made.drawn.at(facet)) sum += times;
    return sum;
  };
  for (const char* facet : {"answer", "family", "layout", "type", "pattern"}) {
    EXPECT_EQ(counted(facet), kMany) << facet;
  }
  for (const Family& family : families()) {
    EXPECT_GT(made.drawn.at("family").at(std::string(family.name)), kMany / 100) << family.name;
  }
  for (const char* layout : {"sparse-2^31", "sparse-2^32", "broadcast", "gapped to gapped"}) {
    EXPECT_GT(made.drawn.at("layout").at(layout), kMany / 1000) << layout;
  }
  for (const Dialect& dialect : declared_dialects()) {
    for (const Aim& aim : aims_of(dialect)) {
      EXPECT_GT(made.drawn.at("answer").at(text(aim)), kMany / 1000) << text(aim);
    }
  }
  EXPECT_EQ(made.drawn.at("type").size(), kAllElementTypes.size());
}

// Every number of dialects is served evenly: the period of repeated requests must not coincide with
// that of the dialects.
TEST(GeneratedCases, AreSharedByTheDialects) {
  constexpr int kEach = 120;
  const auto adapter = adapter_to(RESHAPE_REFERENCE_LIBRARY);
  const std::vector<std::string> all = dialects();
  for (std::size_t many = 1; many <= all.size(); ++many) {
    const std::vector<std::string> some(all.begin(),
                                        all.begin() + static_cast<std::ptrdiff_t>(many));
    const auto made = generated_cases(built_in_suite(), some, adapter->capabilities(), 4,
                                      kEach * static_cast<int>(many));
    std::map<std::string, int> times;
    for (const Case& one : made.cases) ++times[one.request.dialect];
    for (const std::string& name : some) {
      EXPECT_NEAR(times[name], kEach, kEach / 10) << name << " among " << many;
    }
  }
}

// The generated requests of a run of one document break each clause in many different ways.
TEST(GeneratedCases, BreakEachClauseOfADocumentManyTimes) {
  constexpr std::size_t kLeast = 100;
  const auto adapter = adapter_to(RESHAPE_REFERENCE_LIBRARY);
  for (const Document& document : built_in_suite().documents) {
    const auto made =
        generated_cases(built_in_suite(), {document.dialect.name}, adapter->capabilities(),
                        usual_seed(built_in_suite()), usual_count(false, 1));
    std::map<std::string, std::set<std::string>> broken;
    for (const Case& one : made.cases) {
      if (one.expect.kind != Ruling::Kind::produces) {
        broken[one.expect.clause].insert(print_line(one.request));
      }
    }
    for (const Case& one : document.cases) {
      if (one.expect.kind == Ruling::Kind::rejects) broken[one.expect.clause];
    }
    for (const auto& [clause, requests] : broken) {
      // Requests with an empty pattern can differ in the rank and the types only.
      const std::size_t least = clause == "pattern.empty" ? kLeast / 2 : kLeast;
      EXPECT_GE(requests.size(), least) << document.dialect.name << ' ' << clause;
    }
  }
}

TEST(GeneratedCases, RefuseStridedDataByEachClauseInTheQuickTier) {
  const auto adapter = adapter_to(RESHAPE_REFERENCE_LIBRARY);
  for (const char* dialect : {"openvino-reshape-1", "onnx-reshape-14", "stablehlo-reshape"}) {
    const auto made = generated_cases(built_in_suite(), {dialect}, adapter->capabilities(),
                                      usual_seed(built_in_suite()), usual_count(true, 1));
    std::map<std::string, int> with_axes, strided;
    for (const Case& one : made.cases) {
      if (one.expect.kind != Ruling::Kind::rejects) continue;
      with_axes[one.expect.clause] += !one.request.shape_only && one.request.data.rank() > 0;
      strided[one.expect.clause] += one.request.strides.has_value();
    }
    for (const auto& [clause, requests] : with_axes) {
      EXPECT_GE(strided[clause], requests / 4) << dialect << ' ' << clause;
    }
  }
}

TEST(GeneratedCases, InferEverySmallSizeBesideEachPlaceOfACopyInTheQuickTier) {
  constexpr std::int64_t kSmall = 40;
  constexpr std::size_t kPlaces = 4;
  const auto adapter = adapter_to(RESHAPE_REFERENCE_LIBRARY);
  const auto made =
      generated_cases(built_in_suite(), {"openvino-reshape-1"}, adapter->capabilities(),
                      usual_seed(built_in_suite()), usual_count(true, 1));
  std::set<std::pair<std::size_t, std::int64_t>>
      met;  // the place of the first 0, what -1 stands for
  for (const Case& one : made.cases) {
    const auto& values = one.request.pattern.values;
    const auto place = [&values](PatternValue value) {
      return static_cast<std::size_t>(std::ranges::find(values, value) - values.begin());
    };
    const std::size_t copy = place(0), inferred = place(-1);
    if (one.expect.kind != Ruling::Kind::produces || inferred == values.size()) continue;
    const std::int64_t size = one.expect.shape[inferred];
    if (copy < kPlaces && size >= 1 && size <= kSmall) met.insert({copy, size});
  }
  EXPECT_GT(met.size(), kPlaces * kSmall * 7 / 8);
}

TEST(GeneratedCases, PassOnBothImplementations) {
  for (const char* library : {RESHAPE_REFERENCE_LIBRARY, RESHAPE_OPTIMIZED_LIBRARY}) {
    const auto adapter = adapter_to(library);
    const auto made =
        generated_cases(built_in_suite(), dialects(), adapter->capabilities(), 11, 800);
    for (const Case& one : made.cases) {
      const CaseResult result = ask(built_in_suite(), one, *adapter);
      EXPECT_FALSE(result.failed()) << library << ": " << print_line(one.request) << "\n  expected "
                                    << result.verdict.faults.front().expected << "\n  answered "
                                    << result.verdict.faults.front().answered;
    }
  }
}

TEST(Shrunk, KeepsTheClassAndTheFailure) {
  const auto adapter = breaker("minus-one-resolves");
  const auto made = generated_cases(built_in_suite(), dialects(), adapter->capabilities(), 2, 200);
  int failed = 0;
  for (const Case& one : made.cases) {
    const CaseResult result = ask(built_in_suite(), one, *adapter);
    if (!result.failed() || result.verdict.faults.front().watch != CaughtBy::shape || ++failed > 3)
      continue;
    const std::optional<Smallest> smallest =
        shrunk(built_in_suite(), one, result.verdict, *adapter, start_breaker);
    ASSERT_TRUE(smallest);
    const Result<Request> request = parse_line(smallest->line);
    ASSERT_TRUE(request.ok()) << smallest->line;
    EXPECT_LE(request->pattern.values.size(), one.request.pattern.values.size());
    EXPECT_LE(request->data.rank(), 2u) << smallest->line;
    EXPECT_NE(smallest->fails.find("shape plane, shape"), std::string::npos) << smallest->fails;
    EXPECT_NE(smallest->yaml.find("ask: " + smallest->line), std::string::npos) << smallest->yaml;
  }
  EXPECT_GT(failed, 0);
}

// Correct, except that it answers [7] where `wrong`, and always after `right` requests.
class Spoiling : public Adapter {
 public:
  using Wrong = bool (*)(const Request&);
  Spoiling(Wrong wrong, int right) : wrong_(wrong), right_(right) {}
  const Capabilities& capabilities() const override { return right_one_->capabilities(); }
  Outcome ask(const Request& request) override {
    Outcome outcome = right_one_->ask(request);
    if (outcome.kind == Outcome::Kind::produced && (wrong_(request) || right_ <= 0)) {
      outcome.shape = Shape({7});
    }
    --right_;
    return outcome;
  }

 private:
  std::unique_ptr<Adapter> right_one_ = adapter_to(RESHAPE_REFERENCE_LIBRARY);
  Wrong wrong_;
  int right_;
};

constexpr int kAlways = std::numeric_limits<int>::max();

// What remains of a request that produces `output`, asked of the one that is right so often `here`,
// and of others in fresh processes.
std::optional<Request> remains(const std::string& line, const Shape& output, Spoiling::Wrong wrong,
                               int here = kAlways, int afresh = kAlways) {
  Case one;
  one.id = "generated/1/1";
  one.request = *parse_line(line);
  one.expect = Ruling::produces(output);
  Spoiling adapter(wrong, here);
  const Verdict verdict = ask(built_in_suite(), one, adapter).verdict;
  if (verdict.kind != Verdict::Kind::fail) {
    ADD_FAILURE() << line;
    return std::nullopt;
  }
  const StartAdapter start = [=] { return std::unique_ptr<Adapter>(new Spoiling(wrong, afresh)); };
  const auto smallest = shrunk(built_in_suite(), one, verdict, adapter, start);
  if (!smallest) return std::nullopt;
  return *parse_line(smallest->line);
}

constexpr const char* kOfRankFour = "openvino-reshape-1 f32[2,3,4,5] i64[2,60] special_zero=false";

TEST(Shrunk, FailsInAFreshProcessToo) {
  const auto smallest =
      remains(kOfRankFour, {2, 60}, [](const Request& one) { return one.data.rank() > 1; }, 0, 1);
  ASSERT_TRUE(smallest);
  // In the worn-out process even a scalar fails; in a fresh one two axes are needed.
  EXPECT_EQ(smallest->data.rank(), 2u) << print_line(*smallest);
}

// Seven elements are left behind two or more blocks of eight.
TEST(Shrunk, KeepsWhatBlocksOfAKernelLeaveOver) {
  const auto smallest = remains("openvino-reshape-1 f32[1047] i64[-1] special_zero=false", {1047},
                                [](const Request& one) {
                                  const std::int64_t count = element_count(one.data).value_or(0);
                                  return count > 16 && count % 8 == 7;
                                });
  ASSERT_TRUE(smallest);
  EXPECT_EQ(smallest->data, Shape({23})) << print_line(*smallest);
}

// f32 does not hold the number of elements.
TEST(Shrunk, FindsABoundBetweenTheNumbersThatAreTriedFirst) {
  const auto smallest =
      remains("openvino-reshape-1 u8[20971519] i64[-1] special_zero=true shape_only=true",
              {20971519}, [](const Request& one) {
                const std::int64_t count = element_count(one.data).value_or(0);
                return count > (1 << 24) && count % 2 == 1;
              });
  ASSERT_TRUE(smallest);
  EXPECT_EQ(smallest->data, Shape({16777217})) << print_line(*smallest);
}

TEST(Shrunk, IsNothingWhereOnlyWhatWasAskedBeforeMadeItFail) {
  EXPECT_FALSE(remains(kOfRankFour, {2, 60}, [](const Request&) { return false; }, 0, 1));
}

TEST(BoundedRequests, HasAsManyRequestsAsItsBoundSays) {
  Capabilities able;
  able.element_types = ElementTypes::all();
  able.pattern_types = ElementTypes::integers();
  const Dialect& dialect = *declared_dialect("openvino-reshape-1");
  // (1 + 5 + 25 + 125 + 625) shapes, (1 + 9 + 81 + 729 + 6561) patterns, both flags.
  EXPECT_EQ(BoundedRequests(ExhaustiveBound::full(), dialect, able).size(), 781u * 7381 * 2);
  EXPECT_EQ(BoundedRequests(ExhaustiveBound::quick(), dialect, able).size(), 341u * 2801 * 2);
  const BoundedRequests bounded({2, 2, 2, -1, 2}, dialect, able);
  std::set<std::string> lines;
  for (std::uint64_t number = 0; number < bounded.size(); ++number) {
    lines.insert(print_line(bounded.request(number)));
  }
  EXPECT_EQ(lines.size(), bounded.size());
}

// Small enough for a test, and still 1.3 million requests.
constexpr ExhaustiveBound kTestBound{3, 3, 4, -2, 3};

ExhaustiveRun asked(const std::string& library, const ExhaustiveBound& bound,
                    double deadline = 10) {
  ExhaustiveOptions options;
  options.library = library;
  options.bound = bound;
  options.deadline_seconds = deadline;
  const auto adapter = adapter_to(library);
  return ask_exhaustively(built_in_suite(), dialects(), adapter->capabilities(), options);
}

// A request with a flag is asked with either value of it.
std::size_t flags() {
  std::size_t count = 0;
  for (const Dialect& dialect : declared_dialects()) {
    count += dialect.zero == ZeroRule::by_flag ? 2 : 1;
  }
  return count;
}

// Requests outside of the declared capabilities are not asked.
TEST(BoundedRequests, StayWithinWhatWasDeclared) {
  const Dialect& dialect = built_in_suite().document("openvino-reshape-1")->dialect;
  for (const auto limit :
       {&Capabilities::max_rank, &Capabilities::max_size, &Capabilities::max_elements}) {
    Capabilities able;
    able.element_types = able.pattern_types = ElementTypes::all();
    able.*limit = 2;
    const BoundedRequests bounded({3, 3, 3, -1, 3}, dialect, able);
    ASSERT_GT(bounded.size(), 0u);
    EXPECT_LT(bounded.size(), BoundedRequests({3, 3, 3, -1, 3}, dialect, {}).size());
    for (std::uint64_t number = 0; number < bounded.size(); ++number) {
      ASSERT_EQ(why_too_large(bounded.request(number), able), std::nullopt) << number;
    }
  }
}

TEST(ExhaustiveResult, BothImplementationsAnswerAllOfItRightly) {
  for (const char* library : {RESHAPE_REFERENCE_LIBRARY, RESHAPE_OPTIMIZED_LIBRARY}) {
    const ExhaustiveRun bounded = asked(library, kTestBound);
    EXPECT_EQ(bounded.counts.faults, 0u)
        << library << ": " << (bounded.wrong.empty() ? "" : print_line(bounded.wrong[0].request));
    EXPECT_EQ(bounded.counts.stopped, "");
    EXPECT_EQ(bounded.counts.requests, flags() * 85 * 1555);
  }
}

// Where one request of one dialect is answered wrongly, crashes or hangs, exactly that one is
// named, and all others are asked.
TEST(ExhaustiveResult, NamesTheOneRequestThatGoesWrong) {
  constexpr ExhaustiveBound kSmall{2, 2, 2, -1, 4};
  for (const char* breaks : {"wrong-once", "crashes-once", "hangs-once"}) {
    setenv("RESHAPE_BREAKS", breaks, 1);
    const ExhaustiveRun bounded = asked(RESHAPE_LAW_BREAKER, kSmall, 0.5);
    EXPECT_EQ(bounded.counts.faults, 1u) << breaks;
    EXPECT_EQ(bounded.counts.stopped, "") << breaks;
    EXPECT_EQ(bounded.counts.requests, flags() * 13 * 43) << breaks;
    ASSERT_EQ(bounded.wrong.size(), 1u) << breaks;
    EXPECT_EQ(print_line(bounded.wrong[0].request),
              "openvino-reshape-1 f32[2,2] i64[4] special_zero=true shape_only=true");
    EXPECT_EQ(text(bounded.wrong[0].expect), "produces [4]");
  }
}

TEST(ExhaustiveResult, EveryLayoutIsReadRightly) {
  const std::vector<std::string> one = {"openvino-reshape-1"};
  for (const char* library : {RESHAPE_REFERENCE_LIBRARY, RESHAPE_OPTIMIZED_LIBRARY}) {
    const auto adapter = adapter_to(library);
    const std::vector<Case> cases =
        bounded_layouts(built_in_suite(), one, adapter->capabilities(), 3);
    // A scalar; 3 sizes with 2 gaps; 9 shapes, 2 orders, 4 gaps; 27 shapes, 6 orders, 8 gaps.
    ASSERT_EQ(cases.size(), 1u + 3 * 2 + 9 * 2 * 4 + 27 * 6 * 8);
    Capabilities dense = adapter->capabilities();
    dense.strided_input = false;
    EXPECT_EQ(bounded_layouts(built_in_suite(), one, dense, 3).size(), 1u + 3 + 9 + 27);
    for (const Case& layout : cases) {
      const CaseResult result = ask(built_in_suite(), layout, *adapter);
      EXPECT_FALSE(result.failed()) << library << ": " << print_line(layout.request) << "\n  "
                                    << result.verdict.faults.front().answered;
    }
  }
}

// Past 2^31 and 2^32 bytes, and next to no memory.
TEST(Sparse, FarElementsAreReadAndWritten) {
  const auto adapter = adapter_to(RESHAPE_REFERENCE_LIBRARY);
  for (const char* line :
       {"openvino-reshape-1 u8[2,3] i64[6] special_zero=false strides=[3000000000,1]",
        "openvino-reshape-1 u8[2,3] i64[3,2] special_zero=false out_strides=[2200000000,1]",
        "openvino-reshape-1 u4[2,3] i64[6] special_zero=false strides=[8600000000,1]",
        "openvino-reshape-1 f64[2,2] i64[4] special_zero=false strides=[600000000,-1] offset=1"}) {
    const Result<Request> request = parse_line(line);
    ASSERT_TRUE(request.ok()) << line;
    const Outcome outcome = adapter->ask(*request);
    EXPECT_FALSE(outcome.executions.empty()) << line;
    const Verdict verdict = judge(*request, {Ruling::produces(outcome.shape), std::nullopt},
                                  adapter->capabilities(), outcome);
    EXPECT_EQ(verdict.kind, Verdict::Kind::pass)
        << line << (verdict.faults.empty() ? "" : ": " + verdict.faults[0].answered);
  }
}

}  // namespace
}  // namespace reshape::conformance
