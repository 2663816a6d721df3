#include "reference/tensor/ruling.h"

#include <gtest/gtest.h>

#include <limits>

#include "reference/tensor/result.h"
#include "reference/tensor/shape_pattern.h"

namespace reshape {
namespace {

const PermittedShape kZeroAndAny{{0, std::nullopt}};

TEST(Ruling, TextIsWhatCasesExpect) {
  EXPECT_EQ(text(Ruling::produces({2, 150, 4})), "produces [2,150,4]");
  EXPECT_EQ(text(Ruling::produces({})), "produces []");
  EXPECT_EQ(text(Ruling::rejects("minus-one.once")), "rejects minus-one.once");
  EXPECT_EQ(text(Ruling::unspecified("minus-one.beside-copied-zero", true, {kZeroAndAny})),
            "unspecified minus-one.beside-copied-zero permits rejects | produces [0,*]");
  EXPECT_EQ(
      text(Ruling::unspecified("data.scalar", false, {PermittedShape::exactly({1}), kZeroAndAny})),
      "unspecified data.scalar permits produces [1] | produces [0,*]");
  EXPECT_EQ(text(Ruling::unspecified("x", true, {})), "unspecified x permits rejects");
}

TEST(Ruling, PermitsWhatItSays) {
  const Ruling produces = Ruling::produces({2, 3});
  EXPECT_TRUE(produces.permits({2, 3}));
  EXPECT_FALSE(produces.permits({3, 2}));
  EXPECT_FALSE(produces.permits_rejecting());

  const Ruling rejects = Ruling::rejects("volume.kept");
  EXPECT_FALSE(rejects.permits({}));
  EXPECT_TRUE(rejects.permits_rejecting());

  const Ruling open = Ruling::unspecified("x", true, {kZeroAndAny});
  EXPECT_TRUE(open.permits({0, 0}));
  EXPECT_TRUE(open.permits({0, 7}));
  EXPECT_FALSE(open.permits({1, 7}));
  EXPECT_FALSE(open.permits({0}));
  EXPECT_FALSE(open.permits({0, 7, 1}));
  EXPECT_TRUE(open.permits_rejecting());
  EXPECT_FALSE(Ruling::unspecified("x", false, {kZeroAndAny}).permits_rejecting());
}

TEST(PermittedShape, AnyIsAnySizeButNoNegativeOne) {
  EXPECT_TRUE(kZeroAndAny.admits({0, std::numeric_limits<std::int64_t>::max()}));
  EXPECT_FALSE(kZeroAndAny.admits({0, -1}));
  EXPECT_TRUE(PermittedShape::exactly({}).admits({}));
  EXPECT_FALSE(PermittedShape::exactly({}).admits({1}));
}

TEST(PatternText, EveryValueOfEveryTypeIsWritten) {
  EXPECT_EQ(text(PatternValue{0}), "0");
  EXPECT_EQ(text(PatternValue{-1}), "-1");
  EXPECT_EQ(text(PatternValue{1000}), "1000");
  EXPECT_EQ(text(highest(ElementType::u64)), "18446744073709551615");
  EXPECT_EQ(text(lowest(ElementType::i64)), "-9223372036854775808");
  EXPECT_EQ(text(PatternValue{1} << 126), "85070591730234615865843651857942052864");
}

TEST(PatternText, TypeAndValues) {
  EXPECT_EQ(text(ShapePattern{ElementType::i64, {0, -1, 4}}), "i64[0,-1,4]");
  EXPECT_EQ(text(ShapePattern{ElementType::u8, {}}), "u8[]");
}

TEST(Pattern, OneDimensionalUnlessItsTensorSaysOtherwise) {
  EXPECT_TRUE((ShapePattern{ElementType::i64, {4}}.one_dimensional()));
  EXPECT_TRUE((ShapePattern{ElementType::i64, {4}, Shape{1}}.one_dimensional()));
  EXPECT_FALSE((ShapePattern{ElementType::i64, {4}, Shape{}}.one_dimensional()));
  EXPECT_FALSE((ShapePattern{ElementType::i64, {4}, Shape{1, 1}}.one_dimensional()));
}

TEST(Result, HoldsAValueOrTheReasonWhyThereIsNone) {
  const Result<int> value = 7;
  ASSERT_TRUE(value.ok());
  EXPECT_EQ(*value, 7);
  const Result<int> error = Error{"no such file", "a.yaml:3"};
  ASSERT_FALSE(error.ok());
  EXPECT_EQ(error.error().text(), "a.yaml:3: no such file");
  EXPECT_EQ(Error{"alone"}.text(), "alone");
}

}  // namespace
}  // namespace reshape
