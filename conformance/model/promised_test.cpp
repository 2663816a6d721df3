#include <gtest/gtest.h>

#include "conformance/model/judge.h"

namespace reshape::conformance {
namespace {

class Promised : public testing::Test {
 protected:
  Promised() {
    request.dialect = "one";
    request.data = {2, 3};
    request.pattern.values = {3, 2};
    expectation.ruling = Ruling::produces({3, 2});
    capabilities.dialects = {"one"};
    capabilities.element_types = {ElementType::f32};
    capabilities.pattern_types = {ElementType::i64};
  }
  std::optional<std::string> why() const {
    return why_unsupported(request, expectation, capabilities);
  }

  Request request;
  Expectation expectation;
  Capabilities capabilities;
};

TEST_F(Promised, NothingMissing) { EXPECT_EQ(why(), std::nullopt); }

TEST_F(Promised, Dialect) {
  request.dialect = "two";
  EXPECT_EQ(why(), "dialect two is not declared");
  expectation.ruling = Ruling::rejects("data.type");  // not even refusals are due in that dialect
  EXPECT_EQ(why(), "dialect two is not declared");
}

TEST_F(Promised, ElementType) {
  request.data_type = ElementType::f64;
  EXPECT_EQ(why(), "element type f64 is not declared");
  expectation.ruling = Ruling::rejects("volume.kept");
  EXPECT_TRUE(why());
  expectation.ruling = Ruling::unspecified("data.type-open", true, {});
  EXPECT_TRUE(why());
  expectation.ruling = Ruling::rejects("data.type");
  EXPECT_EQ(why(), std::nullopt);
}

TEST_F(Promised, PatternType) {
  request.pattern.type = ElementType::u8;
  EXPECT_EQ(why(), "pattern type u8 is not declared");
  expectation.ruling = Ruling::rejects("pattern.type");
  EXPECT_EQ(why(), std::nullopt);
}

TEST_F(Promised, AChildIsSentNoMemory) {
  capabilities.in_memory = false;
  capabilities.strided_input = capabilities.strided_output = true;
  EXPECT_EQ(why(), std::nullopt);
  request.offset = 1;
  EXPECT_EQ(why(), "strides and offsets are not sent to a child");
  request.offset = 0;
  request.out_strides = Strides{2, 1};  // dense, but a child is told no strides at all
  EXPECT_TRUE(why());
  request.out_strides.reset();
  request.strides = Strides{1, 2};
  EXPECT_TRUE(why());
  expectation.ruling = Ruling::rejects("data.type");  // a refusal is due, but not with a layout
  EXPECT_TRUE(why());
}

TEST_F(Promised, TheShapeAlone) {
  request.shape_only = true;
  EXPECT_EQ(why(), std::nullopt);
  capabilities.infers_alone = false;
  EXPECT_EQ(why(), "the shape alone, without the data, is not promised");
}

TEST_F(Promised, AsManyBytesAsDeclared) {
  capabilities.max_bytes = 24;
  EXPECT_EQ(why(), std::nullopt);
  request.data = {7};
  EXPECT_EQ(why(), "the data is above the declared 24 bytes");
  request.shape_only = true;
  EXPECT_TRUE(why());
  request.data = {7, 0};
  EXPECT_EQ(why(), std::nullopt);
}

TEST_F(Promised, RankOfDataAndOfOutput) {
  capabilities.max_rank = 2;
  EXPECT_EQ(why(), std::nullopt);
  request.data = {1, 2, 3};
  EXPECT_EQ(why(), "rank 3 is above the declared 2");
  request.data = {6};
  request.pattern.values = {1, 1, 2, 3};
  EXPECT_EQ(why(), "rank 4 is above the declared 2");
  capabilities.max_rank = 0;
  EXPECT_EQ(why(), std::nullopt);
}

TEST_F(Promised, SizesOfDataAndOfWhatIsAskedFor) {
  capabilities.max_size = 3;
  EXPECT_EQ(why(), std::nullopt);
  request.pattern.values = {6};
  EXPECT_EQ(why(), "a size is above the declared 3");
  request.pattern.values = {3, 2};
  request.data = {6};
  EXPECT_EQ(why(), "a size is above the declared 3");
}

// Beyond its limits an implementation need not look at the types either.
TEST_F(Promised, WhatIsTooLargeIsSoWhateverItsType) {
  capabilities.max_size = 3;
  request.data = {6};
  expectation.ruling = Ruling::rejects("data.type");
  EXPECT_EQ(why(), "a size is above the declared 3");
}

TEST_F(Promised, SizesThatOnlyTheAnswerHas) {
  capabilities.max_size = 3;
  request.data = {2, 3};
  request.pattern.values = {-1};
  expectation.ruling = Ruling::produces({6});
  EXPECT_EQ(why(), "a size of the answer is above the declared 3");
  capabilities.max_size = 6;
  EXPECT_EQ(why(), std::nullopt);
}

TEST_F(Promised, SizesThatOnlyAPermittedAnswerHas) {
  capabilities.max_size = 3;
  request.data = {2, 3};
  request.pattern.values = {-1};
  expectation.ruling = Ruling::unspecified("data.type-open", true, {PermittedShape{{6}}});
  EXPECT_EQ(why(), "a size of the answer is above the declared 3");
  expectation.ruling =
      Ruling::unspecified("data.type-open", true, {PermittedShape{{3, std::nullopt}}});
  EXPECT_EQ(why(), std::nullopt);
}

TEST_F(Promised, ElementsOfDataAndOfWhatIsAskedFor) {
  capabilities.max_elements = 6;
  EXPECT_EQ(why(), std::nullopt);
  request.data = {7};
  EXPECT_EQ(why(), "the number of elements is above the declared 6");
  request.data = {std::int64_t{1} << 40, std::int64_t{1} << 40};  // more than 64 bits count
  EXPECT_EQ(why(), "the number of elements is above the declared 6");
  request.data = {2, 3};
  request.pattern.values = {2, -1, 4};
  EXPECT_EQ(why(), "the number of elements asked for is above the declared 6");
  // A 0 beside large values asks for none, where it is one for certain.
  request.pattern.values = {0, 2, 4};
  EXPECT_EQ(why(), "the number of elements asked for is above the declared 6");
  request.special_zero = false;
  EXPECT_EQ(why(), std::nullopt);
  request.special_zero = true;
  request.data = {2, 0};
  EXPECT_EQ(why(), "the number of elements asked for is above the declared 6");
  request.data = {0, std::int64_t{1} << 62};
  EXPECT_EQ(why(), std::nullopt);
  // The largest limit leaves out no empty tensor, however large its sizes are.
  capabilities.max_elements = INT64_MAX;
  request.pattern.values = {0, std::int64_t{1} << 62, 8};
  EXPECT_EQ(why(), std::nullopt);
}

TEST_F(Promised, PatternsThatAreLists) {
  capabilities.pattern_is_list = true;
  EXPECT_EQ(why(), std::nullopt);
  request.pattern.tensor_shape = Shape{1, 2};
  EXPECT_EQ(why(), "only patterns that are lists can be given");
}

TEST_F(Promised, StridesThatOverlap) {
  capabilities.strided_input = true;
  capabilities.no_overlapping_strides = true;
  request.strides = Strides{4, 1};
  EXPECT_EQ(why(), std::nullopt);
  request.strides = Strides{0, 1};
  EXPECT_EQ(why(), "strides that overlap are not promised");
}

TEST_F(Promised, StridedInput) {
  request.strides = Strides{3, 1};  // the dense ones, written out
  EXPECT_EQ(why(), std::nullopt);
  request.strides = Strides{1, 2};
  EXPECT_EQ(why(), "strided input is not promised");
  capabilities.strided_input = true;
  EXPECT_EQ(why(), std::nullopt);
  request.strides = Strides{-3, 1};
  EXPECT_EQ(why(), "negative strides are not promised");
  capabilities.negative_strides = true;
  EXPECT_EQ(why(), std::nullopt);
}

TEST_F(Promised, AxesOfOneAreNeverSteppedAlong) {
  capabilities.strided_input = true;
  request.data = {1, 6};
  request.strides = Strides{-7, 2};
  EXPECT_EQ(why(), std::nullopt);
}

TEST_F(Promised, StridedOutput) {
  request.out_strides = Strides{2, 1};
  EXPECT_EQ(why(), std::nullopt);
  request.out_strides = Strides{4, 2};
  EXPECT_EQ(why(), "strided output is not promised");
  capabilities.strided_output = true;
  EXPECT_EQ(why(), std::nullopt);
  request.out_strides = Strides{-2, 1};
  EXPECT_EQ(why(), "negative strides are not promised");
  capabilities.negative_strides = true;
  EXPECT_EQ(why(), std::nullopt);
}

TEST_F(Promised, StridedOutputOfARefusal) {
  expectation.ruling = Ruling::rejects("volume.kept");
  request.out_strides = Strides{-2, 1};
  EXPECT_EQ(why(), "strided output is not promised");
  capabilities.strided_output = true;
  EXPECT_EQ(why(), "negative strides are not promised");
}

TEST_F(Promised, InPlace) {
  request.in_place = true;
  EXPECT_EQ(why(), "in place is not promised");
  capabilities.in_place = true;
  EXPECT_EQ(why(), std::nullopt);
}

}  // namespace
}  // namespace reshape::conformance
