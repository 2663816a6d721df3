#include "conformance/model/payload.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "reference/tensor/tensor_view.h"

namespace reshape::conformance {
namespace {

// Counts around every place where one more round is needed, and some large ones.
const std::vector<std::int64_t> kCounts = {1,   2,    3,    15,   16,    17,    255,  256,
                                           257, 1000, 4096, 4097, 65536, 65537, 70000};

class EveryType : public testing::TestWithParam<ElementType> {};

TEST_P(EveryType, AllRoundsTogetherTellEveryPositionApart) {
  const ElementType type = GetParam();
  for (std::int64_t count : kCounts) {
    const int rounds = distinct_rounds(type, count);
    std::vector<std::vector<std::uint64_t>> seen;
    for (std::int64_t position = 0; position < count; ++position) {
      std::vector<std::uint64_t> digits;
      for (int round = 0; round < rounds; ++round) {
        digits.push_back(payload_bits(Payload::distinct, type, position, round));
      }
      seen.push_back(std::move(digits));
    }
    std::sort(seen.begin(), seen.end());
    EXPECT_EQ(std::adjacent_find(seen.begin(), seen.end()), seen.end()) << count;
  }
}

TEST_P(EveryType, RoundsAreAsFewAsTheTypeAllows) {
  const ElementType type = GetParam();
  const int width = type == ElementType::boolean ? 1 : bits(type);
  for (std::int64_t count : kCounts) {
    const int rounds = distinct_rounds(type, count);
    if (rounds > 1) {
      EXPECT_GT(count, std::int64_t{1} << (width * (rounds - 1)));
    }
  }
  EXPECT_EQ(distinct_rounds(type, 0), 1);
}

TEST_P(EveryType, BitsStayWithinTheType) {
  const ElementType type = GetParam();
  const int width = type == ElementType::boolean ? 1 : bits(type);
  for (Payload payload : {Payload::distinct, Payload::hard, Payload::zeros}) {
    for (int round = 0; round < distinct_rounds(type, 70000); ++round) {
      for (std::int64_t position = 0; position < 70000; position += 7) {
        const std::uint64_t value = payload_bits(payload, type, position, round);
        if (width < 64) {
          ASSERT_EQ(value >> width, 0u) << position;
        }
      }
    }
  }
}

// Every way of filling, whole rows and cut ones, tails of a pair and of a cycle.
TEST_P(EveryType, FilledAtOnceAsOneByOne) {
  const ElementType type = GetParam();
  for (std::int64_t count : {0, 1, 2, 3, 13, 25, 26, 27, 255, 256, 257, 511, 4097, 65537, 140001}) {
    for (Payload payload : {Payload::distinct, Payload::hard, Payload::zeros}) {
      for (int round = 0; round < 3; ++round) {
        std::vector<std::byte> right(static_cast<std::size_t>(bytes_for(type, count)));
        std::vector<std::byte> filled(right.size(), std::byte{0xee});
        for (std::int64_t position = 0; position < count; ++position) {
          store_element(type, right.data(), position, payload_bits(payload, type, position, round));
        }
        fill_payload(payload, type, round, count, filled);
        ASSERT_EQ(filled, right) << count << ' ' << name(payload) << " round " << round;
      }
    }
  }
}

TEST_P(EveryType, HardPatternsCycleWithAnOddPeriodAndDoNotRepeatWithin) {
  const ElementType type = GetParam();
  std::int64_t period = 0;
  for (std::int64_t length = 1; length < 40 && period == 0; ++length) {
    bool repeats = true;
    for (std::int64_t position = 0; position < 40; ++position) {
      repeats &= payload_bits(Payload::hard, type, position) ==
                 payload_bits(Payload::hard, type, position + length);
    }
    if (repeats) period = length;
  }
  EXPECT_EQ(period % 2, 1);
  if (type == ElementType::boolean) return;  // two values cannot fill a longer cycle
  std::set<std::uint64_t> values;
  for (std::int64_t position = 0; position < period; ++position) {
    values.insert(payload_bits(Payload::hard, type, position));
  }
  EXPECT_EQ(values.size(), static_cast<std::size_t>(period));
}

TEST_P(EveryType, ZerosAreZerosAndSigns) {
  const std::int64_t zeros = 2048 * 8 / bits(GetParam());
  std::set<std::uint64_t> values;
  for (std::int64_t position = 0; position < 2 * zeros; ++position) {
    if (position == zeros) {
      EXPECT_EQ(values, std::set<std::uint64_t>{0});
    }
    values.insert(payload_bits(Payload::zeros, GetParam(), position, 3));
  }
  const int sign = GetParam() == ElementType::boolean ? 0 : bits(GetParam()) - 1;
  EXPECT_EQ(values, (std::set<std::uint64_t>{0, std::uint64_t{1} << sign}));
}

// The filled bytes are held to payload_bits() elsewhere.
TEST_P(EveryType, PagesAndLargeBlocksAreZero) {
  const auto all_zero = [](std::int64_t begin, std::int64_t bytes) {
    const std::int64_t first = begin * 8 / bits(GetParam()), count = bytes * 8 / bits(GetParam());
    for (std::int64_t position = first; position < first + count; ++position) {
      if (payload_bits(Payload::zeros, GetParam(), position) != 0) return false;
    }
    return true;
  };
  constexpr std::int64_t kBlock = 32 << 10, kLarge = 512 << 10;
  EXPECT_TRUE(all_zero(kBlock, kBlock));
  EXPECT_FALSE(all_zero(2 * kBlock, kBlock));
  EXPECT_TRUE(all_zero(kLarge, kLarge));
  EXPECT_FALSE(all_zero(2 * kLarge, kBlock));
}

INSTANTIATE_TEST_SUITE_P(Payload, EveryType, testing::ValuesIn(kAllElementTypes),
                         [](const auto& type) { return std::string(name(type.param)); });

// A byte that is skipped, swapped or taken from a neighbour must show: elements a row or a tile
// apart differ in (almost) every byte, in the first round already.
TEST(DistinctPayload, ShiftsShowInEveryByte) {
  constexpr std::int64_t kPositions = 4096;
  for (ElementType type : kAllElementTypes) {
    const int width = bits(type);
    if (width < 8 || type == ElementType::boolean) continue;
    for (std::int64_t shift : {1, 2, 3, 4, 7, 8, 16, 32, 64, 128, 255, 256, 257, 512, 1024, 4096}) {
      for (int byte = 0; byte < width / 8; ++byte) {
        int equal = 0;
        for (std::int64_t position = 0; position < kPositions; ++position) {
          const std::uint64_t here = payload_bits(Payload::distinct, type, position);
          const std::uint64_t there = payload_bits(Payload::distinct, type, position + shift);
          equal += ((here >> (8 * byte)) & 0xff) == ((there >> (8 * byte)) & 0xff) ? 1 : 0;
        }
        EXPECT_LT(equal, kPositions / 32) << name(type) << " shift " << shift << " byte " << byte;
      }
    }
  }
}

TEST(DistinctPayload, NibblesDifferFromTheirNeighbours) {
  for (std::int64_t position = 0; position < 4096; position += 2) {
    EXPECT_NE(payload_bits(Payload::distinct, ElementType::u4, position),
              payload_bits(Payload::distinct, ElementType::u4, position + 1));
  }
}

TEST(HardPayload, HoldsWhatConversionsSpoil) {
  std::set<std::uint64_t> f32;
  for (std::int64_t position = 0; position < 13; ++position) {
    f32.insert(payload_bits(Payload::hard, ElementType::f32, position));
  }
  EXPECT_TRUE(f32.contains(0x80000000));  // -0
  EXPECT_TRUE(f32.contains(0x7f800000));  // infinity
  EXPECT_TRUE(f32.contains(0x7f800001));  // signalling NaN
  EXPECT_TRUE(f32.contains(0x00000001));  // smallest denormal
  EXPECT_TRUE(f32.contains(0x7f7fffff));  // largest finite
}

TEST(Payload, NamesAreTheWordsOfTheLine) {
  EXPECT_STREQ(name(Payload::distinct), "distinct");
  EXPECT_STREQ(name(Payload::hard), "hard");
  EXPECT_STREQ(name(Payload::zeros), "zeros");
}

}  // namespace
}  // namespace reshape::conformance
