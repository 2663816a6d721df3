#include "conformance/adapter/examine/other_outputs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

#include "conformance/model/another_shape.h"
#include "reference/tensor/layout.h"

namespace reshape::conformance {
namespace {

TEST(OtherOutputs, HaveAsManyElementsAndAreNotTheInferredOne) {
  for (const Shape& shape : {Shape{}, Shape{6}, Shape{2, 3}, Shape{1, 4, 1}, Shape{0, 3}}) {
    const OtherOutputs others = other_outputs(shape);
    EXPECT_FALSE(others.in_ones.empty());
    for (const auto& kind : {others.in_ones, others.in_sizes}) {
      for (const Shape& other : kind) {
        EXPECT_NE(other, shape);
        EXPECT_EQ(element_count(other), element_count(shape));
      }
    }
  }
}

// Their strides would not fit 64 bits.
TEST(OtherOutputs, HaveStrides) {
  const std::int64_t huge = std::int64_t{1} << 40;
  for (const auto& kind :
       {other_outputs({huge, huge, 0}).in_ones, other_outputs({huge, huge, 0}).in_sizes}) {
    for (const Shape& other : kind) EXPECT_TRUE(row_major_strides(other)) << other.rank();
  }
}

TEST(OtherOutputs, ThoseThatAreTakenAreCountedByKind) {
  const auto of_rank_3 = [](const Shape& shape) { return shape.rank() == 3; };
  EXPECT_EQ(which_are_taken({2, 3}, of_rank_3),
            "of outputs that differ in axes of size 1 alone it takes 2 of 2, of those that differ "
            "in other sizes 0 of 2; of those of its rank 0 of 1, of those of another rank 2 of 3");
}

// Else none of those that are asked may be taken, of an output that one execution takes.
TEST(OtherOutputs, TheOneThatExecutionsTakeIsAmongThem) {
  for (const Shape& shape : {Shape{}, Shape{6}, Shape{2, 3}, Shape{2, 4, 4}, Shape{0, 3}}) {
    const OtherOutputs others = other_outputs(shape);
    const Shape another = another_shape(shape);
    EXPECT_TRUE(std::ranges::find(others.in_ones, another) != others.in_ones.end() ||
                std::ranges::find(others.in_sizes, another) != others.in_sizes.end())
        << text(another);
  }
}

}  // namespace
}  // namespace reshape::conformance
