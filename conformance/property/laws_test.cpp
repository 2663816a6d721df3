// Every law holds on the implementations that come with the project, and every law can fail: for
// each there is a library that breaks it.
#include <getopt.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <memory>
#include <set>
#include <string>
#include <thread>

#include "conformance/adapter/adapter.h"
#include "conformance/adapter/memory/sanitizers.h"
#include "conformance/model/judge.h"
#include "conformance/oracle/ruling_of.h"
#include "conformance/property/generated_cases.h"
#include "conformance/property/law.h"
#include "conformance/spec/load.h"
#include "conformance/text/line.h"
#include "conformance/text/testing/expect_in.h"
#include "reference/tensor/declared_dialects.h"

namespace reshape::conformance {
namespace {

// RapidCheck's settings, unless the caller sets others. The seed is fixed, so that runs are
// reproducible; RC_PARAMS="seed=N max_success=200" tries other inputs.
const int kFewTrials = setenv("RC_PARAMS", "seed=20 max_success=12 max_discard_ratio=200", 0);

// Seconds for a law: more than all requests of a test take. Of what a run gives a law, a sanitizer
// or a busy machine leaves too little for them, and a law that was cut short says what it had found
// by then. A third of what a test has, as shrinking may take as much.
constexpr double kUnhurried = kSanitized ? 300 : 100;

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
    EXPECT_FALSE(name(law.rests_on).empty()) << law.name;
    EXPECT_NE(law.check, nullptr) << law.name;
    EXPECT_EQ(law_named(law.name), &law);
  }
  EXPECT_EQ(law_named("no-such-law"), nullptr);
}

// An implementation with few capabilities: requests that a law adds must stay within them, too.
class OfOneType : public Adapter {
 public:
  explicit OfOneType(const std::string& dialect = "numpy-reshape", bool in_memory = false,
                     ElementType type = ElementType::f32) {
    able_.dialects = {dialect};
    able_.element_types = {type};
    able_.pattern_types = {ElementType::i64};
    able_.max_rank = 4;
    able_.in_memory = in_memory;
  }
  const Capabilities& capabilities() const override { return able_; }
  Outcome ask(const Request&) override { return {}; }

 private:
  Capabilities able_;
};

TEST(PropertyCheck, DrawsWhatWasDeclared) {
  OfOneType adapter;
  const Dialect& dialect = built_in_suite().document("numpy-reshape")->dialect;
  PropertyCheck property(adapter, dialect, 7);
  for (int drawn = 0; drawn < 2000; ++drawn) {
    const Request request = property.another();
    const auto outside = why_unsupported(request, {ruling_of(dialect, request), std::nullopt},
                                         adapter.capabilities());
    EXPECT_FALSE(outside) << print_line(request) << ": " << *outside;
  }
}

// The reference as a child is asked, noting what it is asked although it has not declared it.
class Noting : public OfOneType {
 public:
  Outcome ask(const Request& request) override {
    if (!capabilities().has_dialect(request.dialect) ||
        why_unsupported(request, {ruling_of(dialect_, request), std::nullopt}, capabilities())) {
      undeclared.push_back(print_line(request));
    }
    return reference_->ask(request);
  }
  std::vector<std::string> undeclared;

 private:
  const Dialect& dialect_ = built_in_suite().document("numpy-reshape")->dialect;
  std::unique_ptr<Adapter> reference_ = adapter_to(RESHAPE_REFERENCE_LIBRARY);
};

TEST(Laws, AskAChildNothingThatItDoesNotDeclare) {
  for (const Law& law : all_laws()) {
    Noting adapter;
    ask_law(law, built_in_suite(), {"numpy-reshape"}, adapter, {1, 20});
    EXPECT_EQ(adapter.undeclared, std::vector<std::string>()) << law.name;
  }
}

// A law asks by what the first process declares, and says where another one declares otherwise.
TEST(Laws, AreBrokenByAProcessThatDeclaresOtherwise) {
  class Other : public OfOneType {
   public:
    Other() : OfOneType("numpy-reshape", true) {}
    void hold_to(const Capabilities& first) override { held = first.max_rank == 4; }
    std::string declares_otherwise() const override { return held ? "it declares less" : ""; }
    bool held = false;
  };
  LawOptions options{1, 20};
  options.start = []() -> Result<std::unique_ptr<Adapter>> {
    return std::unique_ptr<Adapter>(std::make_unique<Other>());
  };
  const Law& law = *law_named("first-calls");
  ASSERT_TRUE(law.fresh);
  OfOneType first("numpy-reshape", true);
  const LawResult result = ask_law(law, built_in_suite(), {"numpy-reshape"}, first, options);
  EXPECT_EQ(result.broken, "it declares less");
  EXPECT_FALSE(result.undecided);
}

// A library whose threads get no processor time.
class Starved : public OfOneType {
 public:
  Starved() : OfOneType("numpy-reshape", true) {}
  std::vector<Outcome> ask_together(const std::vector<Request>& requests, int) override {
    Outcome late;
    late.kind = Outcome::Kind::timed_out;
    late.kept_from_it = true;
    return std::vector<Outcome>(requests.size(), late);
  }
};

TEST(Laws, AreNotBrokenByAMachineThatLetsNobodyWork) {
  Starved adapter;
  const LawResult result =
      ask_law(*law_named("two-at-once"), built_in_suite(), {"numpy-reshape"}, adapter, {1, 20});
  EXPECT_EQ(result.broken, "");
  EXPECT_TRUE(result.refused);
  EXPECT_EQ(result.unfinished, "the machine did not let it work for all of its time");
}

// Where a 0 copies, the pattern [1,0,0] does not ask for that shape: a law that assumes so would
// blame the library for following the document.
TEST(PropertyCheck, KnowsWhichShapeAPatternOfSizesAsksFor) {
  const std::string name = "onnx-reshape-5";
  OfOneType adapter(name);
  PropertyCheck property(adapter, built_in_suite().document(name)->dialect, 7);
  Request like;
  like.dialect = name;
  const Request request = property.plain(like, Shape{0, 0, 1}, Shape{1, 0, 0});
  EXPECT_TRUE(property.promised(request));
  EXPECT_FALSE(property.promised(request, Shape{1, 0, 0}));
  EXPECT_TRUE(property.promised(request, Shape{1, 0, 1}));
}

// Whether the law's trials outlive no sanitizer, beside which it is not asked.
bool is_hardship(std::string_view law) {
  return law == "asked-by-a-fork" || law == "without-memory" || law == "copies-beyond-32-bits" ||
         law == "neighbour-keeps-its-byte" || law == "threads-that-end";
}

class EachLaw : public testing::TestWithParam<std::string_view> {
 protected:
  void SetUp() override {
    if (kSanitized && is_hardship(GetParam())) GTEST_SKIP() << "not asked beside a sanitizer";
  }
};

TEST_P(EachLaw, CanFail) {
  setenv("RESHAPE_BREAKS", std::string(GetParam()).c_str(), 1);
  optopt = 0;  // see law_breaker.cpp
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
  optopt = 0;  // see law_breaker.cpp
  const auto adapter = adapter_to(RESHAPE_LAW_BREAKER);
  ASSERT_NE(adapter, nullptr);
  LawOptions few{1, 15};
  few.seconds = kUnhurried;
  const LawResult result =
      ask_law(*law_named(GetParam()), built_in_suite(), all_dialects(), *adapter, few);
  EXPECT_TRUE(result.holds()) << result.broken << "\n  "
                              << (result.lines.empty() ? "" : result.lines.back());
  EXPECT_EQ(result.tried == 0, !result.not_asked.empty());
  // Thousands of calls have seconds by the clock, which a sanitizer may not leave them beside other
  // programs.
  if (kSanitized && result.not_asked == "so many requests take it too long") {
    GTEST_SKIP() << result.not_asked;
  }
  if (GetParam() != "view-aliases") {
    EXPECT_GT(result.tried, 0) << result.not_asked;
  }
}

// Two crashes are equal, and so are two hangs: neither is an answer.
TEST_P(EachLaw, IsBrokenByWhatNeverAnswers) {
  for (const char* way : {"crashes-always", "hangs-always"}) {
    setenv("RESHAPE_BREAKS", way, 1);
    optopt = 0;  // see law_breaker.cpp
    auto adapter = start_adapter({RESHAPE_LAW_BREAKER, false, 0.5});
    ASSERT_TRUE(adapter.ok()) << adapter.error().text();
    LawOptions few{1, 2};
    few.shrinks = false;
    const LawResult result =
        ask_law(*law_named(GetParam()), built_in_suite(), all_dialects(), **adapter, few);
    EXPECT_EQ(result.holds(), !result.not_asked.empty()) << way << ", tried " << result.tried;
  }
}

// Starts the breaker with fresh state (see law_breaker.cpp), like a new host process. Several
// threads may do so at once, for laws that are asked at a time.
Result<std::unique_ptr<Adapter>> start_breaker() {
  std::atomic_ref<int>(optopt).store(0);
  return start_adapter({RESHAPE_LAW_BREAKER, false, 10});
}

LawOptions with_fresh_processes() {
  LawOptions options{1, 20};
  options.seconds = kUnhurried;
  options.shrinks = false;
  options.start = start_breaker;
  return options;
}

// What a law says, asked as in a run, of the library that breaks it in this way.
LawResult result_of(std::string_view way, std::string_view law,
                    const std::vector<std::string>& dialects = {"openvino-reshape-1"},
                    const LawOptions& options = with_fresh_processes()) {
  setenv("RESHAPE_BREAKS", std::string(way).c_str(), 1);
  const auto adapter = options.start();
  if (!adapter.ok()) {
    ADD_FAILURE() << adapter.error().text();
    return {};
  }
  return ask_law(*law_named(law), built_in_suite(), dialects, **adapter, options);
}

// Laws checked concurrently, each in its own process, give the same results as one after the other.
TEST(Laws, SeveralAtATimeSayWhatEachSaysAlone) {
  setenv("RESHAPE_BREAKS", "volume-kept", 1);
  std::vector<const Law*> laws;
  for (const char* name : {"same-again", "volume-kept", "other-flag-between", "room-for-many"}) {
    laws.push_back(law_named(name));
  }
  LawOptions options = with_fresh_processes();
  const auto results_of = [&](int jobs) {
    options.jobs = jobs;
    auto adapter = start_breaker();
    EXPECT_TRUE(adapter.ok()) << adapter.error().text();
    return ask_laws(laws, built_in_suite(), all_dialects(), **adapter, options);
  };
  std::vector<std::string> told;
  options.told = [&](const LawResult& law) { told.push_back(law.name); };
  const std::vector<LawResult> alone = results_of(1);
  // The costliest laws come first.
  EXPECT_EQ(told, (std::vector<std::string>{"room-for-many", "same-again", "volume-kept",
                                            "other-flag-between"}));
  const std::vector<LawResult> together = results_of(3);
  EXPECT_EQ(told.size(), 2 * laws.size());
  for (std::size_t at = 0; at < laws.size(); ++at) {
    EXPECT_EQ(together[at].name, laws[at]->name);
    EXPECT_EQ(together[at].holds(), alone[at].holds()) << laws[at]->name;
    EXPECT_EQ(together[at].tried, alone[at].tried) << laws[at]->name;
  }
  EXPECT_FALSE(together[1].holds());
}

// Answers correctly, but too slowly for all requests of a law.
class Slow : public OfOneType {
 public:
  Slow() : OfOneType("numpy-reshape", true) {}
  Outcome ask(const Request& request) override {
    Outcome outcome;
    outcome.kind = Outcome::Kind::produced;
    outcome.shape = request.data;
    return outcome;
  }
  std::vector<Outcome> ask_together(const std::vector<Request>& requests, int) override {
    std::vector<Outcome> outcomes = {ask(requests[0])};
    outcomes[0].cut_short = true;
    return outcomes;
  }
};

// A broken law gets further trials for comparison; a law that holds keeps a single one.
TEST(Laws, ThatAreBrokenAreTriedOn) {
  setenv("RESHAPE_BREAKS", "other-flag-between", 1);
  auto adapter = start_breaker();
  ASSERT_TRUE(adapter.ok()) << adapter.error().text();
  LawOptions options = with_fresh_processes();
  options.comparing_seconds = 60;
  const auto tried = [&](const char* law) {
    return ask_law(*law_named(law), built_in_suite(), all_dialects(), **adapter, options);
  };
  const LawResult broken = tried("other-flag-between");
  ASSERT_FALSE(broken.holds());
  ASSERT_GT(broken.trials.size(), 3u);
  EXPECT_EQ(broken.trials.front().input, broken.input);
  EXPECT_EQ(broken.trials.front().seed, broken.seed);
  for (const LawTrial& trial : broken.trials) {
    const Result<Request> input = parse_line(trial.input);
    ASSERT_TRUE(input.ok()) << trial.input;
    const auto fresh = start_breaker();
    const Tried again =
        try_law(*law_named("other-flag-between"),
                built_in_suite().document(input->dialect)->dialect, *input, **fresh, trial.seed);
    EXPECT_EQ(again.trial.kind == Trial::Kind::broken, !trial.broken.empty()) << trial.input;
  }
  const LawResult held = tried("volume-kept");
  ASSERT_TRUE(held.holds());
  ASSERT_EQ(held.trials.size(), 1u);
  EXPECT_EQ(held.trials.front().broken, "");
}

TEST(Laws, WhatWasCutShortDoesNotHold) {
  Slow adapter;
  const LawResult result = ask_law(*law_named("worn-by-use"), built_in_suite(), {"numpy-reshape"},
                                   adapter, LawOptions{});
  EXPECT_EQ(result.tried, 0);
  EXPECT_EQ(result.not_asked, "so many requests take it too long");
}

// A way to be wrong, a law that finds it, and a part of what that says then.
struct Finding {
  const char* way;
  const char* law;
  const char* says = "";
  bool of_all_documents = false;
};
void PrintTo(const Finding& finding, std::ostream* out) { *out << finding.way; }

class LawFinds : public testing::TestWithParam<Finding> {};

LawResult result_of(const Finding& finding) {
  const auto& [way, law, says, of_all] = finding;
  return of_all ? result_of(way, law, all_dialects()) : result_of(way, law);
}

TEST_P(LawFinds, WhatIsBrokenInThisWay) {
  if (kSanitized && is_hardship(GetParam().law)) GTEST_SKIP() << "not asked beside a sanitizer";
  const LawResult result = result_of(GetParam());
  EXPECT_FALSE(result.holds() || result.undecided) << result.broken << result.not_asked;
  expect_in(result.broken, GetParam().says);
}

INSTANTIATE_TEST_SUITE_P(
    Laws, LawFinds,
    testing::Values(
        Finding{"worn-by-use", "worn-by-use", "call 65536 of a long row of equal ones:", true},
        Finding{"worn-on-other-threads", "worn-by-use",
                "call 50 of a long row of equal ones by a thread that did not load", true},
        // A table is published before it is filled.
        Finding{"reversed-by-a-table", "different-at-once", " u8[7] "},
        Finding{"environment-on-threads", "two-at-once",
                "RESHAPE_THREADED was set in the environment, by calls on several"},
        Finding{"executes-once-inferred", "first-calls",
                "executed for the first time and was not inferred: "},
        Finding{"executes-where-inferred", "first-calls"},
        // A cache that each thread fills grows on a thread that stays as well, until it is full.
        Finding{"a-cache-that-ends", "threads-that-end", "", true},
        // On the thread that loaded it, where the other laws look for what is lost, nothing is.
        Finding{"leaks-on-threads", "threads-that-end",
                "each call on a thread that did not load the library", true},
        // Buffers that were freed before lie unused in the process, and would serve again.
        Finding{"turned-after-no-memory", "without-memory", "after no memory could be had", true},
        Finding{"many-axes-without-memory", "without-memory", "SIGSEGV"},
        Finding{"gaps-written-back-at-once", "neighbour-keeps-its-byte"},
        Finding{"room-for-65536", "room-for-many", " others of its kind were asked before: "},
        Finding{"executes-65536", "room-for-many", " others of its kind were asked before: "},
        Finding{"refused-then-inferred", "executions-in-turn", "directly after the execution of "},
        Finding{"keeps-twelve-values", "lookalikes", " after one that ends otherwise: "},
        Finding{"dies-of-many-axes", "undeclared-between", "SIGABRT"},
        // That the process dies of an undeclared type alone as well is no other cause: alone, too,
        // it may be answered in any way.
        Finding{"dies-of-integers", "undeclared-between", "SIGABRT"},
        // What cannot be unloaded is taken down at the end of its process, and dies of it then.
        Finding{"dies-at-the-end", "unloaded-and-loaded",
                "asked to end, its process died of SIGABRT"},
        Finding{"remembered-apart", "layouts-in-turn",
                "bytes behind the data in one buffer (duty C21)"},
        Finding{"shortly-before-the-data", "layouts-in-turn", ", where the output ends "},
        Finding{"steps-in-24-bits", "layouts-in-turn", " strides=[8388608] "},
        Finding{"cuts-long-rows-of-data", "copies-beyond-32-bits", " from rows of "},
        Finding{"cuts-long-rows-of-output", "copies-beyond-32-bits", " to rows of "},
        Finding{"cuts-long-repeats", "copies-beyond-32-bits",
                " from one axis, elements of 1 bytes, 0 apart"},
        Finding{"cuts-long-steps", "copies-beyond-32-bits",
                " from one axis, elements of 1 bytes, 2 apart"}),
    [](const auto& asked) { return test_name(asked.param.way); });

class LawHoldsOf : public testing::TestWithParam<Finding> {};

TEST_P(LawHoldsOf, WhatIsNoFault) {
  if (kSanitized && is_hardship(GetParam().law)) GTEST_SKIP() << "not asked beside a sanitizer";
  const LawResult result = result_of(GetParam());
  EXPECT_TRUE(result.holds()) << result.broken;
  EXPECT_GT(result.tried, 0) << result.not_asked;
}

INSTANTIATE_TEST_SUITE_P(
    Laws, LawHoldsOf,
    testing::Values(Finding{"first-execution-refused", "threads-that-end"},
                    Finding{"first-execution-refused", "asked-by-a-fork"},
                    Finding{"first-execution-refused", "without-memory"},
                    // Threads that end are not to blame for what is not yet freed.
                    Finding{"frees-seldom", "threads-that-end", "", true},
                    // A request of more axes than are declared may be answered in any way.
                    Finding{"fails-of-many-axes", "undeclared-between"},
                    Finding{"environment-once", "two-at-once"},
                    Finding{"declines-some-views", "view-aliases"},
                    Finding{"declines-some-views", "alignment-free"}),
    [](const auto& asked) {
      return test_name(asked.param.way) + "_and_" + test_name(asked.param.law);
    });

// The table takes about a millisecond to fill, once in a process: threads have to run at once then.
TEST(Laws, AboutThreadsRunThemAtOnce) {
  if (std::thread::hardware_concurrency() < 2)
    GTEST_SKIP() << "threads take turns on one processor";
  if (kSanitized) GTEST_SKIP() << "no children are forked beside a sanitizer";
  const LawResult result = result_of("reversed-by-half-a-table", "different-at-once");
  EXPECT_FALSE(result.holds()) << result.not_asked;
  expect_in(result.broken, "where several threads ask at once for the first time: ");
}

// The law tells which request is answered wrongly, which another thread may have asked.
void expect_last_line_told(const LawResult& result) {
  ASSERT_FALSE(result.lines.empty());
  expect_in(result.broken, ": " + result.lines.back() + ": ");
}

// The first calls must be concurrent: a single earlier call would do the initialization alone.
TEST(Laws, AboutThreadsBeginWithTheFirstCalls) {
  setenv("RESHAPE_BREAKS", "first-calls-at-once", 1);
  for (const char* name : {"two-at-once", "different-at-once"}) {
    auto adapter = start_breaker();
    ASSERT_TRUE(adapter.ok()) << adapter.error().text();
    // As in a run, where other laws have been asked before.
    const auto before = parse_line("numpy-reshape f32[6] i64[2,3]");
    const bool used = std::string_view(name) == "different-at-once";
    if (used) {
      ASSERT_EQ((*adapter)->ask(*before).kind, Outcome::Kind::produced);
    }
    const LawResult result = ask_law(*law_named(name), built_in_suite(), {"numpy-reshape"},
                                     **adapter, with_fresh_processes());
    EXPECT_FALSE(result.holds()) << name << ": " << result.not_asked;
    EXPECT_TRUE(
        result.broken.starts_with("answered wrongly where several threads ask at once for "
                                  "the first time: "))
        << result.broken;
    expect_last_line_told(result);
  }
}

constexpr const char* kInTurn =
    "also by one thread that asks the same in turn, in a fresh process: answered wrongly where it "
    "is asked";

LawOptions with_more_requests() {
  LawOptions options = with_fresh_processes();
  options.requests = 80;
  return options;
}

// A wrong first call (here bf16 denormals rounded to 0) is wrong without threads as well, and laws
// about threads say so: the duty is broken, by no thread.
TEST(Laws, AboutThreadsSayWhereOneThreadInTurnIsEnough) {
  const LawResult first =
      result_of("first-calls", "first-calls", {"openvino-reshape-1"}, with_more_requests());
  EXPECT_FALSE(first.undecided) << first.broken;
  for (const char* part : {" for the first time", ": openvino-reshape-1 bf16", "; asked again "}) {
    expect_in(first.broken, part);
  }
  const LawResult two =
      result_of("first-calls", "two-at-once", {"openvino-reshape-1"}, with_more_requests());
  EXPECT_FALSE(two.undecided) << two.broken;
  EXPECT_TRUE(two.broken.starts_with(kInTurn + std::string(" for the first time: "))) << two.broken;
  expect_last_line_told(two);
  expect_in(two.input, "bf16");
}

// Of a request that is answered by no shape whoever asks it, no answer is compared.
TEST(Laws, AboutThreadsAreNotBrokenByWhatIsNeverAShape) {
  const LawResult result = result_of("no-shape-of-nothing", "different-at-once", {"numpy-reshape"},
                                     with_more_requests());
  EXPECT_TRUE(result.holds() || result.undecided) << result.broken;
  EXPECT_GT(result.wrong_alone, 0);
}

TEST(Laws, AboutThreadsNameTheRequestThatOneThreadIsAnsweredOtherwise) {
  const LawResult result = result_of("many-calls", "different-at-once");
  EXPECT_FALSE(result.undecided);
  EXPECT_TRUE(result.broken.starts_with(kInTurn)) << result.broken << result.not_asked;
  EXPECT_FALSE(has(result.broken, "malformed")) << result.broken;
  expect_last_line_told(result);
}

// Elements that are always wrong must not look like a difference between threads.
TEST(Laws, AboutFirstCallsCompareTheSameElements) {
  for (const char* law : {"first-calls", "two-at-once", "different-at-once"}) {
    const LawResult result =
        result_of("no-denormals", law, {"openvino-reshape-1"}, with_more_requests());
    EXPECT_TRUE(result.holds() || result.undecided) << law << ": " << result.broken;
    EXPECT_FALSE(has(result.broken, "for the first time")) << result.broken;
  }
}

// What is inferred wrongly, and always so, is constant.
TEST(Laws, AboutFirstCallsAreNotBrokenByAWrongInference) {
  for (const std::uint64_t seed : {1, 2, 3, 4}) {
    LawOptions options = with_fresh_processes();
    options.seed = seed;
    const LawResult result =
        result_of("infers-it-turned", "first-calls", {"openvino-reshape-1"}, options);
    EXPECT_TRUE(result.holds() || result.undecided) << seed << ": " << result.broken;
  }
}

TEST(Laws, ThreadsThatEndSayWhichDutyAnotherAnswerBreaks) {
  if (kSanitized) GTEST_SKIP() << "not asked beside a sanitizer";
  const LawResult result = result_of("spoils-on-threads", "threads-that-end");
  expect_in(result.broken, "execution wrote other elements");
  EXPECT_EQ(result.rests_on, "C17");
  EXPECT_NE(result.says, law_named("threads-that-end")->says);
}

// A call gets what it is asked with, and not what the call before has made of it (duty C11).
TEST(Laws, AboutEqualCallsHandOverTheSameEachTime) {
  const LawResult result = result_of("fills-in-the-output-strides", "worn-by-use");
  EXPECT_FALSE(has(result.broken, "of a long row")) << result.broken;
}

// A way to be odd, and a part of the line that shows it.
struct Odd {
  const char* way;
  const char* line;
};
void PrintTo(const Odd& odd, std::ostream* out) { *out << odd.way; }

class LawAboutLayouts : public testing::TestWithParam<Odd> {};

TEST_P(LawAboutLayouts, FindsTheOddOneAndSaysWhich) {
  const auto& [way, line] = GetParam();
  const LawResult result = result_of(way, "layouts-in-turn");
  EXPECT_FALSE(result.holds() || result.undecided) << result.not_asked;
  expect_in(result.broken, line);
  ASSERT_EQ(result.lines.size(), 1);
  expect_in(result.lines[0], line);
}

INSTANTIATE_TEST_SUITE_P(Laws, LawAboutLayouts,
                         testing::Values(Odd{"layouts-in-turn", " strides=[11]"},
                                         Odd{"shifts-by-eleven-bytes", "u8[5003] "},
                                         Odd{"tiles-of-96-and-a-tail", " strides=[1,"},
                                         Odd{"inner-axes-exchanged", "[2,3,2,3,2,3] "},
                                         Odd{"one-value-into-rows-apart", " strides=[0,0] "},
                                         Odd{"channels-last-of-a-batch", "[2,17,5,5] "},
                                         Odd{"steps-of-28", " strides=[28]"},
                                         Odd{"steps-of-2-into-3", " strides=[2] out_strides=[3]"},
                                         Odd{"twelve-axes-when-cut", "[2,2,2,2,2,2,64] "},
                                         Odd{"remembered-apart", " strides=[2]"},
                                         Odd{"writes-behind-stepped-rows",
                                             " strides=[14,2] out_strides=[8,1]"},
                                         Odd{"reads-behind-the-data", " strides=[1,"}),
                         [](const auto& asked) { return test_name(asked.param.way); });

TEST(Laws, AboutLayoutsSayWhichDutyIsBroken) {
  const LawResult reads = result_of("reads-behind-the-data", "layouts-in-turn");
  expect_in(reads.broken, "past the end of the data");
  EXPECT_TRUE(reads.broken.ends_with(" (duty C10)")) << reads.broken;
  EXPECT_EQ(reads.rests_on, "C10");
  const LawResult gaps = result_of("writes-behind-stepped-rows", "layouts-in-turn");
  EXPECT_TRUE(gaps.broken.ends_with(" (duty C8)")) << gaps.broken;
#if defined(__x86_64__)
  const LawResult mmx = result_of("leaves-mmx-in-use", "layouts-in-turn");
  expect_in(mmx.broken, "x87");
  expect_in(mmx.broken, "(duty C14)");
#endif
}

// Dense copies of any length and address, whatever the width of the only type.
TEST(Laws, AboutLayoutsAskOfTheOnlyWidthThereIs) {
  class Swept : public OfOneType {
   public:
    explicit Swept(ElementType type) : OfOneType("numpy-reshape", true, type) {}
    std::optional<Outcome> ask_swept(const std::vector<Request>& requests) override {
      asked += requests.size();
      Outcome outcome;
      outcome.kind = Outcome::Kind::produced;
      return outcome;
    }
    std::size_t asked = 0;
  };
  for (const ElementType type : {ElementType::f64, ElementType::f32, ElementType::f16}) {
    Swept adapter(type);
    const LawResult result = ask_law(*law_named("layouts-in-turn"), built_in_suite(),
                                     {"numpy-reshape"}, adapter, {1, 1});
    EXPECT_GT(result.tried, 0) << name(type) << ": " << result.not_asked;
    EXPECT_GT(adapter.asked, 0u) << name(type);
  }
}

// The elements lie otherwise than they would in the right shape, of which the law says nothing.
TEST(Laws, AboutLayoutsBlameNoCopyForAWrongShape) {
  const LawResult result = result_of("turns-narrow-sizes", "layouts-in-turn");
  EXPECT_TRUE(result.undecided) << result.broken << result.not_asked;
  ASSERT_EQ(result.lines.size(), 1);
  expect_in(result.lines[0], "16[");
}

// A type that the document leaves open may be refused. What is taken is copied.
TEST(Laws, AboutLayoutsAskForATypeThatIsLeftOpen) {
  const Dialect& dialect = built_in_suite().document("openvino-reshape-1")->dialect;
  ASSERT_TRUE(dialect.data_types_unspecified.contains(ElementType::boolean));
  expect_in(result_of("booleans-at-a-step", "layouts-in-turn").broken, " boolean[");
}

// What is not dense is copied in another way, which may keep something of its own for each thread.
TEST(Laws, AboutHardshipAskForLayoutsToo) {
  if (kSanitized) GTEST_SKIP() << "memory in use is the sanitizer's";
  const LawResult result = result_of("turned-threads-that-end", "threads-that-end", all_dialects());
  EXPECT_FALSE(result.holds() || result.undecided);
  ASSERT_FALSE(result.lines.empty());
  expect_in(result.lines.back(), " strides=[");
}

TEST(Laws, AboutReloadingSeeThatTheProcessHangsAtItsEnd) {
  LawOptions options = with_fresh_processes();
  options.start = [] { return start_adapter({RESHAPE_LAW_BREAKER, false, 1}); };
  const LawResult result =
      result_of("hangs-at-the-end", "unloaded-and-loaded", {"openvino-reshape-1"}, options);
  EXPECT_FALSE(result.holds() || result.undecided);
  expect_in(result.broken, "asked to end, its process had not ended after 1 s");
}

// Some take longer to close a device than a process usually gets to end.
TEST(Laws, BlameNobodyForAProcessThatEndsSlowly) {
  setenv("RESHAPE_BREAKS", "slow-at-the-end", 1);
  auto adapter = start_breaker();
  ASSERT_TRUE(adapter.ok()) << adapter.error().text();
  const Result<Request> request =
      parse_line("openvino-reshape-1 f32[2,3] i64[3,2] special_zero=false");
  const Outcome outcome = (*adapter)->ask(*request);
  ASSERT_EQ(outcome.kind, Outcome::Kind::produced) << text(outcome);
  const auto bad = (*adapter)->end_process();
  EXPECT_FALSE(bad) << bad->how;
}

// Threads that ask the same bring elements of their own, and some bring many.
TEST(Laws, AboutThreadsSeeABufferThatAllShare) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    LawOptions options = with_more_requests();
    options.seed = seed;
    const LawResult result =
        result_of("one-buffer", "two-at-once", {"openvino-reshape-1"}, options);
    EXPECT_FALSE(result.holds() || result.undecided) << seed;
  }
}

// A law is about how answers hang together. A request that is answered wrongly however it is asked
// is told as such, and no thread, no reloading and no request before it is blamed.
TEST_P(EachLaw, IsNotBrokenByAnswersThatAreWrongAlone) {
  for (const char* way : {"rank-3-refused", "rank-3-crashes"}) {
    const LawResult result = result_of(way, GetParam(), all_dialects());
    EXPECT_TRUE(result.holds() || result.undecided) << way << ": " << result.broken;
    EXPECT_EQ(result.undecided, result.wrong_alone > 0) << way;
    if (!result.undecided) continue;
    ASSERT_EQ(result.lines.size(), 1u);
    EXPECT_EQ(parse_line(result.lines[0])->data.rank(), 3u) << result.lines[0];
  }
}

// A library that only infers is correct.
TEST_P(EachLaw, HoldsOfALibraryThatOnlyInfers) {
  setenv("RESHAPE_BREAKS", "nothing-executed", 1);
  auto adapter = start_breaker();
  ASSERT_TRUE(adapter.ok()) << adapter.error().text();
  LawOptions few{1, 15};
  few.seconds = kUnhurried;
  few.shrinks = false;
  const LawResult result =
      ask_law(*law_named(GetParam()), built_in_suite(), all_dialects(), **adapter, few);
  EXPECT_TRUE(result.holds()) << result.broken;
}

std::vector<std::string_view> law_names() {
  std::vector<std::string_view> names;
  for (const Law& law : all_laws()) names.push_back(law.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Laws, EachLaw, testing::ValuesIn(law_names()),
                         [](const auto& asked) { return test_name(asked.param); });

// Mistakes that only a law can see are the law's, although each single answer is judged as well.
class LawOfCircumstance : public testing::TestWithParam<std::string_view> {};

TEST_P(LawOfCircumstance, IsBrokenByWhatIsRightAlone) {
  LawOptions options = with_fresh_processes();
  options.requests = 40;
  const LawResult result = result_of(GetParam(), GetParam(), all_dialects(), options);
  EXPECT_FALSE(result.holds()) << "tried " << result.tried;
  EXPECT_FALSE(result.undecided) << result.broken;
  // The trial begins with a request that was really asked, if with a payload of its own.
  EXPECT_TRUE(std::ranges::any_of(
      result.lines, [&](const std::string& line) { return line.starts_with(result.input); }))
      << result.input << " is none of " << testing::PrintToString(result.lines);
  // The trial can be repeated; with threads that may need several attempts.
  const Result<Request> input = parse_line(result.input);
  ASSERT_TRUE(input.ok()) << result.input;
  bool broken = false;
  for (int tries = 0; tries < 10 && !broken; ++tries) {
    const auto fresh = start_breaker();
    ASSERT_TRUE(fresh.ok()) << fresh.error().text();
    const Tried again =
        try_law(*law_named(GetParam()), built_in_suite().document(input->dialect)->dialect, *input,
                **fresh, result.seed);
    broken = again.trial.kind == Trial::Kind::broken;
  }
  EXPECT_TRUE(broken) << result.input << ", seed " << result.seed;
}

// Those whose breaker answers every single request rightly.
INSTANTIATE_TEST_SUITE_P(Laws, LawOfCircumstance,
                         testing::Values("empty-between", "rejected-between", "executions-in-turn",
                                         "other-buffers-between", "other-type-between",
                                         "other-flag-between", "many-calls", "worn-by-use",
                                         "room-for-many", "two-at-once", "loaded-here-run-there",
                                         "odd-threads", "different-at-once", "unloaded-and-loaded"),
                         [](const auto& asked) { return test_name(asked.param); });

// An input as a RapidCheck value.
struct Input {
  Request request;
  const Dialect* dialect = nullptr;
  std::uint64_t seed = 0;
};

void showValue(const Input& input, std::ostream& out) {
  out << print_line(input.request) << " (seed " << input.seed << ')';
}

// Generates requests from seeds. Shrinking applies to the request, by our own rules, within its
// class.
rc::Gen<Input> inputs(const Law& law, const Abilities& abilities) {
  const auto seeds =
      rc::gen::noShrink(rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<std::uint64_t>()));
  const auto drawn = rc::gen::map(seeds, [&law, abilities](std::uint64_t seed) {
    SeededChoices choices(seed);
    const auto dialects = declared_dialects();
    const Dialect& dialect = dialects[static_cast<std::size_t>(seed % dialects.size())];
    return Input{draw_input(law, dialect, abilities, choices), &dialect, seed};
  });
  return rc::gen::shrink(drawn, [](const Input& input) {
    std::vector<Input> smaller;
    for (Request& request : simpler(*input.dialect, input.request)) {
      smaller.push_back({std::move(request), input.dialect, input.seed});
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
    const Input input = *inputs(law, abilities_of(adapter->capabilities()));
    if (left-- <= 0) return;  // costly laws get fewer trials
    const Tried tried = try_law(law, *input.dialect, input.request, *adapter, input.seed);
    RC_PRE(tried.trial.kind == Trial::Kind::held || tried.trial.kind == Trial::Kind::broken);
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
