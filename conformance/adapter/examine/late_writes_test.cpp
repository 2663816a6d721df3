#include "conformance/adapter/examine/late_writes.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "conformance/adapter/memory/sanitizers.h"

namespace reshape::conformance {
namespace {

constexpr std::uint8_t kPoison = 0xa5;
const std::vector<std::byte> kUnwritten(256, std::byte{kPoison});
const std::vector<std::byte> kWritten(256, std::byte{1});

TEST(LateWrites, AreSeenWhereAnotherThreadStillWrites) {
  std::atomic<bool> end = false;
  std::jthread other([&] {
    while (!end) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  });
  int looks = 0;
  const auto later =
      written_later(kUnwritten, kPoison, [&] { return ++looks < 2 ? kUnwritten : kWritten; });
  EXPECT_TRUE(later);
  const auto never = written_later(kUnwritten, kPoison, [&] { return kUnwritten; });
  EXPECT_FALSE(never);
  end = true;
}

TEST(LateWrites, AreNotWaitedForWhereAllIsWrittenOrNobodyElseIsThere) {
  int looks = 0;
  const auto look = [&] {
    ++looks;
    return kWritten;
  };
  EXPECT_FALSE(written_later(kWritten, kPoison, look));
  EXPECT_EQ(looks, 0);
  if (kThreadSanitized) GTEST_SKIP() << "the sanitizer's own thread is somebody else";
  EXPECT_FALSE(written_later(kUnwritten, kPoison, look));  // a single thread
  EXPECT_EQ(looks, 0);
}

}  // namespace
}  // namespace reshape::conformance
