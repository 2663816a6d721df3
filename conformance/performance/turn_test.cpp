#include "conformance/performance/turn.h"

#include <gtest/gtest.h>

namespace reshape::conformance::performance {
namespace {

// A fake clock: a call takes a microsecond, and reading it 1 ns, so that waits end.
struct Fake {
  double now = 0;
  std::int64_t calls = 0;
  Timed timed() {
    return {[this](std::int64_t count) {
      calls += count;
      now += 1e-6 * static_cast<double>(count);
    }};
  }
  Clock clock() {
    return [this] { return now += 1e-9; };
  }
};

TEST(Turn, TimesOneCall) {
  Fake fake;
  const std::vector<double> blocks = time_blocks({100, 3, 0}, fake.timed(), fake.clock());
  ASSERT_EQ(blocks.size(), 3u);
  for (const double seconds : blocks) EXPECT_NEAR(seconds, 1e-6, 1e-10);
  EXPECT_EQ(fake.calls, 300);
}

// Whole calls where there are enough, a wait for the rest: 3 % of 100, of 10, and of one call.
TEST(Turn, APlantedSlowdownIsAsLargeAsItSays) {
  for (const std::int64_t calls : {1000, 100, 10, 1}) {
    for (const double slowed : {0.03, 0.05, 0.10}) {
      Fake fake;
      const std::vector<double> blocks =
          time_blocks({calls, 1, slowed}, fake.timed(), fake.clock());
      EXPECT_NEAR(blocks[0], (1 + slowed) * 1e-6, 5e-9) << calls << ' ' << slowed;
    }
  }
}

TEST(Turn, ABlockWhoseResultIsNotRightHasNoTime) {
  Fake fake;
  Timed timed = fake.timed();
  int looked = 0;
  timed.right = [&] { return ++looked < 2; };
  EXPECT_TRUE(time_blocks({1, 5, 0}, timed, fake.clock()).empty());
}

}  // namespace
}  // namespace reshape::conformance::performance
