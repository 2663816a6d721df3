#include "reference/tensor/element_type.h"

#include <gtest/gtest.h>

#include <iterator>
#include <limits>
#include <string>
#include <vector>

namespace reshape {
namespace {

TEST(ElementType, EveryNameLeadsBackToItsType) {
  for (ElementType type : kAllElementTypes) {
    EXPECT_EQ(element_type_named(name(type)), type) << name(type);
  }
  EXPECT_EQ(element_type_named("f33"), std::nullopt);
  EXPECT_EQ(element_type_named(""), std::nullopt);
  EXPECT_EQ(element_type_named("F32"), std::nullopt);
}

TEST(ElementType, EveryNameSaysItsWidth) {
  for (ElementType type : kAllElementTypes) {
    const std::string word(name(type));
    if (type == ElementType::boolean) {
      EXPECT_EQ(bits(type), 8);
    } else if (word.starts_with("f8")) {
      EXPECT_EQ(bits(type), 8) << word;
    } else {
      const std::size_t digits = word.find_first_of("0123456789");
      EXPECT_EQ(bits(type), std::stoi(word.substr(digits))) << word;
    }
  }
}

TEST(ElementType, EveryTypeIsOfOneKind) {
  for (ElementType type : kAllElementTypes) {
    const char first = name(type).front();
    EXPECT_EQ(is_float(type), first == 'f' || name(type) == "bf16") << name(type);
    EXPECT_EQ(is_signed_integer(type), first == 'i') << name(type);
    EXPECT_EQ(is_integer(type), first == 'i' || first == 'u') << name(type);
    EXPECT_EQ(is_numeric(type), type != ElementType::boolean) << name(type);
  }
}

TEST(ElementType, AnOddCountOfHalfBytesTakesAWholeByteMore) {
  EXPECT_EQ(bytes_for(ElementType::i4, 0), 0);
  EXPECT_EQ(bytes_for(ElementType::i4, 1), 1);
  EXPECT_EQ(bytes_for(ElementType::u4, 2), 1);
  EXPECT_EQ(bytes_for(ElementType::u4, 3), 2);
  EXPECT_EQ(bytes_for(ElementType::f64, 3), 24);
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(bytes_for(ElementType::u4, kMost), kMost / 2 + 1);
  EXPECT_EQ(bytes_for(ElementType::u8, kMost), kMost);
  EXPECT_EQ(bytes_for(ElementType::f32, kMost / 4 + 1), kMost);
  EXPECT_EQ(bytes_for(ElementType::bf16, 3), 6);
  EXPECT_EQ(bytes_for(ElementType::boolean, 3), 3);
}

TEST(ElementType, RangesOfIntegers) {
  EXPECT_TRUE(lowest(ElementType::i64) == std::numeric_limits<std::int64_t>::min());
  EXPECT_TRUE(highest(ElementType::i64) == std::numeric_limits<std::int64_t>::max());
  EXPECT_TRUE(lowest(ElementType::u64) == 0);
  EXPECT_TRUE(highest(ElementType::u64) == std::numeric_limits<std::uint64_t>::max());
  EXPECT_TRUE(lowest(ElementType::i4) == -8);
  EXPECT_TRUE(highest(ElementType::i4) == 7);
  EXPECT_TRUE(highest(ElementType::u4) == 15);
  EXPECT_TRUE(lowest(ElementType::i8) == -128);
  EXPECT_TRUE(highest(ElementType::u16) == 65535);
}

TEST(ElementTypes, SetsHoldWhatTheirNamesSay) {
  for (ElementType type : kAllElementTypes) {
    EXPECT_TRUE(ElementTypes::all().contains(type));
    EXPECT_EQ(ElementTypes::integers().contains(type), is_integer(type));
    EXPECT_EQ(ElementTypes::numeric().contains(type), is_numeric(type));
    EXPECT_FALSE(ElementTypes().contains(type));
  }
  EXPECT_TRUE(ElementTypes().empty());
}

TEST(ElementTypes, AreWalkedInTheOrderOfTheEnum) {
  const ElementTypes types{ElementType::boolean, ElementType::f64, ElementType::i8};
  EXPECT_EQ(std::vector<ElementType>(types.begin(), types.end()),
            (std::vector{ElementType::f64, ElementType::i8, ElementType::boolean}));
  EXPECT_EQ(ElementTypes().begin(), ElementTypes().end());
  EXPECT_EQ(std::distance(ElementTypes::all().begin(), ElementTypes::all().end()),
            std::ptrdiff_t{kAllElementTypes.size()});
}

TEST(ElementTypes, HaveCommonOnesAllOfBothAndThoseOfOneAlone) {
  const ElementTypes one{ElementType::f32, ElementType::i8}, other{ElementType::i8};
  EXPECT_EQ(one & other, other);
  EXPECT_EQ(one | other, one);
  EXPECT_EQ(one - other, ElementTypes{ElementType::f32});
  EXPECT_TRUE((other - one).empty());
}

TEST(ElementTypes, TextIsInTheOrderOfTheEnumAndMasksRoundTrip) {
  const ElementTypes types{ElementType::bf16, ElementType::f32, ElementType::boolean};
  EXPECT_EQ(types.text(), "f32 bf16 boolean");
  EXPECT_EQ(ElementTypes().text(), "");
  EXPECT_EQ(ElementTypes::from_mask(types.mask()), types);
}

}  // namespace
}  // namespace reshape
