// FirstUse with made-up answers of a fresh process.
#include "conformance/adapter/examine/first_use.h"

#include <gtest/gtest.h>

namespace reshape::conformance {
namespace {

Outcome showing(CaughtBy watch, const std::string& saw) {
  Outcome outcome;
  outcome.kind = Outcome::Kind::produced;
  if (!saw.empty()) outcome.observations = {{watch, Plane::memory, Duty::C14, saw}};
  return outcome;
}

struct Asked {
  FirstUse first_use;

  // Whether a request that shows it is blamed, where a fresh process shows so first and second.
  bool blamed(CaughtBy watch, const std::string& saw, const std::string& first,
              const std::string& second) {
    Outcome outcome = showing(watch, saw);
    first_use.settle(outcome,
                     [&] { return std::pair(showing(watch, first), showing(watch, second)); });
    EXPECT_NE(outcome.observations.empty(), outcome.at_first_use.empty());
    return !outcome.observations.empty();
  }
};

constexpr const char* kThreads = "4 more threads";
constexpr const char* kEpoll = "file 9 (anon_inode:[eventpoll]) was left open";

TEST(FirstUse, IsWhatAFreshProcessShowsOnce) {
  Asked asked;
  EXPECT_FALSE(asked.blamed(CaughtBy::threads, kThreads, kThreads, ""));
  EXPECT_TRUE(asked.blamed(CaughtBy::threads, kThreads, kThreads, "")) << "in the same process";
  asked.first_use.new_process();
  EXPECT_FALSE(asked.blamed(CaughtBy::threads, kThreads, kThreads, ""));
}

TEST(FirstUse, IsNotWhatARequestShowsEachTime) {
  Asked asked;
  EXPECT_TRUE(asked.blamed(CaughtBy::threads, kThreads, kThreads, kThreads));
  EXPECT_TRUE(asked.blamed(CaughtBy::open_files, kEpoll, kEpoll, kEpoll));
}

// A runtime opens what it waits with in whichever call its scheduler first needs it.
TEST(FirstUse, MayBeARuntimesLaterOnceInAProcess) {
  Asked asked;
  EXPECT_FALSE(asked.blamed(CaughtBy::open_files, kEpoll, "", ""));
  EXPECT_TRUE(asked.blamed(CaughtBy::open_files, kEpoll, "", "")) << "in the same process";
  asked.first_use.new_process();
  EXPECT_FALSE(asked.blamed(CaughtBy::open_files, kEpoll, "", ""));
  asked.first_use.new_process();
  EXPECT_TRUE(asked.blamed(CaughtBy::open_files, kEpoll, "", kEpoll)) << "of the second request";
  for (const char* saw : {"file 9 (/tmp/kept) was left open",
                          "file 3 (anon_inode:[eventpoll]) was put in the place of another"}) {
    EXPECT_TRUE(asked.blamed(CaughtBy::open_files, saw, "", "")) << saw;
  }
  EXPECT_TRUE(asked.blamed(CaughtBy::threads, kThreads, "", ""));
}

}  // namespace
}  // namespace reshape::conformance
