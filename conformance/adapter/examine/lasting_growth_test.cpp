#include "conformance/adapter/examine/lasting_growth.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <thread>

namespace reshape::conformance {
namespace {

// What the calls of a test leave in use, until the test ends.
class Kept {
 public:
  ~Kept() {
    for (void* one : kept_) std::free(one);
  }
  void keep(std::size_t bytes) { kept_[next_++] = std::malloc(bytes); }

 private:
  std::vector<void*> kept_ = std::vector<void*>(200'000);  // it must not grow itself
  std::size_t next_ = 0;
};

struct Seen {
  std::int64_t bytes_a_call = 0;
  int calls = 0;
};

Seen called(const std::function<void(int number)>& call, int most_calls = 1'000'000,
            std::chrono::milliseconds most = std::chrono::seconds(20)) {
  LastingGrowth growth(most);
  Seen seen;
  do {
    call(++seen.calls);
  } while (growth.goes_on() && seen.calls < most_calls);
  seen.bytes_a_call = growth.bytes_a_call();
  return seen;
}

TEST(LastingGrowth, ALeakLasts) {
  Kept kept;
  const Seen seen = called([&](int) { kept.keep(40); });
  EXPECT_GE(seen.bytes_a_call, 40);
  EXPECT_LE(seen.bytes_a_call, 64);
}

TEST(LastingGrowth, ALeakAtSomeOfTheCallsLasts) {
  Kept kept;
  EXPECT_GT(called([&](int number) {
              if (number % 12 == 0) kept.keep(512);
            }).bytes_a_call,
            0);
}

TEST(LastingGrowth, AListThatDoublesLasts) {
  std::vector<std::int32_t> list;
  EXPECT_GT(called([&](int) { list.insert(list.end(), 16, 1); }).bytes_a_call, 0);
}

// A slow library, or one on a busy machine, is called a few times only.
TEST(LastingGrowth, ALeakOfFewCallsLasts) {
  for (const int calls : {20, 50, 200, 800}) {
    Kept kept;
    EXPECT_GE(called([&](int) { kept.keep(40); }, calls).bytes_a_call, 40) << calls;
  }
}

// tract was seen to do so: an allocator that keeps freed chunks of every size is full only after
// hundreds of calls, and ever fewer of them add a chunk.
TEST(LastingGrowth, AnAllocatorThatFillsSlowlyDoesNot) {
  for (const int calls : {20, 50, 100, 200, 400, 800, 2000}) {
    Kept kept;
    const auto call = [&](int number) {
      if (number <= 8 || number % (number / 16 + 2) == 0) kept.keep(500);
    };
    EXPECT_EQ(called(call, calls).bytes_a_call, 0) << calls;
  }
}

// On a busy machine a process runs for a part of each second only; calls that wait simulate that.
TEST(LastingGrowth, IsLookedForByProcessorTimeAndWithinABound) {
  constexpr std::chrono::milliseconds kMost{60};
  const auto began = std::chrono::steady_clock::now();
  LastingGrowth growth(kMost);
  int calls = 0;
  do {
    std::this_thread::sleep_for(std::chrono::milliseconds(4));
  } while (growth.goes_on() && ++calls < 1000);
  EXPECT_GE(std::chrono::steady_clock::now() - began, 2 * kMost);
  EXPECT_LT(calls, 1000);
}

TEST(LastingGrowth, ACacheThatFillsDoesNot) {
  for (const int room : {1, 100, 3'000, 36'000}) {
    Kept kept;
    const Seen seen = called([&](int number) {
      if (number <= room) kept.keep(40);
    });
    EXPECT_EQ(seen.bytes_a_call, 0) << room;
    EXPECT_LT(seen.calls, 100'000) << room;
  }
}

// An arena that doubles and ends with a size, where the time for its calls is over soon after.
TEST(LastingGrowth, AnArenaThatDoublesToASizeDoesNot) {
  constexpr std::chrono::milliseconds kMost{100};
  const auto works = [](std::chrono::microseconds time) {
    for (const auto end = std::chrono::steady_clock::now() + time;
         std::chrono::steady_clock::now() < end;) {
    }
  };
  constexpr int kLastStep = 2048;
  constexpr int kEnough = kLastStep * 5 / 2;  // calls after which the last step is known as such
  const auto asked = [&](bool ends) {
    std::vector<char> arena(4096, 1);
    const auto call = [&](int number) {
      works(std::chrono::microseconds(40));
      if ((number & (number - 1)) == 0 && (!ends || number <= kLastStep)) {
        std::vector<char>(2 * arena.size(), 1).swap(arena);
      }
    };
    return called(call, 1'000'000, kMost);
  };
  EXPECT_GT(asked(false).bytes_a_call, 0);
  // On a busy machine the time by the clock may be over first.
  Seen seen;
  for (int time = 0; time < 10 && seen.calls < kEnough; ++time) seen = asked(true);
  EXPECT_EQ(seen.bytes_a_call, 0) << seen.calls;
}

TEST(LastingGrowth, ADriftOfLessThanAByteACallDoesNot) {
  Kept kept;
  EXPECT_EQ(called([&](int number) {
              if (number % 300 == 0) kept.keep(112);
            }).bytes_a_call,
            0);
}

// Clear cases need few calls and little memory.
TEST(LastingGrowth, WhatIsPlainIsNotAskedForLong) {
  EXPECT_LE(called([](int) { std::free(std::malloc(100)); }).calls, 1'000);
  Kept kept;
  const Seen seen = called([&](int) { kept.keep(1 << 18); });
  EXPECT_LE(seen.calls, 1'100);
  EXPECT_GE(seen.bytes_a_call, 1 << 18);
}

}  // namespace
}  // namespace reshape::conformance
