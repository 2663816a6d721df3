#include "reference/plugin_caller.h"

namespace reshape::reference {
namespace {

using Execute = Caller;

TEST_F(Execute, CopiesEveryType) {
  for (ElementType type : kAllElementTypes) {
    Tensor data = holding(type, {3, 5}, counting(15));
    Tensor output(type, {5, 3}, data.bytes.size());
    EXPECT_EQ(execute(data, {5, -1}, output), "ok") << name(type);
    for (std::int64_t at = 0; at < 15; ++at) {
      EXPECT_EQ(load_element(type, output.bytes.data(), at),
                load_element(type, data.bytes.data(), at))
          << name(type);
    }
  }
}

TEST_F(Execute, FollowsStridesAndByteOffsets) {
  Tensor data = holding(ElementType::u8, {3, 2}, counting(9));
  data.strides = {1, -3};  // columns from the back, behind an offset of three bytes
  data.form.byte_offset = 3;
  Tensor output(ElementType::u8, {2, 3}, 20);
  output.strides = {8, 2};
  output.form.byte_offset = 1;
  ASSERT_EQ(execute(data, {2, 3}, output), "ok");
  std::vector<std::byte> expected(20, std::byte{0xC3});
  const std::array<int, 6> elements{4, 1, 5, 2, 6, 3};
  for (std::size_t at = 0; at < 6; ++at) {
    expected[1 + at / 3 * 8 + at % 3 * 2] = static_cast<std::byte>(elements[at]);
  }
  EXPECT_EQ(output.bytes, expected);
}

TEST_F(Execute, HalfByteTensorsStartAtWholeBytes) {
  Tensor data = holding(ElementType::u4, {3}, {9, 9, 1, 2, 3});
  data.form.byte_offset = 1;
  Tensor output(ElementType::u4, {3, 1}, 4);
  output.form.byte_offset = 2;
  ASSERT_EQ(execute(data, {3, 1}, output), "ok");
  // The upper half of the last byte is not an element of the output and stays.
  EXPECT_EQ(output.bytes, (std::vector<std::byte>{std::byte{0xC3}, std::byte{0xC3}, std::byte{0x21},
                                                  std::byte{0xC3}}));
}

TEST_F(Execute, EmptyTensorsMayHaveNoMemory) {
  Tensor data(ElementType::f32, {0, 3}, 0);
  special_zero = RESHAPE_FLAG_FALSE;
  Tensor output(ElementType::f32, {7, 0}, 0);
  EXPECT_EQ(execute(data, {7, 0}, output), "ok");
  // Dense strides of this one would be above 2^63-1, and are not needed.
  data.sizes = {0, std::int64_t{1} << 62, 4};
  EXPECT_EQ(execute(data, {7, 0}, output), "ok");
}

TEST_F(Execute, RefusesWhatInferenceRefuses) {
  Tensor data = holding(ElementType::f32, {2, 3}, counting(6));
  Tensor output(ElementType::f32, {4, 2}, 32);
  EXPECT_EQ(execute(data, {4, -1}, output), "rejected minus-one.divides");
}

TEST_F(Execute, RefusesAnotherOutputThanAsked) {
  Tensor data = holding(ElementType::f32, {2, 3}, counting(6));
  const std::vector<std::int64_t> pattern = {3, 2};
  Tensor other_shape(ElementType::f32, {6}, 24);
  EXPECT_EQ(execute(data, pattern, other_shape), "rejected output.shape");
  EXPECT_STREQ(why.text, "output.shape: the output is [6], but the request produces [3,2]");
  Tensor other_type(ElementType::i32, {3, 2}, 24);
  EXPECT_EQ(execute(data, pattern, other_type), "rejected output.type");
  Tensor negative(ElementType::f32, {-3, 2}, 24);
  EXPECT_EQ(execute(data, pattern, negative), "rejected output.shape");
}

TEST_F(Execute, InPlaceKeepsTheElements) {
  for (ElementType type : {ElementType::f32, ElementType::i4}) {
    Tensor data = holding(type, {2, 3}, counting(6));
    const std::vector<std::byte> before = data.bytes;
    Tensor output(type, {3, 2}, 0);
    output.form.data = data.bytes.data();
    EXPECT_EQ(execute(data, {3, 2}, output), "ok");
    EXPECT_EQ(data.bytes, before);
  }
}

// Data lies at bytes 8 to 13; an output of six bytes is moved along it.
TEST_F(Execute, OverlappingInPartIsAsIfTheDataWereReadFirst) {
  for (std::size_t start = 0; start <= 16; ++start) {
    Tensor memory(ElementType::u8, {2, 3}, 24);
    for (std::size_t at = 0; at < 24; ++at) memory.bytes[at] = static_cast<std::byte>(at);
    std::vector<std::byte> right = memory.bytes;
    std::copy_n(memory.bytes.begin() + 8, 6, right.begin() + static_cast<std::ptrdiff_t>(start));
    memory.form.byte_offset = 8;
    Tensor output(ElementType::u8, {3, 2}, 0);
    output.form.data = memory.bytes.data();
    output.form.byte_offset = start;
    EXPECT_EQ(execute(memory, {3, 2}, output), "ok") << start;
    EXPECT_EQ(memory.bytes, right) << start;
  }
}

TEST_F(Execute, TheSameBufferInAnotherOrder) {
  Tensor data = holding(ElementType::u8, {2, 3}, counting(6));
  Tensor output(ElementType::u8, {3, 2}, 0);
  output.form.data = data.bytes.data();
  output.strides = {1, 3};
  const std::vector<std::byte> before = data.bytes;
  EXPECT_EQ(execute(data, {3, 2}, output), "ok");
  for (std::size_t at = 0; at < 6; ++at) {
    EXPECT_EQ(data.bytes[at / 2 + at % 2 * 3], before[at]) << at;
  }
}

TEST_F(Execute, AsksForMemoryOnTheCpu) {
  Tensor data = holding(ElementType::f32, {2, 3}, counting(6));
  Tensor output(ElementType::f32, {3, 2}, 24);
  output.form.device = {kDLCUDA, 0};
  EXPECT_EQ(execute(data, {3, 2}, output), "unsupported");
}

}  // namespace
}  // namespace reshape::reference
