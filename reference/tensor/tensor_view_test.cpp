#include "reference/tensor/tensor_view.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <vector>

namespace reshape {
namespace {

TEST(HalfBytes, TheElementWithTheLowerIndexIsInTheLowHalf) {
  const std::array bytes{std::byte{0x21}, std::byte{0x43}};
  for (ElementType type : {ElementType::i4, ElementType::u4}) {
    for (std::int64_t position = 0; position < 4; ++position) {
      EXPECT_EQ(load_element(type, bytes.data(), position),
                static_cast<std::uint64_t>(position + 1));
    }
  }
}

TEST(HalfBytes, NegativePositionsCountDownFromTheBase) {
  const std::array bytes{std::byte{0x21}, std::byte{0x43}};
  EXPECT_EQ(load_element(ElementType::u4, bytes.data() + 1, -1), 2U);
  EXPECT_EQ(load_element(ElementType::u4, bytes.data() + 1, -2), 1U);
  std::array written{std::byte{0x55}, std::byte{0x55}};
  store_element(ElementType::u4, written.data() + 1, -1, 0xA);
  EXPECT_EQ(written[0], std::byte{0xA5});
  EXPECT_EQ(written[1], std::byte{0x55});
}

TEST(HalfBytes, AStoreLeavesTheOtherHalfAlone) {
  for (unsigned before = 0; before < 256; ++before) {
    for (unsigned value = 0; value < 16; ++value) {
      std::byte low{static_cast<unsigned char>(before)};
      std::byte high = low;
      // Bits above the element's own do not count.
      store_element(ElementType::i4, &low, 0, value | 0xF0U);
      store_element(ElementType::i4, &high, 1, value | 0xF0U);
      EXPECT_EQ(static_cast<unsigned>(low), (before & 0xF0U) | value);
      EXPECT_EQ(static_cast<unsigned>(high), (before & 0x0FU) | (value << 4));
    }
  }
}

TEST(Elements, StoredBitsAreLoadedAndNeighboursStay) {
  for (ElementType type : kAllElementTypes) {
    std::vector<std::byte> bytes(static_cast<std::size_t>(bytes_for(type, 6)), std::byte{0xA5});
    const std::vector<std::byte> before = bytes;
    const std::uint64_t value = 0x8123456789ABCDEFULL & (~std::uint64_t{0} >> (64 - bits(type)));
    store_element(type, bytes.data(), 3, value);
    EXPECT_EQ(load_element(type, bytes.data(), 3), value) << name(type);
    for (std::int64_t position = 0; position < 6; ++position) {
      if (position == 3) continue;
      EXPECT_EQ(load_element(type, bytes.data(), position),
                load_element(type, before.data(), position))
          << name(type) << " at " << position;
    }
  }
}

TEST(Elements, SignallingNansKeepTheirBits) {
  std::array<std::byte, 8> bytes{};
  store_element(ElementType::f32, bytes.data(), 1, 0x7F800001U);
  std::uint32_t bits_there = 0;
  std::memcpy(&bits_there, bytes.data() + 4, 4);
  EXPECT_EQ(bits_there, 0x7F800001U);
}

TEST(Elements, UnalignedBuffersAreRead) {
  std::array<std::byte, 17> bytes{};
  store_element(ElementType::f64, bytes.data() + 1, 1, 0x0123456789ABCDEFULL);
  EXPECT_EQ(load_element(ElementType::f64, bytes.data() + 1, 1), 0x0123456789ABCDEFULL);
  EXPECT_EQ(bytes[9], std::byte{0xEF});
}

}  // namespace
}  // namespace reshape
