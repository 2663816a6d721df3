#include "conformance/adapter/process/time_to_answer.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <thread>

namespace reshape::conformance {
namespace {

using std::chrono::milliseconds;
using Clock = TimeToAnswer::Clock;

// Waits until it is over, and returns how long that took.
Clock::duration wait_for(TimeToAnswer& time, const TimeToAnswer::Look& look) {
  const Clock::time_point began = Clock::now();
  while (!time.is_over(look))
    std::this_thread::sleep_for(milliseconds(time.milliseconds_to_look()));
  return Clock::now() - began;
}

ThreadTimes one_thread(bool wants, Clock::duration worked) {
  return {{1, {wants, worked, false, 0}}};
}

TEST(TimeToAnswer, ASleeperHasNoMoreThanItsTime) {
  TimeToAnswer time(0.2, 60);
  const auto took = wait_for(time, [] { return one_thread(false, {}); });
  EXPECT_GE(took, milliseconds(200));
  EXPECT_LT(took, milliseconds(20'000));  // far below the longer time
  EXPECT_FALSE(time.was_kept());
}

TEST(TimeToAnswer, WhoWorksAllTheTimeHasNoMoreThanItsTime) {
  TimeToAnswer time(0.2, 60);
  const Clock::time_point began = Clock::now();
  wait_for(time, [&] { return one_thread(true, Clock::now() - began); });
  EXPECT_FALSE(time.was_kept());
  EXPECT_LT(time.seconds_longer(), 20);
}

TEST(TimeToAnswer, WhoWantsToWorkAndCannotHasLonger) {
  TimeToAnswer time(0.1, 0.3);
  const auto took = wait_for(time, [] { return one_thread(true, {}); });
  EXPECT_GE(took, milliseconds(400));
  EXPECT_TRUE(time.was_kept());
  EXPECT_GT(time.seconds_longer(), 0.2);
  EXPECT_EQ(time.seconds(), 0.1);
}

TEST(TimeToAnswer, WhatWorksAFifthOfTheTimeHasFiveTimesAsLong) {
  TimeToAnswer time(0.1, 60);
  const Clock::time_point began = Clock::now();
  const auto took = wait_for(time, [&] { return one_thread(true, (Clock::now() - began) / 5); });
  EXPECT_GE(took, milliseconds(350));  // all of the first look's time counts
  EXPECT_FALSE(time.was_kept());
}

// As one that waits for its child of vfork().
TEST(TimeToAnswer, WhoIsBlockedAndGetsNothingDoneHasNoMoreThanItsTime) {
  TimeToAnswer time(0.2, 60);
  wait_for(time, [] { return ThreadTimes{{1, {true, {}, true, 3}}}; });
  EXPECT_FALSE(time.was_kept());
}

TEST(TimeToAnswer, WhoseDiskBringsPagesHasLonger) {
  TimeToAnswer time(0.1, 0.3);
  long long pages = 0;
  wait_for(time, [&] { return ThreadTimes{{1, {true, {}, true, ++pages}}}; });
  EXPECT_TRUE(time.was_kept());
}

TEST(TimeToAnswer, ThreadsThatTakeTurnsAreOne) {
  TimeToAnswer time(0.2, 60);
  const Clock::time_point began = Clock::now();
  wait_for(time, [&] {
    const Clock::duration worked = (Clock::now() - began) / 2;
    return ThreadTimes{{1, {true, worked, false, 0}}, {2, {true, worked, false, 0}}};
  });
  EXPECT_LT(time.seconds_longer(), 0.2);
}

TEST(TimeToAnswer, WhoIsAlwaysAnotherOneIsNotWaitedForLonger) {
  TimeToAnswer time(0.2, 60);
  pid_t next = 1;
  wait_for(time, [&] { return ThreadTimes{{1, {false, {}}}, {++next, {true, {}}}}; });
  EXPECT_LT(time.seconds_longer(), 0.2);
}

TEST(TimeToAnswer, ThatAllStoodStillDoesNotCount) {
  TimeToAnswer time(0.2, 60);
  std::this_thread::sleep_for(milliseconds(300));
  EXPECT_FALSE(time.is_over([] { return one_thread(false, {}); }));
}

TEST(TimeToAnswer, WhereNothingIsToldAllOfItCounts) {
  TimeToAnswer time(0.1, 60);
  EXPECT_LT(wait_for(time, [] { return ThreadTimes(); }), milliseconds(20'000));
}

TEST(Leniency, IsSpentByWhatIsWaitedForInVain) {
  Leniency leniency;
  TimeToAnswer first = leniency.within(0.1);
  EXPECT_GE(wait_for(first, [] { return one_thread(true, {}); }), milliseconds(500));
  for (int time = 0; time < 200; ++time) leniency.ended_in_vain(first);
  TimeToAnswer later = leniency.within(0.1);
  EXPECT_LT(wait_for(later, [] { return one_thread(true, {}); }), milliseconds(400));
}

TEST(ThreadTimes, AreReadBehindAnyName) {
  const ThreadTime time =
      thread_time_of("7 (a) R (b) D 1 2 3 4 5 6 7 8 9 10 30 12 0 0 20 0 1 0 99");
  EXPECT_TRUE(time.wants);
  EXPECT_TRUE(time.blocked);
  EXPECT_EQ(time.pages, 9);
  EXPECT_EQ(time.worked, milliseconds(42'000) / sysconf(_SC_CLK_TCK));
  EXPECT_FALSE(thread_time_of("7 (a) S 1 2 3 4 5 6 7 8 9 10 0 0").wants);
  EXPECT_EQ(thread_time_of(""), ThreadTime());
}

TEST(ThreadTimes, TellWhoWorksAndWhoSleeps) {
  std::atomic<pid_t> worker = 0;
  std::atomic<bool> enough = false;
  std::jthread thread([&] {
    worker = gettid();
    while (!enough) {
    }
  });
  ThreadTimes times;
  for (int look = 0; look < 2000 && times[worker].worked < milliseconds(50); ++look) {
    std::this_thread::sleep_for(milliseconds(5));
    times = thread_times({getpid()});
  }
  enough = true;
  EXPECT_TRUE(times[worker].wants);
  EXPECT_GE(times[worker].worked, milliseconds(50));
  EXPECT_TRUE(times.contains(getpid()));
}

}  // namespace
}  // namespace reshape::conformance
