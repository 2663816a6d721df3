#include "conformance/adapter/memory/repeated_pages.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace reshape::conformance {
namespace {

TEST(RepeatedPages, EveryWindowIsTheSameAndTheRestIsItsOwn) {
  constexpr std::size_t kWindows = 3, kRest = 4096;
  std::optional<RepeatedPages> pages = RepeatedPages::map(kWindows, kRest);
  ASSERT_TRUE(pages);
  ASSERT_EQ(pages->size(), kWindows * RepeatedPages::kWindow + kRest);
  std::ranges::fill(pages->rest(), std::byte{7});
  for (std::size_t at = 0; at < kWindows; ++at) {
    const std::byte mark{static_cast<unsigned char>(at + 1)};
    pages->data()[at * RepeatedPages::kWindow + 5] = mark;
    for (std::size_t other = 0; other < kWindows; ++other) {
      EXPECT_EQ(pages->data()[other * RepeatedPages::kWindow + 5], mark);
    }
  }
  EXPECT_EQ(std::ranges::count(pages->rest(), std::byte{7}), static_cast<std::ptrdiff_t>(kRest));
}

TEST(RepeatedPages, WithoutAWindowTheRestIsAll) {
  const std::optional<RepeatedPages> pages = RepeatedPages::map(0, 4096);
  ASSERT_TRUE(pages);
  EXPECT_EQ(pages->size(), 4096);
  EXPECT_EQ(pages->rest().data(), pages->data());
}

TEST(RepeatedPagesDeathTest, WhatIsReadOnlyAndWhatLiesBehindFaults) {
  std::optional<RepeatedPages> pages = RepeatedPages::map(2, 4096);
  ASSERT_TRUE(pages);
  volatile std::byte* const end = pages->data() + pages->size();
  EXPECT_DEATH(*end = std::byte{1}, "");
  ASSERT_TRUE(pages->make_read_only());
  volatile std::byte* const first = pages->data();
  EXPECT_DEATH(*first = std::byte{1}, "");
}

}  // namespace
}  // namespace reshape::conformance
