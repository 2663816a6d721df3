#include "conformance/adapter/contract/bare_calls.h"

#include <gtest/gtest.h>

#include "conformance/adapter/testing/asking.h"
#include "conformance/text/testing/expect_in.h"

namespace reshape::conformance {
namespace {

using Clock = std::chrono::steady_clock;

// Two answers are told apart by their shapes here, so that both are in the sentence.
TEST(BareCalls, OfFourBitElementsTheHalfThatNoElementHasIsLeftAsItWas) {
  const auto library = PluginLibrary::load(testing_adapter::kLibrary);
  ASSERT_TRUE(library.ok()) << library.error().text();
  const BareCalls one(**library, testing_adapter::request("right", "i4[3] i64[3]"), 0);
  const BareCalls other(**library, testing_adapter::request("right", "i4[3] i64[1,3]"), 0);
  ASSERT_TRUE(one.executes());
  EXPECT_EQ(one.differs_from(other, "alone"),
            "inference answered [3], execution ok, view ok; alone inference answered [1,3], "
            "execution ok, view ok");
  const BareCalls refused(**library, testing_adapter::request("right", "i4[3] i64[4]"), 0);
  EXPECT_EQ(one.differs_from(refused, "alone"),
            "inference answered [3], execution ok, view ok; alone inference answered rejected (the "
            "element counts differ)");
  EXPECT_EQ(one.differs_from(one, "alone"), std::nullopt);
}

// Races on state that strided copies share show only if such copies are executed repeatedly.
TEST(BareCalls, ExecuteStridedCopies) {
  const auto library = PluginLibrary::load(testing_adapter::kLibrary);
  ASSERT_TRUE(library.ok()) << library.error().text();
  for (const char* line :
       {"f32[3,5] i64[15] strides=[1,3]", "u8[4] i64[4] strides=[-3] offset=9",
        "i4[3,5] i64[5,3] strides=[7,1]", "boolean[2,3] i64[6] strides=[0,2]",
        "f32[15] i64[3,5] out_strides=[1,3]", "i4[15] i64[5,3] out_strides=[7,1]"}) {
    const BareCalls right(**library, testing_adapter::request("right", line), 0);
    EXPECT_TRUE(right.executes()) << line;
    const BareCalls again(**library, testing_adapter::request("right-again", line), 0);
    EXPECT_EQ(right.differs_from(again, "again"), std::nullopt) << line;
    const BareCalls wrong(**library, testing_adapter::request("wrong-last-byte", line), 0);
    expect_in(wrong.differs_from(right, line).value_or(""), "execution wrote other elements");
  }
}

// The bytes up to the end of a line, or of the page, and those of gaps.
TEST(BareCalls, KnowBytesOfNobody) {
  const auto library = PluginLibrary::load(testing_adapter::kLibrary);
  ASSERT_TRUE(library.ok()) << library.error().text();
  constexpr std::size_t kBehind = 64;
  const std::pair<const char*, std::size_t> gaps[] = {{"u8[5] i64[5] out_strides=[2]", 4},
                                                      {"f32[3] i64[3] out_strides=[-2]", 8},
                                                      {"i4[5,1] i64[5,1] out_strides=[4,1]", 4},
                                                      {"u8[5] i64[5]", 0}};
  for (const auto& [line, count] : gaps) {
    BareCalls calls(**library, testing_adapter::request("right", line), 0);
    const std::vector<std::byte*> bytes = calls.bytes_of_nobody();
    ASSERT_EQ(bytes.size(), count + kBehind) << line;
    for (std::byte* byte : bytes) *byte = std::byte{0x77};
    EXPECT_EQ(calls.execute(3), std::nullopt) << line;
    for (const std::byte* byte : bytes) EXPECT_EQ(*byte, std::byte{0x77}) << line;
  }
}

TEST(BareCalls, MeetTwiceWhateverIsAnswered) {
  const auto library = PluginLibrary::load(testing_adapter::kLibrary);
  ASSERT_TRUE(library.ok()) << library.error().text();
  for (const char* line : {"f32[3] i64[3]", "f32[3] i64[7]", "f32[0] i64[0]"}) {
    BareCalls calls(**library, testing_adapter::request("right", line), 0, 64,
                    BareCalls::Alone::later);
    int met = 0;
    calls.ask_first([&] { ++met; });
    EXPECT_EQ(met, 2) << line;
    EXPECT_FALSE(calls.ask("again", 1, Clock::now()).differing) << line;
  }
}

}  // namespace
}  // namespace reshape::conformance
