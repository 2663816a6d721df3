#include "conformance/performance/workload.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "conformance/text/testing/expect_in.h"

namespace reshape::conformance::performance {
namespace {

std::string one(const std::string& fields) { return "workloads:\n  - {" + fields + "}\n"; }

const std::string kAsk = "ask: \"openvino-reshape-1 f32[2,3] i64[6] special_zero=false\"";

TEST(Workloads, AreReadWithTheirCallAndRequest) {
  const auto read = read_workloads(one("name: a, call: view, gate: true, " + kAsk), "w.yaml");
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ((*read)[0].name, "a");
  EXPECT_EQ((*read)[0].call, Call::view);
  EXPECT_TRUE((*read)[0].gate);
  EXPECT_EQ(output_bytes((*read)[0]), 24);
  EXPECT_EQ(kind_of((*read)[0]), "view");
}

TEST(Workloads, AMistakeIsOneSentenceWithItsLine) {
  const auto says = [](const std::string& yaml, const std::string& words) {
    const auto read = read_workloads(yaml, "w.yaml");
    ASSERT_FALSE(read) << yaml;
    expect_in(read.error().text(), words);
    expect_in(read.error().text(), "w.yaml");
  };
  says(one("name: a, call: view, colour: red, " + kAsk), "no key 'colour'");
  says(one("name: a, call: jump, " + kAsk), "not 'jump'");
  says(one("call: view, " + kAsk), "needs a name");
  says(one("name: a, call: view, ask: \"f32\""), "w.yaml:2");
  says(one("name: a, call: view, ask: \"openvino-reshape-1 f32[2] i64[3] special_zero=false\""),
       "rejects");
  says(one("name: a, call: view, " + kAsk) + "  - {name: a, call: view, " + kAsk + "}\n", "twice");
  says(one("name: a, call: view, callers: 0, " + kAsk), "from 1 to 1024, not '0'");
  says(one("name: a, call: view, grows: tall, " + kAsk), "not 'tall'");
  says("drawn:\n  - {seed: 1, count: x, call: infer, dialect: openvino-reshape-1}\n",
       "need a seed");
  says("drawn:\n  - {seed: 1, count: 1, call: infer, dialect: none}\n", "no dialect 'none'");
  says("other: []\n", "no key 'other'");
  says("workloads: []\n", "no workloads");
}

TEST(Workloads, AreAskedOnceForEachNumberOfThreads) {
  const auto read = read_workloads(
      one("name: a, call: execute, " + kAsk) +
          "  - {name: b, call: execute, threads: 4, callers: 3, grows: threads, " + kAsk + "}\n",
      "w.yaml");
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(size_of((*read)[1]), 4);
  EXPECT_EQ(with_threads(*read, {}), *read);
  const std::vector<Workload> made = with_threads(*read, {1, 2});
  ASSERT_EQ(made.size(), 3u);
  EXPECT_EQ(made[1].name, "a/threads:2");
  EXPECT_EQ(made[1].threads, 2);
  EXPECT_EQ(made[2], (*read)[1]);
  EXPECT_NE(question(made[0]), question(made[1]));
}

TEST(Workloads, TheSameSeedDrawsTheSame) {
  const auto drawn = [](int seed) {
    return *read_workloads("drawn:\n  - {seed: " + std::to_string(seed) +
                               ", count: 5, call: infer, dialect: openvino-reshape-1}\n",
                           "w.yaml");
  };
  EXPECT_EQ(drawn(7), drawn(7));
  EXPECT_NE(drawn(7), drawn(9));
  EXPECT_EQ(drawn(7).size(), 5u);
}

TEST(Workloads, TheBuiltInOnesAreThere) {
  const auto read = built_in_workloads();
  ASSERT_TRUE(read) << read.error().text();
  const auto called = [&](const std::string& start) {
    return std::ranges::count_if(*read,
                                 [&](const Workload& w) { return w.name.starts_with(start); });
  };
  EXPECT_EQ(called("layout/"), 28);
  EXPECT_EQ(called("onednn/"), 40);
  EXPECT_GE(std::ranges::count_if(*read, &Workload::gate), 40);
}

}  // namespace
}  // namespace reshape::conformance::performance
