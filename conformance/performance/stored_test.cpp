#include "conformance/performance/stored.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "conformance/text/testing/expect_in.h"

namespace reshape::conformance::performance {
namespace {

Workload workload(const std::string& name) {
  const auto read = read_workloads("workloads:\n  - {name: " + name +
                                       ", call: infer, ask: \"openvino-reshape-1 f32[6] i64[2,-1] "
                                       "special_zero=false\"}\n",
                                   "w");
  return (*read)[0];
}

// Repetitions that spread by half a percent about a time.
Figure figure(double time, int repetitions, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> noise(0, 0.005);
  Figure made;
  for (int i = 0; i < repetitions; ++i) made.values.push_back(time * std::exp(noise(random)));
  made.unit = "product loops";
  made.ask = question(workload("a"));
  made.ns = 1000;
  return made;
}

Finding said(double slower, int repetitions, double sessions = 0.03) {
  StoredOptions options;
  options.sessions = sessions;
  return estimate_unpaired(figure(5, repetitions, 1), figure(5 * slower, repetitions, 2), 1,
                           options)
      .finding;
}

TEST(Stored, SaysWhatTwoSessionsCannotExplain) {
  EXPECT_EQ(said(1.00, 20), Finding::pass);
  EXPECT_EQ(said(1.08, 20), Finding::regressed);
  EXPECT_EQ(said(0.90, 20), Finding::improved);
  // A paired comparison would detect it; with this difference between sessions it is undecided.
  EXPECT_EQ(said(1.03, 20), Finding::unresolved);
  EXPECT_EQ(said(1.08, 20, 0.10), Finding::unresolved);
}

TEST(Stored, TooFewRepetitionsSayNothing) {
  const int needed = repetitions_needed(1, {});
  EXPECT_EQ(said(2, needed - 1), Finding::unresolved);
  EXPECT_EQ(said(2, needed), Finding::regressed);
  EXPECT_GT(repetitions_needed(40, {}), needed);
}

// If sessions differ by less than assumed, the same library is not reported as slower.
TEST(Stored, TheSameLibraryInAnotherSessionIsNotAccused) {
  int accused = 0;
  std::mt19937 random(3);
  std::uniform_real_distribution<double> session(-0.03, 0.03);
  for (unsigned play = 0; play < 500; ++play) {
    const double shift = std::exp(session(random));
    const Estimate one =
        estimate_unpaired(figure(5, 12, 2 * play), figure(5 * shift, 12, 2 * play + 1), 1, {});
    accused += one.finding == Finding::regressed || one.finding == Finding::improved;
  }
  EXPECT_EQ(accused, 0);
}

TEST(Stored, RefusesAnotherMachineSettingOrQuestion) {
  ResultFile stored;
  stored.machine = "one";
  stored.setting = "RESHAPE_THREADS=1";
  stored.figures["a"] = figure(5, 12, 1);
  const auto refused = [&](const std::string& machine, const std::string& setting,
                           const std::string& name) {
    return not_comparable(stored, machine, setting, {workload(name)}).value_or("");
  };
  EXPECT_EQ(refused("one", "RESHAPE_THREADS=1", "a"), "");
  expect_in(refused("two", "RESHAPE_THREADS=1", "a"), "another machine (one)");
  expect_in(refused("one", "", "a"), "'RESHAPE_THREADS=1'");
  expect_in(refused("one", "RESHAPE_THREADS=1", "b"), "no 'b'");
  stored.figures["a"].ask = "infer something else";
  expect_in(refused("one", "RESHAPE_THREADS=1", "a"), "something else");
}

TEST(Stored, WhatTheCandidateDidNotDoIsAFailure) {
  ResultFile stored, candidate;
  stored.figures["a"] = figure(5, 12, 1);
  const auto failed = [&] {
    return compare_with_stored("r.json", stored, "a.so", candidate, {workload("a")}, {})
        .workloads[0]
        .failures[1];
  };
  EXPECT_NE(failed(), "");
  candidate.figures["a"] = figure(5, 12, 2);
  EXPECT_EQ(failed(), "");
  candidate.figures["a"].unit = "ns";
  expect_in(failed(), "stored in product loops");
}

}  // namespace
}  // namespace reshape::conformance::performance
